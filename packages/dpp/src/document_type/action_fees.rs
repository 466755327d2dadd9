//! `actionFees`: credits an action costs on top of gas (node rules, 8.5; rules of 1.8).

use std::collections::BTreeMap;

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::ActionKind;
use crate::document_type::index::only_keys;
use crate::document_type::schema_node::SchemaNode;
use crate::primitives::Credits;

/// Fees of a type's actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFees {
    /// How amounts follow the fee multiplier.
    pub pricing: FeePricing,
    /// Fees by action; an action without one costs nothing extra.
    pub fees: BTreeMap<ActionKind, ActionFee>,
}

/// How amounts follow the epoch's fee multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeePricing {
    /// They are multiplied by it.
    FeeMultiplier,
    /// They stay as declared.
    Fixed,
}

/// The fee of one action, as declared. Its parts add up to at most 2^63 - 1 and not to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionFee {
    /// For the contract's owner.
    pub owner: Credits,
    /// For its moderators.
    pub moderators: Credits,
}

/// Reads the fees, and checks what holds on every parse.
pub(crate) fn parse(schema: &SchemaNode<'_>, findings: &mut Findings) -> Result<Option<ActionFees>, ConsensusError> {
    let Some(node) = schema.get("actionFees") else { return Ok(None) };
    let known: Vec<&str> = ActionKind::ALL.into_iter().map(ActionKind::name).chain(["pricing"]).collect();
    findings.keep(&node, only_keys(&node, &known))?;
    let pricing = findings.keep(&node, pricing(&node))?.unwrap_or(FeePricing::Fixed);
    let mut fees = BTreeMap::new();
    for action in ActionKind::ALL {
        let Some(fee) = node.get(action.name()) else { continue };
        if let Some(parsed) = findings.keep(&fee, parse_fee(&fee))? {
            fees.insert(action, parsed);
        }
    }
    Ok(Some(ActionFees { pricing, fees }))
}

fn pricing(node: &SchemaNode<'_>) -> Result<FeePricing, ConsensusError> {
    match node.get("pricing").and_then(|pricing| pricing.text()) {
        Some("feeMultiplier") => Ok(FeePricing::FeeMultiplier),
        Some("fixed") => Ok(FeePricing::Fixed),
        _ => Err(node.at("pricing").wrong_type("'pricing' must be 'feeMultiplier' or 'fixed'")),
    }
}

fn parse_fee(node: &SchemaNode<'_>) -> Result<ActionFee, ConsensusError> {
    only_keys(node, &["owner", "moderators"])?;
    let part = |key: &str| Ok::<_, ConsensusError>(Credits(node.number(key)?.unwrap_or(0)));
    let fee = ActionFee { owner: part("owner")?, moderators: part("moderators")? };
    match fee.owner.0.checked_add(fee.moderators.0) {
        Some(0) => Err(node.structure("a fee must have a part that is not 0; remove the action instead")),
        Some(sum) if sum <= Credits::MAX.0 => Ok(fee),
        _ => Err(node.structure(format!("the parts of a fee must add up to at most {}", Credits::MAX))),
    }
}
