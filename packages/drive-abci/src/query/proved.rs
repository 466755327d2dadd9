//! An answer with its proof as it is handed on, and its check.

use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::{BlockHeight, TimestampMillis};
use drive::proof::verify;
use drive::query::{Answer, Query};
use drive::tree::RootHash;
use platform_version::{PlatformVersion, ProtocolVersion};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{AskError, QueryRequest, answer_json};

/// An answer with its proof. Nothing in it is to be believed before it was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProvedAnswer {
    /// Name of the chain.
    pub chain_id: String,
    /// Height of the block; `None` right after genesis.
    pub height: Option<BlockHeight>,
    /// Time of the block.
    pub time_ms: TimestampMillis,
    /// Protocol version of the block; a checker takes it from elsewhere.
    pub protocol_version: u32,
    /// App hash of the block's state.
    #[serde(with = "hex::serde")]
    pub app_hash: RootHash,
    /// The question.
    pub query: QueryRequest,
    /// The answer.
    pub answer: Json,
    /// The proof of the answer.
    #[serde(with = "hex::serde")]
    pub proof: Vec<u8>,
    /// The proof of the contract the answer is read by, where there is one.
    #[serde(default, with = "optional_hex", skip_serializing_if = "Option::is_none")]
    pub contract_proof: Option<Vec<u8>>,
}

/// What is known of the block from elsewhere, and trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// Its app hash.
    pub app_hash: RootHash,
    /// Its time; needed where the question names a window.
    pub time: Option<TimestampMillis>,
    /// Its protocol version, by whose rules the contract is read: under older ones a document that expires is
    /// one for ever.
    pub protocol_version: ProtocolVersion,
}

impl ProvedAnswer {
    /// Reads one from JSON.
    pub fn from_json(bytes: &[u8]) -> Result<Self, AskError> {
        serde_json::from_slice(bytes).map_err(|error| AskError::Form(error.to_string()))
    }

    /// The answer its proof shows for the question in the state with the trusted app hash. The contract is the
    /// one of that state, by its own proof.
    pub fn check(&self, trusted: &Trusted) -> Result<Json, AskError> {
        PlatformVersion::get(trusted.protocol_version)?;
        let query = self.query.query()?;
        let now = match trusted.time {
            Some(time) => time,
            None if self.query.names_a_window() => return Err(AskError::NoTime),
            None => self.time_ms,
        };
        let contract = self.contract(&query, now, trusted)?;
        let contract = contract.as_ref();
        let answer = verify(&query, contract, now, &self.proof, &trusted.app_hash)?;
        let shown = answer_json(&query, contract, &answer);
        if shown == self.answer { Ok(shown) } else { Err(AskError::OtherAnswer) }
    }

    fn contract(
        &self,
        query: &Query<'_>,
        now: TimestampMillis,
        trusted: &Trusted,
    ) -> Result<Option<ParsedContract>, AskError> {
        let Some(id) = query.contract() else { return Ok(None) };
        let proof = self.contract_proof.as_deref();
        let proof = proof.ok_or_else(|| AskError::Form("it has no proof of its contract".to_owned()))?;
        let rules = PlatformVersion::get(trusted.protocol_version)?;
        match verify(&Query::Contract(id), None, now, proof, &trusted.app_hash)? {
            Answer::Contract(Some(contract)) => ParsedContract::parse(*contract, Validation::Stored, rules)
                .map(Some)
                .map_err(|error| AskError::Form(format!("its contract does not parse: {error}"))),
            _ => Err(AskError::NoContract(id)),
        }
    }
}

/// Bytes in hex, or nothing.
mod optional_hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => to.serialize_some(&hex::encode(bytes)),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(hex::decode).transpose().map_err(serde::de::Error::custom)
    }
}
