//! The one way from a question to its answer, over whatever reads a plan: the state, a proof being made, or
//! one being checked.

use dpp::contract::DataContract;
use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::encoding;
use dpp::primitives::{Identifier, TimestampMillis};

use super::decode::{self, GroupRow, RankRow};
use super::documents::find_index;
use super::{Expiring, IndexQuery, Query, QueryError, QueryPlan, Row, RowContent, Start, TypeName};
use super::{document_plan, documents_plan, entry_plan, expiring_plan, top_plan, totals_plan, type_totals_plan};
use crate::layout::IndexLayout;
use crate::tree::expiry;

/// An answer. What is not in it is not in the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The contract.
    Contract(Option<Box<DataContract>>),
    /// The document.
    Document(Option<Document>),
    /// The documents, in the order of the index.
    Documents(Vec<Document>),
    /// Totals, combination by combination.
    Totals(Vec<GroupRow>),
    /// Groups, in the order of their ranking.
    Top(Vec<RankRow>),
    /// A document and its end.
    DocumentExpiry(DocumentExpiry),
    /// Entries of the expiry queue, oldest first.
    ExpiringDocuments(Vec<ExpiringDocument>),
}

/// A document and its end.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentExpiry {
    /// The document; `None`: it does not stand.
    pub document: Option<Document>,
    /// When it expires, by itself or, if it is gone, as it was asked.
    pub expires_at: Option<TimestampMillis>,
    /// Whether its entry is in the queue then; `None`: nobody knows where to look.
    pub is_queued: Option<bool>,
}

/// A document as the expiry queue has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiringDocument {
    /// When it expires.
    pub expires_at: TimestampMillis,
    /// Its id.
    pub id: Identifier,
    /// Its contract.
    pub contract: Identifier,
    /// Its type.
    pub document_type: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unanswered<E> {
    /// The question cannot be asked.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The rows cannot be read, or are not proved.
    #[error("{0}")]
    Read(E),
    /// The rows are not what the state must hold there.
    #[error("the state holds what it must not: {0}")]
    State(String),
}

/// Reads the rows of a plan.
pub trait ReadPlan {
    /// Why it cannot.
    type Error;
    /// The rows of a plan, in its order.
    fn rows(&mut self, plan: &QueryPlan) -> Result<Vec<Row>, Self::Error>;
}

impl<E, F: FnMut(&QueryPlan) -> Result<Vec<Row>, E>> ReadPlan for F {
    type Error = E;
    fn rows(&mut self, plan: &QueryPlan) -> Result<Vec<Row>, E> {
        self(plan)
    }
}

/// Answers a question at `now`, the time of the block whose state is read. `contract` is the one the question
/// needs ([`Query::contract`]).
pub fn answer<R: ReadPlan>(
    query: &Query<'_>,
    contract: Option<&ParsedContract>,
    now: TimestampMillis,
    reader: &mut R,
) -> Result<Answer, Unanswered<R::Error>> {
    let mut run = Run { contract, now, reader };
    match query {
        Query::Contract(id) => run.contract_of(*id),
        Query::Document { of, id } => Ok(Answer::Document(run.document(run.document_type(*of)?, *id)?)),
        Query::Documents { of, index, start } => run.documents(run.document_type(*of)?, index, *start),
        Query::Totals { of, index, measure } => {
            let document_type = run.document_type(*of)?;
            let (plan, layout) = match index {
                Some(index) => {
                    (totals_plan(document_type, index, *measure, now)?, Some(layout(document_type, index.index)?))
                }
                None => (type_totals_plan(document_type, *measure)?, None),
            };
            let groups = decode::groups(run.rows(&plan)?, *measure, layout.as_ref());
            Ok(Answer::Totals(groups.map_err(Unanswered::State)?))
        }
        Query::Top { of, ranking } => {
            let rows = run.rows(&top_plan(run.document_type(*of)?, ranking)?)?;
            Ok(Answer::Top(decode::ranks(rows, ranking.axis).map_err(Unanswered::State)?))
        }
        Query::DocumentExpiry { of, id, expires_at } => run.expiry(run.document_type(*of)?, *id, *expires_at),
        Query::ExpiringDocuments(part) => run.expiring(part),
    }
}

struct Run<'r, R: ReadPlan> {
    contract: Option<&'r ParsedContract>,
    now: TimestampMillis,
    reader: &'r mut R,
}

impl<'r, R: ReadPlan> Run<'r, R> {
    fn rows(&mut self, plan: &QueryPlan) -> Result<Vec<Row>, Unanswered<R::Error>> {
        self.reader.rows(plan).map_err(Unanswered::Read)
    }

