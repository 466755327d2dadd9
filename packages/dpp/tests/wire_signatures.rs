//! Signatures beyond the vectors: what is refused, and which keys may sign.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use dpp::identity::{IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use dpp::primitives::hash::hash160;
use dpp::primitives::{KeyId, TimestampMillis};
use dpp::transition::StateTransition;
use secp256k1::{PublicKey, SecretKey};
use wire_support::{bytes, vectors};

fn vector(file: &str, name: &str) -> StateTransition {
    let vector = vectors(file).into_iter().find(|vector| vector["name"] == name).unwrap();
    StateTransition::decode_canonical(&bytes(&vector["hex"])).unwrap()
}

fn secret() -> SecretKey {
    SecretKey::from_secret_bytes([2; 32]).unwrap()
}

fn key(key_type: KeyType) -> IdentityPublicKey {
    let public = PublicKey::from_secret_key(&secret()).serialize();
    IdentityPublicKey {
        id: KeyId(1),
        purpose: Purpose::Authentication,
        security_level: SecurityLevel::High,
        contract_bounds: None,
        key_type,
        read_only: false,
        data: if key_type == KeyType::EcdsaSecp256k1 { public.to_vec() } else { hash160(&public).to_vec() },
        disabled_at: None,
    }
}

fn signed() -> StateTransition {
    let mut transition = vector("batch-transitions", "create-note");
    transition.sign(KeyId(1), &secret());
    transition
}

fn with_signature(change: impl FnOnce(&mut Vec<u8>)) -> StateTransition {
    let mut transition = signed();
    change(&mut transition.signing_mut().signature);
    transition
}

/// Results of verifying against the key and against its hash; 0 is success.
fn codes(transition: &StateTransition) -> (u32, u32) {
    let code = |key_type| transition.verify_signature(&key(key_type)).map_or_else(|error| error.code(), |()| 0);
    (code(KeyType::EcdsaSecp256k1), code(KeyType::EcdsaHash160))
}

#[test]
fn both_header_flavours_are_accepted() {
    assert_eq!(codes(&signed()), (0, 0));
    assert_eq!(codes(&with_signature(|signature| signature[0] -= 4)), (0, 0));
    for header in [0, 26, 35, 255] {
        assert_eq!(codes(&with_signature(|signature| signature[0] = header)), (20002, 20002), "{header}");
    }
    // the recovery id is unused against a stored key
    assert_eq!(codes(&with_signature(|signature| signature[0] ^= 1 << 5 | 0b11)).0, 20002);
    let flipped = with_signature(|signature| signature[0] = if signature[0] == 31 { 32 } else { 31 });
    assert_eq!(codes(&flipped), (0, 20002));
}

#[test]
fn signatures_of_other_shapes_are_refused() {
    let shapes: [fn(&mut Vec<u8>); 5] = [
        Vec::clear,
        |signature| signature.truncate(64),
        |signature| signature.push(0),
        |signature| signature[1..].fill(0),
        |signature| signature[1..].fill(0xff),
    ];
    for shape in shapes {
        assert_eq!(codes(&with_signature(shape)), (20002, 20002));
    }
}

#[test]
fn high_s_is_refused() {
    // n - s: the other form of the same signature
    let order = hex::decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141").unwrap();
    let high = with_signature(|signature| {
        let mut borrow = 0i16;
        for place in (0..32).rev() {
            let difference = i16::from(order[place]) - i16::from(signature[33 + place]) - borrow;
            borrow = i16::from(difference < 0);
            signature[33 + place] = (difference + 256 * borrow) as u8;
        }
        signature[0] = if signature[0] == 31 { 32 } else { 31 };
    });
    assert_eq!(codes(&high), (20002, 20002));
}

#[test]
fn any_change_of_what_is_signed_breaks_the_signature() {
    let mut transition = signed();
    transition.signing_mut().user_fee_increase = 1;
    assert_eq!(codes(&transition), (20002, 20002));
    // the key number is not signed
    let mut transition = signed();
    transition.signing_mut().key_id = KeyId(9);
    assert_eq!(codes(&transition), (0, 0));
}

#[test]
fn keys_are_allowed_by_type_purpose_level_and_state() {
    let transition = signed();
    let code = |change: &dyn Fn(&mut IdentityPublicKey)| {
        let mut key = key(KeyType::EcdsaSecp256k1);
        change(&mut key);
        transition.signing_key_is_allowed(&key).map_or_else(|error| error.code(), |()| 0)
    };
    assert_eq!(code(&|_| {}), 0);
    assert_eq!(code(&|key| key.key_type = KeyType::Bip13ScriptHash), 20001);
    assert_eq!(code(&|key| key.key_type = KeyType::Eddsa25519Hash160), 20001);
    assert_eq!(code(&|key| key.purpose = Purpose::Transfer), 20011);
    assert_eq!(code(&|key| key.security_level = SecurityLevel::Master), 20004);
    assert_eq!(code(&|key| key.disabled_at = Some(TimestampMillis(1))), 20006);
}

#[test]
fn unsupported_key_types_are_named() {
    for key_type in [KeyType::Bls12_381, KeyType::Bip13ScriptHash, KeyType::Eddsa25519Hash160] {
        let error = signed().verify_signature(&key(key_type)).unwrap_err();
        assert_eq!(error.code(), 20001);
        assert!(error.to_string().contains(&key_type.to_string()));
    }
}

#[test]
fn proofs_of_new_keys_are_verified_by_type() {
    let code = |key_type: KeyType, signature: Vec<u8>| {
        let mut transition = vector("identity-transitions", "identity-update");
        let StateTransition::IdentityUpdate(update) = &mut transition else { panic!() };
        let key = &mut update.add_public_keys[0];
        (key.key_type, key.signature) = (key_type, signature);
        transition.key_proofs_are_valid().map_or_else(|error| error.code(), |()| 0)
    };
    assert_eq!(code(KeyType::EcdsaSecp256k1, vec![31; 65]), 20009);
    assert_eq!(code(KeyType::EcdsaSecp256k1, vec![]), 20009);
    assert_eq!(code(KeyType::Bls12_381, vec![0; 96]), 20010);
    assert_eq!(code(KeyType::EcdsaHash160, vec![1]), 20008);
    assert_eq!(code(KeyType::EcdsaHash160, vec![]), 0);
    assert!(!signed().sign_new_key(KeyId(1), &secret()));
}
