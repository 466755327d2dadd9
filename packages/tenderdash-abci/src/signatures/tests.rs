//! Digests against numbers from elsewhere: those published with Tenderdash's own tests, and others computed
//! outside this code, with a few lines of Python over `hashlib` that follow the reference's formulas.

use super::*;
use crate::proto::types::PartSetHeader;

/// Of Tenderdash's own test of sign ids.
const QUORUM: &str = "6a12d9cf7091d69072e254b297aef15997093e480fde295e09a7de73b31ceedd";

fn hash(text: &str) -> Hash {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn quorum(quorum_type: u8) -> Quorum {
    Quorum { quorum_type, hash: hash(QUORUM) }
}

fn app_hash() -> Vec<u8> {
    [1, 2, 3, 4].repeat(8)
}

fn state_id() -> StateId {
    StateId {
        app_version: 14,
        height: 1_001,
        app_hash: app_hash(),
        core_chain_locked_height: 2_900_000,
        time: 1_700_000_000_123,
    }
}

fn block_id() -> BlockId {
    let part_set_header = Some(PartSetHeader { total: 1, hash: app_hash() });
    BlockId { hash: app_hash(), part_set_header, state_id: state_id().hash().to_vec() }
}

const PLACE: VotePlace<'_> = VotePlace { chain_id: "some-chain", height: 1_001, round: 3 };

#[test]
fn request_ids_and_digests_are_those_published() {
    let place = VotePlace { round: 0, ..PLACE };
    let request_id = place.request_id(BLOCK_REQUEST_PREFIX);
    assert_eq!(hex::encode(request_id), "c8f2e1fe35de03ac94f76191f59cad1ba1f7a3c63742b7125990d996315001cc");
    let message_hash = hash("0ca3d5f42bdfed0c4fde7e6de0f046cc76cda6cee734d65e8b2ee0e375d4c57d");
    let digest = quorum(100).digest(&request_id, &message_hash);
    assert_eq!(hex::encode(digest), "da25b746781ddf47b5d736f30b1d9d0cc86981eec67cbe255265c4361def8c2e");
}

#[test]
fn the_canonical_hash_of_a_block_id_is_that_published() {
    let expected = "fb7c89bf010a91d50f890455582b7fed0c346e53ab33df7da0bcd85c10fa92ea";
    assert_eq!(hex::encode(block_id().canonical_hash()), expected);
}

#[test]
fn a_state_id_has_fixed_numbers() {
    let bytes = "090e0000000000000011e9030000000000001a20010203040102030401020304010203040102030401020304010203\
                 04010203042520402c00297b68e5cf8b010000";
    assert_eq!(hex::encode(state_id().encode_to_vec()), bytes);
    let expected = "eea419b51ef3babac8ce1e3bc8a880d2c4f4646e0e755921ca6f7c0ac4d0263b";
    assert_eq!(hex::encode(state_id().hash()), expected);
}

#[test]
fn a_commit_signs_kind_place_block_state_and_chain() {
    let bytes = "02000000e9030000000000000300000000000000\
                 fb7c89bf010a91d50f890455582b7fed0c346e53ab33df7da0bcd85c10fa92ea\
                 eea419b51ef3babac8ce1e3bc8a880d2c4f4646e0e755921ca6f7c0ac4d0263b736f6d652d636861696e";
    assert_eq!(hex::encode(block_sign_bytes(&PLACE, &block_id()).unwrap()), bytes);
    let expected = "f2d1092f7774814e761e75838656593d23837570de71ccf7bb4c72839da1ea37";
    assert_eq!(hex::encode(block_digest(&quorum(106), &PLACE, &block_id()).unwrap()), expected);
}

#[test]
fn an_extension_signs_its_canonical_form() {
    let extension = Extension { kind: VoteExtensionType::ThresholdRecover, bytes: b"extension", sign_request_id: None };
    let digest = extension_digest(&quorum(106), &PLACE, &extension).unwrap();
    assert_eq!(hex::encode(digest), "0b62bfa7e2463e9f9cc8e2b605ee14651737cd34d240cd05030e4a624b8891d4");
}

#[test]
fn a_raw_extension_stands_in_the_digest_as_it_is() {
    let bytes: Vec<u8> = (0..32).collect();
    let digest = |id: Option<&[u8]>| {
        let kind = VoteExtensionType::ThresholdRecoverRaw;
        let extension = Extension { kind, bytes: &bytes, sign_request_id: id };
        hex::encode(extension_digest(&quorum(106), &PLACE, &extension).unwrap())
    };
    assert_eq!(digest(None), "ac6616cd00858f4f10453d31dfa42d268c3453ec2c0333c13cac86ce6ab1fc81");
    assert_eq!(digest(Some(&[])), digest(None));
    let own_id = b"\x06plwdtx\0\0\0\0\0\0\0\0";
    assert_eq!(digest(Some(own_id)), "50c1b736847217b87ce9e3f88ba4cc8d1e7e3e4a25b8aceda9621703ffde2cdb");
}

#[test]
fn what_cannot_be_signed_is_refused() {
    let mut block_id = block_id();
    block_id.state_id.pop();
    let error = SignBytesError::HashLength { what: "state id", length: 31 };
    assert_eq!(block_digest(&quorum(106), &PLACE, &block_id), Err(error));
    let signed = |kind, bytes| {
        extension_digest(&quorum(106), &PLACE, &Extension { kind, bytes, sign_request_id: None }).map(|_| ())
    };
    assert_eq!(signed(VoteExtensionType::Default, b"a"), Err(SignBytesError::ExtensionType(0)));
    assert_eq!(signed(VoteExtensionType::ThresholdRecoverRaw, b"a"), Err(SignBytesError::RawLength(1)));
}
