//! State transitions: decode, structure, sign, verify (wire format, sections 3 to 8).
//!
//! Invariants: only canonical bytes decode; signable bytes are those of the re-encoded transition
//! without the fields section 4 names. Absent: anything that needs state.

mod batch;
mod claim;
mod codec;
mod contract;
mod decode;
mod funding;
mod identity;
mod kind;
mod moderation;
mod signature;
mod structure;
mod vote;

pub use batch::{
    ActionFeeAgreement, Batch, DocumentAction, DocumentBase, DocumentTransition, KnownFeeMultiplier, TokenPayment,
    document_id_for,
};
pub use claim::ContractFeeClaim;
pub use contract::{ContractCreate, ContractUpdate};
pub use funding::{AssetLockProof, IdentityCreate, IdentityTopUp, OutPoint};
pub use identity::{IdentityCreditTransfer, IdentityCreditWithdrawal, IdentityUpdate, OutputScript, Pooling};
pub use kind::TransitionKind;
pub use moderation::{ContractUserModeration, ModerationAction, ModerationReason};
pub(crate) use structure::contract_structure;
pub use structure::{check_structure, keywords_are_valid};
pub use vote::{MasternodeVote, VoteChoice};

use crate::encoding;
use crate::identity::{Purpose, SecurityLevel};
use crate::primitives::hash::{sha256, sha256d};
use crate::primitives::{Identifier, KeyId};

/// A decoded state transition this platform executes, or names before it refuses it.
#[derive(Clone, Debug, PartialEq)]
pub enum StateTransition {
    /// Type 0.
    ContractCreate(ContractCreate),
    /// Type 1.
    ContractUpdate(ContractUpdate),
    /// Type 2.
    Batch(Batch),
    /// Type 3: decoded, not executed.
    IdentityCreate(IdentityCreate),
    /// Type 4: decoded, not executed.
    IdentityTopUp(IdentityTopUp),
    /// Type 5: decoded, not executed.
    IdentityCreditWithdrawal(IdentityCreditWithdrawal),
    /// Type 6.
    IdentityUpdate(IdentityUpdate),
    /// Type 7.
    IdentityCreditTransfer(IdentityCreditTransfer),
    /// Type 8: decoded, not executed.
    MasternodeVote(MasternodeVote),
    /// Type 24.
    ContractUserModeration(ContractUserModeration),
    /// Type 25.
    ContractFeeClaim(ContractFeeClaim),
}

/// Fields every identity-signed transition ends with, and its fee increase.
///
/// Identity create and top-up are signed by the key behind their asset lock: their `key_id` is not
/// on the wire and 0. A vote has no fee increase: its `user_fee_increase` is not on the wire and 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signing {
    /// Percent by which the signer raises the processing fee.
    pub user_fee_increase: u16,
    /// Key of the signing identity.
    pub key_id: KeyId,
    /// Signature over the signable bytes; empty = unsigned.
    pub signature: Vec<u8>,
}

