//! A block's transitions, in order; each is judged on the state the ones before it left, and pays
//! at once.

use dpp::document::Document;
use dpp::fee::BlockFees;
use dpp::primitives::TimestampMillis;
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

fn run_one(
    context: &BlockContext<'_, '_>,
    bytes: &[u8],
    fees: &mut BlockFees,
    queue: &mut QueueChanges,
) -> Result<Outcome, NodeError> {
    let settled = match check(context, Stage::Block, bytes)? {
        Ok(checked) => {
            let settled = execute(context, &checked)?;
            if matches!(settled, Settled::Paid { .. }) {
                count_entries(&checked, queue)?;
            }
            (settled, None)
        }
        Err(Refusal { error, payment: Payment::Unpaid }) => return Ok(Outcome::RefusedUnpaid { error }),
        Err(refusal) => (charge_refusal(context, &refusal.payment)?, Some(refusal.error)),
    };
    match settled {
        (Settled::Unpayable(error), _) => Ok(Outcome::RefusedUnpaid { error: error.into() }),
        (Settled::Paid { fee, processing }, refused) => {
            let paid = Settled::fee_paid(&fee, processing)?;
            *fees = core::mem::take(fees).plus(fee, processing)?;
            Ok(match refused {
                None => Outcome::Accepted { fee: paid },
                Some(error) => Outcome::RefusedPaid { error, fee: paid },
            })
        }
    }
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
