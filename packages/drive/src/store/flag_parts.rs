//! Storage flags read back: who paid for an element's bytes, and in which epochs (state layout,
//! section 8).

use std::collections::BTreeMap;

use dpp::primitives::{EpochIndex, Identifier};
use grovedb_epoch_based_storage_flags::StorageFlags;

use super::Flags;

/// What storage flags say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagParts {
    /// Who is refunded; `None`: nobody.
    pub owner: Option<Identifier>,
    /// Epoch of all bytes that are not listed for a later one.
    pub base_epoch: EpochIndex,
    /// Bytes added in later epochs.
    pub later: BTreeMap<EpochIndex, u32>,
}

impl Flags {
    /// What the flags say; `None` if they are malformed.
    pub fn parts(&self) -> Option<FlagParts> {
        let flags = StorageFlags::deserialize(self.as_bytes()).ok().flatten()?;
        let (base_epoch, later, owner) = match flags {
            StorageFlags::SingleEpoch(epoch) => (epoch, BTreeMap::new(), None),
            StorageFlags::MultiEpoch(epoch, later) => (epoch, later, None),
            StorageFlags::SingleEpochOwned(epoch, owner) => (epoch, BTreeMap::new(), Some(owner)),
            StorageFlags::MultiEpochOwned(epoch, later, owner) => (epoch, later, Some(owner)),
        };
        let later = later.into_iter().map(|(epoch, bytes)| (EpochIndex(epoch), bytes)).collect();
        Some(FlagParts { owner: owner.map(Identifier), base_epoch: EpochIndex(base_epoch), later })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_state_layout_is_read() {
        // section 8: made in epoch 3, grown in epoch 7 and again in epoch 300
        let bytes = [&[3][..], &[9; 32], &[0, 3], &[0, 7, 0x35], &[1, 0x2c, 0x80, 0x02]].concat();
        let parts = Flags(bytes).parts().unwrap();
        assert_eq!((parts.owner, parts.base_epoch), (Some(Identifier([9; 32])), EpochIndex(3)));
        assert_eq!(parts.later, BTreeMap::from([(EpochIndex(7), 53), (EpochIndex(300), 256)]));
        let unowned = Flags(vec![0, 1, 2]).parts().unwrap();
        assert_eq!((unowned.owner, unowned.base_epoch, unowned.later.len()), (None, EpochIndex(258), 0));
    }

    #[test]
    fn malformed_flags_say_nothing() {
        for bytes in [vec![], vec![0], vec![0, 1], vec![0; 4], vec![2; 34], vec![1, 0, 3, 0, 7, 0x80], vec![9; 40]] {
            assert_eq!(Flags(bytes.clone()).parts(), None, "{bytes:?}");
        }
    }
}
