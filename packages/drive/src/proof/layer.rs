//! The bytes of a proof: GroveDB's form of one, read with bounds and in one way only.
//!
//! ```text
//! proof   0 layer 0                  version, root tree, "trees without a row are free"
//! layer   bytes  count (bytes layer)*   what is shown of a tree, then the trees below it by key
//! bytes   length, then so many
//! ```
//!
//! Numbers take one byte up to 250, else 251 and two bytes, or 252 and four. Invariants: nothing is
//! allocated that the bytes do not hold; there are no more layers than hashes for them; layers are nested no deeper than state is; keys ascend; a proof
//! has one form. Absent: what the bytes mean.

use std::collections::BTreeMap;

use super::ProofError;

/// Bytes of the largest proof that is made, or looked at: some 20,000 documents with all that leads to them. A
/// question with a larger answer is asked in parts.
pub const MAX_PROOF_BYTES: usize = 8 * 1024 * 1024;

/// Bytes of a hash, which the nodes of a tree show of each tree below.
const HASH_BYTES: usize = 32;

/// Layers a proof can have: the type, ten properties with a value each, and where an index ends.
const MAX_DEPTH: usize = 32;

/// What is shown of one tree, and of trees in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layer {
    /// Nodes of the tree, as steps that put them together.
    pub(crate) nodes: Vec<u8>,
    /// Trees in it, by key.
    pub(crate) lower: BTreeMap<Vec<u8>, Layer>,
}

impl Layer {
    /// The bytes of a proof with this as its root tree.
    #[cfg(feature = "server")]
    pub(crate) fn to_proof(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        self.write(&mut bytes);
        bytes.push(EMPTY_TREES_ARE_FREE);
        bytes
    }

    #[cfg(feature = "server")]
    fn write(&self, to: &mut Vec<u8>) {
        write_bytes(to, &self.nodes);
        write_number(to, self.lower.len());
        for (key, layer) in &self.lower {
            write_bytes(to, key);
            layer.write(to);
        }
    }

    /// Reads a proof that takes up all of `bytes`.
    pub(crate) fn from_proof(bytes: &[u8]) -> Result<Self, ProofError> {
        if bytes.len() > MAX_PROOF_BYTES {
            return Err(ProofError::Malformed("it is longer than any proof"));
        }
        let mut reader = Reader { rest: bytes };
        if reader.byte()? != VERSION {
            return Err(ProofError::Malformed("it is of a version this program does not know"));
        }
        let layer = reader.layer(MAX_DEPTH)?;
        if reader.byte()? != EMPTY_TREES_ARE_FREE {
            return Err(ProofError::Malformed("it was made with another way to count its rows"));
        }
        match reader.rest {
            [] => Ok(layer),
            _ => Err(ProofError::Malformed("bytes are left over")),
        }
    }
}

const VERSION: u8 = 0;
const EMPTY_TREES_ARE_FREE: u8 = 0;
/// Largest number of one byte, and the marks of longer ones.
const ONE_BYTE: u8 = 250;
const TWO_BYTES: u8 = 251;
const FOUR_BYTES: u8 = 252;

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn layer(&mut self, depth_left: usize) -> Result<Layer, ProofError> {
        let deeper = depth_left.checked_sub(1).ok_or(ProofError::Malformed("it is nested deeper than any state"))?;
        let mut layer = Layer { nodes: self.bytes()?.to_vec(), lower: BTreeMap::new() };
        let lower = self.number()?;
        if lower > layer.nodes.len().checked_div(HASH_BYTES).unwrap_or_default() {
            return Err(ProofError::Malformed("it has more parts than a tree shows trees"));
        }
        for _ in 0..lower {
            let key = self.bytes()?.to_vec();
            if layer.lower.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(ProofError::Malformed("its parts are not in order"));
            }
            layer.lower.insert(key, self.layer(deeper)?);
        }
        Ok(layer)
    }

    fn bytes(&mut self) -> Result<&'b [u8], ProofError> {
        let length = self.number()?;
        self.take(length)
    }

    fn number(&mut self) -> Result<usize, ProofError> {
        let (number, least) = match self.byte()? {
            small @ 0..=ONE_BYTE => return Ok(usize::from(small)),
            TWO_BYTES => (self.big_endian(2)?, usize::from(TWO_BYTES)),
            FOUR_BYTES => (self.big_endian(4)?, 1 << 16),
            _ => return Err(ProofError::Malformed("it has a number no proof has")),
        };
        if number < least {
            return Err(ProofError::Malformed("it has a number that is not in its shortest form"));
        }
        Ok(number)
    }

    fn big_endian(&mut self, width: usize) -> Result<usize, ProofError> {
        Ok(self.take(width)?.iter().fold(0, |number, byte| (number << 8) | usize::from(*byte)))
    }

    fn byte(&mut self) -> Result<u8, ProofError> {
        match self.take(1)? {
            [byte] => Ok(*byte),
            _ => Err(CUT_OFF),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], ProofError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(CUT_OFF)?;
        self.rest = rest;
        Ok(taken)
    }
}

