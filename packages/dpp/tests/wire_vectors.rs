//! Every wire vector: read, decoded, written again to the same bytes; ids, hashes and signatures
//! recomputed. A vector nobody knows how to check fails the run.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use std::collections::BTreeMap;

use dpp::contract::{ContractFormat, ContractTimes, DataContract, Group};
use dpp::encoding;
use dpp::identity::{Identity, IdentityPublicKey, KeyType, NonceRefusal, Purpose, SecurityLevel, StoredNonce};
use dpp::primitives::hash::{hash160, sha256};
use dpp::primitives::{BlockHeight, EpochIndex, Identifier, KeyId, Nonce, TimestampMillis};
use dpp::transition::{AssetLockProof, DocumentAction, StateTransition, document_id_for};
use dpp::value::{IntegerKind, Value};
use platform_version::PlatformVersion;
use secp256k1::{PublicKey, SecretKey};
use serde_json::Value as Json;
use wire_support::{bytes, id, secret, text, vectors};

#[test]
fn contracts_keep_their_bytes_and_text() {
    for vector in vectors("contracts") {
        let name = text(&vector["name"]);
        assert_eq!(vector["kind"], "contract", "{name}");
        let hex = bytes(&vector["hex"]);
        let contract: DataContract = encoding::from_canonical_bytes(&hex).unwrap();
        assert_eq!(encoding::to_bytes(&contract), hex, "{name}");
        assert_eq!(contract.id, id(&vector["id"]), "{name}");
        assert_eq!(hex::encode(contract.id.0), text(&vector["idHex"]), "{name}");
        assert_eq!(contract, contract_from_description(&vector["how"]), "{name}");
        // as text, so that the order of members counts
        assert_eq!(contract.to_json().to_string(), vector["json"].to_string(), "{name}");
        let again = DataContract::from_json_with(&vector["json"], integers(&vector["how"])).unwrap();
        assert_eq!(again, contract, "{name}");
    }
}

fn integers(how: &Json) -> IntegerKind {
    match how["entry"].as_str().unwrap() {
        "constructor" => IntegerKind::Signed,
        "fromJSON" => IntegerKind::UnsignedUnlessNegative,
        other => panic!("unknown entry point {other}"),
    }
}

/// The contract a vector describes, built without its bytes.
fn contract_from_description(how: &Json) -> DataContract {
    let schemas = |json: &Json| -> BTreeMap<String, Value> {
        let members = json.as_object().unwrap().iter();
        members.map(|(name, schema)| (name.clone(), Value::from_json(schema, integers(how)))).collect()
    };
    let nonce = Nonce(how["identityNonce"].as_u64().unwrap());
    let mut contract = DataContract::new(id(&how["ownerId"]), nonce, schemas(&how["schemas"]));
    contract.version = how["version"].as_u64().unwrap().try_into().unwrap();
    if how["formatVersion"] == 0 {
        contract.format = ContractFormat::Zero;
    }
    if how["configVersion"] == 0 {
        (contract.config.version, contract.config.sized_integer_types) = (0, false);
    }
    if how["config"].is_object() {
        set_config(&mut contract, &how["config"]);
    }
    contract.schema_defs = how["definitions"].is_object().then(|| schemas(&how["definitions"]));
    contract.times = ContractTimes {
        created_at: how["createdAt"].as_u64().map(TimestampMillis),
        created_at_block_height: how["createdAtBlockHeight"].as_u64().map(BlockHeight),
        created_at_epoch: how["createdAtEpoch"].as_u64().map(|epoch| EpochIndex(epoch.try_into().unwrap())),
        ..ContractTimes::default()
    };
    for (position, group) in how["groups"].as_object().into_iter().flatten() {
        let power = |json: &Json| u32::try_from(json.as_u64().unwrap()).unwrap();
        let members = group["members"].as_object().unwrap().iter();
        let members = members.map(|(member, json)| (member.parse().unwrap(), power(json))).collect();
        let group = Group { members, required_power: power(&group["requiredPower"]) };
        contract.groups.insert(position.parse().unwrap(), group);
    }
    contract.keywords = how["keywords"].as_array().into_iter().flatten().map(|k| text(k).to_owned()).collect();
    contract.description = how["description"].as_str().map(str::to_owned);
    contract
}

