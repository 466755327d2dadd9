//! `moderatorAbilities`: what moderators may do to documents of a type (node rules, 1.8 and 8.2).

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::TypeSettings;
use crate::document_type::index::only_keys;
use crate::document_type::schema_node::SchemaNode;
use crate::primitives::Seconds;

/// What moderators may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeratorAbilities {
    /// Delete and restore documents.
    pub delete: bool,
    /// How long after the last change they may delete; `None`: always.
    pub delete_within: Option<Seconds>,
}

/// What the abilities are judged with.
pub(crate) struct ModeratedType {
    /// The contract has moderators.
    pub contract_is_moderated: bool,
    /// `$createdAt` and `$updatedAt` are in `required`.
    pub records: (bool, bool),
    /// An index is contested.
    pub has_contested_index: bool,
    /// `indexOnly` is true.
    pub index_only: bool,
    /// Type-level settings.
    pub settings: TypeSettings,
}

/// Reads the abilities and checks what they need, on every parse.
pub(crate) fn parse(
    schema: &SchemaNode<'_>,
    of: &ModeratedType,
    findings: &mut Findings,
) -> Result<ModeratorAbilities, ConsensusError> {
    let Some(node) = schema.get("moderatorAbilities") else { return Ok(ModeratorAbilities::default()) };
    let Some(abilities) = findings.keep(&node, read(&node))? else { return Ok(ModeratorAbilities::default()) };
    let settings = &of.settings;
    let rules = [
        ("delete", abilities.delete && !of.contract_is_moderated, "it needs 'config.moderation' in the contract"),
        ("delete", abilities.delete && settings.keeps_history, "the type must not keep history"),
        ("delete", abilities.delete && settings.creation_restriction != 0, "'creationRestrictionMode' must be 0"),
        ("delete", abilities.delete && of.has_contested_index, "the type must not have a contested index"),
        ("delete", abilities.delete && of.index_only, "the type must not be 'indexOnly'"),
        ("deleteWithin", abilities.delete_within.is_some() && !abilities.delete, "it needs 'delete': true"),
        (
            "deleteWithin",
            abilities.delete_within.is_some() && !of.records_changes(),
            "it needs '$updatedAt' in 'required'",
        ),
    ];
    for (ability, _, reason) in rules.into_iter().filter(|(_, broken, _)| *broken) {
        findings.refuse(&node, node.at(ability).structure(format!("the ability '{ability}': {reason}")))?;
    }
    Ok(abilities)
}

fn read(node: &SchemaNode<'_>) -> Result<ModeratorAbilities, ConsensusError> {
    only_keys(node, &["delete", "deleteWithin"])?;
    let delete_within = match node.number::<u32>("deleteWithin")? {
        Some(0) => return Err(node.at("deleteWithin").wrong_type("'deleteWithin' must be at least 1 second")),
        within => within.map(Seconds),
    };
    Ok(ModeratorAbilities { delete: node.flag("delete")? == Some(true), delete_within })
}

impl ModeratedType {
    /// "`$updatedAt` in `required` (immutable type: or `$createdAt`)".
    fn records_changes(&self) -> bool {
        let (creation, update) = self.records;
        update || (!self.settings.mutable && creation)
    }
}
