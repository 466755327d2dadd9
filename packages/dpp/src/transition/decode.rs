//! From bytes to a transition that is worth judging (node rules, section 4, steps 1 to 4).

use platform_version::PlatformVersion;

use super::kind::knows_moderation;
use super::{DocumentAction, StateTransition, TransitionKind};
use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::encoding::{self, MalformedBytes};

impl StateTransition {
    /// Decodes a transition this platform executes; all refusals are unpaid.
    ///
    /// In order: at most the limit of bytes (10602); a type that is active (10603), which is asked of
    /// the number in front, since a version does not know the fields of types that came later; one
    /// transition in its one form, of variants the version knows (10002); executed (10006).
    pub fn from_bytes(bytes: &[u8], rules: &PlatformVersion) -> Result<Self, ConsensusError> {
        size_is_allowed(bytes, rules)?;
        is_active(bytes, rules)?;
        let transition = match Self::decode_canonical(bytes) {
            Ok(transition) => transition,
            Err(MalformedBytes::Unsupported(feature)) => return Err(refused_by_name(bytes, feature)),
            Err(error) => return Err(malformed(error)),
        };
        transition.variants_are_known(rules)?;
        transition.is_executed()?;
        Ok(transition)
    }

    /// Decodes any transition whose fields are known, executed or not, at no particular version.
    pub fn decode_canonical(bytes: &[u8]) -> Result<Self, MalformedBytes> {
        encoding::from_canonical_bytes(bytes)
    }

    /// Step 2: "known variants (config 2 or base 2 at 13: unknown)".
    fn variants_are_known(&self, rules: &PlatformVersion) -> Result<(), ConsensusError> {
        let newest_config = rules.contract.newest_config;
        let config = match self {
            Self::ContractCreate(create) => create.contract.config.version,
            Self::ContractUpdate(update) => update.contract.config.version,
            _ => 0,
        };
        if config > newest_config {
            return Err(unknown_version("contract config", config));
        }
        match self {
            Self::Batch(batch) if !knows_moderation(rules) => {
                let base_2 = batch.transitions.iter().find(|transition| transition.base.version >= 2);
                base_2.map_or(Ok(()), |transition| Err(unknown_version("document base", transition.base.version)))
            }
            _ => Ok(()),
        }
    }

    /// Step 4: "decoded, not executed".
    fn is_executed(&self) -> Result<(), ConsensusError> {
        if !self.kind().is_executed() {
            return Err(not_executed(self.name().to_owned(), self.kind()));
        }
        match self {
            Self::Batch(batch) if batch.transitions.iter().any(|transition| has_contest_fund(&transition.action)) => {
                Err(not_executed("a prefunded voting balance".to_owned(), self.kind()))
            }
            _ => Ok(()),
        }
    }
}

fn has_contest_fund(action: &DocumentAction) -> bool {
    matches!(action, DocumentAction::Create { prefunded_voting_balance: Some(_), .. })
}

fn size_is_allowed(bytes: &[u8], rules: &PlatformVersion) -> Result<(), ConsensusError> {
    let limit = rules.limits.state_transition_bytes;
    match u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        size if size <= u64::from(limit) => Ok(()),
        size => Err(BasicError::StateTransitionMaxSizeExceededError { size, limit }.into()),
    }
}

/// Step 3.
fn is_active(bytes: &[u8], rules: &PlatformVersion) -> Result<(), ConsensusError> {
    match kind_of(bytes) {
        Some(kind) if !kind.is_active(rules) => Err(not_active(kind, rules)),
        _ => Ok(()),
    }
}

/// Step 4 for what the decoder knows by name only.
fn refused_by_name(bytes: &[u8], feature: String) -> ConsensusError {
    match kind_of(bytes) {
        Some(kind) => not_executed(feature, kind),
        None => malformed(MalformedBytes::Unsupported(feature)),
    }
}

/// The type named by the number in front.
fn kind_of(bytes: &[u8]) -> Option<TransitionKind> {
    let (number, _) = encoding::from_prefix::<u32>(bytes).ok()?;
    TransitionKind::from_number(number)
}

fn not_active(kind: TransitionKind, rules: &PlatformVersion) -> ConsensusError {
    let first = PlatformVersion::ALL.into_iter().find(|table| kind.is_active(table));
    BasicError::StateTransitionNotActiveError {
        transition: kind.name().to_owned(),
        active_from: first.map_or(u32::MAX, |table| table.protocol_version.0),
        current: rules.protocol_version.0,
    }
    .into()
}

fn not_executed(feature: String, kind: TransitionKind) -> ConsensusError {
    let place = format!("state transition type {}", kind.number());
    BasicError::UnsupportedFeatureError { feature, place }.into()
}

fn unknown_version(what: &str, version: u16) -> ConsensusError {
    BasicError::SerializedObjectParsingError { reason: format!("{what} version {version} is unknown") }.into()
}

fn malformed(error: MalformedBytes) -> ConsensusError {
    BasicError::SerializedObjectParsingError { reason: error.to_string() }.into()
}
