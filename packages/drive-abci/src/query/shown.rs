//! Answers as JSON.

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use drive::query::{Answer, DocumentExpiry, ExpiringDocument, GroupRow, Measure, Query, RankRow};
use drive::tree::{AVERAGE_SCALE, RankAxis};
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json, json};

use super::values;
use crate::inspect::document_properties;

/// An answer to a question, as JSON.
pub fn answer_json(query: &Query<'_>, contract: Option<&ParsedContract>, answer: &Answer) -> Json {
    let document_type = type_name(query).and_then(|name| contract?.types().get(name));
    match answer {
        Answer::Contract(contract) => contract.as_ref().map_or(Json::Null, |contract| contract.to_json()),
        Answer::Document(found) => found.as_ref().map_or(Json::Null, |found| document(found, document_type)),
        Answer::Documents(found) => found.iter().map(|found| document(found, document_type)).collect(),
        Answer::Totals(groups) => groups.iter().map(|group| totals(query, document_type, group)).collect(),
        Answer::Top(ranks) => ranks.iter().map(|rank| ranked(query, document_type, rank)).collect(),
        Answer::DocumentExpiry(found) => expiry(found, document_type),
        Answer::ExpiringDocuments(entries) => entries.iter().map(entry).collect(),
    }
}

fn type_name<'q>(query: &Query<'q>) -> Option<&'q str> {
    match query {
        Query::Contract(_) | Query::ExpiringDocuments(_) => None,
        Query::Document { of, .. }
        | Query::Documents { of, .. }
        | Query::Totals { of, .. }
        | Query::Top { of, .. }
        | Query::DocumentExpiry { of, .. } => Some(of.name),
    }
}

fn document(document: &Document, document_type: Option<&DocumentType>) -> Json {
    let mut shown = document_properties(document);
    let expires_at = document_type.and_then(|of| document.expires_at(of).ok().flatten());
    shown.extend(expires_at.map(|at| ("$expiresAt".to_owned(), json!(at))));
    Json::Object(shown)
}

fn totals(query: &Query<'_>, document_type: Option<&DocumentType>, group: &GroupRow) -> Json {
    let values = document_type.map(|of| values::group_values(of, &group.at)).unwrap_or_default();
    let mut shown = Map::from_iter([("values".to_owned(), Json::Array(values))]);
    let Query::Totals { measure, .. } = query else { return Json::Object(shown) };
    if *measure != Measure::Sum {
        shown.insert("count".to_owned(), json!(group.totals.count));
    }
    if *measure != Measure::Count {
        shown.insert("sum".to_owned(), number(group.totals.sum));
    }
    if *measure == Measure::Average {
        shown.insert("average".to_owned(), group.totals.average().map_or(Json::Null, average));
    }
    Json::Object(shown)
}

fn ranked(query: &Query<'_>, document_type: Option<&DocumentType>, rank: &RankRow) -> Json {
    let Query::Top { ranking, .. } = query else { return Json::Null };
    let property = document_type.and_then(|of| {
        let index = of.indexes().iter().find(|index| index.name == ranking.index)?;
        Some((of, index.properties.first()?.path.as_str()))
    });
    let group = property.map_or(Json::Null, |(of, property)| values::value(of, property, &rank.group));
    let (name, aggregate) = match ranking.axis {
        RankAxis::Count => ("count", number(rank.aggregate)),
        RankAxis::Sum => ("sum", number(rank.aggregate)),
        RankAxis::Average => ("average", average(rank.aggregate)),
    };
    json!({ "value": group, name: aggregate })
}

fn expiry(found: &DocumentExpiry, document_type: Option<&DocumentType>) -> Json {
    json!({
        "document": found.document.as_ref().map(|found| document(found, document_type)),
        "expiresAtMs": found.expires_at,
        "isQueued": found.is_queued,
    })
}

fn entry(entry: &ExpiringDocument) -> Json {
    json!({
        "expiresAtMs": entry.expires_at,
        "id": entry.id,
        "contract": entry.contract,
        "documentType": entry.document_type,
    })
}

/// A number that may pass 64 bits is text there.
fn number(number: i128) -> Json {
    i64::try_from(number).map_or_else(|_| Json::String(number.to_string()), Json::from)
}

/// An average is scaled and rounded down; as text, since JSON's fractions are rounded.
fn average(scaled: i128) -> Json {
    let decimals = AVERAGE_SCALE.ilog10();
    let exact = Decimal::try_from_i128_with_scale(scaled, decimals);
    Json::String(exact.map_or_else(|_| format!("{scaled}e-{decimals}"), |exact| exact.normalize().to_string()))
}
