//! Validators as quorums that take turns (ABCI reference, sections 9 and 13).
//!
//! Without a core chain the genesis names every quorum there will be. A quorum signs until its members
//! had their turn, in the order of their proTxHash; then the next one follows, and after the last the
//! first again. A single quorum stays.
//! Invariants: whose turn it is follows from the proposers of the committed blocks alone; what block H
//! decides signs from H + 1.
//! Absent: members that come and go, and the check that a quorum's keys belong together.

use dpp::primitives::Identifier;
use serde::{Deserialize, Serialize};

use crate::genesis::{first_repeat, pro_tx_hash};

/// Bytes of a public key of BLS12-381.
const KEY_BYTES: usize = 48;

/// A set of validators with the key they sign under together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quorum {
    /// Its name.
    #[serde(with = "hex::serde")]
    pub quorum_hash: [u8; 32],
    /// The key its threshold signatures are checked with, 48 bytes.
    #[serde(with = "hex::serde")]
    pub threshold_public_key: Vec<u8>,
    /// Its members.
    pub members: Vec<Member>,
}

/// A member of a quorum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Member {
    /// proTxHash, in base58 or hex.
    #[serde(deserialize_with = "pro_tx_hash")]
    pub pro_tx_hash: Identifier,
    /// Its share of the key, 48 bytes; empty when unknown, and the node then follows finished commits alone.
    #[serde(default, with = "hex::serde", skip_serializing_if = "Vec::is_empty")]
    pub public_key: Vec<u8>,
    /// `tcp://node id@host:port`, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub node_address: String,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Turn {
    /// Number of the quorum that signs the next block, in the genesis' order.
    pub quorum: u32,
    /// Proposer of the last block of this turn; `None` at its beginning.
    pub last_proposer: Option<Identifier>,
}

impl Turn {
    /// The turn after a block.
    pub fn after(self, quorums: &[Quorum], proposer: Identifier) -> Self {
        let stays = Self { last_proposer: Some(proposer), ..self };
        match self.of(quorums) {
            Some(current) if quorums.len() > 1 && self.is_over(current, proposer) => {
                let next = self.quorum.saturating_add(1);
                let wraps = usize::try_from(next).is_ok_and(|next| next >= quorums.len());
                Self { quorum: if wraps { 0 } else { next }, last_proposer: None }
            }
            _ => stays,
        }
    }

    /// The quorum whose turn it is.
    pub fn of(self, quorums: &[Quorum]) -> Option<&Quorum> {
        usize::try_from(self.quorum).ok().and_then(|number| quorums.get(number))
    }

    /// The last member proposed, or the order has begun anew.
    fn is_over(self, current: &Quorum, proposer: Identifier) -> bool {
        let last = current.members.iter().map(|member| member.pro_tx_hash).max();
        last == Some(proposer) || self.last_proposer.is_some_and(|before| proposer < before)
    }
}

/// Quorums that can take turns; else what to change.
pub(crate) fn checked(quorums: &[Quorum]) -> Result<(), String> {
    if first_repeat(quorums.iter().map(|quorum| quorum.quorum_hash)).is_some() {
        return Err("quorums: two have the same quorumHash; give each one its own".to_owned());
    }
    quorums.iter().try_for_each(|quorum| {
        let name = hex::encode(quorum.quorum_hash);
        quorum.checked().map_err(|reason| format!("quorums: {name}: {reason}"))
    })
}

impl Quorum {
    fn checked(&self) -> Result<(), String> {
        if self.threshold_public_key.len() != KEY_BYTES {
            return Err(format!("thresholdPublicKey must have {KEY_BYTES} bytes"));
        }
        if self.members.is_empty() {
            return Err("name at least one member".to_owned());
        }
        if let Some(twice) = first_repeat(self.members.iter().map(|member| member.pro_tx_hash)) {
            return Err(format!("{twice} is named twice; name it once"));
        }
        let wrong = self.members.iter().find(|member| ![0, KEY_BYTES].contains(&member.public_key.len()));
        wrong.map_or(Ok(()), |member| {
            Err(format!("publicKey of {} must have {KEY_BYTES} bytes, or be left out", member.pro_tx_hash))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quorum(number: u8, members: &[u8]) -> Quorum {
        let member = |member: &u8| Member {
            pro_tx_hash: Identifier([*member; 32]),
            public_key: vec![*member; KEY_BYTES],
            node_address: String::new(),
        };
        Quorum {
            quorum_hash: [number; 32],
            threshold_public_key: vec![number; KEY_BYTES],
            members: members.iter().map(member).collect(),
        }
    }

    fn turns(quorums: &[Quorum], proposers: &[u8]) -> Vec<u32> {
        let mut turn = Turn::default();
        let mut seen = Vec::new();
        for proposer in proposers {
            turn = turn.after(quorums, Identifier([*proposer; 32]));
            seen.push(turn.quorum);
        }
        seen
    }

    #[test]
    fn a_quorum_is_gone_through_when_its_last_member_proposed_or_the_order_began_anew() {
        let quorums = [quorum(1, &[5, 1, 3]), quorum(2, &[2, 4])];
        assert_eq!(turns(&quorums, &[1, 3, 5, 2, 4, 1]), [0, 0, 1, 1, 0, 0]);
        // lost rounds skip members: 5 never proposed, and 1 comes after 3
        assert_eq!(turns(&quorums, &[1, 3, 1, 4]), [0, 0, 1, 0]);
        // the same proposer again, after a lost round of all others
        assert_eq!(turns(&quorums, &[3, 3, 3]), [0, 0, 0]);
    }

    #[test]
    fn a_single_quorum_stays_and_a_quorum_of_one_gives_way_at_once() {
        assert_eq!(turns(&[quorum(1, &[1, 2])], &[1, 2, 1, 2]), [0; 4]);
        assert_eq!(turns(&[quorum(1, &[1]), quorum(2, &[2])], &[1, 2, 1]), [1, 0, 1]);
        assert_eq!(turns(&[], &[1, 2]), [0, 0]);
    }

    #[test]
    fn quorums_that_cannot_be_are_refused() {
        assert_eq!(checked(&[quorum(1, &[1]), quorum(2, &[1])]), Ok(()));
        for (quorums, named) in [
            (vec![quorum(1, &[1]), quorum(1, &[2])], "quorumHash"),
            (vec![quorum(1, &[])], "at least one"),
            (vec![quorum(1, &[1, 1])], "twice"),
            (vec![Quorum { threshold_public_key: vec![1; 47], ..quorum(1, &[1]) }], "thresholdPublicKey"),
        ] {
            assert!(checked(&quorums).unwrap_err().contains(named), "{named}");
        }
        let mut short = quorum(1, &[1]);
        short.members[0].public_key.pop();
        assert!(checked(&[short]).unwrap_err().contains("publicKey"));
    }
}
