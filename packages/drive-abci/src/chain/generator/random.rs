//! Random numbers of one block.
//!
//! Invariant: they follow from the seed and the block's number alone, so what a block draws never
//! depends on how much earlier blocks drew.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Source of the random numbers of one block.
pub struct BlockRandom(ChaCha8Rng);

impl BlockRandom {
    /// The source of a block: a stream of its own under the seed's key.
    pub fn new(seed: u64, block: u64) -> Self {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        stream.set_stream(block);
        Self(stream)
    }

    /// A number from 0 to `limit` - 1; 0 when `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let scaled = u128::from(self.0.next_u64()).saturating_mul(u128::from(limit));
        u64::try_from(scaled >> 64).unwrap_or_default()
    }

    /// A number from `min` to `max`, both included.
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        let span = max.abs_diff(min);
        let offset = match span.checked_add(1) {
            Some(limit) => self.below(limit),
            None => self.0.next_u64(),
        };
        min.saturating_add_unsigned(offset)
    }

    /// A length from `min` to `max`, both included.
    pub fn length(&mut self, min: u32, max: u32) -> usize {
        usize::try_from(self.between(i64::from(min), i64::from(max))).unwrap_or_default()
    }

    /// So many random bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// 32 random bytes.
    pub fn array(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// Words of small letters, `length` characters in all.
    pub fn text(&mut self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        for position in 1..=length {
            let inside = position != 1 && position != length && !text.ends_with(' ');
            let letter = if inside && self.below(6) == 0 { ' ' } else { self.letter() };
            text.push(letter);
        }
        text
    }

    /// One of `items`.
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let count = u64::try_from(items.len()).ok()?;
        items.get(usize::try_from(self.below(count)).ok()?)
    }

    fn letter(&mut self) -> char {
        let letter = u8::try_from(self.below(26)).unwrap_or_default();
        char::from(b'a'.saturating_add(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_draws_the_same_whatever_other_blocks_drew() {
        let mut earlier = BlockRandom::new(1, 4);
        earlier.bytes(1_000);
        assert_eq!(BlockRandom::new(1, 5).array(), BlockRandom::new(1, 5).array());
        assert_ne!(BlockRandom::new(1, 5).array(), BlockRandom::new(1, 6).array());
        assert_ne!(BlockRandom::new(1, 5).array(), BlockRandom::new(2, 5).array());
    }

    #[test]
    fn ranges_include_both_ends_and_nothing_else() {
        let mut random = BlockRandom::new(1, 1);
        let drawn: std::collections::BTreeSet<i64> = (0..200).map(|_| random.between(-1, 2)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-1, 0, 1, 2]);
        assert_eq!(random.between(7, 7), 7);
        random.between(i64::MIN, i64::MAX);
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn texts_have_their_length() {
        let mut random = BlockRandom::new(1, 1);
        for length in [0, 1, 2, 63, 280] {
            let text = random.text(length);
            assert_eq!(text.chars().count(), length);
            assert_eq!(text.trim(), text);
        }
    }
}
