//! Frames of a stream socket: an unsigned varint length, then that many bytes of one protobuf message.
//!
//! Owns the bytes of frames and nothing else: no sockets, no waiting. Units: bytes. Invariants: a length is
//! refused as soon as it is known to be 0 or above the limit; the buffer grows with the bytes that arrived,
//! never to a length that was only announced; after an error a decoder stays at it, since nothing after a
//! broken frame can be told apart. Lengths padded with zero groups are read, as plain varint readers do.
//!
//! What a decoded message takes is more than its bytes: transitions of no bytes take twelve times theirs, and the
//! worst list, of empty evidence, two hundred times. A node sends neither; who listens where others can
//! connect lowers the limit.
//!
//! Absent: compression, checksums, a handshake; the protocol has none.

use prost::Message;

/// Bytes of the longest frame a node accepts.
pub const MAX_FRAME_BYTES: usize = 104_857_600;

/// Bytes of the longest varint of 64 bits.
const MAX_LENGTH_BYTES: usize = 10;

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A frame of no bytes: an envelope without a call.
    #[error("a frame of length 0 holds no call")]
    Empty,
    /// More than the limit.
    #[error("a frame of {length} bytes exceeds the limit of {limit}")]
    TooLong {
        /// Bytes announced or to be written.
        length: u64,
        /// Bytes allowed.
        limit: usize,
    },
    /// No number of 64 bits.
    #[error("a frame's length is no varint of 64 bits")]
    Length,
}

/// Bytes a frame may have, at most [`MAX_FRAME_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimit(usize);

impl FrameLimit {
    /// The node's own limit.
    pub const MAX: Self = Self(MAX_FRAME_BYTES);

    /// A lower limit; what is above the node's own becomes that.
    pub fn new(bytes: usize) -> Self {
        Self(bytes.min(MAX_FRAME_BYTES))
    }

    /// The limit in bytes.
    pub fn bytes(self) -> usize {
        self.0
    }

    fn check(self, length: u64) -> Result<usize, FrameError> {
        match usize::try_from(length) {
            Ok(0) => Err(FrameError::Empty),
            Ok(bytes) if bytes <= self.0 => Ok(bytes),
            _ => Err(FrameError::TooLong { length, limit: self.0 }),
        }
    }
}

/// A message as a frame.
pub fn encode(message: &impl Message, limit: FrameLimit) -> Result<Vec<u8>, FrameError> {
    limit.check(u64::try_from(message.encoded_len()).unwrap_or(u64::MAX))?;
    Ok(message.encode_length_delimited_to_vec())
}

/// Bytes as they arrive, frames as they are complete.
#[derive(Debug)]
pub struct FrameDecoder {
    limit: FrameLimit,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were given out.
    taken: usize,
    failed: Option<FrameError>,
}

impl FrameDecoder {
    /// A decoder for one connection.
    pub fn new(limit: FrameLimit) -> Self {
        Self { limit, buffer: Vec::new(), taken: 0, failed: None }
    }

    /// Takes bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        // only what is not given out is kept, so the buffer holds one frame and one read at most
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next frame's message, once all of it arrived. Call until `None` before the next push.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, FrameError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.complete() {
            Ok(None) => Ok(None),
            Ok(Some((start, end))) => {
                self.taken = end;
                Ok(self.buffer.get(start..end))
            }
            Err(error) => {
                self.failed = Some(error);
                self.buffer = Vec::new();
                self.taken = 0;
                Err(error)
            }
        }
    }

    /// Whether part of a frame is waiting for the rest.
    pub fn is_inside_frame(&self) -> bool {
        self.taken < self.buffer.len()
    }

    /// Where in the buffer the next frame's message stands.
    fn complete(&self) -> Result<Option<(usize, usize)>, FrameError> {
        let rest = self.buffer.get(self.taken..).unwrap_or_default();
        let Some((length, read)) = read_length(rest)? else { return Ok(None) };
        let length = self.limit.check(length)?;
        let start = self.taken.saturating_add(read);
        let end = start.saturating_add(length);
        Ok((end <= self.buffer.len()).then_some((start, end)))
    }
}

