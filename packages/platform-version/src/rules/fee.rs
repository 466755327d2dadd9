//! What work and storage cost, and where the credits go. All amounts are credits.

use core::num::{NonZeroU32, NonZeroU64};

/// Fee rules (`docs/spec` of fees: schedule, time to live, pools).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeRules {
    /// Bytes, seeks, loads and hash nodes.
    pub storage: StorageFees,
    /// Hashing done by validation.
    pub hashing: HashingFees,
    /// Signature checks by key type.
    pub signature: SignatureFees,
    /// Fixed reads of identities and balances, and key structure.
    pub fixed_work: FixedWorkFees,
    /// Contract registration, added to processing after the user's fee increase.
    pub registration: RegistrationFees,
    /// Contract validation, processing.
    pub contract_validation: ContractValidationFees,
    /// Least balances, checked before any work.
    pub least_balance: LeastBalances,
    /// Parts of 100,000 each era of the perpetual distribution gets, split evenly over its epochs;
    /// never more than the era before, so that a refund never outweighs what its epochs received.
    pub era_parts: [u32; 50],
    /// Credits the chain issues for the Core blocks of a paid epoch.
    pub core_reward: CoreRewardRules,
    /// What a dry run takes the worst state to be.
    pub estimate: EstimateRules,
    /// Fee multiplier stored with each epoch, in thousandths; nothing multiplies by it.
    pub epoch_multiplier_permille: u64,
    /// Prices of documents with a time to live; `None`: no such documents exist.
    pub document_ttl: Option<DocumentTtlFees>,
    /// How a block's fees reach the pools.
    pub collection: FeeCollection,
    /// What the first block of an epoch spreads over epochs.
    pub distribution: StorageDistribution,
    /// From which epoch on a refund is taken back out of the epoch pools.
    pub take_back: RefundTakeBack,
}

/// Storage and the work of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageFees {
    /// Per added byte of permanent storage; a storage fee.
    pub permanent_byte: u64,
    /// Per added, replaced or removed byte; processing.
    pub written_byte: u64,
    /// Per byte loaded from storage; processing.
    pub loaded_byte: u64,
    /// Per seek; processing.
    pub seek: u64,
    /// Per hash node call (one Blake3 of one block); processing.
    pub hash_node: u64,
    /// Per added byte under a `timeRange` index with its own ttl; processing.
    pub time_range_ttl_byte: u64,
    /// Refunds of fewer removed bytes than this are not worth their bookkeeping and are dropped.
    pub least_refunded_bytes: u32,
}

/// Cost = base + blocks x per block, where n bytes count `n / 64 + 1` blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashingFees {
    /// Blake3 base.
    pub blake3_base: u64,
    /// Blake3 per 64-byte block.
    pub blake3_block: u64,
    /// SHA-256 base.
    pub sha256_base: u64,
    /// SHA-256 per block; a double SHA-256 counts one block more.
    pub sha256_block: u64,
    /// SHA-256 + RIPEMD-160 base.
    pub sha256_ripemd160_base: u64,
    /// SHA-256 + RIPEMD-160 per block.
    pub sha256_ripemd160_block: u64,
}

/// Signature checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureFees {
    /// ECDSA secp256k1.
    pub ecdsa_secp256k1: u64,
    /// ECDSA over a key hash.
    pub ecdsa_hash160: u64,
    /// BLS12-381.
    pub bls12_381: u64,
    /// BIP13 script hash.
    pub bip13_script_hash: u64,
    /// EdDSA 25519 over a key hash.
    pub eddsa_25519_hash160: u64,
}

/// Fixed reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedWorkFees {
    /// An identity's balance.
    pub identity_balance: u64,
    /// An identity's revision, also "does this identity exist".
    pub identity_revision: u64,
    /// An identity's balance and revision together.
    pub identity_balance_and_revision: u64,
    /// An identity key looked up by its id, each.
    pub identity_key: u64,
    /// A token balance or prefunded balance.
    pub other_balance: u64,
    /// Structure check of a key, each.
    pub key_structure: u64,
}

