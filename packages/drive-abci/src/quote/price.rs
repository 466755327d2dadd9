//! What the writes of a transition cost at most, and which epochs get it.

use std::collections::BTreeMap;

use dpp::block::BlockInfo;
use dpp::fee::{
    EpochSchedule, LifetimePoolKey, PerpetualDistribution, PricingRule, WorkCost, price, spread_lifetime_pools,
};
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, EpochIndex, Identifier};
use drive::DriveError;
use drive::action::NonceUse;
use drive::estimate::{Estimate, estimate};
use drive::operation::{ApplyContext, DriveOperation};
use platform_version::PlatformVersion;

use super::checks::checks;
use super::document::Planned;
use super::report::{Cost, EpochRun, NonceCost, Rent};
use super::request::QuoteRequest;
use crate::block::document_operation;
use crate::error::NodeError;

/// The epoch after the block's own: the first that storage fees reach.
const NEXT: EpochIndex = EpochIndex(1);

/// Bounds of all a transition is charged for.
pub(super) fn cost(planned: &Planned, request: &QuoteRequest<'_>) -> Result<Cost, NodeError> {
    let context = context(request);
    let (first_nonce, operation) = (first_nonce(planned), document_operation(&planned.action));
    let store_nonce = DriveOperation::StoreNonce(first_nonce);
    // what shares a batch is estimated together, so that the total is what check_tx answers
    let all = estimate(&[store_nonce.clone(), operation.clone()], &context)?;
    let (document, nonce) = (estimate(&[operation], &context)?, estimate(&[store_nonce], &context)?);
    let nonce = NonceCost::of(&nonce, request.rules)?;
    let beside = document.prepaid_deletion.plus(nonce.processing, "processing beside the writes")?;
    let checks = checks(planned, (request.action, first_nonce), &context)?;
    let (storage, processing) = (all.fee.storage, all.fee.processing.plus(checks, "processing")?);
    let (epochs, leftover) = paid_epochs(&document, request)?;
    Ok(Cost {
        rents: rents(&document, request.rules)?,
        prepaid_deletion: document.prepaid_deletion,
        writes: all.fee.processing.minus(beside, "processing of the writes")?,
        nonce,
        checks,
        storage,
        processing,
        total: storage.plus(processing, "total")?,
        epochs,
        leftover,
    })
}

fn context(request: &QuoteRequest<'_>) -> ApplyContext {
    let block = BlockInfo {
        time: request.block_time(),
        height: BlockHeight(u64::MAX),
        core_height: CoreBlockHeight(u32::MAX),
        epoch: EpochIndex(0),
    };
    ApplyContext { rules: request.rules, block, schedule: request.schedule }
}

/// The first nonce a writer uses for a contract is a new element; every later one replaces it.
fn first_nonce(planned: &Planned) -> NonceUse {
    let contract_id = planned.action.contract.contract().id;
    NonceUse::Contract { identity_id: Identifier([2; 32]), contract_id, stored: u64::MAX, is_known: false }
}

/// Storage by what its bytes are priced at.
fn rents(document: &Estimate, rules: &PlatformVersion) -> Result<Vec<Rent>, NodeError> {
    let mut rents = Vec::new();
    for (rule, work) in document.batches.iter().filter(|(_, work)| work.added_bytes > 0) {
        let added = WorkCost { added_bytes: work.added_bytes, ..WorkCost::default() };
        let credits = price(&added, *rule, &rules.fee)?.storage;
        let (per_byte, lifetime_epochs) = match rule {
            PricingRule::DocumentTtl { per_byte, lifetime } => (*per_byte, Some(lifetime.get())),
            PricingRule::Ordinary => (Credits(rules.fee.storage.permanent_byte), None),
            // its bytes are processing
            PricingRule::TimeRangeTtl => continue,
        };
        rents.push(Rent { bytes: work.added_bytes, per_byte, lifetime_epochs, credits });
    }
    Ok(rents)
}

impl NonceCost {
    fn of(estimate: &Estimate, rules: &PlatformVersion) -> Result<Self, NodeError> {
        let bytes = rents(estimate, rules)?.iter().fold(0_u64, |sum, rent| sum.saturating_add(rent.bytes));
        Ok(Self { bytes, storage: estimate.fee.storage, processing: estimate.fee.processing })
    }
}

/// Which epochs get the document's storage fees, and what rounding leaves for a later change.
fn paid_epochs(document: &Estimate, request: &QuoteRequest<'_>) -> Result<(Vec<EpochRun>, Credits), NodeError> {
    let pools = document.fee.lifetime_storage.iter();
    let pools =
        pools.map(|(lifetime, credits)| (LifetimePoolKey { collected: EpochIndex(0), lifetime: *lifetime }, *credits));
    let mut shares = spread_lifetime_pools(&pools.collect(), NEXT)?;
    let leftover = perpetual(document.fee.permanent_storage()?, request, &mut shares)?;
    let mut runs: Vec<EpochRun> = Vec::new();
    for (epoch, each) in shares.into_iter().filter(|(_, each)| *each != Credits::ZERO) {
        match runs.last_mut() {
            Some(run) if run.each == each && run.last.checked_add(1) == Some(epoch.0) => run.last = epoch.0,
            _ => runs.push(EpochRun { first: epoch.0, last: epoch.0, each }),
        }
    }
    Ok((runs, leftover))
}

fn perpetual(
    fee: Credits,
    request: &QuoteRequest<'_>,
    shares: &mut BTreeMap<EpochIndex, Credits>,
) -> Result<Credits, NodeError> {
    let schedule: EpochSchedule = request.schedule;
    let distribution = PerpetualDistribution::of(fee, NEXT, schedule, &request.rules.fee.era_parts)?;
    for (epoch, share) in distribution.shares() {
        let slot = shares.entry(epoch).or_default();
        *slot = slot.plus(share, "storage fees of an epoch").map_err(DriveError::from)?;
    }
    Ok(distribution.leftover())
}
