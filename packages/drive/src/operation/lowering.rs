//! The lowering of operations: what it sees of the state, what it has decided so far.

use std::collections::BTreeSet;

use dpp::fee::PricingRule;
use dpp::primitives::Credits;

use super::view::{KnownElements, View, WorstCase};
use super::{ApplyContext, DriveOperation, RankChanges, RemovalPlan, RuleBatches};
use crate::error::DriveError;
use crate::estimate::ReadBounds;
use crate::fee::Refunds;
use crate::store::{Element, Flags, StateReader, StoreOp, TreeKind};
use crate::tree::Path;
use crate::{contract, document, identity, moderation, pot, token};

/// Collects the store operations of one transition.
pub struct Lowering<'a> {
    /// What the operations see of the state.
    pub view: View<'a, 'a>,
    /// What the operations are applied under.
    pub context: &'a ApplyContext,
    /// Groups of ranked indexes that documents enter and leave.
    pub(crate) ranks: RankChanges,
    /// What is taken out of expired windows; nobody is billed.
    pub(crate) drains: RemovalPlan,
    drained: BTreeSet<Path>,
    batches: RuleBatches,
    made_trees: BTreeSet<Path>,
    prepaid_deletion: Credits,
    refunds: Refunds,
}

impl<'a> Lowering<'a> {
    /// An empty lowering on the state of `reader`, whose cost is part of the fee.
    pub fn new(reader: &'a StateReader<'a>, context: &'a ApplyContext) -> Self {
        Self::on(View::State(reader), context)
    }

    /// An empty lowering of a dry run.
    pub(crate) fn estimating(reads: &'a ReadBounds, context: &'a ApplyContext) -> Self {
        Self::on(View::Worst(WorstCase::new(reads)), context)
    }

    fn on(view: View<'a, 'a>, context: &'a ApplyContext) -> Self {
        Self {
            view,
            context,
            ranks: RankChanges::default(),
            drains: RemovalPlan::default(),
            drained: BTreeSet::new(),
            batches: RuleBatches::default(),
            made_trees: BTreeSet::new(),
            prepaid_deletion: Credits::ZERO,
            refunds: Refunds::default(),
        }
    }

    /// Adds the store operations of `operation`.
    pub fn lower(&mut self, operation: &DriveOperation) -> Result<(), DriveError> {
        match operation {
            DriveOperation::InsertContract(contract) => contract::insert(self, contract),
            DriveOperation::UpdateContract { stored, updated } => contract::update(self, stored, updated),
            DriveOperation::InsertDocument(operation) => document::insert(self, operation),
            DriveOperation::ChangeDocument { changed, stored } => document::change(self, changed, stored),
            DriveOperation::DeleteDocument(operation) => document::delete(self, operation),
            DriveOperation::InsertIdentity(identity) => identity::insert(self, identity),
            DriveOperation::AddKey { identity_id, key } => identity::insert_key(self, *identity_id, key),
            DriveOperation::DisableKey { identity_id, key } => {
                identity::disable_key(self, *identity_id, key);
                Ok(())
            }
            DriveOperation::SetRevision { identity_id, revision } => {
                identity::set_revision(self, *identity_id, *revision);
                Ok(())
            }
            DriveOperation::StoreNonce(nonce) => identity::store_nonce(self, *nonce),
            DriveOperation::SetBalance { identity_id, balance } => identity::set_balance(self, *identity_id, *balance),
            DriveOperation::SetDebt { identity_id, debt } => {
                identity::set_debt(self, *identity_id, *debt);
                Ok(())
            }
            DriveOperation::Moderation(operation) => moderation::lower(self, operation),
            DriveOperation::Pot(operation) => pot::lower(self, operation),
            DriveOperation::ChangeToken(change) => token::change(self, change),
        }
    }

    /// Adds a store operation under a pricing rule.
    pub fn push(&mut self, rule: PricingRule, operation: StoreOp) {
        self.batches.push(rule, operation);
    }

    /// Adds an operation priced as permanent storage.
    pub fn push_ordinary(&mut self, operation: StoreOp) {
        self.push(PricingRule::Ordinary, operation);
    }

    /// Creates a tree unless state or these operations have it.
    pub fn ensure_tree(
        &mut self,
        rule: PricingRule,
        path: &Path,
        key: &[u8],
        (kind, flags): (TreeKind, Option<Flags>),
    ) -> Result<(), DriveError> {
        let tree = path.child(key);
        if self.made_trees.contains(&tree) {
            return Ok(());
        }
        // nothing can be in a tree these operations make
        let is_below_new = self.made_trees.contains(path);
        if is_below_new {
            self.view.may_be_read(path);
        }
        if is_below_new || !self.view.contains(path, key)? {
            self.made_trees.insert(tree);
            self.push(rule, StoreOp::put(path.clone(), key, Element::Tree(kind, flags)));
        }
        Ok(())
    }

    /// Adds a prepaid deletion to the processing fee.
    pub fn prepay_deletion(&mut self, amount: Credits) -> Result<(), DriveError> {
        self.prepaid_deletion = self.prepaid_deletion.plus(amount, "prepaid deletion")?;
        Ok(())
    }

    /// The plan that windows standing in a tree are drained by; `None` when these operations drain them
    /// already.
    pub(crate) fn plan_drain(&mut self, windows: &Path) -> Option<&mut RemovalPlan> {
        self.drained.insert(windows.clone()).then_some(&mut self.drains)
    }

    /// Refunds nobody for what these operations remove.
    pub(crate) fn refund_nobody(&mut self) {
        self.refunds = Refunds::ToNobody;
    }

    /// Whom these operations refund.
    pub(crate) fn refunds(&self) -> Refunds {
        self.refunds
    }

    /// The operations by pricing rule.
    pub fn finish(mut self) -> Result<Lowered, DriveError> {
        self.rank()?;
        let unbilled = match self.view.unbilled() {
            Some(reader) => self.drains.into_operations(&View::State(&reader))?,
            None => Vec::new(),
        };
        Ok(Lowered { unbilled, batches: self.batches, prepaid_deletion: self.prepaid_deletion })
    }

    /// The same of a dry run, with what it knows of every state.
    pub(crate) fn finish_estimate(mut self) -> Result<(RuleBatches, Credits, KnownElements), DriveError> {
        self.rank()?;
        Ok((self.batches, self.prepaid_deletion, self.view.into_known()))
    }

    /// Adds the moves of the groups that documents entered and left.
    fn rank(&mut self) -> Result<(), DriveError> {
        for (rule, operation) in core::mem::take(&mut self.ranks).into_operations(&self.view)? {
            self.push(rule, operation);
        }
        Ok(())
    }
}

/// What operations were lowered to.
#[derive(Debug, Default)]
pub struct Lowered {
    /// What comes first, in a batch nobody is billed for.
    pub unbilled: Vec<StoreOp>,
    /// The operations by pricing rule.
    pub batches: RuleBatches,
    /// Added to processing.
    pub prepaid_deletion: Credits,
}
