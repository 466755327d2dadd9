//! A block's transitions, in order; each is judged on the state the ones before it left, and pays
//! at once.
//!
//! Invariant: a transition that is not in the block wrote nothing, whether it was refused or failed
//! (node rules, section 4: both are removed).

use dpp::ConsensusError;
use dpp::document::Document;
use dpp::fee::{BlockFees, FeeResult};
use dpp::primitives::{Credits, TimestampMillis};
use drive::action::{Action, DocumentAction, DocumentChange};
use drive::document::expires_at;
use drive::expiry::QueueChanges;
use drive::moderation::ModerationOperation;
use drive::operation::DocumentOperation;

use super::BlockContext;
use super::settle::{Settled, charge_refusal, execute};
use crate::error::NodeError;
use crate::platform::Outcome;
use crate::transition::{Checked, Payment, Refusal, Stage, check};

/// Runs every transition and adds up what was paid.
pub(super) fn run(
    context: &BlockContext<'_, '_>,
    transitions: &[Vec<u8>],
    fees: &mut BlockFees,
    queue: &mut QueueChanges,
) -> Result<Vec<Outcome>, NodeError> {
    transitions.iter().map(|bytes| run_one(context, bytes, fees, queue)).collect()
}

/// What a transition in the block leaves beside the state, and how it ended.
struct Paid {
    refused: Option<ConsensusError>,
    fee: FeeResult,
    processing: Credits,
    entries: QueueChanges,
}

fn run_one(
    context: &BlockContext<'_, '_>,
    bytes: &[u8],
    fees: &mut BlockFees,
    queue: &mut QueueChanges,
) -> Result<Outcome, NodeError> {
    let paid = match judge_and_execute(context, bytes) {
        Ok(Ok(paid)) => paid,
        Ok(Err(error)) => return Ok(Outcome::RefusedUnpaid { error }),
        // everything it wrote was undone: the block goes on without it
        Err(error) if error.ends_with_its_transition() => return Ok(failed(&error)),
        Err(error) => return Err(error),
    };
    *fees = core::mem::take(fees).plus(paid.fee.clone(), paid.processing)?;
    queue.merge(&paid.entries);
    let fee = Settled::fee_paid(&paid.fee, paid.processing)?;
    Ok(match paid.refused {
        None => Outcome::Accepted { fee },
        Some(error) => Outcome::RefusedPaid { error, fee },
    })
}

fn failed(error: &NodeError) -> Outcome {
    let reason = error.to_string();
    tracing::error!(%reason, "a transition could not be executed and is left out; report this with its bytes");
    Outcome::Failed { reason }
}

/// `Ok(Err(_))` is a refusal nobody pays for. Writes nothing unless it is paid.
fn judge_and_execute(context: &BlockContext<'_, '_>, bytes: &[u8]) -> Result<Result<Paid, ConsensusError>, NodeError> {
    let mut entries = QueueChanges::default();
    let (settled, refused) = match check(context, Stage::Block, bytes)? {
        Ok(checked) => {
            count_entries(&checked, &mut entries)?;
            (execute(context, &checked)?, None)
        }
        Err(Refusal { error, payment: Payment::Unpaid }) => return Ok(Err(error)),
        Err(refusal) => (charge_refusal(context, &refusal.payment)?, Some(refusal.error)),
    };
    Ok(match settled {
        Settled::Unpayable(error) => Err(error.into()),
        Settled::Paid { fee, processing } => Ok(Paid { refused, fee, processing, entries }),
    })
}

/// Keeps count of the queue as entries come and go.
fn count_entries(checked: &Checked, queue: &mut QueueChanges) -> Result<(), NodeError> {
    match &checked.action {
        Action::Document(action) => count_entry(action, queue),
        Action::Moderation(act) => act.operations.iter().try_for_each(|operation| count_moderated(operation, queue)),
        _ => Ok(()),
    }
}

fn count_entry(action: &DocumentAction, queue: &mut QueueChanges) -> Result<(), NodeError> {
    match &action.change {
        DocumentChange::Create(document) => {
            if let Some(at) = expiry_of(action, document)? {
                queue.add(at);
            }
        }
        // a change never moves an expiry
        DocumentChange::Change { .. } => {}
        DocumentChange::Delete(document) => {
            if let Some(at) = expiry_of(action, document)? {
                queue.remove(at);
            }
        }
    }
    Ok(())
}

/// A moderator's deletion takes the entry along, a restore puts it back.
fn count_moderated(operation: &ModerationOperation, queue: &mut QueueChanges) -> Result<(), NodeError> {
    let entry = |document: &DocumentOperation| match document.contract.document_type(&document.document_type) {
        Some(document_type) => expires_at(document_type, &document.document),
        None => Ok(None),
    };
    match operation {
        ModerationOperation::Delete { document, .. } => {
            if let Some(at) = entry(document)? {
                queue.remove(at);
            }
        }
        ModerationOperation::Restore { document, .. } => {
            if let Some(at) = entry(document)? {
                queue.add(at);
            }
        }
        ModerationOperation::Bar { .. } | ModerationOperation::Unbar { .. } => {}
    }
    Ok(())
}

fn expiry_of(action: &DocumentAction, document: &Document) -> Result<Option<TimestampMillis>, NodeError> {
    match action.document_type() {
        Some(document_type) => Ok(expires_at(document_type, document)?),
        None => Ok(None),
    }
}
