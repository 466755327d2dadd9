//! Removing what is due, within a block's budget, in one batch.

use dpp::block::BlockInfo;
use dpp::primitives::{Identifier, TimestampMillis};
use platform_version::PlatformVersion;
use platform_version::rules::block::ExpiryBudget;

use super::judge::{CleanupContracts, ExpiredDocument, judge};
use super::{DueEntry, OrphanReason, fetch_expired_documents};
use crate::contract::ContractCache;
use crate::document::{Placement, plan_removal};
use crate::error::DriveError;
use crate::operation::{RemovalPlan, View};
use crate::store::{StateReader, StateTransaction, StoreOp};

/// A document the cleanup removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Its contract.
    pub contract_id: Identifier,
    /// Its type.
    pub document_type: String,
    /// Its id.
    pub document_id: Identifier,
    /// When it expired.
    pub expires_at: TimestampMillis,
}

/// What the cleanup of a block did, in removal order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removals {
    /// Documents removed.
    pub removed: Vec<Removal>,
    /// Entries removed that led to no document.
    pub orphans: Vec<(DueEntry, OrphanReason)>,
    /// Weight used; an orphan weighs 1.
    pub weight: u64,
    /// Bytes of the stored documents removed.
    pub document_bytes: u64,
}

/// Removes the documents due at the block's time, oldest first, within the budget. All removals
/// are planned together and applied as one batch, without a fee.
pub fn remove_expired_documents(
    transaction: &StateTransaction<'_>,
    cache: &ContractCache,
    rules: &'static PlatformVersion,
    block: &BlockInfo,
    budget: (ExpiryBudget, Option<TimestampMillis>),
) -> Result<Removals, DriveError> {
    let (removals, operations) = plan_expired_removals(&transaction.reader(), cache, rules, block, budget)?;
    // # Rule TTL-34: one batch for all removals
    // # Rule TTL-36: what it costs is billed to nobody
    transaction.apply(operations)?;
    Ok(removals)
}

/// What the cleanup of a block removes and the operations of its one batch; only reads.
pub fn plan_expired_removals<'r>(
    reader: &'r StateReader<'r>,
    cache: &ContractCache,
    rules: &'static PlatformVersion,
    block: &BlockInfo,
    (budget, from): (ExpiryBudget, Option<TimestampMillis>),
) -> Result<(Removals, Vec<StoreOp>), DriveError> {
    let due = fetch_expired_documents(reader, from, block.time, budget.documents.get())?;
    let mut contracts = CleanupContracts::new(cache, rules);
    let mut removals = Removals::default();
    let (mut plan, view) = (RemovalPlan::default(), View::State(reader));
    for entry in due {
        let judged = judge(reader, &mut contracts, &entry)?;
        let weight = weight(&judged)?;
        if !removals.admits(weight, budget) {
            break;
        }
        removals.weight = removals.weight.saturating_add(weight);
        match judged {
            Ok(expired) => removals.take_document(&mut plan, (&view, block.time), expired)?,
            Err(reason) => removals.take_orphan(&mut plan, entry, reason),
        }
    }
    Ok((removals, plan.into_operations(&view)?))
}

fn weight(judged: &Result<ExpiredDocument, OrphanReason>) -> Result<u64, DriveError> {
    match judged {
        Ok(expired) => Ok(expired.document_type()?.weight()),
        // # Rule TTL-32: an entry without a document weighs 1
        Err(_) => Ok(1),
    }
}

impl Removals {
    /// The cleanup stops before a removal that would pass the weight budget, except the block's
    /// first, so the backlog always drains (design, "Cleanup" 4).
    fn admits(&self, weight: u64, budget: ExpiryBudget) -> bool {
        // # Rule TTL-33: except the first, nothing passes the weight
        let is_first = self.removed.is_empty() && self.orphans.is_empty();
        is_first || self.weight.saturating_add(weight) <= u64::from(budget.weight)
    }

    fn take_document(
        &mut self,
        plan: &mut RemovalPlan,
        at: (&View<'_, '_>, TimestampMillis),
        expired: ExpiredDocument,
    ) -> Result<(), DriveError> {
        plan_removal(plan, at, expired.document_type()?, &expired.document)?;
        self.document_bytes = self.document_bytes.saturating_add(expired.stored_bytes);
        self.removed.push(Removal {
            contract_id: expired.contract.contract().id,
            document_type: expired.type_name,
            document_id: expired.document.id,
            expires_at: expired.expires_at,
        });
        Ok(())
    }

    /// An entry without a document to remove is logged and only removed: failing the block over
    /// one would halt the chain (design, "Cleanup" 3).
    fn take_orphan(&mut self, plan: &mut RemovalPlan, entry: DueEntry, reason: OrphanReason) {
        tracing::warn!(
            path = %entry.path,
            entry_key = hex(&entry.key),
            entry_value = entry.value.as_deref().map(hex),
            %reason,
            "removed an expiry entry that leads to no document"
        );
        // # Rule TTL-35: logged, counted, removed
        plan.remove(&Placement::expiry_entry_of(&entry));
        self.orphans.push((entry, reason));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
