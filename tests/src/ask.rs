//! Asking the committed state about the documents of a type, as a client does: whatever is asked is asked with
//! a proof too, and the proof is verified by the same question, contract and app hash.

use std::sync::Arc;

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::{Identifier, TimestampMillis};
use dpp::value::Value;
use drive::proof::{VerifyError, verify};
use drive::query::{
    self, Answer, DocumentExpiry, Filter, GroupRow, IndexQuery, Measure, Query, QueryError, RankRow, Start, TopQuery,
    TypeName,
};
use drive::tree::{GroupTotals, RankAxis, RootHash};

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
    pub fn documents(&self, query: &IndexQuery<'_>) -> Result<Vec<Document>, QueryError> {
        self.documents_from(query, None)
    }

    /// The same from a document on, which is named by its id.
    pub fn documents_from(
        &self,
        query: &IndexQuery<'_>,
        start: Option<Start<Identifier>>,
    ) -> Result<Vec<Document>, QueryError> {
        match self.answer(&Query::Documents { of: self.named(), index: query.clone(), start })? {
            Answer::Documents(documents) => Ok(documents),
            other => panic!("{other:?}"),
        }
    }

    /// The document of an id.
    pub fn document(&self, id: Identifier) -> Option<Document> {
        match self.answer(&Query::Document { of: self.named(), id }).unwrap() {
            Answer::Document(document) => document,
            other => panic!("{other:?}"),
        }
    }

    /// When a document will go, or was to.
    pub fn expiry(&self, id: Identifier, expires_at: Option<TimestampMillis>) -> DocumentExpiry {
        match self.answer(&Query::DocumentExpiry { of: self.named(), id, expires_at }).unwrap() {
            Answer::DocumentExpiry(expiry) => expiry,
            other => panic!("{other:?}"),
        }
    }

    /// Totals, combination by combination; of the type without a query.
    pub fn groups(&self, query: Option<&IndexQuery<'_>>, measure: Measure) -> Result<Vec<GroupRow>, QueryError> {
        match self.answer(&Query::Totals { of: self.named(), index: query.cloned(), measure })? {
            Answer::Totals(groups) => Ok(groups),
            other => panic!("{other:?}"),
        }
    }

    /// The type as a question names it.
    pub fn named(&self) -> TypeName<'_> {
        TypeName { contract: self.contract.contract().id, name: &self.type_name }
    }

    /// The answer to a question, read and proved alike.
    pub fn answer(&self, query: &Query<'_>) -> Result<Answer, QueryError> {
        answer(self.chain, Some(&self.contract), query)
    }

    /// A proof of the answer to a question.
    pub fn prove(&self, query: &Query<'_>) -> drive::Proved {
        self.chain.drive().prove(query, Some(&self.contract), self.chain.time).unwrap().unwrap()
    }

    /// What a proof shows for a question, in the state with this app hash.
    pub fn verify(&self, query: &Query<'_>, proof: &[u8], app_hash: &RootHash) -> Result<Answer, VerifyError> {
        verify(query, Some(&self.contract), self.chain.time, proof, app_hash)
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
        self.ranked(&TopQuery { index, axis, ascending: false, limit })
    }

    /// The groups a ranking is asked for.
    pub fn ranked(&self, ranking: &TopQuery<'_>) -> Result<Vec<RankRow>, QueryError> {
        match self.answer(&Query::Top { of: self.named(), ranking: *ranking })? {
            Answer::Top(rows) => Ok(rows),
            other => panic!("{other:?}"),
        }
    }
}

/// The answer to a question about the committed state: what is read must be what a proof of it shows.
pub fn answer(chain: &Chain<'_>, contract: Option<&ParsedContract>, query: &Query<'_>) -> Result<Answer, QueryError> {
    let drive = chain.drive();
    let read = query::ask(&drive.reader(), query, contract, chain.time).unwrap();
    match (&read, drive.prove(query, contract, chain.time).unwrap()) {
        (Ok(read), Ok(proved)) => {
            assert_eq!(proved.answer, *read, "{query:?}");
            let root = drive.root_hash().unwrap();
            assert_eq!(proved.app_hash, root);
            assert_eq!(verify(query, contract, chain.time, &proved.proof, &root).as_ref(), Ok(read), "{query:?}");
        }
        (Err(refused), Err(unproved)) => assert_eq!(*refused, unproved, "{query:?}"),
        (read, proved) => panic!("{query:?}: read {read:?}, proved {proved:?}"),
    }
    read
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
