//! Executing a checked transition inside a savepoint, pricing what really happened, and paying
//! (fees and epochs, section 4).

use std::collections::BTreeMap;

use dpp::consensus_error::FeeError as CannotPay;
use dpp::contract::{BarredList, FeePot};
use dpp::document::Document;
use dpp::fee::{FeeResult, Payment as Settlement, repay_debt, settle_payment};
use dpp::primitives::{Credits, Identifier};
use drive::DriveError;
use drive::action::{Action, CreditMove, DocumentAction, DocumentChange, IdentityUpdate};
use drive::identity;
use drive::moderation::ModerationOperation;
use drive::operation::{DocumentOperation, DriveOperation, apply_operations};
use drive::pot::PotOperation;

use super::BlockContext;
use super::estimate::{affordable, estimate_held};
use crate::error::NodeError;
use crate::platform::FeePaid;
use crate::transition::{Checked, Payment};

/// What became of a fee.
pub(crate) enum Settled {
    /// Paid; `processing` is what the pools get of it.
    Paid {
        /// The fee.
        fee: FeeResult,
        /// Processing that was paid, repaid debts of refunded owners included.
        processing: Credits,
    },
    /// The payer cannot pay; nothing was written.
    Unpayable(CannotPay),
}

impl Settled {
    /// The fee as results report it.
    pub(crate) fn fee_paid(fee: &FeeResult, processing: Credits) -> Result<FeePaid, NodeError> {
        let permanent = fee.permanent_storage()?;
        let lifetime_storage = fee.storage.minus(permanent, "lifetime storage fee")?;
        Ok(FeePaid { storage: fee.storage, lifetime_storage, processing })
    }
}

/// Executes a checked transition and takes its fee, if the signer owns the most it can cost.
pub(crate) fn execute(context: &BlockContext<'_, '_>, checked: &Checked) -> Result<Settled, NodeError> {
    let operations = all_operations(checked);
    // refused before anything is written
    let estimate = match affordable(context, checked, &operations)? {
        Ok(estimate) => estimate,
        Err(cannot_pay) => return Ok(Settled::Unpayable(cannot_pay)),
    };
    let bill = Bill {
        payer: checked.signer,
        balance: checked.balance,
        moved: checked.moved,
        action_fee: checked.action_fee,
        shares: shares_of(&checked.action),
        work: checked.work,
        user_fee_increase: checked.user_fee_increase,
        fixed_fee: checked.fixed_fee,
        may_owe: true,
    };
    let settled = apply_and_pay(context, &operations, &bill)?;
    if let Settled::Paid { fee, .. } = &settled {
        estimate_held(&estimate, fee)?;
    }
    Ok(settled)
}

fn all_operations(checked: &Checked) -> Vec<DriveOperation> {
    let mut operations = vec![DriveOperation::StoreNonce(checked.nonce)];
    operations.extend(operations_of(&checked.action));
    operations
}

/// A refused, paid transition: only the nonce is written, and the work so far is charged.
pub(crate) fn charge_refusal(context: &BlockContext<'_, '_>, payment: &Payment) -> Result<Settled, NodeError> {
    let Payment::Paid { payer, nonce, work, user_fee_increase } = *payment else {
        return Ok(Settled::Paid { fee: FeeResult::default(), processing: Credits::ZERO });
    };
    let balance = identity::balance(&context.transaction.reader(), payer)?.unwrap_or_default();
    let bill = Bill {
        payer,
        balance,
        moved: None,
        action_fee: Credits::ZERO,
        shares: &[],
        work,
        user_fee_increase,
        fixed_fee: Credits::ZERO,
        may_owe: false,
    };
    apply_and_pay(context, &[DriveOperation::StoreNonce(nonce)], &bill)
}

/// What check_tx asks: the most it can cost, and whether the signer owns that. Nothing is read or written.
pub(crate) fn dry_run(
    context: &BlockContext<'_, '_>,
    checked: &Checked,
) -> Result<Result<FeePaid, CannotPay>, NodeError> {
    match affordable(context, checked, &all_operations(checked))? {
        Ok(fee) => Ok(Ok(Settled::fee_paid(&fee, fee.processing)?)),
        Err(cannot_pay) => Ok(Err(cannot_pay)),
    }
}

