//! The cleanup of expired documents: the only reader of `rules.block.expire`.

use dpp::primitives::TimestampMillis;
use drive::expiry::{QueueChanges, QueueFigures, Removals, remove_expired_documents};

use super::super::BlockContext;
use crate::error::NodeError;
use crate::operations::metrics::{self, Stopwatch};

/// Removes what is due, within the budget; nothing at versions without the step.
pub(in super::super) fn expire_documents(
    context: &BlockContext<'_, '_>,
    figures: &QueueFigures,
    queue: &mut QueueChanges,
) -> Result<Removals, NodeError> {
    // # Rule TTL-37: no cleanup before version 14
    let Some(budget) = context.rules.block.expire else { return Ok(Removals::default()) };
    // the oldest entry there is, or now: the range read starts there instead of walking over what
    // was deleted before it, and finds the same rows
    let from = figures.lower_bound(context.block.time);
    let watch = Stopwatch::start();
    let removals = remove_expired_documents(
        context.transaction,
        context.drive.contracts(),
        context.rules,
        &context.block,
        (budget, from),
    )?;
    metrics::cleaned(&watch);
    for removal in &removals.removed {
        queue.remove(removal.expires_at);
    }
    for (entry, _) in &removals.orphans {
        if let Some(at) = entry.expires_at() {
            queue.remove(at);
        }
    }
    log(context, &removals, figures.outlook(queue, context.block.time).due);
    Ok(removals)
}

fn log(context: &BlockContext<'_, '_>, removals: &Removals, backlog: u64) {
    if removals.removed.is_empty() && removals.orphans.is_empty() {
        return;
    }
    let TimestampMillis(time) = context.block.time;
    tracing::debug!(
        height = context.block.height.0,
        time,
        removed = removals.removed.len(),
        orphans = removals.orphans.len(),
        weight = removals.weight,
        bytes = removals.document_bytes,
        backlog,
        "expired documents removed"
    );
}
