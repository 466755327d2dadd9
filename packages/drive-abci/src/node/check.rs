//! CheckTx and Query: what users ask, answered from the last commit, beside a block that runs.
//!
//! Invariant: nothing a user sends ends the node: what must not happen is code 13 and an error in the log.

use core::num::NonZeroU32;

use dpp::transition::StateTransition;
use tenderdash_abci::proto::abci::{RequestQuery, ResponseCheckTx, ResponseQuery};
use tenderdash_abci::{CallError, Refusal};

use super::{Committed, Node, results};
use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::operations::metrics;
use crate::platform::{CheckTxResult, FeePaid, check_tx, genesis_state};
use crate::query::{AskError, QueryRequest, Source};

/// Priority of a percent of fee increase.
const PRIORITY_OF_PERCENT: i64 = 100;

/// Code of what is this program's fault.
const INTERNAL: u32 = 13;

/// Path of what a node asks about each peer, when it filters them.
const PEER_FILTER: &str = "/p2p/filter/";

/// Path of the chain's last commit.
const STATUS: &str = "/status";

/// Path of questions to the state, which are JSON (`docs/queries.md`).
const QUERY: &str = "/query";

impl Node<'_> {
    /// Admits a transition, or answers the code it would be refused with.
    pub(super) fn check(&self, tx: &[u8]) -> ResponseCheckTx {
        let answer = self.judge_tx(tx);
        metrics::checked(match &answer {
            Ok(answer) if answer.code == 0 => "accepted",
            Ok(_) => "refused",
            Err(_) => "failed",
        });
        answer.unwrap_or_else(|error| {
            tracing::error!(%error, "a transition could not be checked");
            ResponseCheckTx { code: INTERNAL, info: error.to_string(), ..ResponseCheckTx::default() }
        })
    }

    fn judge_tx(&self, tx: &[u8]) -> Result<ResponseCheckTx, NodeError> {
        match &*self.committed() {
            Committed::Nothing => Err(NodeError::OutOfOrder("there is no chain yet; send it again later".to_owned())),
            Committed::Genesis(genesis, _) => {
                let (transaction, state) = genesis_state(self.drive(), genesis)?;
                answer(&state, tx, check_tx(self.drive(), &transaction, &state, tx)?)
            }
            Committed::Chain(state) => answer(state, tx, check_tx(self.drive(), &self.drive().begin(), state, tx)?),
        }
    }

    /// Admits every peer, tells where the chain stands, and answers questions to the state. Committed state is
    /// held meanwhile, so that an answer and its proof are of one block.
    pub(super) fn ask(&self, request: &RequestQuery) -> Result<ResponseQuery, CallError> {
        let committed = self.committed();
        let state = committed.state();
        let last = state.and_then(|state| state.last_block).map_or(0, |last| last.height.0);
        let height = i64::try_from(last).unwrap_or(i64::MAX);
        let refused = |info: String| CallError::Refused(Refusal { info, ..Refusal::new(NonZeroU32::MIN) });
        if request.height != 0 && request.height != height {
            return Err(refused(format!("only the last committed height, {height}, is answered for")));
        }
        match request.path.as_str() {
            path if path.starts_with(PEER_FILTER) => Ok(ResponseQuery { height, ..ResponseQuery::default() }),
            STATUS => {
                let value = serde_json::to_vec(&state).unwrap_or_default();
                Ok(ResponseQuery { height, value, ..ResponseQuery::default() })
            }
            QUERY => {
                let Committed::Chain(state) = &*committed else {
                    return Err(refused("there is no block yet".to_owned()));
                };
                let source = Source { drive: self.drive(), state };
                let value = answer_to(&source, request).map_err(|error| refused(error.to_string()))?;
                Ok(ResponseQuery { height, value, ..ResponseQuery::default() })
            }
            path => Err(refused(format!("no query is answered under '{path}'"))),
        }
    }
}

/// The answer as JSON, or with its proof in the form `drive-abci verify-proof` reads.
fn answer_to(source: &Source<'_>, asked: &RequestQuery) -> Result<Vec<u8>, AskError> {
    let question = QueryRequest::from_json(&asked.data)?;
    let answered = match asked.prove {
        true => serde_json::to_vec(&source.prove(&question)?),
        false => serde_json::to_vec(&source.ask(&question)?),
    };
    answered.map_err(|error| AskError::Form(error.to_string()))
}

fn answer(state: &ChainState, tx: &[u8], result: CheckTxResult) -> Result<ResponseCheckTx, NodeError> {
    match result {
        CheckTxResult::Refused(error) => {
            let (code, info) = (error.code(), error.to_string());
            Ok(ResponseCheckTx { code, info, ..ResponseCheckTx::default() })
        }
        CheckTxResult::Failed { reason } => Err(NodeError::OutOfOrder(reason)),
        CheckTxResult::Accepted(fee) => admitted(state, tx, &fee),
    }
}

fn admitted(state: &ChainState, tx: &[u8], fee: &FeePaid) -> Result<ResponseCheckTx, NodeError> {
    let transition = StateTransition::from_bytes(tx, state.rules()?).ok();
    let increase = transition.as_ref().map_or(0, StateTransition::user_fee_increase);
    Ok(ResponseCheckTx {
        gas_wanted: results::gas(fee),
        priority: i64::from(increase).saturating_mul(PRIORITY_OF_PERCENT),
        sender: transition.as_ref().map(StateTransition::sender_label).unwrap_or_default(),
        ..ResponseCheckTx::default()
    })
}