fn set_config(contract: &mut DataContract, json: &Json) {
    let flag = |name: &str| json[name].as_bool().unwrap();
    let requirement = |name: &str| json[name].as_u64().map(|number| number.try_into().unwrap());
    let config = &mut contract.config;
    config.can_be_deleted = flag("canBeDeleted");
    config.readonly = flag("readonly");
    config.keeps_history = flag("keepsHistory");
    config.documents_keep_history_default = flag("documentsKeepHistoryContractDefault");
    config.documents_mutable_default = flag("documentsMutableContractDefault");
    config.documents_can_be_deleted_default = flag("documentsCanBeDeletedContractDefault");
    config.requires_encryption_bounded_key = requirement("requiresIdentityEncryptionBoundedKey");
    config.requires_decryption_bounded_key = requirement("requiresIdentityDecryptionBoundedKey");
    config.sized_integer_types = flag("sizedIntegerTypes");
}

#[test]
fn identities_keep_their_bytes_and_text() {
    for vector in vectors("identities") {
        let (name, hex) = (text(&vector["name"]), bytes(&vector["hex"]));
        match text(&vector["kind"]) {
            "identityPublicKey" => {
                let key: IdentityPublicKey = encoding::from_canonical_bytes(&hex).unwrap();
                assert_eq!(encoding::to_bytes(&key), hex, "{name}");
                assert_eq!(hex::encode(key.hash160()), text(&vector["hash160"]), "{name}");
                assert_eq!(key.to_json().to_string(), vector["json"].to_string(), "{name}");
                assert_eq!(IdentityPublicKey::from_json(&vector["json"]).unwrap(), key, "{name}");
                assert_eq!(key.data, bytes(&vector["how"]["data"]), "{name}");
            }
            "identity" => {
                let identity: Identity = encoding::from_canonical_bytes(&hex).unwrap();
                assert_eq!(encoding::to_bytes(&identity), hex, "{name}");
                assert_eq!(identity.to_json().to_string(), vector["json"].to_string(), "{name}");
                assert_eq!(Identity::from_json(&vector["json"]).unwrap(), identity, "{name}");
                assert_eq!(identity.id, id(&vector["how"]["id"]), "{name}");
                assert_eq!(identity.balance.0, vector["how"]["balance"].as_u64().unwrap(), "{name}");
            }
            other => panic!("{name}: unknown kind {other}"),
        }
    }
}

#[test]
fn contract_transitions_are_signed_as_the_sdk_signs() {
    each_transition("contract-transitions", |vector, transition| {
        let nonce = match transition {
            StateTransition::ContractCreate(create) => ("identityNonce", create.identity_nonce),
            StateTransition::ContractUpdate(update) => ("identityContractNonce", update.identity_contract_nonce),
            other => panic!("unexpected {}", other.name()),
        };
        assert_eq!(vector[nonce.0].as_u64(), Some(nonce.1.0));
    });
}

#[test]
fn batch_transitions_are_signed_as_the_sdk_signs() {
    each_transition("batch-transitions", |vector, transition| {
        let StateTransition::Batch(batch) = transition else { panic!("unexpected {}", transition.name()) };
        let described = vector["how"]["transitions"].as_array().unwrap();
        assert_eq!(batch.transitions.len(), described.len());
        for (transition, how) in batch.transitions.iter().zip(described) {
            let (base, how_base) = (&transition.base, &how["base"]);
            assert_eq!(base.document_id, id(&how_base["id"]));
            assert_eq!(base.contract_id, id(&how_base["contractId"]));
            assert_eq!(base.document_type, text(&how_base["documentType"]));
            assert_eq!(Some(base.identity_contract_nonce.0), how_base["identityContractNonce"].as_u64());
            assert_eq!(base.token_payment.is_some(), how_base["tokenPaymentInfo"].is_object());
            action_is_as_described(&transition.action, how);
            if let DocumentAction::Create { entropy, .. } = &transition.action {
                let derived = document_id_for(base.contract_id, batch.owner_id, &base.document_type, entropy);
                assert_eq!(base.document_id, derived);
            }
        }
    });
}

