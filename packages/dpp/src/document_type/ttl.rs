//! `ttl` of a document type: seconds from `$createdAt` to expiry (document ttl, section 1).
//!
//! Invariants: the structural rules hold on every parse, so a type that cannot be cleaned up does
//! not exist; the limits hold under full validation only, so that a stored contract stays readable
//! if a limit ever moves. Absent: the rules about references and about updates of a type.

use platform_version::rules::limits::TtlLimits;

use crate::ConsensusError;
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::{References, TypeSettings};
use crate::primitives::TtlSeconds;

/// What a type's `ttl` is judged with on every parse.
pub(crate) struct TtlContext {
    /// `$createdAt` is in `required`.
    pub records_creation: bool,
    /// An index is contested.
    pub has_contested_index: bool,
    /// The other type-level settings.
    pub settings: TypeSettings,
}

/// Reads `ttl` and checks the rules that hold on every parse.
pub(crate) fn parse(schema: &SchemaNode<'_>, context: &TtlContext) -> Result<Option<TtlSeconds>, ConsensusError> {
    let Some(node) = schema.get("ttl") else { return Ok(None) };
    // # Rule TTL-1: a whole number of seconds
    let seconds = node.integer().and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
    let seconds =
        seconds.ok_or_else(|| node.schema_error("'ttl' must be an integer from 1 to 4294967295, in seconds"))?;
    // what follows is refused on every parse (document ttl, section 1)
    // # Rule TTL-3: `$createdAt` is required
    if !context.records_creation {
        return Err(
            node.structure("a type with a 'ttl' must list '$createdAt' in 'required': its documents expire from it")
        );
    }
    // # Rule TTL-4: no history
    if context.settings.keeps_history {
        return Err(node.structure("a type with a 'ttl' cannot keep history: set 'documentsKeepHistory' to false"));
    }
    // # Rule TTL-5: not `indexOnly`
    if schema.get("indexOnly").and_then(|flag| flag.bool()) == Some(true) {
        return Err(node.structure("a type with a 'ttl' cannot be 'indexOnly'"));
    }
    // # Rule TTL-6: no contested index
    if context.has_contested_index {
        return Err(node.structure("a type with a 'ttl' cannot have a contested index"));
    }
    Ok(Some(TtlSeconds(seconds)))
}

/// Checks the limits a registration or an update must keep.
pub(crate) fn check_limits(
    schema: &SchemaNode<'_>,
    ttl: TtlSeconds,
    references: &References<'_>,
    limits: &TtlLimits,
) -> Result<(), ConsensusError> {
    let node = schema.get("ttl").unwrap_or_else(|| schema.clone());
    // # Rule TTL-7: an hour to a year, at registration and update
    if ttl.0 < limits.min_seconds || ttl.0 > limits.max_seconds {
        let (least, most) = (limits.min_seconds, limits.max_seconds);
        return Err(node.structure(format!("a 'ttl' of {ttl} seconds is outside {least} to {most} seconds")));
    }
    for name in summed_properties(schema) {
        let property = schema.get("properties").and_then(|properties| properties.get(name));
        let property =
            property.ok_or_else(|| schema.structure(format!("the summed property '{name}' does not exist")))?;
        let property = match property.get("$ref").and_then(|reference| reference.text()) {
            Some(reference) => property.standing_for(references.resolve(reference)?),
            None => property,
        };
        is_bounded(&property, name, limits.max_signed_summed_magnitude)?;
    }
    Ok(())
}

fn summed_properties<'a>(schema: &SchemaNode<'a>) -> Vec<&'a str> {
    let indexes = schema.get("indices").and_then(|indices| indices.items()).unwrap_or_default();
    let of_indexes = indexes.iter().flat_map(|index| [index.get("summable"), index.get("averageable")]);
    let of_type = [schema.get("documentsSummable"), schema.get("documentsAverageable")];
    of_indexes.chain(of_type).flatten().filter_map(|name| name.text()).collect()
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
