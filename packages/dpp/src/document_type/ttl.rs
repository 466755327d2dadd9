//! `ttl` of a document type: seconds from `$createdAt` to expiry (document ttl, section 1).
//!
//! Invariants: the structural rules hold on every parse, so a type that cannot be cleaned up does
//! not exist; the limits hold under full validation only, so that a stored contract stays readable
//! if a limit ever moves. Absent: the rules about references and about updates of a type.

use std::collections::BTreeSet;

use platform_version::rules::limits::TtlLimits;

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::summed::declared;
use crate::document_type::{References, TypeSettings};
use crate::primitives::TtlSeconds;

/// What a type's `ttl` is judged with on every parse.
pub(crate) struct TtlContext {
    /// `$createdAt` is in `required`.
    pub records_creation: bool,
    /// An index is contested.
    pub has_contested_index: bool,
    /// `indexOnly` is true.
    pub index_only: bool,
    /// The other type-level settings.
    pub settings: TypeSettings,
}

/// Reads `ttl` and checks the rules that hold on every parse.
pub(crate) fn parse(
    schema: &SchemaNode<'_>,
    context: &TtlContext,
    findings: &mut Findings,
) -> Result<Option<TtlSeconds>, ConsensusError> {
    let Some(node) = schema.get("ttl") else { return Ok(None) };
    let Some(seconds) = findings.keep(&node, seconds(&node))? else { return Ok(None) };
    // refused on every parse (document ttl, section 1)
    let rules = [
        // # Rule TTL-3: `$createdAt` is required
        (!context.records_creation, "must list '$createdAt' in 'required': its documents expire from it"),
        // # Rule TTL-4: no history
        (context.settings.keeps_history, "cannot keep history: set 'documentsKeepHistory' to false"),
        // # Rule TTL-5: not `indexOnly`
        (context.index_only, "cannot be 'indexOnly'"),
        // # Rule TTL-6: no contested index
        (context.has_contested_index, "cannot have a contested index"),
    ];
    for (_, reason) in rules.into_iter().filter(|(broken, _)| *broken) {
        findings.refuse(&node, node.structure(format!("a type with a 'ttl' {reason}")))?;
    }
    Ok(Some(seconds))
}

fn seconds(node: &SchemaNode<'_>) -> Result<TtlSeconds, ConsensusError> {
    // # Rule TTL-1: a whole number of seconds
    let seconds = node.integer().and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
    let refuse = || node.schema_error("'ttl' must be an integer from 1 to 4294967295, in seconds");
    seconds.map(TtlSeconds).ok_or_else(refuse)
}

/// Checks the limits a registration or an update must keep; `summed` names the properties the type
/// and its indexes sum.
pub(crate) fn check_limits(
    (schema, ttl): (&SchemaNode<'_>, TtlSeconds),
    summed: &BTreeSet<&str>,
    references: &References<'_>,
    limits: &TtlLimits,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    let node = schema.at("ttl");
    // # Rule TTL-7: an hour to a year, at registration and update
    if ttl.0 < limits.min_seconds || ttl.0 > limits.max_seconds {
        let (least, most) = (limits.min_seconds, limits.max_seconds);
        let reason = format!("a 'ttl' of {ttl} seconds is outside {least} to {most} seconds");
        findings.refuse(&node, node.structure(reason))?;
    }
    for name in summed {
        if let Some(property) = declared(schema, references, name)? {
            findings.keep(&property, is_bounded(&property, name, limits.max_signed_summed_magnitude))?;
        }
    }
    Ok(())
}

/// A sum of expiring values may never leave 64 bits, whatever expires first.
fn is_bounded(property: &SchemaNode<'_>, name: &str, magnitude: i64) -> Result<(), ConsensusError> {
    let bound = |key: &str| property.get(key).and_then(|bound| bound.integer());
    let magnitude = i128::from(magnitude);
    // # Rule TTL-8: summed properties are bounded
    let from_zero = bound("minimum").is_some_and(|least| least >= 0);
    let bounded = bound("minimum").is_some_and(|least| least >= magnitude.saturating_neg())
        && bound("maximum").is_some_and(|most| most <= magnitude);
    if from_zero || bounded {
        return Ok(());
    }
    Err(property.structure(format!(
        "the summed property '{name}' of a type with a 'ttl' needs 'minimum' of at least 0, or 'minimum' and 'maximum' \
         within plus and minus {magnitude}"
    )))
}
