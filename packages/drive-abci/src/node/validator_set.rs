//! Validator sets, in the node's words and ours.

use dpp::primitives::Identifier;
use tenderdash_abci::proto::abci::{ValidatorSetUpdate, ValidatorUpdate};
use tenderdash_abci::proto::crypto::{PublicKey, public_key::Sum};

use crate::validators::{Member, Quorum};

/// Power of a member; it knows no other but 0.
const POWER: i64 = 100;

/// A quorum as a whole new set.
pub(super) fn update(quorum: &Quorum) -> ValidatorSetUpdate {
    let member = |member: &Member| ValidatorUpdate {
        pub_key: (!member.public_key.is_empty()).then(|| key(&member.public_key)),
        power: POWER,
        pro_tx_hash: member.pro_tx_hash.to_vec(),
        node_address: member.node_address.clone(),
    };
    ValidatorSetUpdate {
        validator_updates: quorum.members.iter().map(member).collect(),
        threshold_public_key: Some(key(&quorum.threshold_public_key)),
        quorum_hash: quorum.quorum_hash.to_vec(),
    }
}

fn key(bytes: &[u8]) -> PublicKey {
    PublicKey { sum: Some(Sum::Bls12381(bytes.to_vec())) }
}

/// The quorum of the node's genesis; `None` when it names none.
pub(super) fn quorum(set: &ValidatorSetUpdate) -> Result<Option<Quorum>, String> {
    if set.validator_updates.is_empty() {
        return Ok(None);
    }
    let quorum_hash = set.quorum_hash.as_slice().try_into();
    let members = set.validator_updates.iter().map(|validator| {
        let pro_tx_hash = Identifier::from_slice(&validator.pro_tx_hash)
            .map_err(|_| "the validator set has a proTxHash that is not 32 bytes".to_owned())?;
        let public_key = bls(validator.pub_key.as_ref()).unwrap_or_default();
        Ok(Member { pro_tx_hash, public_key, node_address: validator.node_address.clone() })
    });
    Ok(Some(Quorum {
        quorum_hash: quorum_hash.map_err(|_| "the validator set's quorum hash is not 32 bytes".to_owned())?,
        threshold_public_key: bls(set.threshold_public_key.as_ref())
            .ok_or("the validator set has no BLS threshold key".to_owned())?,
        members: members.collect::<Result<_, String>>()?,
    }))
}

fn bls(key: Option<&PublicKey>) -> Option<Vec<u8>> {
    match key?.sum.as_ref()? {
        Sum::Bls12381(bytes) => Some(bytes.clone()),
        _ => None,
    }
}

/// The quorums in the order of their turns: the node's own set first, or where the genesis names it.
pub(super) fn in_turn(named: Vec<Quorum>, first: Option<Quorum>) -> Vec<Quorum> {
    let Some(first) = first else { return named };
    let mut quorums = named;
    match quorums.iter().position(|quorum| quorum.quorum_hash == first.quorum_hash) {
        Some(place) => {
            quorums.rotate_left(place);
            if let Some(own) = quorums.first_mut() {
                *own = first;
            }
        }
        None => quorums.insert(0, first),
    }
    quorums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(number: u8) -> Quorum {
        let member = Member {
            pro_tx_hash: Identifier([number; 32]),
            public_key: vec![number; 48],
            node_address: "a".to_owned(),
        };
        Quorum { quorum_hash: [number; 32], threshold_public_key: vec![number; 48], members: vec![member] }
    }

    #[test]
    fn a_quorum_survives_the_wire() {
        assert_eq!(quorum(&update(&named(1))), Ok(Some(named(1))));
        assert_eq!(quorum(&ValidatorSetUpdate::default()), Ok(None));
        let broken: [fn(&mut ValidatorSetUpdate); 3] = [
            |set| set.quorum_hash.clear(),
            |set| set.threshold_public_key = None,
            |set| set.validator_updates[0].pro_tx_hash.clear(),
        ];
        for broken in broken {
            let mut set = update(&named(1));
            broken(&mut set);
            assert!(quorum(&set).is_err());
        }
    }

    #[test]
    fn the_nodes_own_set_has_the_first_turn() {
        let hashes = |quorums: Vec<Quorum>| quorums.iter().map(|quorum| quorum.quorum_hash[0]).collect::<Vec<_>>();
        let all = || vec![named(1), named(2), named(3)];
        assert_eq!(hashes(in_turn(all(), None)), [1, 2, 3]);
        assert_eq!(hashes(in_turn(all(), Some(named(2)))), [2, 3, 1]);
        assert_eq!(hashes(in_turn(all(), Some(named(9)))), [9, 1, 2, 3]);
        assert_eq!(hashes(in_turn(Vec::new(), Some(named(9)))), [9]);
    }
}
