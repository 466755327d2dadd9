//! Token configurations (node rules, section 8.6): what a contract says of a token of its own.
//!
//! Only what token costs need is used; the other fields are stored and idle, because no token
//! transition runs. Amounts are in the token's smallest unit. Absent: perpetual and pre-programmed
//! distributions, which are refused by name.

use std::collections::BTreeMap;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::encoding::{expect_version, unsupported, wire_struct};
use crate::primitives::Identifier;

/// A token of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the protocol's field of its name")]
pub struct TokenConfiguration {
    pub conventions: TokenConventions,
    pub conventions_change_rules: ChangeRules,
    /// Amount that exists from the registration on; at most 2^63 - 1.
    pub base_supply: u64,
    pub max_supply: Option<u64>,
    pub keeps_history: KeepsHistory,
    pub start_as_paused: bool,
    pub allow_transfer_to_frozen_balance: bool,
    pub max_supply_change_rules: ChangeRules,
    pub distribution_rules: TokenDistribution,
    pub marketplace_rules: MarketplaceRules,
    pub manual_minting_rules: ChangeRules,
    pub manual_burning_rules: ChangeRules,
    pub freeze_rules: ChangeRules,
    pub unfreeze_rules: ChangeRules,
    pub destroy_frozen_funds_rules: ChangeRules,
    pub emergency_action_rules: ChangeRules,
    pub main_control_group: Option<u16>,
    pub main_control_group_can_be_modified: ActionTakers,
    pub description: Option<String>,
}

wire_struct!(TokenConfiguration version 0 {
    conventions, conventions_change_rules, base_supply, max_supply, keeps_history, start_as_paused,
    allow_transfer_to_frozen_balance, max_supply_change_rules, distribution_rules, marketplace_rules,
    manual_minting_rules, manual_burning_rules, freeze_rules, unfreeze_rules, destroy_frozen_funds_rules,
    emergency_action_rules, main_control_group, main_control_group_can_be_modified, description,
});

impl TokenConfiguration {
    /// Whether a group, which this platform does not have, is named anywhere.
    pub fn names_a_group(&self) -> bool {
        self.main_control_group.is_some()
            || self.main_control_group_can_be_modified.is_group()
            || self.change_rules().into_iter().any(ChangeRules::names_a_group)
    }

    fn change_rules(&self) -> [&ChangeRules; 13] {
        let distribution = &self.distribution_rules;
        [
            &self.conventions_change_rules,
            &self.max_supply_change_rules,
            &distribution.perpetual_distribution_rules,
            &distribution.new_tokens_destination_identity_rules,
            &distribution.minting_allow_choosing_destination_rules,
            &distribution.change_direct_purchase_pricing_rules,
            &self.marketplace_rules.trade_mode_change_rules,
            &self.manual_minting_rules,
            &self.manual_burning_rules,
            &self.freeze_rules,
            &self.unfreeze_rules,
            &self.destroy_frozen_funds_rules,
            &self.emergency_action_rules,
        ]
    }
}

/// How the token is called and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TokenConventions {
    /// Names by language.
    pub localizations: BTreeMap<String, TokenLocalization>,
    /// Digits after the decimal point.
    pub decimals: u8,
}

wire_struct!(TokenConventions version 0 { localizations, decimals });

/// Names of a token in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the protocol's field of its name")]
pub struct TokenLocalization {
    pub should_capitalize: bool,
    pub singular_form: String,
    pub plural_form: String,
}

wire_struct!(TokenLocalization version 0 { should_capitalize, singular_form, plural_form });

/// Who may change a setting of the token; idle here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the protocol's field of its name")]
pub struct ChangeRules {
    pub authorized_to_make_change: ActionTakers,
    pub admin_action_takers: ActionTakers,
    pub changing_authorized_action_takers_to_no_one_allowed: bool,
    pub changing_admin_action_takers_to_no_one_allowed: bool,
    pub self_changing_admin_action_takers_allowed: bool,
}

wire_struct!(ChangeRules version 0 {
    authorized_to_make_change, admin_action_takers, changing_authorized_action_takers_to_no_one_allowed,
    changing_admin_action_takers_to_no_one_allowed, self_changing_admin_action_takers_allowed,
});

impl ChangeRules {
    fn names_a_group(&self) -> bool {
        self.authorized_to_make_change.is_group() || self.admin_action_takers.is_group()
    }
}

/// Who may act. Variant order is the wire's number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionTakers {
    /// Nobody.
    #[default]
    NoOne,
    /// The contract's owner.
    ContractOwner,
    /// One identity.
    Identity(Identifier),
    /// The main control group; refused.
    MainGroup,
    /// A group of the contract; refused.
    Group(u16),
}

impl ActionTakers {
    /// Whether it names a group, which this platform refuses.
    pub fn is_group(&self) -> bool {
        matches!(self, Self::MainGroup | Self::Group(_))
    }
}

