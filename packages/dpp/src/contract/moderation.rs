//! Moderation settings of a contract (node rules, section 8.1; config 2, from protocol version 14).
//!
//! Absent: what moderators may do to documents of a type, which its schema says.

use std::collections::BTreeSet;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

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
