//! Protocol version 14: documents may declare a time to live (design, "Versioning").

use core::num::{NonZeroU16, NonZeroU32};

use crate::rules::{
    block::{BlockRules, ExpiryBudget},
    contract::{ContractRules, MetaSchema, ParserGeneration, TypeUpdateRule},
    document::{ChangeEstimate, DisappearanceRule, DocumentRules, ExpiryCheck, RestoreCheck, TransientOnReplace},
    fee::{DocumentTtlFees, FeeCollection, FeeRules, RefundTakeBack, StorageDistribution, TtlTier},
    limits::{Limits, TtlLimits},
    state::{StateRules, StateStructure},
};
use crate::tables::v13::V13;
use crate::{PlatformVersion, ProtocolVersion};

/// The rules of protocol version 14, as changes to 13.
pub const V14: PlatformVersion = PlatformVersion {
    protocol_version: ProtocolVersion(14),
    contract: ContractRules {
        meta_schema: MetaSchema::V3,
        parser: ParserGeneration::Generation3,
        newest_config: 2,
        type_update: TypeUpdateRule::FixedSettingsAndTtl,
        ..V13.contract
    },
    document: DocumentRules {
        stored_version: 3,
        expiry_check: ExpiryCheck::RefuseChangesOfExpired,
        restore_check: RestoreCheck::RefuseExpired,
        disappearance: DisappearanceRule::AnyDeletionOrExpiry,
        transient_on_replace: TransientOnReplace::Dropped,
        change_estimate: ChangeEstimate::AsInsert,
    },
    block: BlockRules {
        expire: Some(ExpiryBudget { documents: NonZeroU16::new(128).unwrap(), weight: 1_024 }),
        ..V13.block
    },
    fee: FeeRules {
        document_ttl: Some(DOCUMENT_TTL_FEES),
        collection: FeeCollection::PerpetualAndLifetime,
        distribution: StorageDistribution::PerpetualAndLifetime,
        take_back: RefundTakeBack::AfterPreviousEpoch,
        ..V13.fee
    },
    limits: Limits {
        document_ttl: Some(TtlLimits {
            min_seconds: 3_600,
            max_seconds: 31_536_000,
            max_signed_summed_magnitude: 134_217_728,
        }),
        ..V13.limits
    },
    state: StateRules { structure: StateStructure::WithDocumentTtl, ..V13.state },
};

const DOCUMENT_TTL_FEES: DocumentTtlFees = DocumentTtlFees {
    tiers: [
        TtlTier { up_to_seconds: 3_600, per_byte: 1 },
        TtlTier { up_to_seconds: 86_400, per_byte: 4 },
        TtlTier { up_to_seconds: 172_800, per_byte: 8 },
        TtlTier { up_to_seconds: 345_600, per_byte: 15 },
        TtlTier { up_to_seconds: 604_800, per_byte: 26 },
    ],
    per_byte_and_period: 34,
    pricing_period_seconds: NonZeroU32::new(788_400).unwrap(),
    cleanup_base: 1_200_000,
    cleanup_per_index_level: 400_000,
    cleanup_per_document_byte: 420,
};