impl StateTransition {
    /// The transition's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        encoding::to_bytes(self)
    }

    /// The bytes a signature is made over: without signatures, key number and derived id.
    pub fn signable_bytes(&self) -> Vec<u8> {
        encoding::to_bytes(&codec::Signable(self))
    }

    /// The digest that is signed: the double hash of the signable bytes.
    pub fn signable_digest(&self) -> [u8; 32] {
        sha256d(&self.signable_bytes())
    }

    /// The transition's hash, by which clients wait for its result: the single hash of its bytes.
    pub fn hash(&self) -> [u8; 32] {
        sha256(&self.to_bytes())
    }

    /// The protocol's name of the transition.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Number and rules of its type.
    pub fn kind(&self) -> TransitionKind {
        match self {
            Self::ContractCreate(_) => TransitionKind::DataContractCreate,
            Self::ContractUpdate(_) => TransitionKind::DataContractUpdate,
            Self::Batch(_) => TransitionKind::Batch,
            Self::IdentityCreate(_) => TransitionKind::IdentityCreate,
            Self::IdentityTopUp(_) => TransitionKind::IdentityTopUp,
            Self::IdentityCreditWithdrawal(_) => TransitionKind::IdentityCreditWithdrawal,
            Self::IdentityUpdate(_) => TransitionKind::IdentityUpdate,
            Self::IdentityCreditTransfer(_) => TransitionKind::IdentityCreditTransfer,
            Self::MasternodeVote(_) => TransitionKind::MasternodeVote,
            Self::ContractUserModeration(_) => TransitionKind::ContractUserModeration,
            Self::ContractFeeClaim(_) => TransitionKind::ContractFeeClaim,
        }
    }

    /// Fee increase, key and signature.
    pub fn signing(&self) -> &Signing {
        match self {
            Self::ContractCreate(transition) => &transition.signing,
            Self::ContractUpdate(transition) => &transition.signing,
            Self::Batch(transition) => &transition.signing,
            Self::IdentityCreate(transition) => &transition.signing,
            Self::IdentityTopUp(transition) => &transition.signing,
            Self::IdentityCreditWithdrawal(transition) => &transition.signing,
            Self::IdentityUpdate(transition) => &transition.signing,
            Self::IdentityCreditTransfer(transition) => &transition.signing,
            Self::MasternodeVote(transition) => &transition.signing,
            Self::ContractUserModeration(transition) => &transition.signing,
            Self::ContractFeeClaim(transition) => &transition.signing,
        }
    }

    /// Fee increase, key and signature, to be changed.
    pub fn signing_mut(&mut self) -> &mut Signing {
        match self {
            Self::ContractCreate(transition) => &mut transition.signing,
            Self::ContractUpdate(transition) => &mut transition.signing,
            Self::Batch(transition) => &mut transition.signing,
            Self::IdentityCreate(transition) => &mut transition.signing,
            Self::IdentityTopUp(transition) => &mut transition.signing,
            Self::IdentityCreditWithdrawal(transition) => &mut transition.signing,
            Self::IdentityUpdate(transition) => &mut transition.signing,
            Self::IdentityCreditTransfer(transition) => &mut transition.signing,
            Self::MasternodeVote(transition) => &mut transition.signing,
            Self::ContractUserModeration(transition) => &mut transition.signing,
            Self::ContractFeeClaim(transition) => &mut transition.signing,
        }
    }

    /// The identity that signs and pays; the identity that is funded, for create and top-up.
    pub fn owner_id(&self) -> Identifier {
        match self {
            Self::ContractCreate(transition) => transition.contract.owner_id,
            Self::ContractUpdate(transition) => transition.contract.owner_id,
            Self::Batch(transition) => transition.owner_id,
            Self::IdentityCreate(transition) => transition.identity_id,
            Self::IdentityTopUp(transition) => transition.identity_id,
            Self::IdentityCreditWithdrawal(transition) => transition.identity_id,
            Self::IdentityUpdate(transition) => transition.identity_id,
            Self::IdentityCreditTransfer(transition) => transition.identity_id,
            Self::MasternodeVote(transition) => transition.voter_id,
            Self::ContractUserModeration(transition) => transition.owner_id,
            Self::ContractFeeClaim(transition) => transition.owner_id,
        }
    }

    /// What tells a sender's transitions apart in a mempool that holds one a label: identity, contract
    /// and nonce together, so that two nonces do not stand in each other's way.
    pub fn sender_label(&self) -> String {
        let owner = self.owner_id();
        match self {
            Self::ContractCreate(transition) => format!("{owner}-{}", transition.identity_nonce),
            Self::ContractUpdate(transition) => {
                format!("{owner}-{}-{}", transition.contract.id, transition.identity_contract_nonce)
            }
            Self::Batch(batch) => match batch.transitions.first() {
                Some(first) => {
                    format!("{owner}-{}-{}", first.base.contract_id, first.base.identity_contract_nonce)
                }
                None => owner.to_string(),
            },
            Self::IdentityUpdate(transition) => format!("{owner}-{}", transition.nonce),
            Self::IdentityCreditTransfer(transition) => format!("{owner}-{}", transition.nonce),
            Self::ContractUserModeration(act) => format!("{owner}-{}-{}", act.contract_id, act.identity_contract_nonce),
            Self::ContractFeeClaim(claim) => format!("{owner}-{}-{}", claim.contract_id, claim.identity_contract_nonce),
            Self::IdentityCreate(_)
            | Self::IdentityTopUp(_)
            | Self::IdentityCreditWithdrawal(_)
            | Self::MasternodeVote(_) => owner.to_string(),
        }
    }

    /// Purposes a signing key may have; empty where no identity key signs.
    pub fn allowed_purposes(&self) -> &'static [Purpose] {
        self.kind().key_purposes()
    }

    /// Levels a signing key may have; for a batch those of the envelope, before its document types
    /// are known.
    pub fn allowed_security_levels(&self) -> &'static [SecurityLevel] {
        self.kind().key_levels()
    }

    /// Percent by which the signer raises the processing fee.
    pub fn user_fee_increase(&self) -> u16 {
        self.signing().user_fee_increase
    }
}
