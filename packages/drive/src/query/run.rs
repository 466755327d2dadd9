//! Asking a state, without proofs.

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::TimestampMillis;

use super::answer::layout;
use super::{Answer, GroupRow, IndexQuery, Measure, Query, QueryError, RankRow, TopQuery, Unanswered, decode};
use super::{documents_plan, top_plan, totals_plan, type_totals_plan};
use crate::document;
use crate::error::DriveError;
use crate::store::{StateReader, StoreError};

/// What was found, or why it cannot be asked.
type Found<T> = Result<Result<T, QueryError>, DriveError>;

/// The answer to a question at `now`, the time of the last block.
pub fn ask(
    reader: &StateReader<'_>,
    query: &Query<'_>,
    contract: Option<&ParsedContract>,
    now: TimestampMillis,
) -> Found<Answer> {
    told_apart(super::answer(query, contract, now, &mut |plan: &super::QueryPlan| reader.plan_rows(plan)))
}

/// The documents an index query names, in its order.
pub fn documents(
    reader: &StateReader<'_>,
    (contract, type_name): (&ParsedContract, &str),
    query: &IndexQuery<'_>,
    now: TimestampMillis,
) -> Found<Vec<Document>> {
    let document_type = document::document_type(contract, type_name)?;
    let plan = match documents_plan(document_type, query, now) {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    let layout = match layout(document_type, query.index) {
        Ok(layout) => layout,
        Err(error) => return Ok(Err(error)),
    };
    decode::documents(reader.plan_rows(&plan)?, &layout).map(Ok).map_err(DriveError::corrupted)
}

/// The totals an index query names, combination by combination; of a type without a query.
pub fn totals(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    query: Option<&IndexQuery<'_>>,
    measure: Measure,
    now: TimestampMillis,
) -> Found<Vec<GroupRow>> {
    let plan = match query {
        Some(query) => totals_plan(document_type, query, measure, now)
            .and_then(|plan| Ok((plan, Some(layout(document_type, query.index)?)))),
        None => type_totals_plan(document_type, measure).map(|plan| (plan, None)),
    };
    match plan {
        Ok((plan, layout)) => {
            decode::groups(reader.plan_rows(&plan)?, measure, layout.as_ref()).map(Ok).map_err(DriveError::corrupted)
        }
        Err(error) => Ok(Err(error)),
    }
}

/// The first groups of a ranking.
pub fn top(reader: &StateReader<'_>, document_type: &DocumentType, query: &TopQuery<'_>) -> Found<Vec<RankRow>> {
    match top_plan(document_type, query) {
        Ok(plan) => decode::ranks(reader.plan_rows(&plan)?, query.axis).map(Ok).map_err(DriveError::corrupted),
        Err(error) => Ok(Err(error)),
    }
}

/// Tells who errs: the asker, or the state.
pub(crate) fn told_apart<T>(answer: Result<T, Unanswered<StoreError>>) -> Found<T> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(Unanswered::Query(error)) => Ok(Err(error)),
        Err(Unanswered::Read(error)) => Err(error.into()),
        Err(Unanswered::State(what)) => Err(DriveError::corrupted(what)),
    }
}
