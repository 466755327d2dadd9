//! Transitions 24 and 25 and base 2 of batches: their bytes as the node rules, 8.2 and 8.5, write them; the
//! SDK has no vectors of them, so the bytes here are put together by hand.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use dpp::contract::FeePot;
use dpp::identity::{KeyType, Purpose, SecurityLevel};
use dpp::primitives::{Identifier, KeyId, Nonce, TimestampMillis};
use dpp::transition::{
    ActionFeeAgreement, ContractFeeClaim, ContractUserModeration, KnownFeeMultiplier, ModerationAction,
    ModerationReason, Signing, StateTransition, TransitionKind, check_structure,
};
use platform_version::PlatformVersion;
use platform_version::tables::v13::V13;
use platform_version::tables::v14::V14;

const OWNER: [u8; 32] = [1; 32];
const CONTRACT: [u8; 32] = [2; 32];
const TARGET: [u8; 32] = [3; 32];

fn signing() -> Signing {
    Signing { user_fee_increase: 300, key_id: KeyId(5), signature: vec![9; 65] }
}

/// Fee increase as it is signed, then key and signature.
fn tail() -> (Vec<u8>, Vec<u8>) {
    (vec![0xfb, 1, 44], [&[5, 65][..], &[9; 65]].concat())
}

fn moderation(action: ModerationAction) -> StateTransition {
    StateTransition::ContractUserModeration(ContractUserModeration {
        owner_id: Identifier(OWNER),
        contract_id: Identifier(CONTRACT),
        identity_contract_nonce: Nonce(7),
        action,
        signing: signing(),
    })
}

fn reason() -> ModerationReason {
    ModerationReason {
        code: Some(1_000),
        text: "no".to_owned(),
        documents: vec![("post".to_owned(), Identifier([4; 32]))],
        reason_document: Some(Identifier([5; 32])),
    }
}

fn reason_hex() -> Vec<u8> {
    [&[1, 0xfb, 3, 0xe8, 2][..], b"no", &[1, 4], b"post", &[4; 32], &[1], &[5; 32]].concat()
}

/// Each action, and its bytes from the action's number to before the fee increase.
fn actions() -> Vec<(ModerationAction, Vec<u8>)> {
    let identity_id = Identifier(TARGET);
    let absent = ModerationReason::default();
    let until = TimestampMillis(1_700_000_000_000);
    let document_type = "post".to_owned();
    vec![
        (ModerationAction::Ban { identity_id, reason: reason() }, [&[0][..], &TARGET, &reason_hex()].concat()),
        (ModerationAction::Ban { identity_id, reason: absent.clone() }, [&[0][..], &TARGET, &[0, 0, 0, 0]].concat()),
        (ModerationAction::Unban { identity_id }, [&[1][..], &TARGET].concat()),
        (
            ModerationAction::Suspend { identity_id, until, reason: reason() },
            [&[2][..], &TARGET, &[0xfd], &until.0.to_be_bytes(), &reason_hex()].concat(),
        ),
        (ModerationAction::Unsuspend { identity_id }, [&[3][..], &TARGET].concat()),
        (
            ModerationAction::Delete {
                document_type: document_type.clone(),
                document_id: Identifier([6; 32]),
                reason: absent,
            },
            [&[6, 4][..], b"post", &[6; 32], &[0, 0, 0, 0]].concat(),
        ),
        (
            ModerationAction::Restore { document_type, document: vec![3, 1, 8] },
            [&[7, 4][..], b"post", &[3, 3, 1, 8]].concat(),
        ),
    ]
}

fn code(result: Result<(), dpp::ConsensusError>) -> u32 {
    result.map_or_else(|error| error.code(), |()| 0)
}

fn decoded(bytes: &[u8], rules: &PlatformVersion) -> u32 {
    code(StateTransition::from_bytes(bytes, rules).map(|_| ()))
}

