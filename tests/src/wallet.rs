//! An identity with real keys that signs real transitions.

use std::collections::BTreeMap;

use dpp::contract::DataContract;
use dpp::identity::{IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use dpp::primitives::hash::sha256;
use dpp::primitives::{Credits, Identifier, KeyId, Nonce};
use dpp::transition::{
    Batch, ContractCreate, DocumentAction, DocumentBase, DocumentTransition, Signing, StateTransition, document_id_for,
};
use dpp::value::{IntegerKind, Value};
use drive_abci::genesis::GenesisIdentity;
use secp256k1::SecretKey;

/// Key that may sign contracts and documents.
const CRITICAL_KEY: KeyId = KeyId(1);

/// An identity and the secret of its critical key.
pub struct Wallet {
    /// The identity.
    pub id: Identifier,
    /// Percent offered on top of processing fees.
    pub user_fee_increase: u16,
    secret: SecretKey,
    identity_nonce: u64,
    contract_nonces: BTreeMap<Identifier, u64>,
}

impl Wallet {
    /// The wallet of a name; the same name has the same keys.
    pub fn new(name: &str) -> Self {
        let secret = SecretKey::from_secret_bytes(sha256(format!("secret of {name}").as_bytes())).unwrap();
        let id = Identifier(sha256(format!("identity of {name}").as_bytes()));
        Self { id, user_fee_increase: 0, secret, identity_nonce: 0, contract_nonces: BTreeMap::new() }
    }

    /// The identity as a genesis names it.
    pub fn genesis_identity(&self, balance: Credits) -> GenesisIdentity {
        let key = IdentityPublicKey {
            id: CRITICAL_KEY,
            purpose: Purpose::Authentication,
            security_level: SecurityLevel::Critical,
            contract_bounds: None,
            key_type: KeyType::EcdsaSecp256k1,
            read_only: false,
            data: secp256k1::PublicKey::from_secret_key(&self.secret).serialize().to_vec(),
            disabled_at: None,
        };
        GenesisIdentity { id: self.id, balance, keys: vec![key] }
    }

    /// A signed registration of document types given as JSON, and the contract's id.
    pub fn register(&mut self, types: &serde_json::Value) -> (Vec<u8>, Identifier) {
        self.identity_nonce += 1;
        let schemas = types.as_object().unwrap().iter();
        let schemas = schemas.map(|(name, schema)| (name.clone(), Value::from_json(schema, IntegerKind::Signed)));
        let contract = DataContract::new(self.id, Nonce(self.identity_nonce), schemas.collect());
        let id = contract.id;
        let create =
            ContractCreate { contract, identity_nonce: Nonce(self.identity_nonce), signing: Signing::default() };
        (self.signed(StateTransition::ContractCreate(create)), id)
    }

    /// A signed create of a document, and its id.
    pub fn create(
        &mut self,
        contract_id: Identifier,
        document_type: &str,
        data: &serde_json::Value,
    ) -> (Vec<u8>, Identifier) {
        let nonce = self.contract_nonces.get(&contract_id).copied().unwrap_or(0) + 1;
        let entropy = sha256(format!("{} {document_type} {nonce}", self.id).as_bytes());
        let id = document_id_for(contract_id, self.id, document_type, &entropy);
        let data = data.as_object().unwrap().iter();
        let data =
            data.map(|(name, value)| (name.clone(), Value::from_json(value, IntegerKind::UnsignedUnlessNegative)));
        let action = DocumentAction::Create { entropy, data: data.collect(), prefunded_voting_balance: None };
        (self.document(contract_id, document_type, (id, action)), id)
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
        let batch = Batch { version: 1, owner_id: self.id, transitions, signing: Signing::default() };
        self.signed(StateTransition::Batch(batch))
    }

    fn signed(&self, mut transition: StateTransition) -> Vec<u8> {
        transition.signing_mut().user_fee_increase = self.user_fee_increase;
        transition.sign(CRITICAL_KEY, &self.secret);
        transition.to_bytes()
    }
}
