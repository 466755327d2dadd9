//! Framing as a property: however bytes arrive, the frames are the same; whatever bytes arrive, nothing panics.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message;
use tenderdash_abci::framing::{FrameDecoder, FrameError, FrameLimit, encode};
use tenderdash_abci::proto::abci::{Request, RequestCheckTx, RequestEcho, RequestFlush, Response};

const LIMIT: usize = 1_100;

/// All frames of bytes that arrive in pieces of the given lengths, in turn.
fn decode(bytes: &[u8], pieces: &[usize]) -> (Vec<Vec<u8>>, Option<FrameError>) {
    let mut decoder = FrameDecoder::new(FrameLimit::new(LIMIT));
    let mut frames = Vec::new();
    let mut rest = bytes;
    let mut lengths = pieces.iter().cycle();
    while !rest.is_empty() {
        let (piece, left) = rest.split_at((*lengths.next().unwrap()).min(rest.len()));
        decoder.push(piece);
        rest = left;
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => frames.push(frame.to_vec()),
                Ok(None) => break,
                Err(error) => return (frames, Some(error)),
            }
        }
    }
    (frames, None)
}

fn request() -> impl Strategy<Value = Request> {
    prop_oneof![
        ".{0,40}".prop_map(|message| RequestEcho { message }.into()),
        Just(RequestFlush {}.into()),
        (vec(any::<u8>(), 0..1_000), 0..2_i32).prop_map(|(tx, r#type)| RequestCheckTx { tx, r#type }.into()),
    ]
}

/// The same frames the slow way: one length at a time, from all the bytes at once.
fn model(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut rest = bytes;
    let mut frames = Vec::new();
    while let Ok(length) = prost::encoding::decode_varint(&mut rest) {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length == 0 || length > LIMIT || length > rest.len() {
            break;
        }
        let (frame, left) = rest.split_at(length);
        frames.push(frame.to_vec());
        rest = left;
    }
    frames
}

proptest! {
    #[test]
    fn any_split_of_any_frames_gives_the_same_messages(
        requests in vec(request(), 0..8),
        pieces in vec(1_usize..700, 1..10),
    ) {
        let bytes = requests.iter().flat_map(|request| encode(request, FrameLimit::MAX).unwrap()).collect::<Vec<_>>();
        let (frames, error) = decode(&bytes, &pieces);
        prop_assert_eq!(error, None);
        let decoded = frames.iter().map(|frame| Request::decode(frame.as_slice()).unwrap()).collect::<Vec<_>>();
        prop_assert_eq!(decoded, requests.clone());
        prop_assert_eq!(decode(&bytes, &[1]).0, frames, "byte by byte");
    }

    #[test]
    fn any_bytes_in_any_pieces_give_the_frames_of_a_plain_reader(
        bytes in vec(prop_oneof![any::<u8>(), 0_u8..20, Just(0x80)], 0..600),
        pieces in vec(1_usize..50, 1..5),
    ) {
        let (frames, error) = decode(&bytes, &pieces);
        prop_assert_eq!(&frames, &model(&bytes));
        prop_assert_eq!(decode(&bytes, &[bytes.len().max(1)]), (frames, error), "at once");
    }

    #[test]
    fn any_bytes_decode_or_are_refused(bytes in vec(any::<u8>(), 0..300)) {
        // what is accepted is written again and means the same
        if let Ok(request) = Request::decode(bytes.as_slice()) {
            prop_assert_eq!(Request::decode(request.encode_to_vec().as_slice()), Ok(request));
        }
        if let Ok(response) = Response::decode(bytes.as_slice()) {
            prop_assert_eq!(Response::decode(response.encode_to_vec().as_slice()), Ok(response));
        }
    }
}