fn action_is_as_described(action: &DocumentAction, how: &Json) {
    let name = text(&how["action"]);
    assert_eq!(action.name().replace('_', "").to_lowercase(), name.to_lowercase());
    match action {
        DocumentAction::Create { entropy, data, prefunded_voting_balance } => {
            assert_eq!(entropy[..], bytes(&how["entropy"]));
            data_is_as_described(data, &how["data"]);
            assert_eq!(prefunded_voting_balance.is_some(), how["prefundedVotingBalance"].is_object());
        }
        DocumentAction::Replace { revision, data } => {
            assert_eq!(Some(revision.0), how["revision"].as_u64());
            data_is_as_described(data, &how["data"]);
        }
        DocumentAction::Delete => {}
        DocumentAction::Transfer { revision, recipient_id } => {
            assert_eq!(Some(revision.0), how["revision"].as_u64());
            assert_eq!(*recipient_id, id(&how["recipientOwnerId"]));
        }
        DocumentAction::UpdatePrice { revision, price } | DocumentAction::Purchase { revision, price } => {
            assert_eq!(Some(revision.0), how["revision"].as_u64());
            assert_eq!(Some(price.0), how["price"].as_u64());
        }
    }
}

fn data_is_as_described(data: &BTreeMap<String, Value>, how: &Json) {
    let described = how.as_object().unwrap().iter();
    let described: BTreeMap<String, Value> = described.map(|(name, json)| (name.clone(), tagged_value(json))).collect();
    assert_eq!(*data, described);
}

/// A value as the vectors write it: `{kind: content}`.
fn tagged_value(json: &Json) -> Value {
    let (kind, content) = json.as_object().unwrap().iter().next().unwrap();
    let signed = || content.as_i64().unwrap_or_else(|| text(content).parse().unwrap());
    let unsigned = || content.as_u64().unwrap_or_else(|| text(content).parse().unwrap());
    match kind.as_str() {
        "U64" => Value::U64(unsigned()),
        "U32" => Value::U32(unsigned().try_into().unwrap()),
        "U16" => Value::U16(unsigned().try_into().unwrap()),
        "U8" => Value::U8(unsigned().try_into().unwrap()),
        "I64" => Value::I64(signed()),
        "I32" => Value::I32(signed().try_into().unwrap()),
        "I16" => Value::I16(signed().try_into().unwrap()),
        "I8" => Value::I8(signed().try_into().unwrap()),
        "Float" => Value::Float(content.as_f64().unwrap()),
        "Text" => Value::Text(text(content).to_owned()),
        "Bool" => Value::Bool(content.as_bool().unwrap()),
        "Null" => Value::Null,
        "Bytes" => Value::Bytes(bytes(content)),
        "Bytes20" => Value::Bytes20(bytes(content).try_into().unwrap()),
        "Bytes32" => Value::Bytes32(bytes(content).try_into().unwrap()),
        "Bytes36" => Value::Bytes36(bytes(content).try_into().unwrap()),
        "Identifier" => Value::Identifier(id(content).0),
        "Array" => Value::Array(content.as_array().unwrap().iter().map(tagged_value).collect()),
        "Map" => {
            let entries = content.as_array().unwrap().iter();
            Value::Map(entries.map(|pair| (tagged_value(&pair[0]), tagged_value(&pair[1]))).collect())
        }
        other => panic!("unknown kind of value {other}"),
    }
}

#[test]
fn identity_transitions_are_signed_as_the_sdk_signs() {
    each_transition("identity-transitions", |vector, transition| match transition {
        StateTransition::IdentityCreate(create) => {
            assert_eq!(create.asset_lock_proof.identity_id(), create.identity_id);
        }
        StateTransition::IdentityTopUp(top_up) => {
            if let AssetLockProof::Instant { .. } = top_up.asset_lock_proof {
                let derived = hex::encode(top_up.asset_lock_proof.identity_id().0);
                assert_eq!(derived, text(&vector["instantIdentityId"]));
            }
        }
        StateTransition::IdentityUpdate(update) => {
            assert_eq!(update.disable_public_keys, [KeyId(1), KeyId(300)]);
            transition.key_proofs_are_valid().unwrap();
        }
        StateTransition::IdentityCreditWithdrawal(withdrawal) => {
            assert_eq!(Some(withdrawal.nonce.0), vector["identityNonce"].as_u64());
        }
        StateTransition::IdentityCreditTransfer(transfer) => {
            assert_eq!(transfer.recipient_id, id(&vector["how"]["recipientId"]));
            assert_eq!(Some(transfer.amount.0), vector["how"]["amount"].as_u64());
        }
        other => panic!("unexpected {}", other.name()),
    });
}

