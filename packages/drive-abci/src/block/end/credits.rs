//! The books: what was issued equals what is accounted for, after every block.

use dpp::primitives::{Credits, SignedCredits};
use drive::DriveError;
use drive::store::StateReader;
use drive::tree::root;

use super::super::BlockContext;
use crate::error::NodeError;
use crate::platform::CreditsReport;

/// A block that loses or makes a credit is not committed (fees and epochs, section 12).
pub(in super::super) fn credits_are_balanced(context: &BlockContext<'_, '_>) -> Result<(), NodeError> {
    let report = credits_report(&context.transaction.reader())?;
    if report.balanced {
        return Ok(());
    }
    let CreditsReport { issued, accounted, .. } = report;
    Err(NodeError::CreditsOutOfBalance { height: context.block.height.0, issued, accounted })
}

/// Misc's total beside the sums of balances, pools and prefunded balances: four reads, whatever
/// the state holds.
pub(crate) fn credits_report(reader: &StateReader<'_>) -> Result<CreditsReport, NodeError> {
    let issued = drive::structure::total_credits(reader)?;
    let sum = |key: u8| reader.sum_tree_total(&drive::tree::Path::default(), &[key]).map_err(DriveError::from);
    let [identities, pools, prefunded] = [sum(root::BALANCES)?, sum(root::POOLS)?, sum(root::PREFUNDED_BALANCES)?];
    let accounted = identities.checked_add(pools).and_then(|sum| sum.checked_add(prefunded));
    let accounted =
        accounted.ok_or_else(|| DriveError::Corrupted("the sums of credits pass their range".to_owned()))?;
    let accounted = u64::try_from(accounted)
        .map_err(|_| DriveError::Corrupted(format!("the state accounts for {accounted} credits")))?;
    Ok(CreditsReport {
        issued,
        identities: SignedCredits(identities),
        pools: SignedCredits(pools),
        prefunded: SignedCredits(prefunded),
        accounted: Credits(accounted),
        balanced: issued.0 == accounted,
    })
}
