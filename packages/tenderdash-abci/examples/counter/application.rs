//! The counter: what an application owes its node, in the shortest form that keeps its promises.
//!
//! Invariants: a proposal is run on the committed number and kept beside it; only FinalizeBlock commits; CheckTx and
//! Query see what is committed. Absent: a disk.

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tenderdash_abci::proto::abci::response_process_proposal::ProposalStatus;
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::{Application, CallError, Refusal};

/// The only version of its rules.
const APP_VERSION: u64 = 1;
/// Not a number of 8 bytes, or one that was counted already.
const MALFORMED: NonZeroU32 = NonZeroU32::MIN;
const COUNTED: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

/// Counts what its blocks hold.
#[derive(Default)]
pub struct Counter(Mutex<State>);

#[derive(Default)]
struct State {
    height: i64,
    number: u64,
    candidate: Option<Candidate>,
}

/// A block that was run and is not committed.
struct Candidate {
    height: i64,
    hash: Vec<u8>,
    number: u64,
}

fn app_hash(number: u64) -> Vec<u8> {
    [&[0; 24], number.to_be_bytes().as_slice()].concat()
}

fn number_of(tx: &[u8]) -> Option<u64> {
    tx.try_into().ok().map(u64::from_be_bytes)
}

/// The number after a block; `None` when one of its transitions is not the next number.
fn count(number: u64, txs: &[Vec<u8>]) -> Option<u64> {
    let next = |number: u64, tx: &Vec<u8>| number.checked_add(1).filter(|next| number_of(tx) == Some(*next));
    txs.iter().try_fold(number, next)
}

impl Counter {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Application for Counter {
    fn info(&self, _request: RequestInfo) -> Result<ResponseInfo, ResponseException> {
        let state = self.state();
        Ok(ResponseInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            app_version: APP_VERSION,
            last_block_height: state.height,
            last_block_app_hash: app_hash(state.number),
            ..ResponseInfo::default()
        })
    }

    fn init_chain(&self, request: RequestInitChain) -> Result<ResponseInitChain, ResponseException> {
        let mut state = self.state();
        if state.height != 0 {
            return Err("the chain has begun already: give the node its data back, or restart the counter".into());
        }
        state.candidate = None;
        let initial_core_height = request.initial_core_height;
        Ok(ResponseInitChain { app_hash: app_hash(0), initial_core_height, ..ResponseInitChain::default() })
    }

    fn query(&self, _request: RequestQuery) -> Result<ResponseQuery, CallError> {
        let state = self.state();
        let value = state.number.to_be_bytes().to_vec();
        Ok(ResponseQuery { value, height: state.height, ..ResponseQuery::default() })
    }

    fn check_tx(&self, request: RequestCheckTx) -> Result<ResponseCheckTx, CallError> {
        let number = number_of(&request.tx).ok_or_else(|| Refusal::new(MALFORMED))?;
        if number <= self.state().number {
            return Err(Refusal::new(COUNTED).into());
        }
        Ok(ResponseCheckTx::default())
    }

    fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException> {
        let mut number = self.state().number;
        let mut room = request.max_tx_bytes;
        let mut records = Vec::new();
        for tx in request.txs {
            let given = number_of(&tx);
            let next = number.checked_add(1).filter(|next| given == Some(*next) && room >= 8);
            let action = match (next, given) {
                (Some(next), _) => {
                    number = next;
                    room = room.saturating_sub(8);
                    TxAction::Unmodified
                }
                (None, Some(given)) if given > number => TxAction::Delayed,
                _ => TxAction::Removed,
            };
            records.push(TxRecord { action: action.into(), tx });
        }
        let included = records.iter().filter(|record| record.action() == TxAction::Unmodified).count();
        Ok(ResponsePrepareProposal {
            tx_records: records,
            app_hash: app_hash(number),
            tx_results: vec![ExecTxResult::default(); included],
            app_version: APP_VERSION,
            ..ResponsePrepareProposal::default()
        })
    }

    fn process_proposal(&self, request: RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException> {
        let mut state = self.state();
        // whatever was run before lost its round
        state.candidate = None;
        let version = request.version.map(|version| version.app);
        let Some(number) = count(state.number, &request.txs).filter(|_| version == Some(APP_VERSION)) else {
            return Ok(ResponseProcessProposal::reject());
        };
        state.candidate = Some(Candidate { height: request.height, hash: request.hash, number });
        Ok(ResponseProcessProposal {
            status: ProposalStatus::Accept.into(),
            app_hash: app_hash(number),
            tx_results: vec![ExecTxResult::default(); request.txs.len()],
            ..ResponseProcessProposal::default()
        })
    }

    fn finalize_block(&self, request: RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException> {
        let mut state = self.state();
        let decided = |candidate: &Candidate| candidate.height == request.height && candidate.hash == request.hash;
        let Some(candidate) = state.candidate.take().filter(decided) else {
            return Err("another block was decided than the one that was run: restart counter and node".into());
        };
        state.height = candidate.height;
        state.number = candidate.number;
        Ok(ResponseFinalizeBlock::default())
    }
}
