//! The dry run: what operations can cost at most, without reading any state (design, "Fees"; fees
//! and epochs, section 18).
//!
//! The same lowering as the execution's, on the state that costs most ([`crate::operation::View`]),
//! gives the batches; their bytes are exact for elements that are new, and their work is that of the
//! highest trees and the longest elements the layout allows. So an estimate holds in any later block
//! before the expiry, whatever other transitions did meanwhile.
//!
//! Invariants: never below what the execution charges; refunds never lower it; pure. A tree is taken
//! to have at most the levels `fee.estimate` names for its kind. Past that the storage fee still holds,
//! and processing above the estimate becomes a debt of the payer.
//! Absent: what validation costs (`drive-abci`), and which epochs are paid.

mod batch_work;
mod levels;
mod reads;
mod tree_bound;

use dpp::document_type::DocumentType;
use dpp::fee::{FeeResult, PricingRule, WorkCost, price};
use dpp::primitives::Credits;

pub use reads::ReadBounds;
use tree_bound::TreeBounds;

use crate::error::DriveError;
use crate::operation::{ApplyContext, DriveOperation, Lowering};

/// What operations can cost at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// All of it; nothing is refunded.
    pub fee: FeeResult,
    /// Work and bytes by pricing rule, in the order the batches are applied.
    pub batches: Vec<(PricingRule, WorkCost)>,
    /// The part of the processing fee that prepays a deletion.
    pub prepaid_deletion: Credits,
}

/// The most `operations` can cost when they are applied in this block or, before the documents they
/// change expire, in a later one.
pub fn estimate(operations: &[DriveOperation], context: &ApplyContext) -> Result<Estimate, DriveError> {
    let reads = read_bounds(operations.iter().filter_map(DriveOperation::document_type), context);
    let mut lowering = Lowering::estimating(&reads, context);
    for operation in operations {
        lowering.lower(operation)?;
    }
    let (batches, prepaid_deletion, known) = lowering.finish_estimate()?;
    let fees = &context.rules.fee;
    let mut fee = price(&reads.total()?, PricingRule::Ordinary, fees)?.plus_processing(prepaid_deletion)?;
    let mut priced = Vec::new();
    for (rule, operations) in batches.in_order() {
        let work = batch_work::batch_work(&operations, &known, reads.trees())?;
        fee = fee.plus(price(&work, rule, fees)?)?;
        priced.push((rule, work));
    }
    Ok(Estimate { fee, batches: priced, prepaid_deletion })
}

/// Bounds of reads of documents of these types, for whoever reads besides.
pub fn read_bounds<'t>(types: impl IntoIterator<Item = &'t DocumentType>, context: &ApplyContext) -> ReadBounds {
    ReadBounds::new(TreeBounds::new(context.rules, types))
}