/// Reads every transition of a file, checks what all have in common, and hands it on.
fn each_transition(file: &str, check: impl Fn(&Json, &StateTransition)) {
    for vector in vectors(file) {
        let name = format!("{file}/{}", text(&vector["name"]));
        assert_eq!(vector["kind"], "stateTransition", "{name}");
        let hex = bytes(&vector["hex"]);
        let transition = StateTransition::decode_canonical(&hex).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(transition.to_bytes(), hex, "{name}");
        assert_eq!(transition.hash()[..], bytes(&vector["hash"]), "{name}");
        assert_eq!(transition.signable_bytes(), bytes(&vector["signableHex"]), "{name}");
        assert_eq!(transition.signable_digest()[..], bytes(&vector["digest"]), "{name}");
        assert_eq!(sha256(&transition.signable_bytes())[..], bytes(&vector["hashSkipSignature"]), "{name}");
        assert_eq!(transition.signing().signature, bytes(&vector["signature"]), "{name}");
        assert_eq!(transition.owner_id(), id(&vector["ownerId"]), "{name}");
        assert_eq!(
            Some(u64::from(transition.user_fee_increase())),
            vector["how"]["userFeeIncrease"].as_u64(),
            "{name}"
        );
        keys_are_those_the_sdk_allows(&vector, &transition, &name);
        signature_verifies_and_is_made_again(&vector, &transition, &name);
        decoding_agrees_with_execution(&hex, &transition, &name);
        check(&vector, &transition);
    }
}

fn keys_are_those_the_sdk_allows(vector: &Json, transition: &StateTransition, name: &str) {
    let kind = transition.kind();
    let purposes: Vec<String> = kind.key_purposes().iter().map(Purpose::to_string).collect();
    let given: Vec<&str> = vector["purposes"].as_array().into_iter().flatten().map(text).collect();
    assert_eq!(purposes, given, "{name}");
    let levels: Vec<String> = kind.key_levels().iter().map(SecurityLevel::to_string).collect();
    for (_, given) in vector["securityLevels"].as_object().into_iter().flatten() {
        let given: Vec<&str> = given.as_array().unwrap().iter().map(text).collect();
        assert_eq!(levels, given, "{name}");
    }
}

fn signature_verifies_and_is_made_again(vector: &Json, transition: &StateTransition, name: &str) {
    let signer = &vector["signer"];
    let key_id = KeyId(vector["signaturePublicKeyId"].as_u64().unwrap_or(0).try_into().unwrap());
    assert_eq!(transition.signing().key_id, key_id, "{name}");

    let key = stored_key(key_id, KeyType::EcdsaSecp256k1, bytes(&signer["publicKey"]));
    transition.verify_signature(&key).unwrap_or_else(|error| panic!("{name}: {error}"));
    let hash = stored_key(key_id, KeyType::EcdsaHash160, bytes(&signer["publicKeyHash"]));
    transition.verify_signature(&hash).unwrap_or_else(|error| panic!("{name}: {error}"));
    let other = stored_key(key_id, KeyType::EcdsaHash160, vec![0; 20]);
    assert_eq!(transition.verify_signature(&other).unwrap_err().code(), 20002, "{name}");

    let mut again = transition.clone();
    again.signing_mut().signature.clear();
    again.signing_mut().key_id = KeyId(0);
    assert_eq!(again.verify_signature(&key).unwrap_err().code(), 20002, "{name}");
    for new_key in proven_keys(transition) {
        let secret = new_key_secret(&new_key.data);
        assert!(again.sign_new_key(new_key.id, &secret), "{name}");
    }
    again.sign(key_id, &secret(&signer["privateKey"]));
    assert_eq!(again.to_bytes(), transition.to_bytes(), "{name}");
}

