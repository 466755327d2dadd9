//! Values that are summed: what a document adds, and whether a sum would leave 64 bits.
//!
//! Sums are kept as 128-bit integers, so a removal never fails, whatever goes first; what is written
//! must leave every sum within i64, which rankings and readers count on.

use dpp::document::Document;
use dpp::document_type::DocumentType;

use super::index::unstorable;
use super::placement::{Content, Placement, summed_placements};
use crate::error::DriveError;
use crate::store::{StateReader, TreeTotal};

/// What a document adds to the sums of a property. The property is required, and its type an integer.
pub(super) fn summand(document: &Document, property: &str) -> Result<i64, DriveError> {
    fitting_summand(document, property).ok_or_else(|| {
        unstorable(document, format!("its '{property}', which is summed, is no integer of 64 signed bits"))
    })
}

fn fitting_summand(document: &Document, property: &str) -> Option<i64> {
    i64::try_from(document.index_value(property)?.as_integer()?).ok()
}

/// The summed property of which the document's own value is beyond i64.
pub fn unsummable_value<'t>(document_type: &'t DocumentType, document: &Document) -> Option<&'t str> {
    let mut summed = document_type.summed_properties().into_iter();
    summed.find(|property| fitting_summand(document, property).is_none())
}

/// Whether writing a document would take a sum it enters beyond i64. `stored` is what it replaces.
pub fn overflows_a_sum(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    document: &Document,
    stored: Option<&Document>,
) -> Result<bool, DriveError> {
    let leaving = match stored {
        Some(stored) => summed_placements(document_type, stored)?,
        None => Vec::new(),
    };
    for entering in summed_placements(document_type, document)? {
        let before = leaving.iter().find(|other| other.path == entering.path).map_or(0, value);
        let sum = sum_of(reader, &entering)?.saturating_sub(before).saturating_add(value(&entering));
        if i64::try_from(sum).is_err() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn value(placement: &Placement) -> i128 {
    match placement.content {
        Content::Summand(value) => i128::from(value),
        _ => 0,
    }
}

fn sum_of(reader: &StateReader<'_>, placement: &Placement) -> Result<i128, DriveError> {
    let Some((above, key)) = placement.path.split() else { return Ok(0) };
    match reader.tree_total(&above, key)? {
        Some(TreeTotal::Sum(sum)) => Ok(sum),
        None => Ok(0),
        Some(other) => Err(DriveError::corrupted(format!("{} sums values and is {other:?}", placement.path))),
    }
}
