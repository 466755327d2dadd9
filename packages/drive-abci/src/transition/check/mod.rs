//! The checks, in the one order of check_tx and blocks (node rules, section 4).
//!
//! | steps | what | refused |
//! |---|---|---|
//! | 1 to 5 | size, canonical bytes, version, executed kinds, structure | unpaid |
//! | 6 to 8 | signer, key, signature; nonce; least balance | unpaid |
//! | 9 to 12 | ids, contracts and documents, schemas, ownership, uniqueness | paid |
//!
//! Step 13, whether the fee can be paid, follows in `block::settle` with the real cost.

mod action_fee;
mod batch;
mod contract_create;
mod contract_references;
mod contract_update;
mod credit_transfer;
mod document;
mod envelope;
mod fee_claim;
mod gate;
mod identity_update;
mod moderation;
mod signer;

use dpp::ConsensusError;
use dpp::consensus_error::{BasicError, FeeError, SignatureError, StateError};
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{Credits, Identifier};
use dpp::transition::StateTransition;
use drive::DriveError;
use drive::action::{Action, ActionFeeDue, CreditMove, NonceUse, TokenChange};
use drive::store::StateReader;

use super::{Payment, Refusal, Work};
use crate::block::BlockContext;
use crate::error::NodeError;

/// Where a transition is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before it enters the mempool: state that a later block decides is not asked.
    CheckTx,
    /// In a block.
    Block,
}

/// A transition that passed every check. Only the checks make one, so what executes was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(crate) action: Action,
    pub(crate) signer: Identifier,
    pub(crate) balance: Credits,
    pub(crate) nonce: NonceUse,
    /// Credits that leave the signer beside the fee.
    pub(crate) moved: Option<CreditMove>,
    /// Credits that leave the signer for the contract's pots.
    pub(crate) action_fee: Credits,
    /// What validation cost.
    pub(crate) work: Credits,
    /// The part of it that is the same in every state: all but the billed reads.
    pub(crate) fixed_work: Credits,
    pub(crate) user_fee_increase: u16,
    /// Added to processing after the increase: contract registration.
    pub(crate) fixed_fee: Credits,
    _only_checks_build_this: (),
}

/// Why a check stops: the user's mistake, or a failing node. The two never mix.
pub(super) enum Stop {
    /// A refusal.
    User(Box<ConsensusError>),
    /// A failure of the node.
    Node(NodeError),
}

/// Judges raw bytes. `Ok(Err(_))` is a refusal, `Err(_)` a failure of the node.
pub(crate) fn check(
    context: &BlockContext<'_, '_>,
    stage: Stage,
    bytes: &[u8],
) -> Result<Result<Checked, Refusal>, NodeError> {
    let transition = match envelope::decode(context, bytes) {
        Ok(transition) => transition,
        Err(error) => return Ok(Err(Refusal::unpaid(*error))),
    };
    let judge = Judge::new(context, stage);
    judge.run(&transition)
}

/// The state of one transition's judgement.
pub(super) struct Judge<'j, 'b, 'd> {
    pub(super) context: &'j BlockContext<'b, 'd>,
    pub(super) stage: Stage,
    /// Reads billed by what they cost.
    pub(super) billed: StateReader<'j>,
    /// Reads billed by a fixed price, or not at all.
    pub(super) fixed: StateReader<'j>,
    pub(super) work: Work,
    /// The key that signed, once it is known.
    pub(super) signing_key: Option<IdentityPublicKey>,
    /// Credits the action moves away from the signer.
    pub(super) moved: Option<CreditMove>,
    /// What the action costs on top of gas.
    pub(super) action_fee: ActionFeeDue,
    /// What the signer agreed to pay in tokens.
    pub(super) due: Option<document::Due>,
    /// What that makes of balances and supplies.
    pub(super) token_changes: Vec<TokenChange>,
}