/// A varint at the beginning of bytes and how many bytes it takes; `None` when its end has not arrived.
fn read_length(bytes: &[u8]) -> Result<Option<(u64, usize)>, FrameError> {
    let mut length = 0_u64;
    for (read, byte) in bytes.iter().take(MAX_LENGTH_BYTES).enumerate() {
        let group = u64::from(byte & 0x7f);
        let shift = u32::try_from(read).unwrap_or(u32::MAX).saturating_mul(7);
        let shifted = group.checked_shl(shift).ok_or(FrameError::Length)?;
        if shifted.checked_shr(shift) != Some(group) {
            return Err(FrameError::Length);
        }
        length |= shifted;
        if byte & 0x80 == 0 {
            return Ok(Some((length, read.saturating_add(1))));
        }
    }
    if bytes.len() >= MAX_LENGTH_BYTES { Err(FrameError::Length) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::abci::{Request, RequestEcho};

    fn frames(decoder: &mut FrameDecoder) -> Result<Vec<Vec<u8>>, FrameError> {
        let mut frames = Vec::new();
        while let Some(frame) = decoder.next_frame()? {
            frames.push(frame.to_vec());
        }
        Ok(frames)
    }

    fn decode(bytes: &[u8], limit: usize) -> Result<Vec<Vec<u8>>, FrameError> {
        let mut decoder = FrameDecoder::new(FrameLimit::new(limit));
        decoder.push(bytes);
        frames(&mut decoder)
    }

    #[test]
    fn a_frame_is_a_length_and_a_message() {
        // by hand: field 1 (echo), 7 bytes; field 1 (message), 5 bytes; 9 bytes in all
        let bytes = b"\x09\x0a\x07\x0a\x05hello";
        let request = Request::from(RequestEcho { message: "hello".to_owned() });
        assert_eq!(encode(&request, FrameLimit::MAX).unwrap(), bytes);
        assert_eq!(decode(bytes, 9), Ok(vec![bytes[1..].to_vec()]));
    }

    #[test]
    fn a_length_has_no_zig_zag_and_takes_groups_of_seven_bits() {
        let mut bytes = vec![0xac, 0x02]; // 300
        bytes.extend([7; 300]);
        assert_eq!(decode(&bytes, 300), Ok(vec![vec![7; 300]]));
        assert_eq!(decode(&[0x81, 0x80, 0x00, 7], 300), Ok(vec![vec![7]]), "a padded 1");
    }

    #[test]
    fn the_limit_is_the_last_length_allowed() {
        assert_eq!(decode(&[3, 1, 2, 3], 3), Ok(vec![vec![1, 2, 3]]));
        assert_eq!(decode(&[4], 3), Err(FrameError::TooLong { length: 4, limit: 3 }), "before its bytes arrive");
        // 104,857,600 and one more
        assert_eq!(decode(&[0x80, 0x80, 0x80, 0x32], usize::MAX), Ok(vec![]));
        let error = FrameError::TooLong { length: 104_857_601, limit: MAX_FRAME_BYTES };
        assert_eq!(decode(&[0x81, 0x80, 0x80, 0x32], usize::MAX), Err(error));
        let request = Request::from(RequestEcho { message: "hello".to_owned() });
        assert_eq!(encode(&request, FrameLimit::new(8)), Err(FrameError::TooLong { length: 9, limit: 8 }));
    }

    #[test]
    fn lengths_that_are_no_numbers_are_refused() {
        assert_eq!(decode(&[0], 3), Err(FrameError::Empty));
        assert_eq!(decode(&[0x80, 0x00], 3), Err(FrameError::Empty));
        assert_eq!(decode(&[0x80; 9], 3), Ok(vec![]), "the end may still arrive");
        assert_eq!(decode(&[0x80; 10], 3), Err(FrameError::Length));
        let mut most = [0xff; 10];
        most[9] = 0x01;
        assert_eq!(decode(&most, 3), Err(FrameError::TooLong { length: u64::MAX, limit: 3 }));
        most[9] = 0x02;
        assert_eq!(decode(&most, 3), Err(FrameError::Length), "65 bits");
        assert_eq!(encode(&Request::default(), FrameLimit::MAX), Err(FrameError::Empty));
    }

    #[test]
    fn an_announced_length_takes_no_memory() {
        let mut decoder = FrameDecoder::new(FrameLimit::MAX);
        decoder.push(&[0x80, 0x80, 0x80, 0x32]);
        assert_eq!(decoder.next_frame(), Ok(None));
        assert!(decoder.buffer.capacity() < 1_000, "{}", decoder.buffer.capacity());
        assert!(decoder.is_inside_frame());
    }

    #[test]
    fn what_a_decoded_message_takes_is_what_the_page_says() {
        use crate::proto::abci::{ExtendVoteExtension, Misbehavior};
        use crate::proto::types::{Evidence, VoteExtension};
        let lists = [size_of::<Vec<u8>>(), size_of::<ExtendVoteExtension>(), size_of::<VoteExtension>()];
        let worst = lists.into_iter().chain([size_of::<Misbehavior>(), size_of::<Evidence>()]).max().unwrap();
        // an empty element of a list is two bytes, tag and length
        assert!((100..=2 * 200).contains(&worst), "{worst}");
    }

    #[test]
    fn what_was_given_out_is_not_kept() {
        let mut decoder = FrameDecoder::new(FrameLimit::MAX);
        let frame = [&[0x90, 0x4e], [1; 10_000].as_slice()].concat();
        for _ in 0..100 {
            decoder.push(&frame);
            assert_eq!(frames(&mut decoder).unwrap().len(), 1);
            assert!(!decoder.is_inside_frame());
        }
        assert!(decoder.buffer.capacity() < 3 * frame.len(), "{}", decoder.buffer.capacity());
    }

    #[test]
    fn nothing_is_read_after_a_broken_frame() {
        let mut decoder = FrameDecoder::new(FrameLimit::MAX);
        decoder.push(&[1, 7, 0, 1, 7]);
        assert_eq!(decoder.next_frame(), Ok(Some([7].as_slice())));
        assert_eq!(decoder.next_frame(), Err(FrameError::Empty));
        decoder.push(&[1, 7]);
        assert_eq!(decoder.next_frame(), Err(FrameError::Empty));
    }
}
