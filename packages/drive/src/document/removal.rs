//! Removing a document: the one removal that the owner's deletion, a moderator's and the cleanup
//! share (design, "The deletion is an ordinary deletion").

use std::collections::BTreeMap;

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::fee::PricingRule;
use dpp::primitives::TimestampMillis;

use super::flags::document_flags;
use super::insert::{document_type, pricing};
use super::placement::{Placement, placements};
use super::ranked::ranked_groups;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering, RankPayer, RemovalPlan, View};

/// Plans the removal of a document that was read from state, at a block time: item, index entries,
/// expiry entry, every tree they are the last in, and its part in rankings. Entries that were drained
/// before are skipped.
pub fn plan_removal(
    plan: &mut RemovalPlan,
    (view, now): (&View<'_, '_>, TimestampMillis),
    document_type: &DocumentType,
    document: &Document,
) -> Result<(), DriveError> {
    for placement in standing(view, now, document_type, document)? {
        plan.remove(&placement);
    }
    for group in ranked_groups(document_type, document)? {
        plan.leave_ranking(group);
    }
    Ok(())
}

/// Every element of a stored document that stands.
fn standing(
    view: &View<'_, '_>,
    now: TimestampMillis,
    document_type: &DocumentType,
    document: &Document,
) -> Result<Vec<Placement>, DriveError> {
    if document_type.settings().keeps_history {
        let name = document_type.name();
        return Err(DriveError::corrupted(format!(
            "a document of type '{name}', which keeps history, is to be removed"
        )));
    }
    let mut found = Vec::new();
    // only revisions stand under the time they were written at
    // # Rule TTL-28: everything the document placed
    for placement in placements(document_type, document, TimestampMillis::default())? {
        if placement.stands(view, now)? {
            found.push(placement);
        }
    }
    Ok(found)
}

/// Adds the store operations of a deletion by owner or moderator: an ordinary batch, with or without a `ttl`. What
/// stands under a time range with a `ttl` has a batch of its own, as when it was written.
pub fn delete(lowering: &mut Lowering<'_>, operation: &DocumentOperation) -> Result<(), DriveError> {
    let (document_type, document) =
        (document_type(&operation.contract, &operation.document_type)?, &operation.document);
    let groups = ranked_groups(document_type, document)?;
    let rule = deletion_rule(lowering, document_type, document)?;
    let mut plans: BTreeMap<PricingRule, RemovalPlan> = BTreeMap::new();
    for placement in standing(&lowering.view, lowering.context.block.time, document_type, document)? {
        plans.entry(placement.rule(rule)).or_default().remove(&placement);
    }
    for (rule, plan) in plans {
        for store_operation in plan.into_operations(&lowering.view)? {
            lowering.push(rule, store_operation);
        }
    }
    let flags = document_flags(&operation.contract, document_type, document, &lowering.context.block).elements;
    let payer = RankPayer { rule, flags };
    groups.into_iter().for_each(|group| lowering.ranks.leave(group, &payer));
    Ok(())
}

/// A deletion adds nothing, but to rankings: the bytes of a group's new place cost what the document's
/// bytes cost, in one batch with the group's change.
fn deletion_rule(
    lowering: &Lowering<'_>,
    document_type: &DocumentType,
    document: &Document,
) -> Result<PricingRule, DriveError> {
    match document_type.indexes().iter().any(|index| !index.ranked.is_none()) {
        true => pricing(lowering, document_type, document),
        false => Ok(PricingRule::Ordinary),
    }
}