/// Which events of the token are kept; idle here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the protocol's field of its name")]
pub struct KeepsHistory {
    pub keeps_transfer_history: bool,
    pub keeps_freezing_history: bool,
    pub keeps_minting_history: bool,
    pub keeps_burning_history: bool,
    pub keeps_direct_pricing_history: bool,
    pub keeps_direct_purchase_history: bool,
}

wire_struct!(KeepsHistory version 0 {
    keeps_transfer_history, keeps_freezing_history, keeps_minting_history, keeps_burning_history,
    keeps_direct_pricing_history, keeps_direct_purchase_history,
});

/// Where new tokens go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the protocol's field of its name")]
pub struct TokenDistribution {
    pub perpetual_distribution: NoDistribution,
    pub perpetual_distribution_rules: ChangeRules,
    pub pre_programmed_distribution: NoDistribution,
    /// Who receives the base supply; the contract's owner if absent.
    pub new_tokens_destination_identity: Option<Identifier>,
    pub new_tokens_destination_identity_rules: ChangeRules,
    pub minting_allow_choosing_destination: bool,
    pub minting_allow_choosing_destination_rules: ChangeRules,
    pub change_direct_purchase_pricing_rules: ChangeRules,
}

wire_struct!(TokenDistribution version 0 {
    perpetual_distribution, perpetual_distribution_rules, pre_programmed_distribution,
    new_tokens_destination_identity, new_tokens_destination_identity_rules, minting_allow_choosing_destination,
    minting_allow_choosing_destination_rules, change_direct_purchase_pricing_rules,
});

/// An optional distribution that must be absent: `00` on the wire, null in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoDistribution;

impl Encode for NoDistribution {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        false.encode(encoder)
    }
}

impl Decode for NoDistribution {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        match bool::decode(decoder)? {
            false => Ok(Self),
            true => Err(unsupported("a perpetual or pre-programmed token distribution")),
        }
    }
}
bincode::impl_borrow_decode!(NoDistribution);

/// Trading of the token: the only mode is "not tradeable".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MarketplaceRules {
    /// Who may change the mode.
    pub trade_mode_change_rules: ChangeRules,
}

impl Encode for MarketplaceRules {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        (0u32, 0u32).encode(encoder)?;
        self.trade_mode_change_rules.encode(encoder)
    }
}

impl Decode for MarketplaceRules {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        expect_version(decoder, 0, "MarketplaceRules")?;
        expect_version(decoder, 0, "trade mode of a token")?;
        Ok(Self { trade_mode_change_rules: Decode::decode(decoder)? })
    }
}
bincode::impl_borrow_decode!(MarketplaceRules);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{MalformedBytes, from_bytes, to_bytes};

    /// The default configuration, laid out by hand after the rules' formula.
    fn plain() -> Vec<u8> {
        let rules = [0; 6]; // version, two takers, three booleans
        [
            &[0, 0, 0, 0][..], // version, conventions: version, no language, decimals
            &rules,
            &[0, 0],                // base supply, no maximum
            &[0, 0, 0, 0, 0, 0, 0], // history: version, six booleans
            &[0, 0],                // paused, to frozen
            &rules,
            &[0, 0], // distribution: version, no perpetual one
            &rules,
            &[0, 0], // no pre-programmed one, no destination
            &rules,
            &[0], // choosing
            &rules,
            &rules,
            &[0, 0], // marketplace: version, mode
            &rules,
            &rules.repeat(6),
            &[0, 0, 0], // no main group, takers, no description
        ]
        .concat()
    }

    #[test]
    fn default_configuration_has_the_bytes_of_the_formula() {
        assert_eq!(to_bytes(&TokenConfiguration::default()), plain());
        assert_eq!(from_bytes::<TokenConfiguration>(&plain()).unwrap(), TokenConfiguration::default());
    }

    #[test]
    fn distributions_are_refused_by_name() {
        let mut bytes = plain();
        let perpetual = 4 + 6 + 2 + 7 + 2 + 6 + 1;
        bytes[perpetual] = 1;
        let refused = from_bytes::<TokenConfiguration>(&bytes);
        assert!(matches!(refused, Err(MalformedBytes::Unsupported(name)) if name.contains("perpetual")));
    }

    #[test]
    fn takers_are_numbered() {
        let id = Identifier([9; 32]);
        let takers = [
            ActionTakers::NoOne,
            ActionTakers::ContractOwner,
            ActionTakers::Identity(id),
            ActionTakers::MainGroup,
            ActionTakers::Group(300),
        ];
        for (number, takers) in takers.into_iter().enumerate() {
            let bytes = to_bytes(&takers);
            assert_eq!(usize::from(bytes[0]), number);
            assert_eq!(from_bytes::<ActionTakers>(&bytes).unwrap(), takers);
        }
    }

    #[test]
    fn text_form_fills_in_defaults() {
        let token: TokenConfiguration = serde_json::from_str(r#"{"baseSupply": 1000}"#).unwrap();
        assert_eq!(token, TokenConfiguration { base_supply: 1_000, ..TokenConfiguration::default() });
        let text = serde_json::to_value(&token).unwrap();
        assert_eq!(serde_json::from_value::<TokenConfiguration>(text).unwrap(), token);
    }
}
