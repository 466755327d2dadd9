//! Aggregates, rankings and time ranges: what they need, and what is kept of them (contract keywords,
//! "Index"; node rules, 1.7 and 1.8).

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::document_type::Validation::{Full, Stored};
use dpp::document_type::{Contested, Countable, DocumentType, FieldMatch, Ranked, TimeRange};
use dpp::primitives::Seconds;
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, code, judged, parse, with};

/// A type with a summable integer, a text and every time recorded.
fn base() -> Json {
    json!({
        "type": "object",
        "documentsMutable": false,
        "canBeDeleted": true,
        "properties": {
            "amount": { "type": "integer", "minimum": 0, "position": 0 },
            "tag": { "type": "string", "maxLength": 61, "position": 1 },
            "note": { "type": "string", "maxLength": 63, "position": 2 },
            "free": { "type": "integer", "position": 3 },
            "meta": {
                "type": "object", "position": 4, "additionalProperties": false,
                "properties": { "code": { "type": "integer", "position": 0 } }
            },
            "huge": { "type": "integer", "minimum": 0, "maximum": u64::MAX, "position": 5 },
            "bytes": { "type": "array", "byteArray": true, "maxItems": 247, "position": 6 }
        },
        "required": ["$createdAt", "$updatedAt", "amount", "meta", "huge", "note"],
        "additionalProperties": false
    })
}

fn indexed(index: Json) -> Json {
    let index = with(&json!({ "name": "i", "properties": [{ "tag": "asc" }] }), &index);
    with(&base(), &json!({ "indices": [index] }))
}

fn stored(schema: &Json, rules: &PlatformVersion) -> DocumentType {
    parse(schema, Stored, rules).unwrap()
}

#[test]
fn a_summed_property_is_a_required_integer_of_the_top_level() {
    for rules in VERSIONS {
        for (name, expected) in
            [("amount", 0), ("absent", 10231), ("free", 10231), ("note", 10231), ("meta.code", 10231), ("huge", 10231)]
        {
            for key in ["documentsSummable", "documentsAverageable"] {
                let schema = with(&base(), &json!({ key: name }));
                assert_eq!(judged(&schema, rules), (expected, expected), "{key} {name}");
            }
            for key in ["summable", "averageable"] {
                let schema = indexed(json!({ key: name }));
                assert_eq!(judged(&schema, rules), (expected, expected), "{key} {name}");
            }
        }
    }
}

#[test]
fn two_names_for_one_sum_must_agree() {
    let mut schema = base();
    schema["properties"]["other"] = json!({ "type": "integer", "position": 7 });
    schema["required"] = json!(["amount", "other"]);
    for rules in VERSIONS {
        for (averaged, expected) in [("amount", 0), ("other", 10231)] {
            let of_type = with(&schema, &json!({ "documentsSummable": "amount", "documentsAverageable": averaged }));
            assert_eq!(judged(&of_type, rules), (expected, expected));
            let index = json!({
                "name": "i", "properties": [{ "tag": "asc" }], "summable": "amount", "averageable": averaged
            });
            let of_index = with(&schema, &json!({ "indices": [index] }));
            assert_eq!(judged(&of_index, rules), (expected, expected));
        }
    }
}

#[test]
fn a_no_that_contradicts_a_shorthand_is_refused_on_every_parse() {
    let of_types = [
        json!({ "documentsCountable": false, "documentsAverageable": "amount" }),
        json!({ "documentsCountable": false, "rangeCountable": true }),
        json!({ "documentsAverageable": "amount", "rangeAverageable": true, "rangeCountable": false }),
        json!({
            "documentsSummable": "amount", "documentsAverageable": "amount", "rangeAverageable": true,
            "rangeSummable": false
        }),
    ];
    for rules in VERSIONS {
        for declared in &of_types {
            assert_eq!(judged(&with(&base(), declared), rules), (10231, 10231), "{declared}");
        }
        let of_index = indexed(json!({ "countable": "notCountable", "averageable": "amount" }));
        assert_eq!(judged(&of_index, rules), (10231, 10231));
    }
}

