//! From rows to documents, totals, ranks and expiry entries.

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::Identifier;

use super::{ExpiringDocument, Row, RowContent};
use crate::tree::{GroupTotals, Path, RankAxis, TreeTotal, expiry};

/// The totals of one combination of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// Where they are kept; the values are its keys.
    pub at: Path,
    /// The totals.
    pub totals: GroupTotals,
}

/// One group of a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankRow {
    /// What it is ordered by: a count, a sum, or a scaled average.
    pub aggregate: i128,
    /// The key of its value.
    pub group: Vec<u8>,
}

/// A document from its stored bytes.
pub(super) fn document(bytes: &[u8], document_type: &DocumentType) -> Result<Document, String> {
    Document::from_stored_bytes(bytes, document_type)
        .map_err(|error| format!("a document of type '{}' does not decode: {error}", document_type.name()))
}

/// The documents rows lead to.
pub(super) fn documents(rows: Vec<Row>, document_type: &DocumentType) -> Result<Vec<Document>, String> {
    let of_row = |row: Row| match row.content {
        RowContent::Item(bytes) => document(&bytes, document_type),
        RowContent::Tree(_) => Err(format!("{} holds what is no reference to a document", row.path)),
    };
    rows.into_iter().map(of_row).collect()
}

/// One group for each tree the rows stand in.
pub(super) fn groups(rows: Vec<Row>) -> Result<Vec<GroupRow>, String> {
    let mut groups: Vec<GroupRow> = Vec::new();
    for row in rows {
        if groups.last().is_none_or(|group| group.at != row.path) {
            groups.push(GroupRow { at: row.path.clone(), totals: GroupTotals::default() });
        }
        let Some(group) = groups.last_mut() else { continue };
        match row.content {
            // a unique value stands by itself
            RowContent::Item(_) => group.totals.count = 1,
            RowContent::Tree(TreeTotal::Count(count)) => group.totals.count = count,
            RowContent::Tree(TreeTotal::Sum(sum)) => group.totals.sum = sum,
            RowContent::Tree(TreeTotal::None) => return Err(format!("{} keeps no totals", row.path)),
        }
    }
    Ok(groups)
}

/// Groups by their keys in a ranking.
pub(super) fn ranks(rows: Vec<Row>, axis: RankAxis) -> Result<Vec<RankRow>, String> {
    let of_row = |row: Row| {
        let parsed = axis.parse_group_key(&row.key);
        let (aggregate, group) =
            parsed.ok_or_else(|| format!("the ranking {} holds a key without an aggregate", row.path))?;
        Ok(RankRow { aggregate, group: group.to_vec() })
    };
    rows.into_iter().map(of_row).collect()
}

/// An entry of the queue; `None` if it names no document.
pub(super) fn expiring(row: Row) -> Option<ExpiringDocument> {
    let (queue, time_key) = row.path.split().filter(|(above, _)| *above == expiry::queue())?;
    debug_assert_eq!(queue, expiry::queue(), "the plan reads no other tree");
    let RowContent::Item(value) = &row.content else { return None };
    let (contract, document_type) = expiry::parse_entry_value(value)?;
    Some(ExpiringDocument {
        expires_at: expiry::parse_time_key(time_key)?,
        id: Identifier::from_slice(&row.key).ok()?,
        contract,
        document_type: document_type.to_owned(),
    })
}