struct Bill<'a> {
    payer: Identifier,
    balance: Credits,
    moved: Option<CreditMove>,
    /// Leaves the payer for pots; the operations add it there.
    action_fee: Credits,
    /// Reach identities from a pot; the operations take them from it.
    shares: &'a [CreditMove],
    work: Credits,
    user_fee_increase: u16,
    fixed_fee: Credits,
    /// Whether processing the balance does not cover becomes a debt: the estimate was covered.
    may_owe: bool,
}

/// Writes all or nothing: whatever does not end paid is undone, failures too.
fn apply_and_pay(
    context: &BlockContext<'_, '_>,
    operations: &[DriveOperation],
    bill: &Bill<'_>,
) -> Result<Settled, NodeError> {
    context.transaction.set_savepoint();
    let settled = try_to_pay(context, operations, bill);
    if !matches!(settled, Ok(Settled::Paid { .. })) {
        context.transaction.undo_to_savepoint().map_err(DriveError::from)?;
    }
    settled
}

fn try_to_pay(
    context: &BlockContext<'_, '_>,
    operations: &[DriveOperation],
    bill: &Bill<'_>,
) -> Result<Settled, NodeError> {
    let fee = apply_operations(context.transaction, operations, &context.apply_context())?
        .plus_processing(bill.work)?
        .with_user_fee_increase(bill.user_fee_increase)
        .plus_processing(bill.fixed_fee)?;
    // refunds do not count towards what a payer must have
    let moved = bill.moved.map_or(Credits::ZERO, |moved| moved.amount);
    let moved = moved.plus(bill.action_fee, "credits moved and action fee")?;
    let required = fee.total()?.plus(moved, "fee and credits moved")?;
    let paid = if bill.balance >= required || bill.may_owe { pay(context, bill, &fee)? } else { None };
    if let Some(processing) = paid {
        return Ok(Settled::Paid { fee, processing });
    }
    let (identity_id, balance) = (bill.payer, bill.balance);
    Ok(Settled::Unpayable(CannotPay::BalanceIsNotEnoughError { identity_id, balance, required }))
}

/// Moves the credits: from the payer, to whom its action sends some, and to every refunded owner. These writes are not
/// part of the fee. `None`, with nothing written, when the balance does not cover the storage fee.
fn pay(context: &BlockContext<'_, '_>, bill: &Bill<'_>, fee: &FeeResult) -> Result<Option<Credits>, NodeError> {
    let mut incoming: BTreeMap<Identifier, Credits> = BTreeMap::new();
    for owner in fee.refunds.keys().filter(|owner| **owner != bill.payer) {
        incoming.insert(*owner, fee.refund_of(owner)?);
    }
    let mut available = bill.balance.minus(bill.action_fee, "balance less the action fee")?;
    if let Some(CreditMove { to, amount }) = bill.moved {
        available = available.minus(amount, "balance less the credits moved")?;
        let entry = incoming.entry(to).or_default();
        *entry = entry.plus(amount, "incoming credits")?;
    }
    let settlement = settle_payment(available, fee, fee.refund_of(&bill.payer)?)?;
    let Settlement::Paid { mut balance, mut debt, mut processing } = settlement else { return Ok(None) };
    for CreditMove { to, amount } in bill.shares {
        if *to == bill.payer {
            let split = repay_debt(*amount, debt);
            balance = balance.plus(split.to_balance, "balance with a share")?;
            processing = processing.plus(split.repaid, "processing fee with repaid debts")?;
            debt = split.debt;
        } else {
            let entry = incoming.entry(*to).or_default();
            *entry = entry.plus(*amount, "incoming credits")?;
        }
    }
    let mut operations = vec![DriveOperation::SetBalance { identity_id: bill.payer, balance }];
    if debt != Credits::ZERO {
        operations.push(DriveOperation::SetDebt { identity_id: bill.payer, debt });
    }
    for (owner, amount) in incoming {
        let repaid = credit(context, owner, amount, &mut operations)?;
        processing = processing.plus(repaid, "processing fee with repaid debts")?;
    }
    apply_operations(context.transaction, &operations, &context.apply_context())?;
    Ok(Some(processing))
}