/// Contract registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationFees {
    /// The contract.
    pub contract: u64,
    /// Each document type.
    pub document_type: u64,
    /// Each index that is not contested.
    pub index: u64,
    /// Each contested index.
    pub contested_index: u64,
    /// Each token.
    pub token: u64,
    /// Each perpetual or pre-programmed distribution of a token.
    pub token_distribution: u64,
    /// Each search keyword.
    pub keyword: u64,
}

/// Contract validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractValidationFees {
    /// Each document type.
    pub document_type: u64,
    /// Each value in its schema.
    pub schema_value: u64,
    /// Each property.
    pub property: u64,
    /// Each non-unique index.
    pub index: u64,
    /// Each property of a non-unique index.
    pub index_property: u64,
    /// Each unique index.
    pub unique_index: u64,
    /// Each property of a unique index.
    pub unique_index_property: u64,
}

/// Least balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeastBalances {
    /// Credit transfer.
    pub credit_transfer: u64,
    /// Identity update.
    pub identity_update: u64,
    /// Contract create and update, beside the registration.
    pub contract: u64,
    /// Each transition in a batch.
    pub batch_transition: u64,
}

/// Prices of a document with a time to live (`FeeDocumentTtlVersion`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentTtlFees {
    /// Price per byte by lifetime left, shortest first; a tier includes its end.
    pub tiers: [TtlTier; 5],
    /// Price per byte and period past the last tier.
    pub per_byte_and_period: u64,
    /// The pricing period in seconds: part of the schedule, not the network's epoch length.
    pub pricing_period_seconds: NonZeroU32,
    /// Prepaid deletion, base.
    pub cleanup_base: u64,
    /// Prepaid deletion, per index level of the type.
    pub cleanup_per_index_level: u64,
    /// Prepaid deletion, per byte of the stored document.
    pub cleanup_per_document_byte: u64,
}

/// One price tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtlTier {
    /// Longest lifetime of the tier, in seconds, itself included.
    pub up_to_seconds: u32,
    /// Credits per added byte.
    pub per_byte: u64,
}

/// The worst state a dry run is priced on: levels of the trees whose elements the layout does not
/// number. A tree of so many levels has at least the elements of the sparsest balanced tree; trees
/// whose keys are hashes, or grow at one end, reach them only with far more. The refusal for balance
/// (30000) follows these numbers, so they never change within a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimateRules {
    /// Identities, and hashes of their keys: 2 million in the sparsest tree, 2^28 by hash.
    pub identities: u8,
    /// Contracts: 300,000 in the sparsest tree, 2^24 by hash; each costs a tenth of a Dash and more.
    pub contracts: u8,
    /// What one identity holds by its own doing, keys and contracts used: 17,000 in the sparsest tree.
    pub of_identity: u8,
    /// Documents of a type, values of an index, documents of a value: 800,000 in the sparsest tree,
    /// 2^26 by hash.
    pub documents: u8,
    /// Times in the expiry queue, which grow at one end: 2^22.
    pub expiry_times: u8,
    /// Documents that expire in one millisecond: 17,000 in the sparsest tree, 2^18 by hash.
    pub expiry_entries: u8,
}

/// Credits issued for Core blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreRewardRules {
    /// Credits a Core block is worth in the first halving interval.
    pub first_subsidy: u64,
    /// Each interval is worth this fraction less than the one before, rounded in the payee's favour.
    pub reduction_divisor: NonZeroU64,
}

/// How a block's fees reach the pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeeCollection {
    /// All storage fees wait in the storage distribution pool.
    Perpetual,
    /// Lifetime storage fees wait apart, by collected epoch and lifetime.
    PerpetualAndLifetime,
}

/// What an epoch change spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageDistribution {
    /// The storage distribution pool, over 50 eras.
    Perpetual,
    /// That, and each lifetime pool over its own number of epochs.
    PerpetualAndLifetime,
}

/// Where taking back a refund starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundTakeBack {
    /// At the epoch after the one that just opened.
    AfterNewEpoch,
    /// At the epoch after the one that just ended.
    AfterPreviousEpoch,
}