fn proven_keys(transition: &StateTransition) -> Vec<dpp::identity::KeyInCreation> {
    let keys = match transition {
        StateTransition::IdentityCreate(create) => create.public_keys.clone(),
        StateTransition::IdentityUpdate(update) => update.add_public_keys.clone(),
        _ => Vec::new(),
    };
    keys.into_iter().filter(|key| key.key_type == KeyType::EcdsaSecp256k1).collect()
}

/// The private key of one of the vectors' fixed keys.
fn new_key_secret(public: &[u8]) -> SecretKey {
    let meta = vectors("meta");
    let keys = meta[0]["privateKeys"].as_object().unwrap();
    keys.values().map(secret).find(|key| PublicKey::from_secret_key(key).serialize() == *public).unwrap()
}

fn stored_key(id: KeyId, key_type: KeyType, data: Vec<u8>) -> IdentityPublicKey {
    IdentityPublicKey {
        id,
        purpose: Purpose::Authentication,
        security_level: SecurityLevel::Critical,
        contract_bounds: None,
        key_type,
        read_only: false,
        data,
        disabled_at: None,
    }
}

fn decoding_agrees_with_execution(hex: &[u8], transition: &StateTransition, name: &str) {
    let refused = !transition.kind().is_executed() || name.ends_with("create-card-prefunded");
    for rules in PlatformVersion::ALL {
        match StateTransition::from_bytes(hex, rules) {
            Ok(decoded) => assert!(!refused && decoded == *transition, "{name}"),
            Err(error) => assert_eq!((error.code(), refused), (10006, true), "{name}: {error}"),
        }
    }
}

#[test]
fn ids_and_keys_are_derived() {
    for vector in vectors("derivations") {
        let (name, how) = (text(&vector["name"]), &vector["how"]);
        let derived = match text(&vector["kind"]) {
            "identityId" => {
                let mut txid: [u8; 32] = bytes(&how["txid"]).try_into().unwrap();
                txid.reverse();
                Identity::id_for_outpoint(&txid, how["vout"].as_u64().unwrap().try_into().unwrap())
            }
            "contractId" => DataContract::id_for(id(&how["ownerId"]), Nonce(how["identityNonce"].as_u64().unwrap())),
            "documentId" => {
                let entropy = bytes(&how["entropy"]).try_into().unwrap();
                document_id_for(id(&how["contractId"]), id(&how["ownerId"]), text(&how["documentType"]), &entropy)
            }
            "tokenId" => {
                DataContract::token_id(id(&how["contractId"]), how["position"].as_u64().unwrap().try_into().unwrap())
            }
            "text" => Identifier::from_slice(&bytes(&how["hex"])).unwrap(),
            "key" => {
                let public = PublicKey::from_secret_key(&secret(&how["privateKey"])).serialize();
                assert_eq!(public[..], bytes(&vector["publicKey"]), "{name}");
                assert_eq!(hash160(&public)[..], bytes(&vector["hash160"]), "{name}");
                continue;
            }
            other => panic!("{name}: unknown kind {other}"),
        };
        assert_eq!(derived.0[..], bytes(&vector["hex"]), "{name}");
        assert_eq!(derived.to_string(), text(&vector["base58"]), "{name}");
    }
}

#[test]
fn nonces_are_merged() {
    for vector in vectors("nonces") {
        let (name, how) = (text(&vector["name"]), &vector["how"]);
        assert_eq!(vector["kind"], "nonce", "{name}");
        let stored =
            how["stored"].as_str().map(|hex| StoredNonce::from_bytes(hex::decode(hex).unwrap().try_into().unwrap()));
        let incoming = Nonce(text(&how["incoming"]).parse().unwrap());
        let merged = match StoredNonce::merge(stored, incoming) {
            Ok(stored) => hex::encode(stored.to_bytes()),
            Err(NonceRefusal::Invalid) => "invalid".to_owned(),
            Err(NonceRefusal::PresentAtTip) => "presentAtTip".to_owned(),
            Err(NonceRefusal::PresentInPast) => "presentInPast".to_owned(),
            Err(NonceRefusal::TooFarInFuture) => "tooFarInFuture".to_owned(),
            Err(NonceRefusal::TooFarInPast) => "tooFarInPast".to_owned(),
        };
        assert_eq!(merged, text(&vector["result"]), "{name}");
    }
}