/// Credits that reach an identity pay its debt first; that part goes to the processing pool.
fn credit(
    context: &BlockContext<'_, '_>,
    owner: Identifier,
    amount: Credits,
    operations: &mut Vec<DriveOperation>,
) -> Result<Credits, NodeError> {
    let reader = context.transaction.reader();
    let balance = identity::balance(&reader, owner)?
        .ok_or_else(|| DriveError::Corrupted(format!("identity {owner} gets credits and has no balance")))?;
    let owed = identity::debt(&reader, owner)?;
    let split = repay_debt(amount, owed);
    let balance = balance.plus(split.to_balance, "balance with incoming credits")?;
    operations.push(DriveOperation::SetBalance { identity_id: owner, balance });
    if split.repaid != Credits::ZERO {
        operations.push(DriveOperation::SetDebt { identity_id: owner, debt: split.debt });
    }
    Ok(split.repaid)
}

/// What an action asks of the state, beside the nonce and the credits.
fn operations_of(action: &Action) -> Vec<DriveOperation> {
    match action {
        Action::ContractCreate(contract) => vec![DriveOperation::InsertContract(contract.clone())],
        Action::ContractUpdate { stored, updated } => {
            vec![DriveOperation::UpdateContract { stored: stored.clone(), updated: updated.clone() }]
        }
        Action::Document(action) => document_operations(action),
        Action::IdentityUpdate(update) => identity_operations(update),
        Action::CreditTransfer => Vec::new(),
        Action::Moderation(act) => act.operations.iter().cloned().map(DriveOperation::Moderation).collect(),
        Action::FeeClaim(claim) => vec![DriveOperation::Pot(PotOperation::Claim {
            contract: claim.contract.clone(),
            pot: claim.pot,
            rest: claim.rest,
            claimant: claim.claimant,
        })],
    }
}

fn identity_operations(update: &IdentityUpdate) -> Vec<DriveOperation> {
    let IdentityUpdate { identity_id, revision, added, disabled } = update.clone();
    let mut operations = vec![DriveOperation::SetRevision { identity_id, revision }];
    operations.extend(added.into_iter().map(|key| DriveOperation::AddKey { identity_id, key }));
    operations.extend(disabled.into_iter().map(|key| DriveOperation::DisableKey { identity_id, key }));
    operations
}

/// Credits an action takes from a pot for identities.
fn shares_of(action: &Action) -> &[CreditMove] {
    match action {
        Action::FeeClaim(claim) => &claim.shares,
        _ => &[],
    }
}

/// The document, then tokens, then the action fee, and a suspension that is over.
fn document_operations(action: &DocumentAction) -> Vec<DriveOperation> {
    let contract_id = action.contract.contract().id;
    let mut operations = vec![document_operation(action)];
    operations.extend(action.token_changes.iter().copied().map(DriveOperation::ChangeToken));
    for (pot, amount) in [(FeePot::Owner, action.fee.owner), (FeePot::Moderators, action.fee.moderators)] {
        if amount != Credits::ZERO {
            operations.push(DriveOperation::Pot(PotOperation::Collect { contract_id, pot, amount }));
        }
    }
    operations.extend(action.lifts_suspension_of.map(|identity_id| {
        let list = BarredList::Suspensions;
        DriveOperation::Moderation(ModerationOperation::Unbar { contract_id, identity_id, list })
    }));
    operations
}

/// What a document action asks of the state.
pub(crate) fn document_operation(action: &DocumentAction) -> DriveOperation {
    let DocumentAction { contract, document_type, change, .. } = action;
    let on = |document: &Document| {
        Box::new(DocumentOperation {
            contract: contract.clone(),
            document_type: document_type.clone(),
            document: document.clone(),
        })
    };
    match change {
        DocumentChange::Create(document) => DriveOperation::InsertDocument(on(document)),
        DocumentChange::Change { stored, changed } => {
            DriveOperation::ChangeDocument { changed: on(changed), stored: stored.clone() }
        }
        DocumentChange::Delete(document) => DriveOperation::DeleteDocument(on(document)),
    }
}
