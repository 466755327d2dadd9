//! What a transition on one document will cost, before anyone signs it, and which epochs get the
//! credits: without a chain, from the contract and the document alone.
//!
//! Owns: the document an action leaves (`document`), what is asked of the state for it and the bounds of
//! that (`price`), the quote (`report`), its text (`text`). Prices and bounds are dpp's and drive's.
//! Units: credits, bytes, milliseconds; epochs are counted from the block's own, which is 0.
//! Invariants: any contract and any document give a quote or faults with their place; a quote is never
//! below what a block charges. Absent: refunds, which never lower an estimate, and any state.

mod checks;
mod document;
mod fault;
mod price;
mod report;
mod request;
mod text;

pub use fault::{About, QuoteFault};
pub use report::{Cost, EpochRun, Life, NonceCost, Quote, Rent};
pub use request::{QuoteAction, QuoteRequest, UnusableRequest};

use crate::contract_check::{ContractSource, check};
use crate::error::NodeError;
use document::Planned;

/// What became of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It would be charged this.
    Quoted(Box<Quote>),
    /// It would be refused.
    Refused(Vec<QuoteFault>),
}

/// Quotes a transition.
pub fn quote(source: &ContractSource, request: &QuoteRequest<'_>) -> Result<Answer, QuoteError> {
    let faults = check(source, request.rules).faults;
    if !faults.is_empty() {
        return Ok(Answer::Refused(faults.into_iter().map(QuoteFault::of_contract).collect()));
    }
    let contract = source.contract();
    let planned = match Planned::new(contract, request)? {
        Ok(planned) => planned,
        Err(fault) => return Ok(Answer::Refused(vec![fault])),
    };
    let twin = planned.permanent_twin(contract, request)?;
    Ok(Answer::Quoted(Box::new(Quote::new(request, &planned, twin.as_ref())?)))
}

/// Why there is neither a quote nor a fault.
#[derive(Debug, thiserror::Error)]
pub enum QuoteError {
    /// The request contradicts itself.
    #[error(transparent)]
    Request(#[from] UnusableRequest),
    /// The arithmetic failed.
    #[error(transparent)]
    Node(#[from] NodeError),
}
