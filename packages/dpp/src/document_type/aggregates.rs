//! Counts, sums and averages a type or an index keeps (contract keywords, "Index"; node rules, 1.8).
//!
//! Invariant: shorthands are resolved, so `averageable` is countable and summable, and two ways to
//! ask for the same aggregates compare equal. Absent: which property may be summed.

use crate::ConsensusError;
use crate::document_type::schema_node::SchemaNode;
use crate::value::Value;

/// Whether documents are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Countable {
    /// They are not.
    #[default]
    No,
    /// Per value of the index, or per type.
    Yes,
    /// The same, in trees whose nodes count, so that an offset is one descent.
    WithOffset,
}

/// Aggregates over a primary key tree or an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aggregates {
    /// Whether documents are counted.
    pub countable: Countable,
    /// The integer property that is summed; top-level and required.
    pub summed: Option<String>,
    /// Counts over a range of keys are one read.
    pub range_countable: bool,
    /// Sums over a range of keys are one read.
    pub range_summable: bool,
}

impl Aggregates {
    /// Whether documents are counted.
    pub fn is_counted(&self) -> bool {
        self.countable != Countable::No
    }

    /// Whether averages can be read: documents are counted and summed.
    pub fn is_averaged(&self) -> bool {
        self.is_counted() && self.summed.is_some()
    }

    /// Whether nothing is kept.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The keys of one place that aggregates are declared with; the range keys are the same everywhere.
pub(crate) struct AggregateKeys {
    countable: &'static str,
    pub summable: &'static str,
    pub averageable: &'static str,
}

pub(crate) const OF_TYPE: AggregateKeys = AggregateKeys {
    countable: "documentsCountable",
    summable: "documentsSummable",
    averageable: "documentsAverageable",
};
pub(crate) const OF_INDEX: AggregateKeys =
    AggregateKeys { countable: "countable", summable: "summable", averageable: "averageable" };

/// What one place declares, before shorthands are resolved.
struct Declared<'a> {
    countable: Option<Countable>,
    summable: Option<&'a str>,
    averageable: Option<&'a str>,
    range_countable: Option<bool>,
    range_summable: Option<bool>,
    range_averageable: bool,
}

/// Reads the aggregates of a type or an index; a value of the wrong kind is 10228.
pub(crate) fn parse(node: &SchemaNode<'_>, keys: &AggregateKeys) -> Result<Aggregates, ConsensusError> {
    let declared = Declared::read(node, keys)?;
    let implied = if declared.counts_by_shorthand() { Countable::Yes } else { Countable::No };
    Ok(Aggregates {
        countable: declared.countable.unwrap_or(implied),
        summed: declared.summable.or(declared.averageable).map(str::to_owned),
        range_countable: declared.range_countable.unwrap_or(declared.range_averageable),
        range_summable: declared.range_summable.unwrap_or(declared.range_averageable),
    })
}

/// "An explicit `false` that contradicts a shorthand", and a range flag that has nothing to range over.
pub(crate) fn are_consistent(node: &SchemaNode<'_>, keys: &AggregateKeys) -> Result<(), ConsensusError> {
    let declared = Declared::read(node, keys)?;
    let AggregateKeys { countable, summable, averageable } = keys;
    if declared.countable == Some(Countable::No) && declared.counts_by_shorthand() {
        return Err(contradiction(node, countable, "another keyword asks for a count; remove one of the two"));
    }
    let ranges = [("rangeCountable", declared.range_countable), ("rangeSummable", declared.range_summable)];
    for (key, flag) in ranges {
        if flag == Some(false) && declared.range_averageable {
            return Err(contradiction(node, key, "'rangeAverageable' is true; remove one of the two"));
        }
    }
    if declared.range_summable == Some(true) && declared.summable.or(declared.averageable).is_none() {
        return Err(contradiction(node, "rangeSummable", &format!("it needs '{summable}' or '{averageable}'")));
    }
    if declared.range_averageable && declared.averageable.is_none() {
        return Err(contradiction(node, "rangeAverageable", &format!("it needs '{averageable}'")));
    }
    Ok(())
}

fn contradiction(node: &SchemaNode<'_>, key: &str, reason: &str) -> ConsensusError {
    node.at(key).structure(format!("'{key}' cannot stand as it is: {reason}"))
}

