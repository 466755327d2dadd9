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

impl ActionFees {
    /// The fee of an action as it is charged under an epoch's multiplier, in thousandths, rounded down.
    /// An amount past all credits is more than anybody has.
    pub fn charged(&self, fee: ActionFee, multiplier_permille: u64) -> ActionFee {
        let charged = |amount: Credits| match self.pricing {
            FeePricing::Fixed => amount,
            FeePricing::FeeMultiplier => {
                let product = u128::from(amount.0).saturating_mul(u128::from(multiplier_permille));
                let thousandth = product.checked_div(1_000).unwrap_or_default();
                u64::try_from(thousandth).map_or(Credits::MAX, |amount| Credits(amount).min(Credits::MAX))
            }
        };
        ActionFee { owner: charged(fee.owner), moderators: charged(fee.moderators) }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_follow_the_multiplier_where_they_are_priced_by_it() {
        let fee = ActionFee { owner: Credits(999), moderators: Credits(1) };
        let of = |pricing| ActionFees { pricing, fees: BTreeMap::new() };
        assert_eq!(of(FeePricing::Fixed).charged(fee, 1_500), fee);
        let half = ActionFee { owner: Credits(499), moderators: Credits(0) };
        assert_eq!(of(FeePricing::FeeMultiplier).charged(fee, 500), half);
        assert_eq!(of(FeePricing::FeeMultiplier).charged(fee, 1_000), fee);
        let most = ActionFee { owner: Credits::MAX, moderators: Credits(0) };
        assert_eq!(of(FeePricing::FeeMultiplier).charged(most, u64::MAX).owner, Credits::MAX);
    }
}
