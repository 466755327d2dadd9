//! What each generation of the parser reads. The only place that asks for the generation.

use platform_version::rules::contract::ParserGeneration;

/// What a generation of the parser reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grammar {
    /// `ttl` and the other keywords of generation 3; without it they are never looked at.
    pub reads_generation_3: bool,
    /// Names of document types may hold a `-`.
    pub type_names_hold_hyphens: bool,
}

impl Grammar {
    /// The grammar of a generation.
    pub fn of(generation: ParserGeneration) -> Self {
        match generation {
            ParserGeneration::Generation2 => Self { reads_generation_3: false, type_names_hold_hyphens: true },
            ParserGeneration::Generation3 => Self { reads_generation_3: true, type_names_hold_hyphens: false },
        }
    }

    /// Keys an index may have.
    pub fn index_keys(self) -> impl Iterator<Item = &'static str> {
        let newer: &[&str] = if self.reads_generation_3 { &INDEX_KEYS_OF_GENERATION_3 } else { &[] };
        INDEX_KEYS.iter().chain(newer).copied()
    }
}

const INDEX_KEYS: [&str; 11] = [
    "name",
    "properties",
    "unique",
    "nullSearchable",
    "contested",
    "countable",
    "rangeCountable",
    "summable",
    "rangeSummable",
    "averageable",
    "rangeAverageable",
];
const INDEX_KEYS_OF_GENERATION_3: [&str; 4] = ["rankedCountable", "rankedSummable", "rankedAverageable", "timeRange"];
