//! Moderation settings of a contract (node rules, section 8.1; config 2, from protocol version 14).
//!
//! Absent: what moderators may do to documents of a type, which its schema says; the lists themselves.

use std::collections::BTreeSet;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::contract::DataContract;
use crate::primitives::Identifier;

/// What a contract's moderators may do to identities, and who they are.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderation {
    /// Identities can be banned.
    pub banlist: bool,
    /// Identities can be suspended for a time.
    pub suspensions: bool,
    /// Who moderates beside the contract's owner.
    pub moderators: Moderators,
    /// Identities can be warned; refused.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub warnings: bool,
}

/// Who moderates. Variant order is the wire's number.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
#[serde(tag = "$type", rename_all = "camelCase", deny_unknown_fields)]
pub enum Moderators {
    /// The contract's owner alone.
    ContractOwner,
    /// The owner and these.
    AppointedModerators {
        /// 1 to 16 identities, ascending.
        identities: BTreeSet<Identifier>,
    },
    /// Refused.
    ElectedModerators,
}

/// Where a contract's action fees wait for those they are for. Variant order is the wire's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub enum FeePot {
    /// For the contract's owner.
    Owner,
    /// For its moderators.
    Moderators,
}

/// A list of barred identities a contract may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarredList {
    /// Those barred for good.
    Banlist,
    /// Those barred for a time.
    Suspensions,
}

impl DataContract {
    /// Whether the contract keeps a list.
    pub fn keeps(&self, list: BarredList) -> bool {
        self.config.moderation.as_ref().is_some_and(|moderation| match list {
            BarredList::Banlist => moderation.banlist,
            BarredList::Suspensions => moderation.suspensions,
        })
    }

    /// The identities appointed as moderators beside the owner.
    pub fn appointed_moderators(&self) -> BTreeSet<Identifier> {
        match self.config.moderation.as_ref().map(|moderation| &moderation.moderators) {
            Some(Moderators::AppointedModerators { identities }) => identities.clone(),
            Some(Moderators::ContractOwner | Moderators::ElectedModerators) | None => BTreeSet::new(),
        }
    }

    /// "Moderators: the contract owner and the appointed."
    pub fn is_moderated_by(&self, identity: Identifier) -> bool {
        identity == self.owner_id || self.appointed_moderators().contains(&identity)
    }

    /// Who a pot is shared out to: the owner, or the appointed and without them the owner.
    pub fn recipients(&self, pot: FeePot) -> BTreeSet<Identifier> {
        match (pot, self.appointed_moderators()) {
            (FeePot::Moderators, appointed) if !appointed.is_empty() => appointed,
            _ => [self.owner_id].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_bytes, to_bytes};
    use serde_json::json;

    fn appointed() -> Moderation {
        let identities = [Identifier([1; 32]), Identifier([2; 32])].into();
        let moderators = Moderators::AppointedModerators { identities };
        Moderation { banlist: true, suspensions: false, moderators, warnings: false }
    }

    #[test]
    fn moderators_and_recipients_are_the_owner_and_the_appointed() {
        let owner = Identifier([9; 32]);
        let mut contract = DataContract::new(owner, crate::primitives::Nonce(1), [].into());
        assert!(!contract.keeps(BarredList::Banlist) && contract.appointed_moderators().is_empty());
        contract.config.moderation = Some(appointed());
        let identities: BTreeSet<_> = [Identifier([1; 32]), Identifier([2; 32])].into();
        assert!(contract.keeps(BarredList::Banlist) && !contract.keeps(BarredList::Suspensions));
        assert!(contract.is_moderated_by(owner) && contract.is_moderated_by(Identifier([2; 32])));
        assert!(!contract.is_moderated_by(Identifier([3; 32])));
        assert_eq!(contract.recipients(FeePot::Owner), [owner].into());
        assert_eq!(contract.recipients(FeePot::Moderators), identities);
        contract.config.moderation = Some(Moderation { moderators: Moderators::ContractOwner, ..appointed() });
        assert_eq!(contract.recipients(FeePot::Moderators), [owner].into());
    }

    #[test]
    fn bytes_are_those_of_the_rules() {
        let bytes = to_bytes(&appointed());
        let expected = [&[1, 0, 1, 2][..], &[1; 32], &[2; 32], &[0]].concat();
        assert_eq!(bytes, expected);
        assert_eq!(from_bytes::<Moderation>(&bytes).unwrap(), appointed());
        let elected = Moderation { moderators: Moderators::ElectedModerators, ..appointed() };
        assert_eq!(to_bytes(&elected), [1, 0, 2, 0]);
    }

    #[test]
    fn text_form_is_that_of_the_keywords_page() {
        let ids = [Identifier([1; 32]).to_string(), Identifier([2; 32]).to_string()];
        let json = json!({
            "banlist": true,
            "suspensions": false,
            "moderators": {"$type": "appointedModerators", "identities": ids},
        });
        assert_eq!(serde_json::to_value(appointed()).unwrap(), json);
        assert_eq!(serde_json::from_value::<Moderation>(json).unwrap(), appointed());
        let owner = json!({"banlist": true, "suspensions": true, "moderators": {"$type": "contractOwner"}});
        assert_eq!(serde_json::from_value::<Moderation>(owner).unwrap().moderators, Moderators::ContractOwner);
    }
}
