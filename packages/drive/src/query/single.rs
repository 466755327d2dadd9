//! Plans of single elements, and of the expiry queue.

use core::ops::Bound;

use dpp::document_type::DocumentType;
use dpp::primitives::{Identifier, TimestampMillis};

use super::{Below, Expiring, Holds, KeyQuery, KeyRange, QueryError, QueryPlan};
use crate::tree::{contracts, expiry};

/// The plan that reads a contract: an item, or where history is kept the newest revision.
pub fn contract_plan(id: Identifier) -> QueryPlan {
    let contract = key(contracts::CONTRACT_KEY).holding(Holds::ItemOrTree);
    newest(QueryPlan { path: contracts::contract(id), query: contract, limit: 1 })
}

/// The plan that reads a document, its newest revision where history is kept.
pub fn document_plan(document_type: &DocumentType, id: Identifier) -> QueryPlan {
    let path = contracts::primary(document_type.contract_id(), document_type.name());
    let plan = |holds| QueryPlan { path, query: key(id.as_bytes()).holding(holds), limit: 1 };
    if document_type.settings().keeps_history { newest(plan(Holds::Trees)) } else { plan(Holds::Items) }
}

/// The plan that reads the entry of a document in the expiry queue.
pub fn entry_plan(expires_at: TimestampMillis, id: Identifier) -> QueryPlan {
    // # Rule TTL-52: the absence of an entry is as provable as an entry
    let entry = key(id.as_bytes()).holding(Holds::Items);
    QueryPlan { path: expiry::time(expires_at), query: entry, limit: 1 }
}

/// The plan that reads a part of the expiry queue, oldest first, and by id where times are equal.
pub fn expiring_plan(part: &Expiring) -> Result<QueryPlan, QueryError> {
    if part.limit == 0 {
        return Err(QueryError::NoLimit);
    }
    let from = Bound::Included(expiry::time_key(part.from));
    let to = part.to.map_or(Bound::Unbounded, |to| Bound::Included(expiry::time_key(to)));
    let entries = KeyQuery::of(vec![KeyRange::all()], false).holding(Holds::Items);
    let entries = Below { path: Vec::new(), query: entries };
    let times = KeyQuery::of(KeyRange::new(from, to).into_iter().collect(), false);
    Ok(QueryPlan { path: expiry::queue(), query: times.with_below(entries), limit: part.limit })
}

fn key(key: &[u8]) -> KeyQuery {
    KeyQuery::of(vec![KeyRange::key(key)], false)
}

/// If a tree of revisions stands there, the reference to the newest in it.
fn newest(mut plan: QueryPlan) -> QueryPlan {
    let newest = key(contracts::NEWEST_KEY).holding(Holds::References);
    plan.query = plan.query.with_below(Below { path: Vec::new(), query: newest });
    plan
}
