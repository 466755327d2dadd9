//! `tokenCost`: what actions on documents of a type cost in tokens (node rules, 8.6).

use std::collections::BTreeMap;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::{DataContract, Findings};
use crate::document_type::ActionKind;
use crate::document_type::grammar::Grammar;
use crate::document_type::index::only_keys;
use crate::document_type::schema_node::SchemaNode;
use crate::primitives::Identifier;

/// The price of an action in tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenCost {
    /// Contract of the token; `None`: the type's own.
    pub contract_id: Option<Identifier>,
    /// Position of the token in that contract.
    pub token_position: u16,
    /// Amount in the token's smallest unit.
    pub amount: u64,
    /// What becomes of it.
    pub effect: TokenEffect,
    /// Whom the contract offers to let pay for gas.
    pub gas_fees_paid_by: GasFeesPaidBy,
    /// The action is also possible without paying.
    pub optional: bool,
}

/// What becomes of the tokens that are paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenEffect {
    /// They go to the owner of the contract.
    Transfer,
    /// They are destroyed.
    Burn,
}

/// Who pays for gas. From protocol version 14 only the first can be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GasFeesPaidBy {
    /// Whoever acts.
    Actor,
    /// The contract's owner.
    ContractOwner,
    /// The contract's owner if it can, else whoever acts.
    PreferContractOwner,
}

/// Reads the costs by action; a value of the wrong kind is 10228.
pub(crate) fn parse(
    schema: &SchemaNode<'_>,
    grammar: Grammar,
    findings: &mut Findings,
) -> Result<BTreeMap<ActionKind, TokenCost>, ConsensusError> {
    let mut costs = BTreeMap::new();
    let Some(node) = schema.get("tokenCost") else { return Ok(costs) };
    findings.keep(&node, only_keys(&node, &ActionKind::ALL.map(ActionKind::name)))?;
    for action in ActionKind::ALL {
        let Some(cost) = node.get(action.name()) else { continue };
        if let Some(parsed) = findings.keep(&cost, parse_cost(&cost, grammar))? {
            costs.insert(action, parsed);
        }
    }
    Ok(costs)
}

fn parse_cost(node: &SchemaNode<'_>, grammar: Grammar) -> Result<TokenCost, ConsensusError> {
    let amount = node.number::<u64>("amount")?.filter(|amount| *amount > 0);
    Ok(TokenCost {
        contract_id: node.get("contractId").map(|id| identifier(&id)).transpose()?,
        token_position: node.number("tokenPosition")?.ok_or_else(|| node.missing("tokenPosition"))?,
        amount: amount.ok_or_else(|| node.missing("amount"))?,
        effect: match node.number::<u8>("effect")?.unwrap_or(0) {
            0 => TokenEffect::Transfer,
            1 => TokenEffect::Burn,
            _ => return Err(node.at("effect").wrong_type("'effect' must be 0 to transfer or 1 to burn")),
        },
        gas_fees_paid_by: match node.number::<u8>("gasFeesPaidBy")?.unwrap_or(0) {
            0 => GasFeesPaidBy::Actor,
            1 => GasFeesPaidBy::ContractOwner,
            2 => GasFeesPaidBy::PreferContractOwner,
            _ => return Err(node.at("gasFeesPaidBy").wrong_type("'gasFeesPaidBy' must be 0, 1 or 2")),
        },
        optional: grammar.reads_generation_3 && node.flag("optional")? == Some(true),
    })
}

/// An identifier: bytes, 32 integers 0 to 255, or base58.
pub(crate) fn identifier(node: &SchemaNode<'_>) -> Result<Identifier, ConsensusError> {
    let items = node.items().map(|items| {
        items.iter().map(|item| item.integer().and_then(|byte| u8::try_from(byte).ok())).collect::<Option<Vec<u8>>>()
    });
    let id = match (node.value().as_bytes(), items.flatten(), node.text()) {
        (Some(bytes), _, _) => Identifier::from_slice(bytes).ok(),
        (_, Some(bytes), _) => Identifier::from_slice(&bytes).ok(),
        (_, _, Some(text)) => text.parse().ok(),
        _ => None,
    };
    id.ok_or_else(|| node.wrong_type("this must be an identifier of 32 bytes"))
}

/// What a registration checks: "own position unknown 10451; `contractId` = own id 10275; burn with
/// `contractId` 10261".
pub(crate) fn check(
    schema: &SchemaNode<'_>,
    costs: &BTreeMap<ActionKind, TokenCost>,
    contract: &DataContract,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    for (action, cost) in costs {
        let node = schema.at("tokenCost").at(action.name());
        let document_type = schema.document_type();
        findings.keep(&node, is_payable(document_type, *action, cost, contract))?;
    }
    Ok(())
}

fn is_payable(
    document_type: &str,
    action: ActionKind,
    cost: &TokenCost,
    contract: &DataContract,
) -> Result<(), ConsensusError> {
    let (document_type, action) = (document_type.to_owned(), action.name().to_owned());
    let token_position = cost.token_position;
    Err(match cost.contract_id {
        None if contract.tokens.contains_key(&token_position) => return Ok(()),
        None => BasicError::InvalidTokenPositionError { document_type, action, token_position }.into(),
        Some(contract_id) if contract_id == contract.id => {
            BasicError::RedundantDocumentPaidForByTokenWithContractId { document_type, action, contract_id }.into()
        }
        Some(contract_id) if cost.effect == TokenEffect::Burn => {
            BasicError::TokenPaymentByBurningOnlyAllowedOnInternalTokenError { document_type, action, contract_id }
                .into()
        }
        Some(_) => return Ok(()),
    })
}

/// "14: a type offering 1 or 2 is 10006 when registered or added": gas is never sponsored.
pub(crate) fn refuse_sponsoring(
    schema: &SchemaNode<'_>,
    costs: &BTreeMap<ActionKind, TokenCost>,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    for (action, _) in costs.iter().filter(|(_, cost)| cost.gas_fees_paid_by != GasFeesPaidBy::Actor) {
        let offer = schema.at("tokenCost").at(action.name()).at("gasFeesPaidBy");
        findings.refuse(&offer, offer.unsupported("'gasFeesPaidBy' other than 0"))?;
    }
    Ok(())
}