#[test]
fn aggregates_are_kept_with_their_shorthands_resolved() {
    let schema = with(&base(), &json!({ "documentsAverageable": "amount", "rangeAverageable": true }));
    for rules in VERSIONS {
        let parsed = stored(&schema, rules);
        let aggregates = parsed.aggregates();
        assert_eq!((aggregates.countable, aggregates.summed.as_deref()), (Countable::Yes, Some("amount")));
        assert!(aggregates.range_countable && aggregates.range_summable && aggregates.is_averaged());
    }
    let parsed = stored(&indexed(json!({ "countable": "countableAllowingOffset", "rangeCountable": true })), &V14);
    let index = &parsed.indexes()[0];
    assert_eq!(index.aggregates.countable, Countable::WithOffset);
    assert!(index.aggregates.range_countable && !index.is_plain());
    assert!(stored(&indexed(json!({})), &V14).indexes()[0].is_plain());
}

#[test]
fn a_ranking_needs_what_it_ranks_and_one_property() {
    let all = json!({ "averageable": "amount", "rangeAverageable": true });
    let rows = [
        (json!({ "rankedCountable": true, "rangeCountable": true }), 0),
        (json!({ "rankedSummable": true, "summable": "amount", "rangeSummable": true }), 0),
        (with(&all, &json!({ "rankedCountable": true, "rankedSummable": true })), 0),
        (with(&all, &json!({ "rankedCountable": true, "unique": true })), 10231),
        (with(&all, &json!({ "rankedCountable": true, "properties": [{ "note": "asc" }, { "tag": "asc" }] })), 10231),
        (
            with(
                &all,
                &json!({
                    "rankedCountable": true, "properties": [{ "$createdAt": "asc" }],
                    "timeRange": { "on": "$createdAt", "range": 60, "step": 60 }
                }),
            ),
            10231,
        ),
    ];
    for (index, expected) in rows {
        assert_eq!(judged(&indexed(index.clone()), &V14), (expected, expected), "{index}");
    }
    // what the meta-schema refuses first, a stored contract is held to as well
    for index in [json!({ "rankedCountable": true }), json!({ "rankedAverageable": true, "averageable": "amount" })] {
        assert_eq!(judged(&indexed(index.clone()), &V14), (10101, 10231), "{index}");
    }
    let kept = stored(&indexed(with(&all, &json!({ "rankedAverageable": true }))), &V14);
    assert_eq!(kept.indexes()[0].ranked, Ranked { by_average: true, ..Ranked::default() });
}

#[test]
fn ranked_values_leave_room_for_the_aggregate() {
    let by = |path: &str, key: &str| {
        let ranges = json!({ "averageable": "amount", "rangeAverageable": true, key: true });
        indexed(with(&ranges, &json!({ "properties": [{ path: "asc" }] })))
    };
    let rows = [("tag", "rankedCountable", 0), ("note", "rankedCountable", 10205), ("tag", "rankedAverageable", 10205)];
    for (path, key, expected) in
        rows.into_iter().chain([("bytes", "rankedSummable", 0), ("bytes", "rankedAverageable", 10205)])
    {
        assert_eq!(judged(&by(path, key), &V14), (expected, 0), "{path} {key}");
    }
    let mut fits = by("tag", "rankedAverageable");
    fits["properties"]["tag"]["maxLength"] = json!(59);
    assert_eq!(judged(&fits, &V14), (0, 0));
}

fn bucketed(range: Json, index: Json) -> Json {
    let range = with(&json!({ "on": "$createdAt", "range": 3_600, "step": 600 }), &range);
    let base = json!({ "properties": [{ "$createdAt": "asc" }, { "tag": "asc" }], "timeRange": range });
    indexed(with(&base, &index))
}

