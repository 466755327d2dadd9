//! What is fixed in an update, by the version's rule. The only place that asks for it.

use platform_version::rules::contract::TypeUpdateRule;

/// What an update is held to beyond what both rules share.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpdateRules {
    /// Settings of generation 3 are fixed (40212): prices, `ttl`, abilities, `immutable`, aggregates,
    /// and how existing properties are stored.
    pub generation_3: bool,
    /// Indexes are compared by name, in any order; else by list.
    pub indexes_by_name: bool,
    /// Top-level keys that have a rule of their own and stay out of the schema comparison.
    pub own_rules: &'static [&'static str],
}

impl UpdateRules {
    /// What the rule of a version fixes.
    pub fn of(rule: TypeUpdateRule) -> Self {
        match rule {
            TypeUpdateRule::FixedSettings => Self { generation_3: false, indexes_by_name: false, own_rules: &[] },
            TypeUpdateRule::FixedSettingsAndTtl => Self {
                generation_3: true,
                indexes_by_name: true,
                // "At 14 `indices`, top-level `required` and `immutable` stay out of the diff"
                own_rules: &["indices", "required", "immutable"],
            },
        }
    }
}
