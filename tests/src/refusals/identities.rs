//! What key updates and credit transfers are refused for.

use dpp::identity::{KeyInCreation, KeyType, Purpose, SecurityLevel};
use dpp::primitives::{Credits, Identifier, KeyId, Nonce, Revision};
use dpp::transition::{IdentityCreditTransfer, IdentityUpdate, Signing, StateTransition};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, by_alice, case};
use super::{Bench, Case};
use crate::chain::BALANCE;
use crate::{Wallet, keys};

/// A key of bob's that nobody can disable.
pub const READ_ONLY: KeyId = KeyId(30);

/// Gives it to him.
pub(super) fn read_only_key(bob: &mut Wallet) -> Vec<u8> {
    let update = IdentityUpdate {
        identity_id: bob.id,
        revision: Revision(1),
        nonce: bob.take_identity_nonce(),
        add_public_keys: vec![KeyInCreation { read_only: true, ..key(READ_ONLY.0, 30) }],
        disable_public_keys: Vec::new(),
        signing: Signing::default(),
    };
    bob.signed_with(keys::MASTER, StateTransition::IdentityUpdate(update))
}

fn key(id: u32, data: u8) -> KeyInCreation {
    KeyInCreation {
        id: KeyId(id),
        key_type: KeyType::EcdsaHash160,
        purpose: Purpose::Authentication,
        security_level: SecurityLevel::High,
        contract_bounds: None,
        read_only: false,
        data: vec![data; 20],
        signature: Vec::new(),
    }
}

fn update(bench: &Bench, add: Vec<KeyInCreation>, disable: &[u32]) -> Made {
    let update = IdentityUpdate {
        identity_id: bench.alice.id,
        revision: Revision(1),
        nonce: Nonce(9),
        add_public_keys: add,
        disable_public_keys: disable.iter().copied().map(KeyId).collect(),
        signing: Signing::default(),
    };
    by_alice(bench, StateTransition::IdentityUpdate(update))
}

fn transfer(bench: &Bench, recipient_id: Identifier, amount: u64) -> Made {
    let (identity_id, nonce) = (bench.alice.id, Nonce(9));
    let amount = Credits(amount);
    let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing: Signing::default() };
    by_alice(bench, StateTransition::IdentityCreditTransfer(transfer))
}

/// With the wallet's next nonce and the key it takes.
fn updated(bench: &mut Bench, revision: u64, add: Vec<KeyInCreation>, disable: &[u32]) -> Made {
    let update = IdentityUpdate {
        identity_id: bench.alice.id,
        revision: Revision(revision),
        nonce: bench.alice.take_identity_nonce(),
        add_public_keys: add,
        disable_public_keys: disable.iter().copied().map(KeyId).collect(),
        signing: Signing::default(),
    };
    (bench.alice.signed_with(keys::MASTER, StateTransition::IdentityUpdate(update)), bench.alice.id)
}

fn transferred(bench: &mut Bench, recipient_id: Identifier, amount: u64) -> Made {
    let (identity_id, nonce) = (bench.alice.id, bench.alice.take_identity_nonce());
    let amount = Credits(amount);
    let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing: Signing::default() };
    (bench.alice.signed_with(keys::TRANSFER, StateTransition::IdentityCreditTransfer(transfer)), bench.alice.id)
}

fn whole_key(id: u32) -> KeyInCreation {
    let secret = Wallet::new("new key").secret(KeyId(id));
    let data = secp256k1::PublicKey::from_secret_key(&secret).serialize().to_vec();
    KeyInCreation { key_type: KeyType::EcdsaSecp256k1, data, signature: vec![1; 65], ..key(id, 1) }
}