#[test]
fn a_time_range_is_a_regular_grid_over_a_recorded_time() {
    let ranges = [
        (json!({}), 0),
        (json!({ "on": "$updatedAt" }), 10231),
        (json!({ "on": "amount" }), 10231),
        (json!({ "range": 3_601 }), 10231),
        (json!({ "range": 300 }), 10231),
        (json!({ "range": 14_400 }), 0),
        (json!({ "range": 15_000 }), 10231),
        (json!({ "phase": 599 }), 0),
        (json!({ "phase": 600 }), 10231),
        (json!({ "range": 63_072_000, "step": 63_072_000, "phase": 31_535_999 }), 0),
        (json!({ "range": 63_072_000, "step": 63_072_000, "phase": 31_536_000 }), 10231),
        (json!({ "ttl": 3_599 }), 10231),
        (json!({ "ttl": 3_600 }), 0),
        (json!({ "ttl": 604_800 }), 0),
        (json!({ "ttl": 604_801 }), 10231),
    ];
    for (range, expected) in ranges {
        assert_eq!(judged(&bucketed(range.clone(), json!({})), &V14), (expected, expected), "{range}");
    }
    let indexes = [
        (json!({ "properties": [{ "tag": "asc" }, { "$createdAt": "asc" }] }), 10231),
        (json!({ "nullSearchable": false }), 10231),
        (json!({ "nullSearchable": true }), 0),
        (json!({ "unique": true }), 10231),
        (json!({ "unique": true, "contested": { "resolution": 0 } }), 10231),
    ];
    for (index, expected) in indexes {
        assert_eq!(judged(&bucketed(json!({}), index.clone()), &V14), (expected, expected), "{index}");
    }
    let unrecorded = with(&bucketed(json!({}), json!({})), &json!({ "required": ["$updatedAt"] }));
    assert_eq!(judged(&unrecorded, &V14), (10231, 10231));
}

#[test]
fn a_unique_time_range_has_one_window_a_time_and_counts_from_creation() {
    let unique = |on: &str, range: u32| {
        let index = json!({ "unique": true, "properties": [{ on: "asc" }, { "tag": "asc" }] });
        judged(&bucketed(json!({ "on": on, "range": range, "step": 600 }), index), &V14)
    };
    assert_eq!(unique("$createdAt", 600), (0, 0));
    assert_eq!(unique("$createdAt", 1_200), (10231, 10231));
    assert_eq!(unique("$updatedAt", 600), (10231, 10231));
    let contested = json!({ "unique": true, "contested": { "resolution": 0 } });
    assert_eq!(judged(&bucketed(json!({ "range": 600 }), contested), &V14), (10231, 10231));
}

#[test]
fn time_ranges_with_the_same_windows_agree_on_their_life() {
    let index = |name: &str, properties: Json, ttl: Json| {
        let range = with(&json!({ "on": "$createdAt", "range": 600, "step": 600 }), &json!({ "ttl": ttl }));
        json!({ "name": name, "properties": properties, "timeRange": range })
    };
    let two = |first: Json, second: Json| {
        let properties = [json!([{ "$createdAt": "asc" }]), json!([{ "$createdAt": "asc" }, { "tag": "asc" }])];
        let [a, b] = [index("a", properties[0].clone(), first), index("b", properties[1].clone(), second)];
        judged(&with(&base(), &json!({ "indices": [a, b] })), &V14)
    };
    assert_eq!(two(json!(900), json!(900)), (0, 0));
    assert_eq!(two(json!(null), json!(null)), (0, 0));
    assert_eq!(two(json!(900), json!(901)), (10231, 10231));
    assert_eq!(two(json!(null), json!(900)), (10231, 10231));
}

