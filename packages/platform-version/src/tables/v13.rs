//! Protocol version 13: the state before documents could expire. Frozen.

use core::num::NonZeroU64;

use crate::rules::{
    block::BlockRules,
    contract::{ContractRules, MetaSchema, ParserGeneration, TypeUpdateRule},
    document::{ChangeEstimate, DisappearanceRule, DocumentRules, ExpiryCheck, RestoreCheck, TransientOnReplace},
    fee::{
        ContractValidationFees, CoreRewardRules, EstimateRules, FeeCollection, FeeRules, FixedWorkFees, HashingFees,
        LeastBalances, RefundTakeBack, RegistrationFees, SignatureFees, StorageDistribution, StorageFees,
    },
    limits::Limits,
    state::{GroveChoice, StateRules, StateStructure},
};
use crate::{PlatformVersion, ProtocolVersion};

/// The rules of protocol version 13.
pub const V13: PlatformVersion = PlatformVersion {
    protocol_version: ProtocolVersion(13),
    contract: ContractRules {
        meta_schema: MetaSchema::V2,
        parser: ParserGeneration::Generation2,
        written_format: 1,
        newest_config: 1,
        type_update: TypeUpdateRule::FixedSettings,
    },
    document: DocumentRules {
        stored_version: 2,
        expiry_check: ExpiryCheck::Absent,
        restore_check: RestoreCheck::Absent,
        disappearance: DisappearanceRule::OwnerDeletion,
        // FROZEN(13): a replace stores transient properties, a create drops them
        transient_on_replace: TransientOnReplace::Stored,
        change_estimate: ChangeEstimate::AsUpdate,
    },
    block: BlockRules { expire: None, upgrade_threshold_percent: 67 },
    fee: FEES,
    limits: Limits {
        state_transition_bytes: 20_480,
        field_value_bytes: 5_120,
        batch_transitions: 1,
        indexes_per_type: 10,
        properties_per_index: 10,
        identity_keys_added: 6,
        identity_keys_disabled: 10,
        contract_keywords: 50,
        document_ttl: None,
    },
    state: StateRules { structure: StateStructure::Base, grove: GroveChoice::V2 },
};

const FEES: FeeRules = FeeRules {
    storage: StorageFees {
        permanent_byte: 27_000,
        written_byte: 400,
        loaded_byte: 20,
        seek: 2_000,
        hash_node: 400,
        time_range_ttl_byte: 270,
        least_refunded_bytes: 32,
    },
    hashing: HashingFees {
        blake3_base: 100,
        blake3_block: 300,
        sha256_base: 100,
        sha256_block: 5_000,
        sha256_ripemd160_base: 6_000,
        sha256_ripemd160_block: 5_000,
    },
    signature: SignatureFees {
        ecdsa_secp256k1: 15_000,
        ecdsa_hash160: 15_500,
        bls12_381: 300_000,
        bip13_script_hash: 300_000,
        eddsa_25519_hash160: 3_500,
    },
    fixed_work: FixedWorkFees {
        identity_balance: 9_000,
        identity_revision: 10_000,
        identity_balance_and_revision: 15_000,
        identity_key: 9_000,
        other_balance: 10_000,
        key_structure: 50,
    },
    registration: RegistrationFees {
        contract: 10_000_000_000,
        document_type: 2_000_000_000,
        index: 1_000_000_000,
        contested_index: 100_000_000_000,
        token: 10_000_000_000,
        token_distribution: 10_000_000_000,
        keyword: 10_000_000_000,
    },
    contract_validation: ContractValidationFees {
        document_type: 500,
        schema_value: 10,
        property: 40,
        index: 50,
        index_property: 30,
        unique_index: 100,
        unique_index_property: 60,
    },
    least_balance: LeastBalances {
        credit_transfer: 100_000,
        identity_update: 100_000,
        contract: 100_000,
        batch_transition: 100_000,
    },
    era_parts: [
        5_000, 4_800, 4_600, 4_400, 4_200, 4_000, 3_850, 3_700, 3_550, 3_400, // eras 0 to 9
        3_250, 3_100, 2_950, 2_850, 2_750, 2_650, 2_550, 2_450, 2_350, 2_250, // 10 to 19
        2_150, 2_050, 1_950, 1_875, 1_800, 1_725, 1_650, 1_575, 1_500, 1_425, // 20 to 29
        1_350, 1_275, 1_200, 1_125, 1_050, 975, 900, 825, 750, 675, // 30 to 39
        600, 525, 475, 425, 375, 325, 275, 225, 175, 125, // 40 to 49
    ],
    core_reward: CoreRewardRules { first_subsidy: 112_500_000_000, reduction_divisor: NonZeroU64::new(14).unwrap() },
    estimate: EstimateRules {
        identities: 30,
        contracts: 26,
        of_identity: 20,
        documents: 28,
        expiry_times: 24,
        expiry_entries: 20,
    },
    epoch_multiplier_permille: 1_000,
    document_ttl: None,
    collection: FeeCollection::Perpetual,
    distribution: StorageDistribution::Perpetual,
    take_back: RefundTakeBack::AfterNewEpoch,
};
