//! Where a document ranks: the groups of ranked indexes it is in (`layout`).

use dpp::document::Document;
use dpp::document_type::DocumentType;

use super::summed::summand;
use crate::error::DriveError;
use crate::layout::IndexLayout;
use crate::tree::{Path, RankAxis};

/// The documents that share a value of a ranked index, as one of them sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedGroup {
    /// The value's tree: under it the group is counted and summed.
    pub at: Path,
    /// The rankings it stands in.
    pub orders: Vec<(RankAxis, Path)>,
    /// Its key in them, after the aggregate.
    pub key: Vec<u8>,
    /// Whether it is summed.
    pub sums: bool,
    /// What the document adds to its sum.
    pub summand: i64,
}

/// The groups a document is in; one for each ranked index that has an entry of it.
pub fn ranked_groups(document_type: &DocumentType, document: &Document) -> Result<Vec<RankedGroup>, DriveError> {
    let mut groups = Vec::new();
    for index in document_type.indexes().iter().filter(|index| !index.ranked.is_none()) {
        let layout = IndexLayout::new(document_type, index);
        let keys = document.index_keys(index).map_err(|error| super::index::unstorable(document, error.to_string()))?;
        // a ranked index has one property
        let Some(key) = keys.first().filter(|key| !key.is_empty() || index.null_searchable) else { continue };
        groups.push(RankedGroup {
            at: layout.value_path([key]),
            orders: layout.order_keys().map(|(axis, order)| (axis, layout.type_path().child(order))).collect(),
            key: key.clone(),
            sums: layout.summed().is_some(),
            summand: layout.summed().map_or(Ok(0), |property| summand(document, property))?,
        });
    }
    Ok(groups)
}
