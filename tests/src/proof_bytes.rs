//! The hashes and the bytes of proofs, written apart from the code that is tested, for those who forge some.
//!
//! Owns: BLAKE3 of up to 1,024 bytes, the hashes GroveDB makes with it, and proofs as nested layers. Absent:
//! lengths beyond a byte where a hash has one before it.

/// A hash.
pub type Hash = [u8; 32];

const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
const ORDER: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const QUARTERS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];
const FIRST: u32 = 1;
const LAST: u32 = 2;
const ROOT: u32 = 8;

fn mix(state: &mut [u32; 16], [a, b, c, d]: [usize; 4], words: [u32; 2]) {
    for (word, turns) in words.into_iter().zip([[16, 12], [8, 7]]) {
        state[a] = state[a].wrapping_add(state[b]).wrapping_add(word);
        state[d] = (state[d] ^ state[a]).rotate_right(turns[0]);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_right(turns[1]);
    }
}

fn compress(chained: [u32; 8], block: &[u8], flags: u32) -> [u32; 8] {
    let mut bytes = [0; 64];
    bytes[..block.len()].copy_from_slice(block);
    let mut words: [u32; 16] =
        std::array::from_fn(|at| u32::from_le_bytes(bytes[at * 4..at * 4 + 4].try_into().unwrap()));
    let mut state = [0; 16];
    state[..8].copy_from_slice(&chained);
    state[8..12].copy_from_slice(&INITIAL[..4]);
    state[14..].copy_from_slice(&[block.len() as u32, flags]);
    for _ in 0..7 {
        for (place, quarter) in QUARTERS.into_iter().enumerate() {
            mix(&mut state, quarter, [words[place * 2], words[place * 2 + 1]]);
        }
        words = ORDER.map(|from| words[from]);
    }
    std::array::from_fn(|at| state[at] ^ state[at + 8])
}

/// BLAKE3.
pub fn blake3(data: &[u8]) -> Hash {
    assert!((1..=1_024).contains(&data.len()), "one chunk");
    let blocks = data.chunks(64);
    let last = blocks.len() - 1;
    let hash = blocks.enumerate().fold(INITIAL, |chained, (place, block)| {
        let first = if place == 0 { FIRST } else { 0 };
        compress(chained, block, first | if place == last { LAST | ROOT } else { 0 })
    });
    hash.map(u32::to_le_bytes).concat().try_into().unwrap()
}

/// Of a value, its length before it.
pub fn value_hash(value: &[u8]) -> Hash {
    assert!(value.len() < 128);
    blake3(&[&[value.len() as u8], value].concat())
}

/// Of a key with the hash of its value.
pub fn key_value_hash(key: &[u8], value: &Hash) -> Hash {
    blake3(&[&[key.len() as u8], key, value].concat())
}

/// What the hash of a node is made of: its own, and those of the nodes below it.
pub fn node_preimage(own: &Hash, left: &Hash, right: &Hash) -> Vec<u8> {
    [own, left, right].map(Hash::as_slice).concat()
}

/// Of a tree with what is in it, or of a reference with what it leads to.
pub fn combined(one: &Hash, other: &Hash) -> Hash {
    blake3(&[one.as_slice(), other].concat())
}

/// A layer of a proof.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// Steps of its tree.
    pub steps: Vec<u8>,
    /// Layers below, by key.
    pub lower: Vec<(Vec<u8>, Layer)>,
}

impl Layer {
    /// The layer of each proof of an answer.
    pub fn of_answer(mut proof: &[u8]) -> Vec<Self> {
        let mut layers = Vec::new();
        while !proof.is_empty() {
            let (_, mut rest) = proof.split_at(5);
            layers.push(Self::read(&mut rest));
            proof = &rest[1..];
        }
        layers
    }

    /// The proof of an answer.
    pub fn to_answer(layers: &[Self]) -> Vec<u8> {
        let of_layer = |layer: &Self| {
            let mut bytes = vec![0];
            layer.write(&mut bytes);
            bytes.push(0);
            [&(bytes.len() as u32).to_be_bytes()[..], &bytes].concat()
        };
        layers.iter().flat_map(of_layer).collect()
    }

    fn read(from: &mut &[u8]) -> Self {
        let steps = bytes(from);
        let lower = (0..number(from)).map(|_| (bytes(from), Self::read(from))).collect();
        Self { steps, lower }
    }

    fn write(&self, to: &mut Vec<u8>) {
        write_bytes(to, &self.steps);
        write_number(to, self.lower.len());
        for (key, layer) in &self.lower {
            write_bytes(to, key);
            layer.write(to);
        }
    }

    /// It and every layer below.
    pub fn each(&mut self, change: &mut dyn FnMut(&mut Self)) {
        change(self);
        self.lower.iter_mut().for_each(|(_, layer)| layer.each(change));
    }
}

fn number(from: &mut &[u8]) -> usize {
    let width = match from[0] {
        251 => 2,
        252 => 4,
        small => {
            *from = &from[1..];
            return usize::from(small);
        }
    };
    let (number, rest) = from[1..].split_at(width);
    *from = rest;
    number.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn bytes(from: &mut &[u8]) -> Vec<u8> {
    let length = number(from);
    let (bytes, rest) = from.split_at(length);
    *from = rest;
    bytes.to_vec()
}

fn write_number(to: &mut Vec<u8>, number: usize) {
    match number {
        0..=250 => to.push(number as u8),
        251..=0xffff => to.extend([&[251], &(number as u16).to_be_bytes()[..]].concat()),
        _ => to.extend([&[252], &(number as u32).to_be_bytes()[..]].concat()),
    }
}

fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    write_number(to, bytes.len());
    to.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of BLAKE3's published vectors: bytes 0, 1, 2 and so on, up to 250.
    #[test]
    fn hashes_are_those_of_blake3() {
        let input: Vec<u8> = (0..1_024).map(|at| (at % 251) as u8).collect();
        let vectors = [
            (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
            (64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"),
            (65, "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee"),
            (1_024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
        ];
        for (length, expected) in vectors {
            assert_eq!(hex::encode(blake3(&input[..length])), expected);
        }
    }
}