const CUT_OFF: ProofError = ProofError::Malformed("it is cut off");

#[cfg(feature = "server")]
fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    write_number(to, bytes.len());
    to.extend_from_slice(bytes);
}

#[cfg(feature = "server")]
fn write_number(to: &mut Vec<u8>, number: usize) {
    match (u8::try_from(number), u16::try_from(number)) {
        (Ok(small @ 0..=ONE_BYTE), _) => to.push(small),
        (_, Ok(middle)) => {
            to.push(TWO_BYTES);
            to.extend_from_slice(&middle.to_be_bytes());
        }
        _ => {
            to.push(FOUR_BYTES);
            // a proof that long is refused by its length
            to.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Layer {
        let mut layer = Layer { nodes: vec![7; 500], lower: BTreeMap::new() };
        for level in 1..depth {
            let lower = BTreeMap::from([(vec![level as u8], layer)]);
            layer = Layer { nodes: vec![9; level.saturating_mul(40)], lower };
        }
        layer
    }

    #[test]
    fn a_proof_is_read_as_it_was_written_and_in_no_other_way() {
        let layer = nested(5);
        let bytes = layer.to_proof();
        assert_eq!(Layer::from_proof(&bytes), Ok(layer));
        for length in 0..bytes.len() {
            assert!(Layer::from_proof(&bytes[..length]).is_err(), "cut at {length}");
        }
        assert!(Layer::from_proof(&[&bytes[..], &[0]].concat()).is_err());
        // 5 in two bytes
        assert!(Layer::from_proof(&[0, 251, 0, 5, 1, 1, 1, 1, 1, 0, 0]).is_err());
        assert!(Layer::from_proof(&[0, 5, 1, 1, 1, 1, 1, 0, 0]).is_ok());
    }

    #[test]
    fn hostile_bytes_neither_allocate_nor_recurse() {
        assert!(Layer::from_proof(&nested(32).to_proof()).is_ok());
        let shows_a_tree = [&[32][..], &[9; 32]].concat();
        let deep = [vec![0], [&shows_a_tree[..], &[1, 0]].concat().repeat(100_000)].concat();
        assert_eq!(Layer::from_proof(&deep), Err(ProofError::Malformed("it is nested deeper than any state")));
        assert!(Layer::from_proof(&[0, 252, 0xff, 0xff, 0xff, 0xff]).is_err());
        assert!(Layer::from_proof(&[0, 253, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).is_err());
        assert!(Layer::from_proof(&[0, 0, 252, 0xff, 0xff, 0xff, 0xff]).is_err());
        let two = |first: u8, second: u8| [&[0, 64][..], &[9; 64], &[2, 1, first, 0, 0, 1, second, 0, 0, 0]].concat();
        assert!(Layer::from_proof(&two(4, 5)).is_ok());
        assert_eq!(Layer::from_proof(&two(5, 5)), Err(ProofError::Malformed("its parts are not in order")));
        // a part costs memory, so each needs its hash
        let parts = Layer::from_proof(&[&[0][..], &shows_a_tree, &[2, 1, 4, 0, 0, 1, 5, 0, 0, 0]].concat());
        assert_eq!(parts, Err(ProofError::Malformed("it has more parts than a tree shows trees")));
    }
}
