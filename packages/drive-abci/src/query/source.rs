//! One committed block that is asked.

use std::sync::Arc;

use dpp::document_type::ParsedContract;
use dpp::primitives::TimestampMillis;
use drive::query::{Answer, Query};
use drive::{Drive, contract, query};

use super::proved::ProvedAnswer;
use super::{AskError, QueryRequest, answer_json};
use crate::chain_state::ChainState;

/// A committed block: its state, and what is known of the chain there.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The state.
    pub drive: &'s Drive,
    /// The chain as of the block.
    pub state: &'s ChainState,
}

impl Source<'_> {
    /// The answer to a question, as JSON.
    pub fn ask(&self, request: &QueryRequest) -> Result<serde_json::Value, AskError> {
        let query = request.query()?;
        let contract = self.contract(&query)?;
        let contract = contract.as_deref();
        let answer: Answer = query::ask(&self.drive.reader(), &query, contract, self.now())??;
        Ok(answer_json(&query, contract, &answer))
    }

    /// The same with its proof, and a proof of the contract it is read by.
    pub fn prove(&self, request: &QueryRequest) -> Result<ProvedAnswer, AskError> {
        let query = request.query()?;
        let contract = self.contract(&query)?;
        let contract = contract.as_deref();
        let proved = self.drive.prove(&query, contract, self.now())??;
        if proved.app_hash != self.state.app_hash {
            return Err(AskError::Moved);
        }
        Ok(ProvedAnswer {
            chain_id: self.state.chain_id.clone(),
            height: self.state.last_block.map(|last| last.height),
            time_ms: self.now(),
            protocol_version: self.state.protocol_version,
            app_hash: proved.app_hash,
            query: request.clone(),
            answer: answer_json(&query, contract, &proved.answer),
            proof: proved.proof,
            contract_proof: proved.contract_proof,
        })
    }

    fn now(&self) -> TimestampMillis {
        self.state.last_block_info().time
    }

    fn contract(&self, query: &Query<'_>) -> Result<Option<Arc<ParsedContract>>, AskError> {
        let Some(id) = query.contract() else { return Ok(None) };
        let found = contract::fetch(&self.drive.reader(), self.drive.contracts(), id, self.state.rules()?)?;
        found.map(Some).ok_or(AskError::NoContract(id))
    }
}
