//! Comparison of a schema with its next version: a change that is not allowed is an error (node
//! rules, section 3, the table of schema keys).
//!
//! Invariant: every document the old schema allowed, the new one allows too; it may allow more.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::document_type::escaped;
use crate::value::Value;

/// A change that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// JSON pointer of the changed key.
    pub pointer: String,
    /// What to do about it.
    pub reason: String,
}

/// What may happen to a key of a schema.
enum Rule {
    /// Anything.
    Free,
    /// It may be added.
    MayBeAdded,
    /// An upper bound may be raised or removed.
    MayRise,
    /// A lower bound may be lowered or removed.
    MayFall,
    /// It may be removed.
    MayGo,
    /// It may be removed or turned off.
    MayTurnOff,
    /// Entries, and names in them, may be removed.
    MayLoseEntries,
    /// Values may be added; the key may be removed.
    MayGainValues,
    /// Members may be added; those that are there are schemas.
    Members,
    /// A list whose order means nothing, otherwise fixed.
    FixedSet,
    /// Nothing.
    Fixed,
}

fn rule_of(key: &str) -> Rule {
    match key {
        "$comment" | "description" | "examples" => Rule::Free,
        "$id" => Rule::MayBeAdded,
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" => Rule::MayRise,
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" => Rule::MayFall,
        "pattern" | "format" | "const" => Rule::MayGo,
        "uniqueItems" => Rule::MayTurnOff,
        "dependentRequired" => Rule::MayLoseEntries,
        "enum" => Rule::MayGainValues,
        "properties" | "$defs" => Rule::Members,
        "transient" => Rule::FixedSet,
        _ => Rule::Fixed,
    }
}

/// Changes of a type's schema that are not allowed; the keys of `own_rules` are judged elsewhere.
pub(super) fn changes_of_type(old: &Value, new: &Value, own_rules: &[&str]) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(old, new, "", own_rules, &mut changes);
    changes
}

/// The same for a definition of the contract, which stands at `pointer`.
pub(super) fn changes_of_definition(old: &Value, new: &Value, pointer: String) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(old, new, &pointer, &[], &mut changes);
    changes
}

fn compare(old: &Value, new: &Value, place: &str, left_out: &[&str], changes: &mut Vec<Change>) {
    let (Some(before), Some(after)) = (members(old), members(new)) else {
        if !old.same_as(new) {
            changes.push(Change { pointer: place.to_owned(), reason: "this cannot be changed".to_owned() });
        }
        return;
    };
    let keys: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    for key in keys.into_iter().filter(|key| !left_out.contains(key)) {
        let pointer = format!("{place}/{}", escaped(key));
        match (rule_of(key), before.get(key), after.get(key)) {
            (Rule::Members, Some(old), Some(new)) => compare_members(old, new, &pointer, changes),
            (rule, old, new) => {
                if let Some(reason) = refusal(&rule, old.copied(), new.copied(), key) {
                    changes.push(Change { pointer, reason });
                }
            }
        }
    }
}

fn compare_members(old: &Value, new: &Value, place: &str, changes: &mut Vec<Change>) {
    let (Some(before), Some(after)) = (members(old), members(new)) else {
        return compare(old, new, place, &[], changes);
    };
    for (name, old) in before {
        let pointer = format!("{place}/{}", escaped(name));
        match after.get(name) {
            Some(new) => compare(old, new, &pointer, &[], changes),
            None => changes.push(Change { pointer, reason: format!("'{name}' cannot be removed") }),
        }
    }
}

/// Why a change of a key is not allowed; `None` when it is, or when there is none.
fn refusal(rule: &Rule, old: Option<&Value>, new: Option<&Value>, key: &str) -> Option<String> {
    let allowed = match (rule, old, new) {
        (Rule::Free, _, _) => return None,
        (_, Some(old), Some(new)) if old.same_as(new) => return None,
        (_, None, None) => return None,
        (Rule::MayBeAdded, None, Some(_)) => return None,
        (Rule::MayBeAdded, ..) => "added, not changed or removed",
        (Rule::MayRise, Some(_), None) => return None,
        (Rule::MayRise, Some(old), Some(new)) if order(old, new) == Some(Ordering::Less) => return None,
        (Rule::MayRise, ..) => "raised or removed",
        (Rule::MayFall, Some(_), None) => return None,
        (Rule::MayFall, Some(old), Some(new)) if order(old, new) == Some(Ordering::Greater) => return None,
        (Rule::MayFall, ..) => "lowered or removed",
        (Rule::MayGo, Some(_), None) => return None,
        (Rule::MayGo, ..) => "removed",
        (Rule::MayTurnOff, Some(_), None | Some(Value::Bool(false))) => return None,
        (Rule::MayTurnOff, ..) => "removed or set to false",
        (Rule::MayLoseEntries, Some(_), None) => return None,
        (Rule::MayLoseEntries, Some(old), Some(new)) if only_loses_entries(old, new) => return None,
        (Rule::MayLoseEntries, ..) => "shortened",
        (Rule::MayGainValues, Some(_), None) => return None,
        (Rule::MayGainValues, Some(old), Some(new)) if holds_all(new, old) => return None,
        (Rule::MayGainValues, ..) => "given more values, or removed",
        (Rule::FixedSet, Some(old), Some(new)) if holds_all(new, old) && holds_all(old, new) => return None,
        (Rule::FixedSet | Rule::Fixed | Rule::Members, ..) => {
            return Some(format!("'{key}' can be neither added, removed nor changed by an update"));
        }
    };
    Some(format!("'{key}' may only be {allowed} by an update"))
}

/// How two numbers compare; `None` unless both are.
fn order(old: &Value, new: &Value) -> Option<Ordering> {
    match (old.as_integer(), new.as_integer()) {
        (Some(old), Some(new)) => Some(old.cmp(&new)),
        _ => number(old)?.partial_cmp(&number(new)?),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value.as_float() {
        Some(number) => Some(number),
        // text to float rounds to nearest, as JSON does
        None => value.as_integer()?.to_string().parse().ok(),
    }
}

/// Whether every item of `part` is one of `whole`.
fn holds_all(whole: &Value, part: &Value) -> bool {
    match (whole.as_array(), part.as_array()) {
        (Some(whole), Some(part)) => part.iter().all(|item| whole.iter().any(|other| other.same_as(item))),
        _ => false,
    }
}

fn only_loses_entries(old: &Value, new: &Value) -> bool {
    match (members(old), members(new)) {
        (Some(old), Some(new)) => {
            new.iter().all(|(name, next)| old.get(name).is_some_and(|before| holds_all(before, next)))
        }
        _ => false,
    }
}

/// Members by name, the last of a name that occurs twice; `None` when this is no map.
fn members(value: &Value) -> Option<BTreeMap<&str, &Value>> {
    let entries = value.as_map()?;
    Some(entries.iter().filter_map(|(key, value)| Some((key.as_text()?, value))).collect())
}
