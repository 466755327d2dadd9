//! Records of documents that moderators deleted: `[64, C, 2, 16, T]` document id -> record.

use dpp::primitives::{Identifier, TimestampMillis};

use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering};
use crate::store::{Element, Flags, StateReader, StoreOp};
use crate::tree::moderation;

/// What stays of a document that a moderator deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovalRecord {
    /// The document's owner.
    pub owner_id: Identifier,
    /// Who deleted it.
    pub moderator_id: Identifier,
    /// Time of the block it was deleted in.
    pub removed_at: TimestampMillis,
    /// Double hash of the document's bytes, by which a restore is held to them.
    pub document_hash: [u8; 32],
    /// Set once it was put back.
    pub restored: Option<Restoration>,
    /// The reason's bytes.
    pub reason: Vec<u8>,
}

/// Who put a document back, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restoration {
    /// The moderator.
    pub moderator_id: Identifier,
    /// Block time.
    pub at: TimestampMillis,
}

impl RemovalRecord {
    /// Owner ++ moderator ++ removed at u64 BE ++ hash ++ (`00`, or `01` ++ restorer ++ restored at u64 BE)
    /// ++ reason.
    pub fn to_bytes(&self) -> Vec<u8> {
        let restored = match self.restored {
            None => vec![0],
            Some(restored) => {
                [&[1], restored.moderator_id.as_bytes().as_slice(), &restored.at.0.to_be_bytes()].concat()
            }
        };
        let parts: [&[u8]; 6] = [
            self.owner_id.as_bytes(),
            self.moderator_id.as_bytes(),
            &self.removed_at.0.to_be_bytes(),
            &self.document_hash,
            &restored,
            &self.reason,
        ];
        parts.concat()
    }

    /// Reads a record back; `None` if it is malformed.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (owner, rest) = bytes.split_first_chunk::<32>()?;
        let (moderator, rest) = rest.split_first_chunk::<32>()?;
        let (removed_at, rest) = rest.split_first_chunk::<8>()?;
        let (document_hash, rest) = rest.split_first_chunk::<32>()?;
        let (restored, reason) = match rest.split_first()? {
            (0, reason) => (None, reason),
            (1, rest) => {
                let (restorer, rest) = rest.split_first_chunk::<32>()?;
                let (at, reason) = rest.split_first_chunk::<8>()?;
                let at = TimestampMillis(u64::from_be_bytes(*at));
                (Some(Restoration { moderator_id: Identifier(*restorer), at }), reason)
            }
            _ => return None,
        };
        Some(Self {
            owner_id: Identifier(*owner),
            moderator_id: Identifier(*moderator),
            removed_at: TimestampMillis(u64::from_be_bytes(*removed_at)),
            document_hash: *document_hash,
            restored,
            reason: reason.to_vec(),
        })
    }
}

/// The record of a document; `None` if no moderator ever deleted one of that id.
pub fn removal_record(
    reader: &StateReader<'_>,
    (contract_id, document_type): (Identifier, &str),
    document_id: Identifier,
) -> Result<Option<RemovalRecord>, DriveError> {
    let path = moderation::removals_of(contract_id, document_type);
    let Some(bytes) = reader.item(&path, document_id.as_bytes())? else { return Ok(None) };
    let record = RemovalRecord::from_bytes(&bytes);
    record.map(Some).ok_or_else(|| DriveError::corrupted(format!("the removal record of {document_id} is malformed")))
}

/// Permanent bytes of who writes them, also for a document with a `ttl`.
pub(super) fn put(
    lowering: &mut Lowering<'_>,
    document: &DocumentOperation,
    record: &RemovalRecord,
    writer: Identifier,
) {
    let path = moderation::removals_of(document.contract.contract().id, &document.document_type);
    let flags = Flags::owned(writer, lowering.context.block.epoch);
    let element = Element::Item(record.to_bytes(), Some(flags));
    lowering.push_ordinary(StoreOp::put(path, document.document.id.to_vec(), element));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_do_not_change_and_read_back() {
        let record = RemovalRecord {
            owner_id: Identifier([1; 32]),
            moderator_id: Identifier([2; 32]),
            removed_at: TimestampMillis(3),
            document_hash: [4; 32],
            restored: None,
            reason: b"\0why".to_vec(),
        };
        let front = [&[1; 32][..], &[2; 32], &[0, 0, 0, 0, 0, 0, 0, 3], &[4; 32]].concat();
        assert_eq!(record.to_bytes(), [front.as_slice(), b"\0\0why"].concat());
        let restored = Some(Restoration { moderator_id: Identifier([5; 32]), at: TimestampMillis(6) });
        let marked = RemovalRecord { restored, ..record.clone() };
        let mark = [&[1][..], &[5; 32], &[0, 0, 0, 0, 0, 0, 0, 6]].concat();
        assert_eq!(marked.to_bytes(), [front.as_slice(), &mark, b"\0why"].concat());
        for known in [record, marked] {
            let bytes = known.to_bytes();
            assert_eq!(RemovalRecord::from_bytes(&bytes), Some(known));
            assert_eq!(RemovalRecord::from_bytes(&bytes[..104]), None);
        }
        assert_eq!(RemovalRecord::from_bytes(&[front.as_slice(), &[2]].concat()), None);
    }
}