    fn document_type(&self, of: TypeName<'_>) -> Result<&'r DocumentType, QueryError> {
        let contract = self.contract.filter(|contract| contract.contract().id == of.contract);
        let contract = contract.ok_or(QueryError::NoSuchContract(of.contract))?;
        contract.types().get(of.name).ok_or_else(|| QueryError::NoSuchType(of.name.to_owned()))
    }

    fn contract_of(&mut self, id: Identifier) -> Result<Answer, Unanswered<R::Error>> {
        let rows = self.rows(&super::contract_plan(id))?;
        let Some(bytes) = only_item(rows).map_err(Unanswered::State)? else { return Ok(Answer::Contract(None)) };
        let contract: DataContract =
            encoding::from_bytes(&bytes).map_err(|error| Unanswered::State(format!("contract {id}: {error}")))?;
        match contract.id == id {
            true => Ok(Answer::Contract(Some(Box::new(contract)))),
            false => Err(Unanswered::State(format!("another contract than {id} stands under its id"))),
        }
    }

    fn document(
        &mut self,
        document_type: &DocumentType,
        id: Identifier,
    ) -> Result<Option<Document>, Unanswered<R::Error>> {
        let rows = self.rows(&document_plan(document_type, id))?;
        let Some(bytes) = only_item(rows).map_err(Unanswered::State)? else { return Ok(None) };
        let document = decode::document(&bytes, document_type).map_err(Unanswered::State)?;
        match document.id == id {
            true => Ok(Some(document)),
            false => Err(Unanswered::State(format!("another document than {id} stands under its id"))),
        }
    }

    fn documents(
        &mut self,
        document_type: &DocumentType,
        index: &IndexQuery<'_>,
        start: Option<Start<Identifier>>,
    ) -> Result<Answer, Unanswered<R::Error>> {
        let first = match start {
            Some(start) => Some((start, self.document(document_type, start.of())?.ok_or(QueryError::NoStart)?)),
            None => None,
        };
        let mut index = index.clone();
        if let Some((start, document)) = &first {
            index.start = Some(start.with(document));
        }
        let rows = self.rows(&documents_plan(document_type, &index, self.now)?)?;
        let layout = layout(document_type, index.index)?;
        Ok(Answer::Documents(decode::documents(rows, &layout).map_err(Unanswered::State)?))
    }

    fn expiry(
        &mut self,
        document_type: &DocumentType,
        id: Identifier,
        asked: Option<TimestampMillis>,
    ) -> Result<Answer, Unanswered<R::Error>> {
        if document_type.ttl().is_none() {
            return Err(QueryError::NeverExpires(document_type.name().to_owned()).into());
        }
        let document = self.document(document_type, id)?;
        let expires_at = match &document {
            Some(document) => {
                document.expires_at(document_type).map_err(|error| Unanswered::State(error.to_string()))?
            }
            None => asked,
        };
        let is_queued = match expires_at {
            Some(at) => {
                let entry = only_item(self.rows(&entry_plan(at, id))?).map_err(Unanswered::State)?;
                Some(entry == Some(expiry::entry_value(document_type.contract_id(), document_type.name())))
            }
            None => None,
        };
        Ok(Answer::DocumentExpiry(DocumentExpiry { document, expires_at, is_queued }))
    }

    /// Entries that name no document are the cleanup's to remove, and are passed over.
    fn expiring(&mut self, part: &Expiring) -> Result<Answer, Unanswered<R::Error>> {
        let rows = self.rows(&expiring_plan(part)?)?;
        let entries = rows.iter().map(decode::expiring).collect::<Result<Vec<_>, _>>().map_err(Unanswered::State)?;
        let of_contract = |entry: &ExpiringDocument| part.contract.is_none_or(|contract| contract == entry.contract);
        Ok(Answer::ExpiringDocuments(entries.into_iter().flatten().filter(of_contract).collect()))
    }
}

pub(super) fn layout<'t>(document_type: &'t DocumentType, index: &str) -> Result<IndexLayout<'t>, QueryError> {
    Ok(IndexLayout::new(document_type, find_index(document_type, index)?))
}

/// The bytes of the one row there may be.
fn only_item(rows: Vec<Row>) -> Result<Option<Vec<u8>>, String> {
    match rows.into_iter().next() {
        None => Ok(None),
        Some(Row { content: RowContent::Item(bytes), .. }) => Ok(Some(bytes)),
        Some(row) => Err(format!("{} holds a tree where an item must stand", row.path)),
    }
}
