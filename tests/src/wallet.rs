//! An identity with real keys that signs real transitions.
//!
//! Every wallet has the same ring of keys: one of each level that can sign documents, and one of
//! each sort that must not.

use std::collections::BTreeMap;

use dpp::contract::{ContractTimes, DataContract};
use dpp::identity::{IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use dpp::primitives::hash::{hash160, sha256};
use dpp::primitives::{Credits, Identifier, KeyId, Nonce, TimestampMillis};
use dpp::transition::{
    Batch, ContractCreate, ContractUpdate, DocumentAction, DocumentBase, DocumentTransition, Signing, StateTransition,
    TokenPayment, document_id_for,
};
use dpp::value::{IntegerKind, Value};
use drive_abci::genesis::GenesisIdentity;
use secp256k1::SecretKey;

/// Numbers of a wallet's keys.
pub mod keys {
    use dpp::primitives::KeyId;

    /// Master key.
    pub const MASTER: KeyId = KeyId(0);
    /// Critical key: what a wallet signs with unless told otherwise.
    pub const CRITICAL: KeyId = KeyId(1);
    /// High key.
    pub const HIGH: KeyId = KeyId(2);
    /// Medium key.
    pub const MEDIUM: KeyId = KeyId(3);
    /// Critical key of purpose TRANSFER.
    pub const TRANSFER: KeyId = KeyId(4);
    /// Critical key held as a hash.
    pub const HASHED: KeyId = KeyId(5);
    /// Critical key that is disabled.
    pub const DISABLED: KeyId = KeyId(6);
    /// Critical key of a type that cannot sign.
    pub const SCRIPT: KeyId = KeyId(7);
    /// A key no wallet has.
    pub const MISSING: KeyId = KeyId(99);
}

/// Purpose, level and type of each key, by number.
const RING: [(KeyId, Purpose, SecurityLevel, KeyType); 8] = [
    (keys::MASTER, Purpose::Authentication, SecurityLevel::Master, KeyType::EcdsaSecp256k1),
    (keys::CRITICAL, Purpose::Authentication, SecurityLevel::Critical, KeyType::EcdsaSecp256k1),
    (keys::HIGH, Purpose::Authentication, SecurityLevel::High, KeyType::EcdsaSecp256k1),
    (keys::MEDIUM, Purpose::Authentication, SecurityLevel::Medium, KeyType::EcdsaSecp256k1),
    (keys::TRANSFER, Purpose::Transfer, SecurityLevel::Critical, KeyType::EcdsaSecp256k1),
    (keys::HASHED, Purpose::Authentication, SecurityLevel::Critical, KeyType::EcdsaHash160),
    (keys::DISABLED, Purpose::Authentication, SecurityLevel::Critical, KeyType::EcdsaSecp256k1),
    (keys::SCRIPT, Purpose::Authentication, SecurityLevel::Critical, KeyType::Bip13ScriptHash),
];

/// An identity and the secrets of its keys.
#[derive(Clone)]
pub struct Wallet {
    /// The identity.
    pub id: Identifier,
    /// Percent offered on top of processing fees.
    pub user_fee_increase: u16,
    /// Key the next transition is signed with.
    pub key: KeyId,
    name: String,
    identity_nonce: u64,
    contract_nonces: BTreeMap<Identifier, u64>,
}

impl Wallet {
    /// The wallet of a name; the same name has the same keys.
    pub fn new(name: &str) -> Self {
        Self {
            id: Identifier(sha256(format!("identity of {name}").as_bytes())),
            user_fee_increase: 0,
            key: keys::CRITICAL,
            name: name.to_owned(),
            identity_nonce: 0,
            contract_nonces: BTreeMap::new(),
        }
    }

    /// The identity as a genesis names it.
    pub fn genesis_identity(&self, balance: Credits) -> GenesisIdentity {
        GenesisIdentity { id: self.id, balance, keys: RING.map(|entry| self.public_key(entry)).to_vec() }
    }

    fn public_key(
        &self,
        (id, purpose, security_level, key_type): (KeyId, Purpose, SecurityLevel, KeyType),
    ) -> IdentityPublicKey {
        let data = secp256k1::PublicKey::from_secret_key(&self.secret(id)).serialize().to_vec();
        IdentityPublicKey {
            id,
            purpose,
            security_level,
            contract_bounds: None,
            key_type,
            read_only: false,
            data: if key_type.holds_a_hash() { hash160(&data).to_vec() } else { data },
            disabled_at: (id == keys::DISABLED).then_some(TimestampMillis(1)),
        }
    }

    /// The secret of a key.
    pub fn secret(&self, key: KeyId) -> SecretKey {
        SecretKey::from_secret_bytes(sha256(format!("key {key} of {}", self.name).as_bytes())).unwrap()
    }

    /// A contract of document types given as JSON, under the wallet's next nonce.
    pub fn contract(&self, types: &serde_json::Value) -> DataContract {
        let schemas = types.as_object().unwrap().iter();
        let schemas = schemas.map(|(name, schema)| (name.clone(), Value::from_json(schema, IntegerKind::Signed)));
        DataContract::new(self.id, Nonce(self.identity_nonce + 1), schemas.collect())
    }

    /// A signed registration of document types given as JSON, and the contract's id.
    pub fn register(&mut self, types: &serde_json::Value) -> (Vec<u8>, Identifier) {
        let contract = self.contract(types);
        let id = contract.id;
        (self.register_contract(contract), id)
    }

    /// A signed registration of a contract, under the wallet's next nonce.
    pub fn register_contract(&mut self, contract: DataContract) -> Vec<u8> {
        self.identity_nonce += 1;
        let create =
            ContractCreate { contract, identity_nonce: Nonce(self.identity_nonce), signing: Signing::default() };
        self.signed(StateTransition::ContractCreate(create))
    }

    /// A signed update of a contract to other document types: version + 1, everything else as it is.
    pub fn update(&mut self, stored: &DataContract, types: &serde_json::Value) -> Vec<u8> {
        let schemas = self.contract(types).document_schemas;
        let times = ContractTimes::default();
        let next = DataContract { version: stored.version + 1, document_schemas: schemas, times, ..stored.clone() };
        self.update_contract(next)
    }

    /// A signed update to a contract as given.
    pub fn update_contract(&mut self, contract: DataContract) -> Vec<u8> {
        let nonce = self.contract_nonces.entry(contract.id).or_default();
        *nonce += 1;
        let identity_contract_nonce = Nonce(*nonce);
        let update = ContractUpdate { identity_contract_nonce, contract, signing: Signing::default() };
        self.signed(StateTransition::ContractUpdate(update))
    }

    /// A signed create of a document, and its id; every nonce gives another.
    pub fn create(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        data: &serde_json::Value,
    ) -> (Vec<u8>, Identifier) {
        let batch = self.creation(contract_id, document_type, data);
        let id = batch.transitions[0].base.document_id;
        (self.signed(StateTransition::Batch(batch)), id)
    }

    /// The same with chosen entropy: the same entropy gives the same id.
    pub fn create_with(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        (data, entropy): (&serde_json::Value, [u8; 32]),
    ) -> (Vec<u8>, Identifier) {
        let id = document_id_for(contract_id, self.id, document_type, &entropy);
        let action = DocumentAction::Create { entropy, data: values(data), prefunded_voting_balance: None };
        (self.document(contract_id, document_type, (id, action)), id)
    }

    /// An unsigned create with the next nonce, whose id follows from the nonce.
    pub fn creation(&mut self, contract_id: Identifier, document_type: &str, data: &serde_json::Value) -> Batch {
        let nonce = self.contract_nonce(contract_id) + 1;
        let entropy = sha256(format!("{} {document_type} {nonce}", self.id).as_bytes());
        let id = document_id_for(contract_id, self.id, document_type, &entropy);
        let action = DocumentAction::Create { entropy, data: values(data), prefunded_voting_balance: None };
        self.batch(contract_id, document_type, (id, action))
    }

    /// A signed create that agrees to pay with a token, and the document's id.
    pub fn create_paying(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        (data, payment): (&serde_json::Value, TokenPayment),
    ) -> (Vec<u8>, Identifier) {
        let mut batch = self.creation(contract_id, document_type, data);
        let base = &mut batch.transitions[0].base;
        base.token_payment = Some(payment);
        let id = base.document_id;
        (self.signed(StateTransition::Batch(batch)), id)
    }

    /// A signed document transition that may agree to pay with a token.
    pub fn document_paying(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        change: (Identifier, DocumentAction),
        payment: Option<TokenPayment>,
    ) -> Vec<u8> {
        let mut batch = self.batch(contract_id, document_type, change);
        batch.transitions[0].base.token_payment = payment;
        self.signed(StateTransition::Batch(batch))
    }

    /// A signed deletion.
    pub fn delete(&mut self, contract_id: Identifier, document_type: &str, id: Identifier) -> Vec<u8> {
        self.document(contract_id, document_type, (id, DocumentAction::Delete))
    }

    /// A signed document transition with the next nonce.
    pub fn document(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        (document_id, action): (Identifier, DocumentAction),
    ) -> Vec<u8> {
        let batch = self.batch(contract_id, document_type, (document_id, action));
        self.signed(StateTransition::Batch(batch))
    }

    /// An unsigned batch of one document transition with the next nonce.
    pub fn batch(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        (document_id, action): (Identifier, DocumentAction),
    ) -> Batch {
        let nonce = self.contract_nonces.entry(contract_id).or_default();
        *nonce += 1;
        let base = DocumentBase {
            version: 1,
            document_id,
            identity_contract_nonce: Nonce(*nonce),
            document_type: document_type.to_owned(),
            contract_id,
            token_payment: None,
            action_fee: None,
        };
        let transitions = vec![DocumentTransition { base, action }];
        Batch { version: 1, owner_id: self.id, transitions, signing: Signing::default() }
    }

    /// The last nonce used for a contract.
    pub fn contract_nonce(&self, contract_id: Identifier) -> u64 {
        self.contract_nonces.get(&contract_id).copied().unwrap_or(0)
    }

    /// Makes the next transition for a contract use `nonce + 1`.
    pub fn set_contract_nonce(&mut self, contract_id: Identifier, nonce: u64) {
        self.contract_nonces.insert(contract_id, nonce);
    }

    /// The next nonce of the identity itself, used up.
    pub fn take_identity_nonce(&mut self) -> Nonce {
        self.identity_nonce += 1;
        Nonce(self.identity_nonce)
    }

    /// Signs any transition with the wallet's key.
    pub fn signed(&self, transition: StateTransition) -> Vec<u8> {
        self.signed_with(self.key, transition)
    }

    /// Signs any transition with one of its keys.
    pub fn signed_with(&self, key: KeyId, mut transition: StateTransition) -> Vec<u8> {
        transition.signing_mut().user_fee_increase = self.user_fee_increase;
        transition.sign(key, &self.secret(key));
        transition.to_bytes()
    }
}

/// Document data given as JSON, in the kinds the SDK sends.
pub fn values(data: &serde_json::Value) -> BTreeMap<String, Value> {
    let data = data.as_object().unwrap().iter();
    data.map(|(name, value)| (name.clone(), Value::from_json(value, IntegerKind::UnsignedUnlessNegative))).collect()
}
