//! Running plans on a state, without proofs.

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::{Identifier, TimestampMillis};

use super::{
    IndexQuery, Measure, QueryError, QueryPlan, TopQuery, documents_plan, top_plan, totals_plan, type_totals_plan,
};
use crate::document;
use crate::error::DriveError;
use crate::store::{PlanRow, StateReader, TreeTotal};
use crate::tree::{GroupTotals, Path, contracts};

/// An answer, or why there is none.
type Answer<T> = Result<Result<T, QueryError>, DriveError>;

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

/// The documents an index query names, in its order.
pub fn documents(
    reader: &StateReader<'_>,
    (contract, type_name): (&ParsedContract, &str),
    query: &IndexQuery<'_>,
    now: TimestampMillis,
) -> Answer<Vec<Document>> {
    let plan = match documents_plan(document::document_type(contract, type_name)?, query, now) {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    let mut found = Vec::new();
    for row in reader.plan_rows(&plan)? {
        let id = referenced_id(&row)?;
        let document = document::fetch(reader, contract, type_name, id)?;
        found.push(document.ok_or_else(|| DriveError::corrupted(format!("{} leads to no document", row.path)))?);
    }
    Ok(Ok(found))
}

/// The totals an index query names, combination by combination; of a type without a query.
pub fn totals(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    query: Option<&IndexQuery<'_>>,
    measure: Measure,
    now: TimestampMillis,
) -> Answer<Vec<GroupRow>> {
    let plan = match query {
        Some(query) => totals_plan(document_type, query, measure, now),
        None => type_totals_plan(document_type, measure),
    };
    match plan {
        Ok(plan) => Ok(Ok(groups(reader, &plan)?)),
        Err(error) => Ok(Err(error)),
    }
}

/// The first groups of a ranking.
pub fn top(reader: &StateReader<'_>, document_type: &DocumentType, query: &TopQuery<'_>) -> Answer<Vec<RankRow>> {
    let plan = match top_plan(document_type, query) {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    let mut rows = Vec::new();
    for row in reader.plan_rows(&plan)? {
        let (aggregate, group) = query.axis.parse_group_key(&row.key).ok_or_else(|| {
            DriveError::corrupted(format!("the ranking {} holds a key without an aggregate", row.path))
        })?;
        rows.push(RankRow { aggregate, group: group.to_vec() });
    }
    Ok(Ok(rows))
}

/// One group for each tree the rows stand in.
fn groups(reader: &StateReader<'_>, plan: &QueryPlan) -> Result<Vec<GroupRow>, DriveError> {
    let mut groups: Vec<GroupRow> = Vec::new();
    for row in reader.plan_rows(plan)? {
        if groups.last().is_none_or(|group| group.at != row.path) {
            groups.push(GroupRow { at: row.path.clone(), totals: GroupTotals::default() });
        }
        let Some(group) = groups.last_mut() else { continue };
        match (&row.target, row.total) {
            // a unique value stands by itself
            (Some(_), _) => group.totals.count = 1,
            (_, Some(TreeTotal::Count(count))) => group.totals.count = count,
            (_, Some(TreeTotal::Sum(sum))) => group.totals.sum = sum,
            _ => return Err(DriveError::corrupted(format!("{} keeps no totals", row.path))),
        }
    }
    Ok(groups)
}

/// The id a reference names, of a document or of its newest revision.
fn referenced_id(row: &PlanRow) -> Result<Identifier, DriveError> {
    let strange = || DriveError::corrupted(format!("{} holds what is no reference to a document", row.path));
    let parts = row.target.as_ref().map(|target| target.parts()).ok_or_else(strange)?;
    let id = parts.get(contracts::TYPE_PATH_DEPTH.saturating_add(1)).ok_or_else(strange)?;
    Identifier::from_slice(id).map_err(|_| strange())
}
