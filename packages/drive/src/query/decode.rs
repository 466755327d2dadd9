//! From rows to documents, totals, ranks and expiry entries.
//!
//! Invariant: a row that is not of the kind, at the place and with the values that were asked is refused, never
//! passed over; but entries of the queue that name no document are the cleanup's to remove.

use dpp::document::Document;
use dpp::document_type::{DocumentType, TimeRange};
use dpp::primitives::{Identifier, TimestampMillis};
use dpp::value::Value;

use super::{ExpiringDocument, Measure, Row, RowContent};
use crate::layout::IndexLayout;
use crate::tree::{GroupTotals, Path, RankAxis, TreeTotal, contracts, expiry};

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

/// The documents an index leads to, each of which must belong where it was found.
pub(super) fn documents(rows: Vec<Row>, layout: &IndexLayout<'_>) -> Result<Vec<Document>, String> {
    rows.iter().map(|row| indexed(row, layout)).collect()
}

fn indexed(row: &Row, layout: &IndexLayout<'_>) -> Result<Document, String> {
    let RowContent::Item(bytes) = &row.content else {
        return Err(format!("{} holds what is no reference to a document", row.path));
    };
    let document = document(bytes, layout.document_type())?;
    match is_entry(row, &document, layout) {
        true => Ok(document),
        false => Err(format!("{} leads to document {}, which does not belong there", row.path, document.id)),
    }
}

/// Whether an index keeps a document right there: under its values, and under its id where it is not alone.
fn is_entry(row: &Row, document: &Document, layout: &IndexLayout<'_>) -> bool {
    let index = layout.index();
    let Ok(mut keys) = document.index_keys(index) else { return false };
    let is_alone = index.unique && keys.iter().all(|key| !key.is_empty());
    if let (Some(range), Some(first)) = (&index.time_range, keys.first_mut()) {
        let window = row.path.parts().get(contracts::TYPE_PATH_DEPTH.saturating_add(1));
        let Some(window) = window.filter(|window| is_in_window(document, range, window)) else { return false };
        first.clone_from(window);
    }
    let values = layout.value_path(&keys);
    match is_alone {
        true => row.path == values && row.key == contracts::PRIMARY_KEY,
        false => row.path == values.child(contracts::PRIMARY_KEY) && row.key == document.id.as_bytes(),
    }
}

fn is_in_window(document: &Document, range: &TimeRange, window: &[u8]) -> bool {
    match (document.index_value(&range.on), contracts::parse_window_key(window)) {
        (Some(Value::U64(at)), Some(start)) => range.window_starts(TimestampMillis(at)).contains(&start),
        _ => false,
    }
}

/// One group for each tree the rows stand in; of an index, or without one of a whole type.
pub(super) fn groups(
    rows: Vec<Row>,
    measure: Measure,
    layout: Option<&IndexLayout<'_>>,
) -> Result<Vec<GroupRow>, String> {
    let groups = rows.chunk_by(|one, other| one.path == other.path).map(|rows| group(rows, measure, layout));
    groups.collect()
}

fn group(rows: &[Row], measure: Measure, layout: Option<&IndexLayout<'_>>) -> Result<GroupRow, String> {
    let at = rows.first().map(|row| row.path.clone()).unwrap_or_default();
    if rows.len() != measure.rows() {
        return Err(format!("{at} keeps one total where there must be two"));
    }
    let mut totals = GroupTotals::default();
    for row in rows {
        match (row.key.as_slice(), &row.content, layout) {
            (contracts::PRIMARY_KEY, RowContent::Tree(TreeTotal::Count(count)), _) => totals.count = *count,
            (contracts::SUMMED_KEY, RowContent::Tree(TreeTotal::Sum(sum)), _) => totals.sum = *sum,
            // a unique value stands by itself
            (contracts::PRIMARY_KEY, RowContent::Item(_), Some(layout)) => {
                indexed(row, layout)?;
                totals.count = 1;
            }
            _ => return Err(format!("{at} keeps no totals")),
        }
    }
    Ok(GroupRow { at, totals })
}

/// Groups by their keys in a ranking.
pub(super) fn ranks(rows: Vec<Row>, axis: RankAxis) -> Result<Vec<RankRow>, String> {
    let of_row = |row: Row| {
        let parsed = axis.parse_group_key(&row.key).filter(|_| row.content == RowContent::Item(Vec::new()));
        let (aggregate, group) =
            parsed.ok_or_else(|| format!("the ranking {} holds what is no group with an aggregate", row.path))?;
        Ok(RankRow { aggregate, group: group.to_vec() })
    };
    rows.into_iter().map(of_row).collect()
}

/// An entry of the queue; `None` if it names no document.
pub(super) fn expiring(row: &Row) -> Result<Option<ExpiringDocument>, String> {
    let time = row.path.split().filter(|(above, _)| *above == expiry::queue());
    let (Some(expires_at), RowContent::Item(value)) =
        (time.and_then(|(_, key)| expiry::parse_time_key(key)), &row.content)
    else {
        return Err(format!("{} holds what is no entry of the expiry queue", row.path));
    };
    let (Ok(id), Some((contract, document_type))) =
        (Identifier::from_slice(&row.key), expiry::parse_entry_value(value))
    else {
        return Ok(None);
    };
    Ok(Some(ExpiringDocument { expires_at, id, contract, document_type: document_type.to_owned() }))
}