impl<'j, 'b, 'd> Judge<'j, 'b, 'd> {
    fn new(context: &'j BlockContext<'b, 'd>, stage: Stage) -> Self {
        Self {
            context,
            stage,
            billed: context.transaction.reader(),
            fixed: context.transaction.reader(),
            work: Work::new(&context.rules.fee),
            signing_key: None,
            moved: None,
            action_fee: ActionFeeDue::default(),
            due: None,
            token_changes: Vec::new(),
        }
    }

    fn run(mut self, transition: &StateTransition) -> Result<Result<Checked, Refusal>, NodeError> {
        let signed = match self.signed(transition) {
            Ok(signed) => signed,
            Err(Stop::User(error)) => return Ok(Err(Refusal::unpaid(*error))),
            Err(Stop::Node(error)) => return Err(error),
        };
        let judged = match transition {
            StateTransition::ContractCreate(create) => self.contract_create(create),
            StateTransition::ContractUpdate(update) => self.contract_update(update),
            StateTransition::Batch(batch) => self.batch(batch),
            StateTransition::IdentityUpdate(update) => self.identity_update(transition, update),
            StateTransition::IdentityCreditTransfer(transfer) => self.credit_transfer(transfer),
            StateTransition::ContractUserModeration(moderation) => self.moderation(moderation),
            StateTransition::ContractFeeClaim(claim) => self.fee_claim(claim),
            other => Err(envelope::not_executed(other)),
        };
        let fixed_work = self.work.credits();
        self.work.reads(&self.billed.take_cost())?;
        let user_fee_increase = transition.user_fee_increase();
        match judged {
            Ok(action) => Ok(Ok(Checked {
                action,
                signer: signed.signer,
                balance: signed.balance,
                nonce: signed.nonce,
                moved: self.moved,
                action_fee: self.action_fee.total()?,
                work: self.work.credits(),
                fixed_work,
                user_fee_increase,
                fixed_fee: signed.fixed_fee,
                _only_checks_build_this: (),
            })),
            Err(Stop::User(error)) => {
                let payment = Payment::Paid {
                    payer: signed.signer,
                    nonce: signed.nonce,
                    work: self.work.credits(),
                    user_fee_increase,
                };
                Ok(Err(Refusal { error: *error, payment }))
            }
            Err(Stop::Node(error)) => Err(error),
        }
    }

    /// Steps 6 to 8.
    fn signed(&mut self, transition: &StateTransition) -> Result<signer::Signed, Stop> {
        let (signer, balance) = self.verified_signer(transition)?;
        let nonce = self.next_nonce(transition, signer)?;
        let fixed_fee = envelope::fixed_fee(transition, &self.context.rules.fee)?;
        let least = envelope::least_balance(transition, &self.context.rules.fee, fixed_fee);
        if balance < least {
            return Err(envelope::balance_is_not_enough(signer, balance, least).into());
        }
        Ok(signer::Signed { signer, balance, nonce, fixed_fee })
    }
}

macro_rules! refusals {
    ($($error:ty),*) => {
        $(
            impl From<$error> for Stop {
                fn from(error: $error) -> Self {
                    Stop::User(Box::new(error.into()))
                }
            }
        )*
    };
}

refusals!(ConsensusError, BasicError, SignatureError, FeeError, StateError);

/// A failure of the state, met during a check. A stored document that does not decode is refused like one
/// that was sent: an update of its contract may have done that, and the chain goes on without it.
pub(super) fn failed(error: impl Into<DriveError>) -> Stop {
    match error.into() {
        DriveError::UndecodableDocument { document_type, reason, .. } => {
            BasicError::DecodingDocumentError { document_type, reason }.into()
        }
        error => Stop::Node(NodeError::Drive(error)),
    }
}

/// A failure of fee arithmetic, met during a check.
pub(super) fn overflowed(error: dpp::primitives::ArithmeticOverflow) -> Stop {
    Stop::Node(error.into())
}
