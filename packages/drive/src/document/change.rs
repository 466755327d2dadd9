//! Changing a document: replace, transfer, purchase, price update.
//!
//! Every element is written anew where it stands, since an index entry's hash holds the document's;
//! entries of changed values move, and trees they empty go. The expiry entry is never touched: the
//! time never moves.

use std::collections::BTreeMap;

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::fee::{PricingRule, document_ttl};

use super::drain::drain;
use super::flags::document_flags;
use super::insert::{document_type, pricing, stored_bytes, ttl_prices, write};
use super::placement::{Placement, index_entries, items};
use super::ranked::ranked_groups;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering, RankPayer, RemovalPlan};

/// Adds the store operations of a change.
pub fn change(lowering: &mut Lowering<'_>, operation: &DocumentOperation, stored: &Document) -> Result<(), DriveError> {
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let document = &operation.document;
    let rule = pricing(lowering, document_type, document)?;
    let bytes = stored_bytes(lowering, document_type, operation)?;
    prepay_growth(lowering, document_type, document, bytes.len())?;
    let flags = document_flags(&operation.contract, document_type, document, &lowering.context.block);
    let entries = index_entries(document_type, document)?;
    remove_left_entries(lowering, rule, &index_entries(document_type, stored)?, &entries)?;
    let now = lowering.context.block.time;
    // # Rule TTL-17: the item and its index entries; a change never moves the expiry
    for placement in items(document_type, document, now).into_iter().chain(entries) {
        if !placement.has_expired(now) {
            write(lowering, rule, placement, &bytes, &flags)?;
        }
    }
    let payer = RankPayer { rule, flags: flags.elements };
    for group in ranked_groups(document_type, stored)? {
        lowering.ranks.leave(group, &payer);
    }
    for group in ranked_groups(document_type, document)? {
        lowering.ranks.enter(group, &payer);
    }
    drain(lowering, document_type)
}

/// Entries whose values changed are removed, with the trees nothing else is in. Those in expired
/// windows are drained: they would lead to a document they no longer agree with.
fn remove_left_entries(
    lowering: &mut Lowering<'_>,
    rule: PricingRule,
    before: &[Placement],
    after: &[Placement],
) -> Result<(), DriveError> {
    let (now, unbilled) = (lowering.context.block.time, lowering.reader.apart());
    let mut plans: BTreeMap<PricingRule, RemovalPlan> = BTreeMap::new();
    for placement in after.iter().filter(|placement| !placement.has_expired(now)) {
        plans.entry(placement.rule(rule)).or_default().keep(placement);
    }
    for placement in before {
        let stays = after.iter().any(|other| other.path == placement.path && other.key == placement.key);
        if placement.has_expired(now) {
            if placement.stands(&unbilled, now)? {
                lowering.drains.remove(placement);
            }
        } else if !stays {
            plans.entry(placement.rule(rule)).or_default().remove(placement);
        }
    }
    for (rule, plan) in plans {
        for operation in plan.into_operations(lowering.reader)? {
            lowering.push(rule, operation);
        }
    }
    Ok(())
}

/// A change prepays the deletion of the bytes the stored document grows by (design, "Changes").
fn prepay_growth(
    lowering: &mut Lowering<'_>,
    document_type: &DocumentType,
    document: &Document,
    new_length: usize,
) -> Result<(), DriveError> {
    if document_type.ttl().is_none() {
        return Ok(());
    }
    let old = super::fetch_stored(lowering.reader, document_type, document.id)?.map_or(0, |bytes| bytes.len());
    let length = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
    let amount = document_ttl::prepaid_deletion_of_growth(length(old), length(new_length), ttl_prices(lowering)?)?;
    lowering.prepay_deletion(amount)
}