#[test]
fn moderation_is_written_as_the_rules_say() {
    for (action, middle) in actions() {
        let transition = moderation(action);
        let (signed, unsigned) = tail();
        let front = [&[24, 0][..], &OWNER, &CONTRACT, &[7], &middle, &signed].concat();
        assert_eq!(transition.signable_bytes(), front);
        let bytes = [front, unsigned].concat();
        assert_eq!(transition.to_bytes(), bytes);
        assert_eq!(StateTransition::from_bytes(&bytes, &V14).unwrap(), transition);
        // node rules, section 4, step 3: not active before 14
        assert_eq!(decoded(&bytes, &V13), 10603);
        assert_eq!(decoded(&[bytes, vec![0]].concat(), &V14), 10002, "a byte left over");
    }
}

#[test]
fn claims_are_written_as_the_rules_say() {
    for (pot, number) in [(FeePot::Owner, 0), (FeePot::Moderators, 1)] {
        let transition = StateTransition::ContractFeeClaim(ContractFeeClaim {
            owner_id: Identifier(OWNER),
            contract_id: Identifier(CONTRACT),
            identity_contract_nonce: Nonce(7),
            pot,
            signing: signing(),
        });
        let (signed, unsigned) = tail();
        let front = [&[25, 0][..], &OWNER, &CONTRACT, &[7, number], &signed].concat();
        assert_eq!(transition.signable_bytes(), front);
        let mut bytes = [front, unsigned].concat();
        assert_eq!(transition.to_bytes(), bytes);
        assert_eq!(StateTransition::from_bytes(&bytes, &V14).unwrap(), transition);
        assert_eq!((decoded(&bytes, &V13), code(check_structure(&transition, &V14))), (10603, 0));
        bytes[2 + 32 + 32 + 1] = 2;
        assert_eq!(decoded(&bytes, &V14), 10002, "there is no third pot");
    }
}

#[test]
fn actions_that_are_not_run_are_refused_by_number() {
    let bytes = moderation(ModerationAction::Unban { identity_id: Identifier(TARGET) }).to_bytes();
    for number in 0..=11_u8 {
        let mut other = bytes.clone();
        other[2 + 32 + 32 + 1] = number;
        let expected = match number {
            1 | 3 => 0,
            4 | 5 | 8 | 9 => 10006,
            _ => 10002,
        };
        assert_eq!(decoded(&other, &V14), expected, "action {number}");
        assert_eq!(decoded(&other, &V13), 10603, "action {number}");
    }
    // another version of the transition
    assert_eq!(decoded(&[&[24, 1], &bytes[2..]].concat(), &V14), 10002);
}

#[test]
fn structure_is_judged_to_the_edge() {
    let identity_id = Identifier(TARGET);
    let judged = |action| code(check_structure(&moderation(action), &V14));
    let banned_for = |reason| judged(ModerationAction::Ban { identity_id, reason });
    let suspended = |until| {
        let reason = ModerationReason::default();
        judged(ModerationAction::Suspend { identity_id, until: TimestampMillis(until), reason })
    };
    let text = |length: usize| ModerationReason { text: "x".repeat(length), ..ModerationReason::default() };
    let naming = |documents| ModerationReason { documents, ..ModerationReason::default() };
    let many = |count: u8| naming((0..count).map(|n| ("post".to_owned(), Identifier([n; 32]))).collect());
    assert_eq!((banned_for(text(1_024)), banned_for(text(1_025))), (0, 10903));
    assert_eq!((banned_for(many(16)), banned_for(many(17))), (0, 10904));
    let named = |length: usize| banned_for(naming(vec![("x".repeat(length), Identifier([1; 32]))]));
    assert_eq!((named(0), named(1), named(64), named(65)), (10904, 0, 0, 10904));
    // one id under two types is no repeat
    let twice = |other: &str| {
        banned_for(naming(vec![("a".to_owned(), Identifier([1; 32])), (other.to_owned(), Identifier([1; 32]))]))
    };
    assert_eq!((twice("b"), twice("a")), (0, 10904));
    assert_eq!((suspended((1 << 53) - 1), suspended(1 << 53)), (0, 10700));
    assert_eq!(judged(ModerationAction::Unban { identity_id: Identifier(OWNER) }), 10901);
    // the signer's own, before what is wrong besides
    let own = ModerationAction::Ban { identity_id: Identifier(OWNER), reason: text(2_000) };
    assert_eq!(judged(own), 10901);
    let StateTransition::ContractUserModeration(mut late) = moderation(ModerationAction::Unban { identity_id }) else {
        panic!("not moderation")
    };
    late.identity_contract_nonce = Nonce(1 << 40);
    assert_eq!(code(check_structure(&StateTransition::ContractUserModeration(late), &V14)), 10414);
}

