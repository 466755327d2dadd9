//! `drive-abci verify-proof`: checks an answer against an app hash, without a chain.

use std::path::PathBuf;

use clap::Args;
use dpp::primitives::TimestampMillis;
use drive::tree::RootHash;
use platform_version::{PlatformVersion, ProtocolVersion};
use serde::Serialize;
use serde_json::Value as Json;

use super::output::Output;
use super::query::asked;
use super::{Answer, Failure};
use crate::input::read_text;
use crate::query::{AskError, ProvedAnswer, QueryRequest, Trusted};

/// Check what 'query --prove' wrote, without a chain.
///
/// Nothing in FILE is believed. The app hash is that of the block's header, from whoever you trust; so are the
/// time, which matters where the query names a window, and the protocol version. The contract the answer is read
/// by has a proof of its own in FILE. The query the answer is one to is in FILE too, and printed: see that it is
/// yours, or give it.
///
/// Exits 1 when the proof does not show the answer.
#[derive(Debug, Args)]
pub struct VerifyProof {
    /// File that 'query --prove' wrote.
    file: PathBuf,
    /// App hash of the block, in hex.
    #[arg(long, value_name = "HEX", value_parser = app_hash)]
    app_hash: RootHash,
    /// The query FILE must answer: JSON, or the name of a file with it after an '@'.
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,
    /// Protocol version of the block; if it is not given, the newest this program knows.
    #[arg(long, value_name = "VERSION")]
    protocol_version: Option<u32>,
    /// Time of the block in ms.
    #[arg(long, value_name = "MS", value_parser = |text: &str| text.parse().map(TimestampMillis))]
    time: Option<TimestampMillis>,
}

#[derive(Serialize)]
struct Verdict {
    verified: bool,
    query: QueryRequest,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl VerifyProof {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let text = read_text("proved answer", &self.file)?;
        let proved = ProvedAnswer::from_json(text.as_bytes())?;
        let asked = self.query.as_deref().map(asked).transpose()?;
        let query = proved.query.clone();
        match self.check(&proved, asked.as_ref()) {
            Ok(answer) => {
                output.json(&Verdict { verified: true, query, answer: Some(answer), reason: None })?;
                Ok(Answer::Yes)
            }
            Err(error) if error.is_a_verdict() => {
                output.json(&Verdict { verified: false, query, answer: None, reason: Some(error.to_string()) })?;
                Ok(Answer::No)
            }
            Err(other) => Err(other.into()),
        }
    }

    fn check(&self, proved: &ProvedAnswer, asked: Option<&QueryRequest>) -> Result<Json, AskError> {
        if asked.is_some_and(|asked| *asked != proved.query) {
            return Err(AskError::OtherQuery);
        }
        let protocol_version = self.protocol_version.map(ProtocolVersion).or_else(newest);
        let protocol_version = protocol_version.ok_or_else(|| AskError::Form("no version is known".to_owned()))?;
        let trusted = Trusted { app_hash: self.app_hash, time: self.time, protocol_version };
        proved.check(&trusted)
    }
}

fn newest() -> Option<ProtocolVersion> {
    PlatformVersion::ALL.last().map(|table| table.protocol_version)
}

fn app_hash(text: &str) -> Result<RootHash, String> {
    let mut hash = RootHash::default();
    hex::decode_to_slice(text, &mut hash).map_err(|error| format!("an app hash is 32 bytes in hex: {error}"))?;
    Ok(hash)
}
