//! Changing a document: replace, transfer, purchase, price update.
//!
//! Every element is written anew where it stands, since an index entry's hash holds the document's;
//! entries of changed values move, and trees they empty go. The expiry entry is never touched: the
//! time never moves.

use std::collections::BTreeMap;

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::fee::{PricingRule, document_ttl};
use dpp::primitives::TimestampMillis;
use platform_version::rules::document::ChangeEstimate;

use super::drain::drain;
use super::flags::document_flags;
use super::insert::{document_type, element, pricing, stored_bytes, ttl_prices, write};
use super::placement::{Content, Placement, index_entries, items};
use super::ranked::ranked_groups;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering, RankPayer, RemovalPlan, View};
use crate::store::Element;

/// Bytes an older stored form can be shorter by than the form written now: the creator and versions.
const OLDER_FORM: usize = 40;

/// Adds the store operations of a change.
pub fn change(lowering: &mut Lowering<'_>, operation: &DocumentOperation, stored: &Document) -> Result<(), DriveError> {
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let document = &operation.document;
    let rule = pricing(lowering, document_type, document)?;
    let bytes = stored_bytes(lowering, document_type, operation)?;
    prepay_growth(lowering, document_type, document, bytes.len())?;
    let flags = document_flags(&operation.contract, document_type, document, &lowering.context.block);
    let before = left_in_time(&lowering.view, document_type, stored, document);
    let (left, after) = (index_entries(document_type, &before)?, index_entries(document_type, document)?);
    remove_left_entries(lowering, rule, &left, &after)?;
    let now = lowering.context.block.time;
    let mut placements: Vec<_> = items(document_type, document, now).into_iter().chain(after).collect();
    placements.retain(|placement| !placement.has_expired(now));
    know_what_stays(lowering, operation, stored, (&left, &placements))?;
    // # Rule TTL-17: the item and its index entries; a change never moves the expiry
    for placement in placements {
        write(lowering, rule, placement, &bytes, &flags)?;
    }
    let payer = RankPayer { rule, flags: flags.elements };
    for group in ranked_groups(document_type, &before)? {
        lowering.ranks.leave(group, &payer);
    }
    for group in ranked_groups(document_type, document)? {
        lowering.ranks.enter(group, &payer);
    }
    drain(lowering, document_type)
}

/// The document as a change finds it. In a dry run its times of change lie where no window has both them
/// and the present, since by the execution they may; ahead, so that their windows have not expired.
fn left_in_time(view: &View<'_, '_>, document_type: &DocumentType, stored: &Document, changed: &Document) -> Document {
    let mut left = stored.clone();
    if let View::State(_) = view {
        return left;
    }
    let ranges = document_type.indexes().iter().filter_map(|index| index.time_range.as_ref());
    let longest = ranges.map(|range| range.range.to_millis()).max().unwrap_or(1);
    let ahead = |time: TimestampMillis| TimestampMillis(time.0.saturating_add(longest));
    left.times.updated_at = left.times.updated_at.and(changed.times.updated_at).map(ahead);
    left.times.transferred_at = left.times.transferred_at.and(changed.times.transferred_at).map(ahead);
    left
}

/// How a dry run sees a change. As an update, what stays where it is is written over; as an insert,
/// nothing is known of the document, so that all of it is priced anew (design, "Fees").
fn know_what_stays(
    lowering: &mut Lowering<'_>,
    operation: &DocumentOperation,
    stored: &Document,
    (before, after): (&[Placement], &[Placement]),
) -> Result<(), DriveError> {
    match lowering.context.rules.document.change_estimate {
        // # Rule TTL-50: all of it anew, but for the expiry entry and the base, which a change never writes
        ChangeEstimate::AsInsert => return Ok(()),
        ChangeEstimate::AsUpdate => {}
    }
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let was = DocumentOperation { document: stored.clone(), ..operation.clone() };
    let bytes = stored_bytes(lowering, document_type, &was)?;
    let bytes = bytes.get(OLDER_FORM..).unwrap_or_default();
    let flags = document_flags(&operation.contract, document_type, &operation.document, &lowering.context.block);
    for placement in after.iter().filter(|placement| stays(placement, before)) {
        for tree in &placement.trees {
            lowering.view.know(tree.path.clone(), tree.key.clone(), Element::Tree(tree.kind, None));
        }
        // a revision is new; the tree of revisions is not
        if !is_revision(placement) {
            lowering.view.know(placement.path.clone(), placement.key.clone(), element(placement, bytes, &flags));
        }
    }
    Ok(())
}

fn stays(placement: &Placement, before: &[Placement]) -> bool {
    match placement.content {
        Content::Document | Content::Newest(_) => true,
        Content::IndexEntry(_) | Content::Summand(_) | Content::ExpiryEntry(_) => {
            before.iter().any(|other| other.path == placement.path && other.key == placement.key)
        }
    }
}

fn is_revision(placement: &Placement) -> bool {
    placement.content == Content::Document && !placement.trees.is_empty()
}

/// Entries whose values changed are removed, with the trees nothing else is in. Those in expired
/// windows are drained: they would lead to a document they no longer agree with.
fn remove_left_entries(
    lowering: &mut Lowering<'_>,
    rule: PricingRule,
    before: &[Placement],
    after: &[Placement],
) -> Result<(), DriveError> {
    let now = lowering.context.block.time;
    let mut plans: BTreeMap<PricingRule, RemovalPlan> = BTreeMap::new();
    for placement in after.iter().filter(|placement| !placement.has_expired(now)) {
        plans.entry(placement.rule(rule)).or_default().keep(placement);
    }
    for placement in before {
        let stays = after.iter().any(|other| other.path == placement.path && other.key == placement.key);
        if placement.has_expired(now) {
            drain_left_entry(lowering, placement)?;
        } else if !stays {
            plans.entry(placement.rule(rule)).or_default().remove(placement);
        }
    }
    for (rule, plan) in plans {
        for operation in plan.into_operations(&lowering.view)? {
            lowering.push(rule, operation);
        }
    }
    Ok(())
}

/// An entry in an expired window goes with what is drained, if it stands. Nobody is billed, so a dry run
/// does without.
fn drain_left_entry(lowering: &mut Lowering<'_>, placement: &Placement) -> Result<(), DriveError> {
    let Some(reader) = lowering.view.unbilled() else { return Ok(()) };
    if placement.stands(&View::State(&reader), lowering.context.block.time)? {
        lowering.drains.remove(placement);
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
    let old = lowering.view.stored_length(document_type, document.id)?;
    let amount = document_ttl::prepaid_deletion_of_growth(old, new_length as u64, ttl_prices(lowering)?)?;
    lowering.prepay_deletion(amount)
}
