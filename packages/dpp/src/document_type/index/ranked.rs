//! Rankings of an index: secondary orders keyed by an aggregate (contract keywords, "Index").

use crate::ConsensusError;
use crate::document_type::index::parse::DeclaredIndex;
use crate::document_type::schema_node::SchemaNode;

/// Which secondary orders an index keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranked {
    /// By count.
    pub by_count: bool,
    /// By sum.
    pub by_sum: bool,
    /// By average.
    pub by_average: bool,
}

/// The longest values a key can hold.
pub(super) struct KeyLimits {
    /// Characters of a text.
    pub characters: u64,
    /// Bytes of a byte array.
    pub bytes: u64,
}

impl Ranked {
    /// Whether no ranking is kept.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// "Ranked terminal property: string `maxLength` <= 61 (count, sum) or 59 (average), byte array
    /// <= 247 or 239" (node rules, 1.7).
    pub(super) fn key_limits(self) -> Option<KeyLimits> {
        match self {
            Self { by_average: true, .. } => Some(KeyLimits { characters: 59, bytes: 239 }),
            ranked if ranked.is_none() => None,
            _ => Some(KeyLimits { characters: 61, bytes: 247 }),
        }
    }
}

/// Reads the rankings; a value of the wrong kind is 10228.
pub(super) fn parse(node: &SchemaNode<'_>) -> Result<Ranked, ConsensusError> {
    let flag = |key: &str| node.flag(key).map(|flag| flag == Some(true));
    Ok(Ranked {
        by_count: flag("rankedCountable")?,
        by_sum: flag("rankedSummable")?,
        by_average: flag("rankedAverageable")?,
    })
}

/// What a ranking needs, on every parse (contract keywords, "Index"; 10231).
pub(super) fn has_what_it_ranks(declared: &DeclaredIndex<'_>) -> Result<(), ConsensusError> {
    let index = &declared.index;
    let (counts, sums) = (index.aggregates.range_countable, index.aggregates.range_summable);
    let needs = [
        ("rankedCountable", index.ranked.by_count, counts, "'rangeCountable'"),
        ("rankedSummable", index.ranked.by_sum, sums, "'rangeSummable'"),
        ("rankedAverageable", index.ranked.by_average, counts && sums, "'rangeCountable' and 'rangeSummable'"),
    ];
    if let Some((key, _, _, needed)) = needs.iter().find(|(_, asked, given, _)| *asked && !given) {
        return Err(declared.node.at(key).structure(format!("'{key}' needs {needed}")));
    }
    if index.ranked.is_none() {
        return Ok(());
    }
    if index.unique {
        return Err(declared.node.at("unique").structure("a ranked index cannot be unique"));
    }
    if index.properties.len() != 1 {
        return Err(declared.node.at("properties").structure("a ranked index has exactly one property"));
    }
    match &index.time_range {
        Some(_) => Err(declared.node.at("timeRange").structure("the bucketed property itself cannot be ranked")),
        None => Ok(()),
    }
}
