//! The lowering of operations: what it may read, what it has decided so far.

use std::collections::BTreeSet;

use dpp::fee::PricingRule;
use dpp::primitives::Credits;

use super::{ApplyContext, DriveOperation, RankChanges, RemovalPlan, RuleBatches};
use crate::error::DriveError;
use crate::store::{Element, Flags, StateReader, StoreOp, TreeKind};
use crate::tree::Path;
use crate::{contract, document, identity};

/// Collects the store operations of one transition.
pub struct Lowering<'a> {
    /// Reads the state the operations will be applied to; its cost is part of the fee.
    pub reader: &'a StateReader<'a>,
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
}

impl<'a> Lowering<'a> {
    /// An empty lowering.
    pub fn new(reader: &'a StateReader<'a>, context: &'a ApplyContext) -> Self {
        Self {
            reader,
            context,
            ranks: RankChanges::default(),
            drains: RemovalPlan::default(),
            drained: BTreeSet::new(),
            batches: RuleBatches::default(),
            made_trees: BTreeSet::new(),
            prepaid_deletion: Credits::ZERO,
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
        if self.made_trees.contains(path) || !self.reader.contains(path, key)? {
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

    /// The operations by pricing rule.
    pub fn finish(mut self) -> Result<Lowered, DriveError> {
        for (rule, operation) in core::mem::take(&mut self.ranks).into_operations(self.reader)? {
            self.push(rule, operation);
        }
        let unbilled = self.drains.into_operations(&self.reader.apart())?;
        Ok(Lowered { unbilled, batches: self.batches, prepaid_deletion: self.prepaid_deletion })
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
