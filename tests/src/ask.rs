//! Asking the committed state about the documents of a type, as a client does.

use std::sync::Arc;

use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::Identifier;
use dpp::value::Value;
use drive::query::{self, Filter, GroupRow, IndexQuery, Measure, QueryError, RankRow, TopQuery};
use drive::tree::{GroupTotals, RankAxis};

use crate::{Chain, invariants};

/// A document type that is asked.
pub struct Ask<'c, 'd> {
    chain: &'c Chain<'d>,
    contract: Arc<ParsedContract>,
    type_name: String,
}

impl<'c, 'd> Ask<'c, 'd> {
    /// Asks about a type.
    pub fn of(chain: &'c Chain<'d>, contract: Identifier, type_name: &str) -> Self {
        let drive = chain.drive();
        let rules = invariants::rules(chain);
        let contract = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, rules).unwrap().unwrap();
        Self { chain, contract, type_name: type_name.to_owned() }
    }

    /// The type.
    pub fn document_type(&self) -> &DocumentType {
        self.contract.types().get(&self.type_name).unwrap()
    }

    /// Ids of the documents a query names, in its order.
    pub fn ids(&self, query: &IndexQuery<'_>) -> Result<Vec<Identifier>, QueryError> {
        Ok(self.documents(query)?.iter().map(|document| document.id).collect())
    }

    /// The documents a query names, in its order.
    pub fn documents(&self, query: &IndexQuery<'_>) -> Result<Vec<dpp::document::Document>, QueryError> {
        let reader = self.chain.drive().reader();
        query::documents(&reader, (&self.contract, &self.type_name), query, self.chain.time).unwrap()
    }

    /// Totals, combination by combination; of the type without a query.
    pub fn groups(&self, query: Option<&IndexQuery<'_>>, measure: Measure) -> Result<Vec<GroupRow>, QueryError> {
        let reader = self.chain.drive().reader();
        query::totals(&reader, self.document_type(), query, measure, self.chain.time).unwrap()
    }

    /// The totals of everything a query names; of the type without a query.
    pub fn total(&self, query: Option<&IndexQuery<'_>>, measure: Measure) -> Result<GroupTotals, QueryError> {
        let add = |all: GroupTotals, row: GroupRow| GroupTotals {
            count: all.count + row.totals.count,
            sum: all.sum + row.totals.sum,
        };
        Ok(self.groups(query, measure)?.into_iter().fold(GroupTotals::default(), add))
    }

    /// The count of one combination of values.
    pub fn count(&self, index: &str, values: &[Value]) -> u64 {
        self.total(Some(&equal(index, values)), Measure::Count).unwrap().count
    }

    /// The sum of one combination of values.
    pub fn sum(&self, index: &str, values: &[Value]) -> i128 {
        self.total(Some(&equal(index, values)), Measure::Sum).unwrap().sum
    }

    /// The first groups of a ranking, from the largest on.
    pub fn top(&self, index: &str, axis: RankAxis, limit: u16) -> Result<Vec<RankRow>, QueryError> {
        let query = TopQuery { index, axis, ascending: false, limit };
        query::top(&self.chain.drive().reader(), self.document_type(), &query).unwrap()
    }
}

/// A query for one combination of values.
pub fn equal<'q>(index: &'q str, values: &[Value]) -> IndexQuery<'q> {
    IndexQuery { equals: values.iter().cloned().map(Some).collect(), ..IndexQuery::all(index) }
}

/// A query for a range of the first property's values.
pub fn between<'q>(index: &'q str, from: core::ops::Bound<Value>, to: core::ops::Bound<Value>) -> IndexQuery<'q> {
    IndexQuery { filter: Filter::Range(from, to), ..IndexQuery::all(index) }
}

/// A text.
pub fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}
