//! Paths and keys of a contract's moderation and of its claimed fees (node rules, sections 8.4 and 8.5).

use dpp::contract::{BarredList, FeePot};
use dpp::primitives::Identifier;

use super::{Path, contracts};

/// Key of the moderation's tree in a contract's tree.
pub const MODERATION_KEY: &[u8] = &[2];
/// Key of the removal records' tree.
pub const REMOVALS_KEY: &[u8] = &[16];

/// `[64, C, 2]`.
pub fn moderation(contract_id: Identifier) -> Path {
    contracts::contract(contract_id).child(MODERATION_KEY)
}

/// Key of a list's tree.
pub fn list_key(list: BarredList) -> &'static [u8] {
    match list {
        BarredList::Banlist => &[128],
        BarredList::Suspensions => &[192],
    }
}

/// `[64, C, 2, 128]` or `[64, C, 2, 192]`: barred identities.
pub fn list(contract_id: Identifier, list: BarredList) -> Path {
    moderation(contract_id).child(list_key(list))
}

/// `[64, C, 2, 16]`: removal records by document type.
pub fn removals(contract_id: Identifier) -> Path {
    moderation(contract_id).child(REMOVALS_KEY)
}

/// `[64, C, 2, 16, T]`: removal records by document id.
pub fn removals_of(contract_id: Identifier, document_type: &str) -> Path {
    removals(contract_id).child(document_type.as_bytes())
}

/// Key of the last claim of a pot: epoch u16 BE ++ time u64 BE ++ claimant.
pub fn claim_key(pot: FeePot) -> &'static [u8] {
    match pot {
        FeePot::Owner => &[32],
        FeePot::Moderators => &[96],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_change() {
        let contract = Identifier([7; 32]);
        let record = removals_of(contract, "post");
        assert_eq!(record.parts(), [vec![64], vec![7; 32], vec![2], vec![16], b"post".to_vec()]);
        let last = |path: Path| path.parts().last().cloned().unwrap();
        assert_eq!(last(list(contract, BarredList::Banlist)), [128]);
        assert_eq!(last(list(contract, BarredList::Suspensions)), [192]);
        assert_eq!((claim_key(FeePot::Owner), claim_key(FeePot::Moderators)), (&[32][..], &[96][..]));
    }
}