#[test]
fn critical_keys_of_authentication_sign_both() {
    for kind in [TransitionKind::ContractUserModeration, TransitionKind::ContractFeeClaim] {
        assert_eq!(
            (kind.key_purposes(), kind.key_levels()),
            (&[Purpose::Authentication][..], &[SecurityLevel::Critical][..])
        );
        assert!(kind.is_active(&V14) && !kind.is_active(&V13) && kind.is_executed());
    }
    let secret = secp256k1::SecretKey::from_secret_bytes([7; 32]).unwrap();
    let mut transition = moderation(ModerationAction::Unban { identity_id: Identifier(TARGET) });
    transition.sign(KeyId(1), &secret);
    let key = dpp::identity::IdentityPublicKey {
        id: KeyId(1),
        purpose: Purpose::Authentication,
        security_level: SecurityLevel::Critical,
        contract_bounds: None,
        key_type: KeyType::EcdsaSecp256k1,
        read_only: false,
        data: secp256k1::PublicKey::from_secret_key(&secret).serialize().to_vec(),
        disabled_at: None,
    };
    assert_eq!(code(transition.signing_key_is_allowed(&key)), 0);
    assert_eq!(code(transition.verify_signature(&key)), 0);
    transition.signing_mut().user_fee_increase = 1;
    assert_eq!(code(transition.verify_signature(&key)), 20002);
}

/// Base 2 is base 1 and an option: the amounts, then the multiplier that is known.
#[test]
fn base_2_appends_the_agreement() {
    let vectors = wire_support::vectors("batch-transitions");
    let vector = vectors.iter().find(|vector| vector["name"] == "delete-note").unwrap();
    let one = wire_support::bytes(&vector["unsignedHex"]);
    let StateTransition::Batch(mut batch) = StateTransition::from_bytes(&one, &V14).unwrap() else {
        panic!("no batch")
    };
    let multiplier = Some(KnownFeeMultiplier { permille: 1_000, tolerance_percent: 10 });
    for (agreement, bytes) in [
        (None, vec![0]),
        (Some(ActionFeeAgreement { owner: 5, moderators: 300, multiplier: None }), vec![1, 0, 5, 0xfb, 1, 44, 0]),
        (Some(ActionFeeAgreement { owner: 0, moderators: 0, multiplier }), vec![1, 0, 0, 0, 1, 0xfb, 3, 0xe8, 10]),
    ] {
        let base = &mut batch.transitions[0].base;
        (base.version, base.action_fee) = (2, agreement);
        // envelope, owner, count, document, delete, 0: then the base's version; a deletion ends with its base
        let version = 2 + 32 + 1 + 1 + 1 + 1;
        let end = one.len() - 3;
        let expected = [&one[..version], &[2], &one[version + 1..end], &bytes, &one[end..]].concat();
        let transition = StateTransition::Batch(batch.clone());
        assert_eq!(hex::encode(transition.to_bytes()), hex::encode(&expected));
        assert_eq!(StateTransition::from_bytes(&expected, &V14).unwrap(), transition);
        assert_eq!(decoded(&expected, &V13), 10002);
    }
}
