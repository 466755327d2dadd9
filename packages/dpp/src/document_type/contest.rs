//! Which documents would enter a contest (node rules, section 5): those a vote would decide about, which are
//! refused here.
//!
//! Absent: contests themselves. Every other document of a type with a contested index is an ordinary one, and the
//! index an ordinary unique index.

use std::collections::BTreeMap;

use super::{Contested, DocumentType, FieldMatch, Index, SystemProperty};
use crate::value::Value;

impl DocumentType {
    /// The contested index in which a new document with these properties would enter a contest: all its values
    /// are there, and all its conditions match.
    pub fn contest_of(&self, properties: &BTreeMap<String, Value>) -> Option<&Index> {
        self.indexes().iter().find(|index| {
            index.contested.as_ref().is_some_and(|contested| {
                index.properties.iter().all(|property| is_there(properties, &property.path))
                    && contested.matches(properties)
            })
        })
    }
}

impl Contested {
    fn matches(&self, properties: &BTreeMap<String, Value>) -> bool {
        self.field_matches.iter().all(|condition| condition.matches(properties))
    }
}

impl FieldMatch {
    /// Only text matches.
    fn matches(&self, properties: &BTreeMap<String, Value>) -> bool {
        value_at(properties, self.field()).and_then(Value::as_text).is_some_and(|text| self.is_match(text))
    }
}

/// A block sets system properties whatever is sent.
fn is_there(properties: &BTreeMap<String, Value>, path: &str) -> bool {
    SystemProperty::from_name(path).is_some() || value_at(properties, path).is_some()
}

/// The value at a dotted path; null is no value.
pub(crate) fn value_at<'v>(properties: &'v BTreeMap<String, Value>, path: &str) -> Option<&'v Value> {
    let mut names = path.split('.');
    let start = properties.get(names.next()?)?;
    names.try_fold(start, Value::get).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contested(conditions: &[(&str, &str)]) -> Contested {
        let matches = conditions.iter().map(|(field, pattern)| FieldMatch::new(field, pattern).unwrap());
        Contested { field_matches: matches.collect(), description: None }
    }

    #[test]
    fn every_condition_must_match_text() {
        let nested = Value::Map(vec![(Value::Text("name".to_owned()), Value::Text("abc".to_owned()))]);
        let data = BTreeMap::from([
            ("tag".to_owned(), Value::Text("aa".to_owned())),
            ("count".to_owned(), Value::U64(11)),
            ("meta".to_owned(), nested),
        ]);
        for (conditions, expected) in [
            (&[][..], true),
            (&[("tag", "^a+$")], true),
            (&[("tag", "^a+$"), ("meta.name", "b")], true),
            (&[("tag", "^a+$"), ("meta.name", "^b")], false),
            (&[("tag", "^b")], false),
            (&[("none", "")], false),
            (&[("count", "1")], false),
        ] {
            assert_eq!(contested(conditions).matches(&data), expected, "{conditions:?}");
        }
    }
}