/// Key updates.
pub fn key_updates() -> Vec<Case> {
    vec![
        case(10526, Unpaid, "an update of nothing", |bench| update(bench, vec![], &[])),
        case(40205, Unpaid, "seven keys to add", |bench| {
            update(bench, (20..27).map(|n| key(n, n as u8)).collect(), &[])
        }),
        case(10501, Unpaid, "a key number twice", |bench| update(bench, vec![key(20, 1), key(20, 2)], &[])),
        case(10500, Unpaid, "a key twice", |bench| update(bench, vec![key(20, 1), key(21, 1)], &[])),
        case(10516, Unpaid, "a key to add and disable", |bench| update(bench, vec![key(20, 1)], &[20])),
        case(10511, Unpaid, "a short key", |bench| {
            update(bench, vec![KeyInCreation { data: vec![1; 19], ..key(20, 1) }], &[])
        }),
        case(10519, Unpaid, "a level its purpose lacks", |bench| {
            update(bench, vec![KeyInCreation { purpose: Purpose::Transfer, ..key(20, 1) }], &[])
        }),
        case(20004, Unpaid, "an update by a critical key", |bench| update(bench, vec![key(20, 1)], &[])),
        case(40203, Paid, "a revision of its own", |bench| updated(bench, 7, vec![key(20, 1)], &[])),
        case(20008, Paid, "a hash with a proof", |bench| {
            updated(bench, 1, vec![KeyInCreation { signature: vec![1; 65], ..key(20, 1) }], &[])
        }),
        case(20009, Paid, "a key without a proof", |bench| updated(bench, 1, vec![whole_key(20)], &[])),
        case(20010, Paid, "a BLS key without a proof", |bench| {
            let bls = KeyInCreation { key_type: KeyType::Bls12_381, data: vec![1; 48], ..key(20, 1) };
            updated(bench, 1, vec![bls], &[])
        }),
        case(10501, PaidInBlock, "a key number in use", |bench| updated(bench, 1, vec![key(2, 1)], &[])),
        case(10533, PaidInBlock, "a bound key of another purpose", |bench| {
            let bounds = Some(dpp::identity::ContractBounds::SingleContract(bench.contract));
            updated(bench, 1, vec![KeyInCreation { contract_bounds: bounds, ..key(20, 1) }], &[])
        }),
        case(10515, PaidInBlock, "a key bound to what offers no bounds", |bench| {
            let contract_bounds = Some(dpp::identity::ContractBounds::SingleContract(bench.contract));
            let (purpose, security_level) = (Purpose::Encryption, SecurityLevel::Medium);
            updated(bench, 1, vec![KeyInCreation { contract_bounds, purpose, security_level, ..key(20, 1) }], &[])
        }),
        case(40209, Paid, "no such key to disable", |bench| updated(bench, 1, vec![], &[77])),
        case(40201, Paid, "a key that is read-only", |bench| {
            let update = IdentityUpdate {
                identity_id: bench.bob.id,
                revision: Revision(2),
                nonce: bench.bob.take_identity_nonce(),
                add_public_keys: Vec::new(),
                disable_public_keys: vec![READ_ONLY],
                signing: Signing::default(),
            };
            (bench.bob.signed_with(keys::MASTER, StateTransition::IdentityUpdate(update)), bench.bob.id)
        }),
        case(40208, Paid, "a key disabled already", |bench| updated(bench, 1, vec![], &[6])),
        case(10529, Paid, "the master key disabled alone", |bench| updated(bench, 1, vec![], &[0])),
    ]
}

/// Credit transfers.
pub fn credit_transfers() -> Vec<Case> {
    vec![
        case(40216, PaidInBlock, "credits to nobody", |bench| transferred(bench, Identifier([1; 32]), 1_000_000)),
        case(30000, Unpaid, "more credits than there are", |bench| transferred(bench, bench.bob.id, u64::MAX)),
        case(30000, Unpaid, "all credits and not enough for the fee", |bench| {
            let (identity_id, recipient_id) = (bench.bob.id, bench.alice.id);
            let (amount, nonce) = (Credits(BALANCE.0 - 100_000), bench.bob.take_identity_nonce());
            let signing = Signing::default();
            let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing };
            (bench.bob.signed_with(keys::TRANSFER, StateTransition::IdentityCreditTransfer(transfer)), bench.bob.id)
        }),
        case(10528, Unpaid, "a transfer to oneself", |bench| transfer(bench, bench.alice.id, 1_000_000)),
        case(10524, Unpaid, "a transfer of little", |bench| transfer(bench, bench.bob.id, 99_999)),
    ]
}
