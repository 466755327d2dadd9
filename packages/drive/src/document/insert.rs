//! Writing a new document: the one insert, with the expiry entry when its type has a `ttl`.

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::fee::{LifetimeLeft, PricingRule, document_ttl};
use platform_version::rules::fee::DocumentTtlFees;

use super::drain::drain;
use super::flags::{DocumentFlags, document_flags};
use super::placement::{Content, Placement, expires_at, placements};
use super::ranked::ranked_groups;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering, RankPayer};
use crate::store::{Element, StoreOp};

/// Adds the store operations of a new document.
pub fn insert(lowering: &mut Lowering<'_>, operation: &DocumentOperation) -> Result<(), DriveError> {
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let bytes = stored_bytes(lowering, document_type, operation)?;
    insert_bytes(lowering, operation, &bytes)
}

/// Adds the store operations of a document that comes back, as the bytes it had. It is priced as a
/// create would be that had this lifetime left, its prepaid deletion included (fees and epochs, D8).
pub fn restore(lowering: &mut Lowering<'_>, operation: &DocumentOperation, bytes: &[u8]) -> Result<(), DriveError> {
    // # Rule TTL-51: the insert of a create, at the lifetime left
    insert_bytes(lowering, operation, bytes)
}

fn insert_bytes(lowering: &mut Lowering<'_>, operation: &DocumentOperation, bytes: &[u8]) -> Result<(), DriveError> {
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let document = &operation.document;
    let rule = pricing(lowering, document_type, document)?;
    prepay_deletion(lowering, document_type, bytes.len())?;
    let flags = document_flags(&operation.contract, document_type, document, &lowering.context.block);
    let now = lowering.context.block.time;
    for placement in placements(document_type, document, now)?.into_iter().filter(|place| !place.has_expired(now)) {
        write(lowering, rule, placement, bytes, &flags)?;
    }
    let payer = RankPayer { rule, flags: flags.elements };
    for group in ranked_groups(document_type, document)? {
        lowering.ranks.enter(group, &payer);
    }
    drain(lowering, document_type)
}

/// The bytes the document is stored as.
pub(super) fn stored_bytes(
    lowering: &Lowering<'_>,
    document_type: &DocumentType,
    operation: &DocumentOperation,
) -> Result<Vec<u8>, DriveError> {
    let document = &operation.document;
    document
        .to_stored_bytes(document_type, operation.contract.contract(), lowering.context.rules)
        .map_err(|error| DriveError::Unstorable { document_id: document.id, reason: error.to_string() })
}

pub(super) fn write(
    lowering: &mut Lowering<'_>,
    rule: PricingRule,
    placement: Placement,
    bytes: &[u8],
    flags: &DocumentFlags,
) -> Result<(), DriveError> {
    let rule = placement.rule(rule);
    for tree in &placement.trees {
        lowering.ensure_tree(rule, &tree.path, &tree.key, (tree.kind, flags.trees.clone()))?;
    }
    let element = element(&placement, bytes, flags);
    lowering.push(rule, StoreOp::put(placement.path, placement.key, element));
    Ok(())
}

/// The element of a placement.
pub(super) fn element(placement: &Placement, bytes: &[u8], flags: &DocumentFlags) -> Element {
    let flags = flags.elements.clone();
    match &placement.content {
        Content::Document => Element::Item(bytes.to_vec(), flags),
        Content::IndexEntry(reference) | Content::Newest(reference) => Element::Reference(reference.clone(), flags),
        Content::Summand(value) => Element::SumItem(*value, flags),
        Content::ExpiryEntry(value) => Element::Item(value.clone(), flags),
    }
}

/// A document with a `ttl` is priced by the lifetime it has left at this block (design, "Fees").
pub(super) fn pricing(
    lowering: &Lowering<'_>,
    document_type: &DocumentType,
    document: &Document,
) -> Result<PricingRule, DriveError> {
    let Some(expires_at) = expires_at(document_type, document)? else { return Ok(PricingRule::Ordinary) };
    let left = LifetimeLeft::until(expires_at, lowering.context.block.time);
    Ok(document_ttl::pricing_rule(left, lowering.context.schedule, ttl_prices(lowering)?)?)
}

/// Creating a document prepays, as processing, what its removal will cost (design, "Fees").
fn prepay_deletion(
    lowering: &mut Lowering<'_>,
    document_type: &DocumentType,
    stored_bytes: usize,
) -> Result<(), DriveError> {
    if document_type.ttl().is_none() {
        return Ok(());
    }
    let bytes = u64::try_from(stored_bytes).unwrap_or(u64::MAX);
    let amount = document_ttl::prepaid_deletion(document_type.index_levels(), bytes, ttl_prices(lowering)?)?;
    lowering.prepay_deletion(amount)
}

pub(super) fn ttl_prices(lowering: &Lowering<'_>) -> Result<&'static DocumentTtlFees, DriveError> {
    let prices = lowering.context.rules.fee.document_ttl.as_ref();
    prices.ok_or_else(|| DriveError::corrupted("a document type has a ttl under rules without prices for it"))
}

/// The type an operation names.
pub(crate) fn document_type<'c>(contract: &'c ParsedContract, name: &str) -> Result<&'c DocumentType, DriveError> {
    contract.types().get(name).ok_or_else(|| DriveError::DocumentTypeMissing {
        contract_id: contract.contract().id,
        document_type: name.to_owned(),
    })
}