#[test]
fn a_time_range_is_kept_and_weighs_its_windows() {
    let schema = with(&bucketed(json!({ "phase": 7, "ttl": 3_600 }), json!({})), &json!({ "ttl": 86_400 }));
    let parsed = stored(&schema, &V14);
    let index = &parsed.indexes()[0];
    let expected = TimeRange {
        on: "$createdAt".into(),
        range: Seconds(3_600),
        step: Seconds(600),
        phase: Seconds(7),
        ttl: Some(Seconds(3_600)),
    };
    assert_eq!(index.time_range, Some(expected));
    // two properties in six windows each, and the document
    assert_eq!((index.windows(), index.levels(), parsed.weight()), (6, 12, 13));
    // the life of an index's entries is not that of its documents
    assert_eq!(stored(&bucketed(json!({ "ttl": 3_600 }), json!({})), &V14).ttl(), None);
    // generation 2 knows no such key
    assert_eq!(code(&parse(&bucketed(json!({}), json!({})), Stored, &V13)), 10228);
}

#[test]
fn the_heaviest_type_weighs_what_the_rules_say() {
    let paths: Vec<String> = (0..12).map(|n| format!("p{n}")).collect();
    let properties: serde_json::Map<String, Json> = paths
        .iter()
        .enumerate()
        .map(|(position, path)| (path.clone(), json!({ "type": "integer", "position": position })))
        .collect();
    let indexes: Vec<Json> = (0..10)
        .map(|n| {
            let rest = paths.iter().cycle().skip(n).take(9).map(|path| json!({ path.as_str(): "asc" }));
            let properties: Vec<Json> = [json!({ "$createdAt": "asc" })].into_iter().chain(rest).collect();
            let range = json!({ "on": "$createdAt", "range": 14_400, "step": 600 });
            json!({ "name": format!("i{n}"), "properties": properties, "timeRange": range })
        })
        .collect();
    let schema = json!({
        "type": "object", "ttl": 86_400, "properties": properties, "additionalProperties": false,
        "required": ["$createdAt"], "indices": indexes
    });
    assert_eq!(judged(&schema, &V14), (0, 0));
    assert_eq!(stored(&schema, &V14).weight(), 2_401);
}

#[test]
fn only_contested_values_are_kept_as_such_and_the_other_resolution_is_absent() {
    let contested = |details: Json| indexed(json!({ "unique": true, "contested": details }));
    let matches = json!([{ "field": "tag", "regexPattern": "^a+$" }]);
    let parsed = stored(&contested(json!({ "resolution": 0, "fieldMatches": matches, "description": "names" })), &V14);
    let kept =
        Contested { field_matches: vec![FieldMatch::new("tag", "^a+$").unwrap()], description: Some("names".into()) };
    assert_eq!(parsed.indexes()[0].contested, Some(kept));
    let other = contested(json!({ "resolution": 1 }));
    assert_eq!(code(&parse(&other, Full, &V14)), 10006);
    assert_eq!(code(&parse(&other, Full, &V13)), 10101);
}

#[test]
fn a_path_that_no_key_can_hold_is_refused_at_registration() {
    let nested = |names: [usize; 4]| {
        let [outermost, outer, inner, innermost] = names.map(|length| "p".repeat(length));
        let object = |name: &str, value: Json| {
            json!({
                "type": "object", "position": 0, "additionalProperties": false, "properties": { name: value }
            })
        };
        let leaf = json!({ "type": "boolean", "position": 0 });
        let properties = json!({ outermost.as_str(): object(&outer, object(&inner, object(&innermost, leaf))) });
        let path = [outermost, outer, inner, innermost].join(".");
        json!({
            "type": "object", "properties": properties, "additionalProperties": false,
            "indices": [{ "name": "i", "properties": [{ path.as_str(): "asc" }] }]
        })
    };
    for rules in VERSIONS {
        assert_eq!(judged(&nested([63, 63, 63, 63]), rules), (0, 0));
        assert_eq!(judged(&nested([64, 63, 63, 63]), rules), (10205, 0));
    }
}