impl<'a> Declared<'a> {
    fn read(node: &SchemaNode<'a>, keys: &AggregateKeys) -> Result<Self, ConsensusError> {
        Ok(Self {
            countable: node.get(keys.countable).map(|word| countable(&word)).transpose()?,
            summable: property_name(node, keys.summable)?,
            averageable: property_name(node, keys.averageable)?,
            range_countable: node.flag("rangeCountable")?,
            range_summable: node.flag("rangeSummable")?,
            range_averageable: node.flag("rangeAverageable")? == Some(true),
        })
    }

    fn counts_by_shorthand(&self) -> bool {
        self.averageable.is_some() || self.range_averageable || self.range_countable == Some(true)
    }
}

fn countable(word: &SchemaNode<'_>) -> Result<Countable, ConsensusError> {
    match (word.value(), word.text()) {
        (Value::Bool(false), _) | (_, Some("notCountable")) => Ok(Countable::No),
        (Value::Bool(true), _) | (_, Some("countable")) => Ok(Countable::Yes),
        (_, Some("countableAllowingOffset")) => Ok(Countable::WithOffset),
        _ => Err(word.wrong_type("this must be true, false, 'notCountable', 'countable' or 'countableAllowingOffset'")),
    }
}

fn property_name<'a>(node: &SchemaNode<'a>, key: &str) -> Result<Option<&'a str>, ConsensusError> {
    let Some(name) = node.get(key) else { return Ok(None) };
    name.text().map(Some).ok_or_else(|| name.wrong_type(format!("'{key}' must name a property, as text")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::IntegerKind;
    use serde_json::{Value as Json, json};

    fn of_index(declared: Json) -> (Result<Aggregates, u32>, u32) {
        let value = Value::from_json(&declared, IntegerKind::Signed);
        let node = SchemaNode::root("t", &value);
        let parsed = parse(&node, &OF_INDEX).map_err(|error| error.code());
        (parsed, are_consistent(&node, &OF_INDEX).err().map_or(0, |error| error.code()))
    }

    #[test]
    fn shorthands_are_resolved() {
        let long = json!({ "countable": "countable", "summable": "n", "rangeCountable": true, "rangeSummable": true });
        let short = json!({ "averageable": "n", "rangeAverageable": true });
        assert_eq!(of_index(long).0, of_index(short.clone()).0);
        let all = of_index(short).0.unwrap();
        assert!(all.is_averaged() && all.range_countable && all.range_summable);
        assert_eq!(of_index(json!({ "rangeCountable": true })).0.unwrap().countable, Countable::Yes);
        let offset = json!({ "countable": "countableAllowingOffset", "averageable": "n" });
        assert_eq!(of_index(offset).0.unwrap().countable, Countable::WithOffset);
        assert!(of_index(json!({ "countable": false, "rangeCountable": false })).0.unwrap().is_none());
    }

    #[test]
    fn an_explicit_no_may_not_contradict_a_shorthand() {
        let refused = [
            json!({ "countable": false, "averageable": "n" }),
            json!({ "countable": "notCountable", "rangeCountable": true }),
            json!({ "averageable": "n", "rangeAverageable": true, "rangeCountable": false }),
            json!({ "averageable": "n", "rangeAverageable": true, "rangeSummable": false }),
            json!({ "rangeSummable": true }),
            json!({ "rangeAverageable": true }),
        ];
        for declared in refused {
            assert_eq!(of_index(declared.clone()).1, 10231, "{declared}");
        }
        let accepted = [
            json!({ "averageable": "n", "rangeAverageable": false, "rangeCountable": false }),
            json!({ "summable": "n", "countable": false, "rangeSummable": true }),
        ];
        for declared in accepted {
            assert_eq!(of_index(declared.clone()).1, 0, "{declared}");
        }
    }

    #[test]
    fn values_of_the_wrong_kind_are_errors() {
        for declared in [json!({ "countable": "x" }), json!({ "summable": 5 }), json!({ "rangeCountable": 1 })] {
            assert_eq!(of_index(declared.clone()).0, Err(10228), "{declared}");
        }
    }
}
