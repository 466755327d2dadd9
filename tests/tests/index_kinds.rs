//! Every kind of index through the life of a document: one test a kind and moment. The table of
//! `docs/indexes.md` names them all.
//!
//! Whatever is asked is read, proved and verified (`platform_tests::ask`).

use core::ops::Bound;
use std::collections::BTreeMap;

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use drive::query::{Filter, IndexQuery, Measure, Query, QueryError, Start, TopQuery, TypeName, Window};
use drive::tree::{GroupTotals, RankAxis, RootHash, contracts};
use platform_tests::ask::{Ask, text};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::{Chain, Wallet, types, wallet, with_chain};
use serde_json::{Value as Json, json};

/// The one type of these stories.
const TYPE: &str = "entry";

/// A kind of index.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// What the index has beyond its name.
    index: fn() -> Json,
    /// The properties it is asked by; a window comes before them.
    by: &'static [&'static str],
    /// It counts, it sums.
    keeps: (bool, bool),
    ranked: &'static [RankAxis],
    windowed: bool,
}

const PLAIN: Kind = Kind {
    name: "plain",
    index: || json!({ "properties": [ { "tag": "asc" } ] }),
    by: &["tag"],
    keeps: (false, false),
    ranked: &[],
    windowed: false,
};

fn kind(name: &str) -> Kind {
    let kind = match name {
        "plain" => PLAIN,
        "compound" => {
            Kind { index: || json!({ "properties": [ { "tag": "asc" }, { "n": "asc" } ] }), by: &["tag", "n"], ..PLAIN }
        }
        "nested" => Kind { index: || json!({ "properties": [ { "meta.code": "asc" } ] }), by: &["meta.code"], ..PLAIN },
        "unique" => Kind { index: || json!({ "properties": [ { "n": "asc" } ], "unique": true }), by: &["n"], ..PLAIN },
        "not_null" => {
            Kind { index: || json!({ "properties": [ { "tag": "asc" } ], "nullSearchable": false }), ..PLAIN }
        }
        "counted" => Kind { index: || flagged(&["countable", "rangeCountable"], &[]), keeps: (true, false), ..PLAIN },
        "summed" => Kind { index: || flagged(&["rangeSummable"], &["summable"]), keeps: (false, true), ..PLAIN },
        "averaged" => Kind { index: || flagged(&["rangeAverageable"], &["averageable"]), keeps: (true, true), ..PLAIN },
        "ranked_by_count" => {
            Kind { ranked: &[RankAxis::Count], index: || ranking("rankedCountable"), ..kind("averaged") }
        }
        "ranked_by_sum" => Kind { ranked: &[RankAxis::Sum], index: || ranking("rankedSummable"), ..kind("averaged") },
        "ranked_by_average" => {
            Kind { ranked: &[RankAxis::Average], index: || ranking("rankedAverageable"), ..kind("averaged") }
        }
        "windows" => Kind { index: || windowed(7_200, None), keeps: (true, false), windowed: true, ..PLAIN },
        "expiring_windows" => {
            Kind { index: || windowed(3_600, Some(3_600)), keeps: (true, false), windowed: true, ..PLAIN }
        }
        other => panic!("no kind {other}"),
    };
    Kind { name: NAMES.iter().find(|known| **known == name).unwrap(), ..kind }
}

/// Flags that are on, and those that name the summed property.
fn flagged(on: &[&str], of_property: &[&str]) -> Json {
    let mut index = json!({ "properties": [ { "tag": "asc" } ] });
    on.iter().for_each(|flag| index[*flag] = json!(true));
    of_property.iter().for_each(|flag| index[*flag] = json!("n"));
    index
}

fn ranking(by: &str) -> Json {
    flagged(&["rangeAverageable", by], &["averageable"])
}

/// Two windows overlap.
fn windowed(range: u64, ttl: Option<u64>) -> Json {
    let mut grid = json!({ "on": "$createdAt", "range": range, "step": range / 2 });
    if let Some(ttl) = ttl {
        grid["ttl"] = json!(ttl);
    }
    let properties = json!([ { "$createdAt": "asc" }, { "tag": "asc" } ]);
    json!({ "properties": properties, "countable": true, "rangeCountable": true, "timeRange": grid })
}

impl Kind {
    /// A type with this index alone, whose documents live an hour.
    fn schema(&self) -> Json {
        let mut index = (self.index)();
        index["name"] = json!(self.name);
        json!({
            "type": "object", "ttl": types::HOUR, "canBeDeleted": true, "documentsMutable": true,
            "indices": [index],
            "properties": {
                "tag": { "type": "string", "maxLength": 20, "position": 0 },
                "n": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 1 },
                "meta": {
                    "type": "object", "position": 2, "additionalProperties": false,
                    "properties": { "code": { "type": "integer", "minimum": 0, "maximum": 9, "position": 0 } }
                },
            },
            "required": ["$createdAt", "n"], "additionalProperties": false,
        })
    }

    /// Everything in the index, in the newest window if it has windows.
    fn all(&self) -> IndexQuery<'static> {
        let window = self.windowed.then_some(Window::Newest);
        IndexQuery { window, ..IndexQuery::all(self.name) }
    }

    fn values(&self, known: &Known) -> Vec<Value> {
        let value = |name: &&str| match *name {
            "tag" => text(known.tag),
            "n" => Value::U64(known.n),
            _ => Value::U64(known.n % 10),
        };
        self.by.iter().map(value).collect()
    }

    fn equal(&self, values: &[Value]) -> IndexQuery<'static> {
        IndexQuery { equals: values.iter().cloned().map(Some).collect(), ..self.all() }
    }
}

/// A document as its owner knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: Identifier,
    tag: &'static str,
    n: u64,
}

/// A chain with three documents of a kind, and who owns them.
struct Story<'c, 'd> {
    chain: &'c mut Chain<'d>,
    alice: Wallet,
    contract: Identifier,
    kind: Kind,
    live: Vec<Known>,
    /// Hash of the type's tree before there was a document.
    empty: [u8; 32],
}

fn tell(name: &str, story: impl FnOnce(&mut Story<'_, '_>)) {
    let kind = kind(name);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ TYPE: kind.schema() }));
    with_chain(14, &["alice"], |chain| {
        // the invariants of the books and of the store are looked at by the stories of each
        chain.checks = false;
        chain.accept_at(GENESIS_TIME, vec![register]);
        let empty = chain.drive().subtree_hash(&contracts::document_type(contract, TYPE)).unwrap();
        let mut told = Story { chain, alice, contract, kind, live: Vec::new(), empty };
        told.create(&[("a", 5), ("a", 7), ("b", 9)]);
        story(&mut told);
    });
}

impl<'d> Story<'_, 'd> {
    fn create(&mut self, documents: &[(&'static str, u64)]) {
        let mut creates = Vec::new();
        for (tag, n) in documents {
            let data = json!({ "tag": tag, "n": n, "meta": { "code": n % 10 } });
            let (create, id) = self.alice.create(self.contract, TYPE, &data);
            creates.push(create);
            self.live.push(Known { id, tag, n: *n });
        }
        self.chain.accept(creates);
    }

    fn ask(&self) -> Ask<'_, 'd> {
        Ask::of(self.chain, self.contract, TYPE)
    }

    /// The index answers as a plain list of what lives would.
    fn agrees(&self) {
        let (ask, kind) = (self.ask(), self.kind);
        let mut found = ask.ids(&kind.all()).unwrap();
        found.sort();
        let mut live: Vec<_> = self.live.iter().map(|known| known.id).collect();
        live.sort();
        assert_eq!(found, live);
        let mut groups: BTreeMap<Vec<String>, (Vec<Value>, Vec<Known>)> = BTreeMap::new();
        for known in &self.live {
            let values = kind.values(known);
            let group = groups.entry(values.iter().map(|value| format!("{value:?}")).collect()).or_default();
            *group = (values, [group.1.as_slice(), &[*known]].concat());
        }
        for (values, members) in groups.values() {
            let mut found = ask.ids(&kind.equal(values)).unwrap();
            found.sort();
            let mut ids: Vec<_> = members.iter().map(|known| known.id).collect();
            ids.sort();
            assert_eq!(found, ids, "{values:?}");
            self.totals_agree(&kind.equal(values), members);
        }
        self.totals_agree(&kind.all(), &self.live);
        let groups: Vec<_> = groups.into_values().map(|(values, members)| (values, totals(&members))).collect();
        self.rankings_agree(&groups);
    }

    fn totals_agree(&self, query: &IndexQuery<'_>, members: &[Known]) {
        let (counts, sums) = self.kind.keeps;
        let total = |measure| self.ask().total(Some(query), measure);
        let expected = totals(members);
        for (measure, kept, expected) in [
            (Measure::Count, counts, GroupTotals { sum: 0, ..expected }),
            (Measure::Sum, sums, GroupTotals { count: 0, ..expected }),
            (Measure::Average, counts && sums, expected),
        ] {
            match total(measure) {
                Ok(found) => assert_eq!((kept, found), (true, expected)),
                Err(refused) => assert!(!kept && matches!(refused, QueryError::NotKept { .. }), "{refused}"),
            }
        }
    }

    fn rankings_agree(&self, groups: &[(Vec<Value>, GroupTotals)]) {
        for axis in self.kind.ranked {
            let aggregate = |totals: &GroupTotals| match axis {
                RankAxis::Count => i128::from(totals.count),
                RankAxis::Sum => totals.sum,
                RankAxis::Average => totals.average().unwrap(),
            };
            let mut expected: Vec<_> = groups.iter().map(|(_, totals)| aggregate(totals)).collect();
            expected.sort();
            for ascending in [true, false] {
                let ranking = TopQuery { index: self.kind.name, axis: *axis, ascending, limit: 10 };
                let found: Vec<_> = self.ask().ranked(&ranking).unwrap().iter().map(|row| row.aggregate).collect();
                assert_eq!(found, expected);
                expected.reverse();
            }
        }
    }

    /// What is left of the type once it has no document: nothing.
    fn is_empty(&self) {
        let path = contracts::document_type(self.contract, TYPE);
        assert_eq!(self.chain.drive().subtree_hash(&path).unwrap(), self.empty);
    }
}

fn totals(members: &[Known]) -> GroupTotals {
    let sum: u64 = members.iter().map(|known| known.n).sum();
    GroupTotals { count: members.len() as u64, sum: i128::from(sum) }
}

fn insert(kind: &str) {
    tell(kind, |story| {
        story.agrees();
        assert_ne!(
            story.chain.drive().subtree_hash(&contracts::document_type(story.contract, TYPE)).unwrap(),
            story.empty
        );
    });
}

fn change(kind: &str) {
    tell(kind, |story| {
        for (place, (revision, tag, n)) in [(0, (2, "b", 6)), (2, (2, "c", 8)), (0, (3, "a", 3))] {
            let data = json!({ "tag": tag, "n": n, "meta": { "code": n % 10 } });
            let action = DocumentAction::Replace { revision: Revision(revision), data: wallet::values(&data) };
            let id = story.live[place].id;
            story.chain.accept(vec![story.alice.document(story.contract, TYPE, (id, action))]);
            story.live[place] = Known { id, tag, n };
            story.agrees();
        }
    });
}

fn deletion(kind: &str) {
    tell(kind, |story| {
        while !story.live.is_empty() {
            let known = story.live.remove(0);
            story.chain.accept(vec![story.alice.delete(story.contract, TYPE, known.id)]);
            story.agrees();
        }
        story.is_empty();
    });
}

/// Two expire, and one that was written later stays until its own time.
fn expiry(kind: &str) {
    tell(kind, |story| {
        let t = story.chain.time.0;
        story.chain.block_at(TimestampMillis(t + 600_000), Vec::new());
        story.create(&[("a", 1)]);
        let last = story.chain.time.0;
        let report = story.chain.block_at(TimestampMillis(t + types::HOUR * 1_000), Vec::new()).expirations;
        assert_eq!(report.removed.len(), 3);
        story.live.drain(..3);
        if !story.kind.windowed {
            story.agrees();
        }
        let report = story.chain.block_at(TimestampMillis(last + types::HOUR * 1_000), Vec::new()).expirations;
        assert_eq!(report.removed.len(), 1);
        story.live.clear();
        story.agrees();
        story.is_empty();
    });
}

/// Equality, lists, ranges, order, limit and start.
fn query(kind: &str) {
    tell(kind, |story| {
        let (ask, kind) = (story.ask(), story.kind);
        let up = ask.ids(&kind.all()).unwrap();
        let by_limit = ask.ids(&IndexQuery { limit: 2, ..kind.all() }).unwrap();
        assert_eq!(by_limit, up[..2]);
        let mut down = ask.ids(&IndexQuery { descending: true, ..kind.all() }).unwrap();
        down.reverse();
        assert_eq!(down, up);
        for (place, id) in up.iter().enumerate() {
            let from = |start| -> Vec<_> {
                ask.documents_from(&kind.all(), Some(start)).unwrap().iter().map(|found| found.id).collect()
            };
            assert_eq!(
                (from(Start::At(*id)), from(Start::After(*id))),
                (up[place..].to_vec(), up[place + 1..].to_vec())
            );
        }
        let value = |known: &Known| kind.values(known)[0].clone();
        let (least, most) = (value(&story.live[0]), value(&story.live[2]));
        let count = |filter| ask.ids(&IndexQuery { filter, ..kind.all() }).unwrap().len();
        assert_eq!(
            count(Filter::In(vec![Some(least.clone()), Some(most.clone())])),
            if kind.by[0] == "tag" { 3 } else { 2 }
        );
        assert_eq!(
            count(Filter::Range(Bound::Excluded(least), Bound::Included(most))),
            if kind.by[0] == "tag" { 1 } else { 2 }
        );
    });
}

/// Everything an index of the kind is asked: documents, what it counts and sums, and its rankings.
fn questions<'q>(of: TypeName<'q>, kind: &Kind) -> Vec<Query<'q>> {
    let (counts, sums) = kind.keeps;
    let kept = [(counts, Measure::Count), (sums, Measure::Sum), (counts && sums, Measure::Average)];
    let totals = kept.into_iter().filter(|(kept, _)| *kept).map(|(_, measure)| measure);
    let totals = totals.map(|measure| Query::Totals { of, index: Some(kind.all()), measure });
    let rankings = kind.ranked.iter().map(|axis| {
        let ranking = TopQuery { index: kind.name, axis: *axis, ascending: false, limit: 10 };
        Query::Top { of, ranking }
    });
    let documents = Query::Documents { of, index: kind.all(), start: None };
    [documents].into_iter().chain(totals).chain(rankings).collect()
}

/// A proof is of its own question and its own block, and each of its bytes is held.
fn proof(kind: &str) {
    tell(kind, |story| {
        let asked = |story: &Story<'_, '_>| -> Vec<(Vec<u8>, RootHash)> {
            let ask = story.ask();
            let proved = questions(ask.named(), &story.kind).into_iter().map(|query| {
                let proved = ask.prove(&query);
                assert_eq!(ask.verify(&query, &proved.proof, &proved.app_hash), Ok(proved.answer));
                (proved.proof, proved.app_hash)
            });
            proved.collect()
        };
        let before = asked(story);
        story.create(&[("b", 2)]);
        let after = asked(story);
        let ask = story.ask();
        let few = Query::Documents { of: ask.named(), index: IndexQuery { limit: 1, ..story.kind.all() }, start: None };
        assert!(ask.verify(&few, &after[0].0, &after[0].1).is_err(), "more was shown than asked");
        let questions = questions(ask.named(), &story.kind);
        for (query, ((old, old_hash), (new, new_hash))) in questions.iter().zip(before.iter().zip(&after)) {
            assert!(ask.verify(query, old, new_hash).is_err() && ask.verify(query, new, old_hash).is_err());
            for at in (0..new.len()).step_by(7) {
                let mut altered = new.clone();
                altered[at] ^= 0x10;
                assert!(ask.verify(query, &altered, new_hash).is_err(), "byte {at} of {query:?}");
            }
        }
    });
}

/// What never was there, and what is gone, is proved not to be there.
fn absence(kind: &str) {
    tell(kind, |story| {
        let kind = story.kind;
        let never = Known { id: Identifier([1; 32]), tag: "never", n: 4 };
        assert_eq!(story.ask().ids(&kind.equal(&kind.values(&never))).unwrap(), []);
        let gone = story.live.remove(2);
        assert_eq!(story.ask().ids(&kind.equal(&kind.values(&gone))).unwrap(), [gone.id]);
        story.chain.accept(vec![story.alice.delete(story.contract, TYPE, gone.id)]);
        assert_eq!(story.ask().ids(&kind.equal(&kind.values(&gone))).unwrap(), []);
        assert_eq!(story.ask().document(gone.id), None);
        story.totals_agree(&kind.equal(&kind.values(&gone)), &[]);
        // and no ranking has it either
        story.agrees();
    });
}

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(mod $name {
            #[test]
            fn insert() {
                super::insert(stringify!($name));
            }

            #[test]
            fn change() {
                super::change(stringify!($name));
            }

            #[test]
            fn deletion() {
                super::deletion(stringify!($name));
            }

            #[test]
            fn expiry() {
                super::expiry(stringify!($name));
            }

            #[test]
            fn query() {
                super::query(stringify!($name));
            }

            #[test]
            fn proof() {
                super::proof(stringify!($name));
            }

            #[test]
            fn absence() {
                super::absence(stringify!($name));
            }
        })*
    };
}

kinds!(
    plain,
    compound,
    nested,
    unique,
    not_null,
    counted,
    summed,
    averaged,
    ranked_by_count,
    ranked_by_sum,
    ranked_by_average,
    windows,
    expiring_windows,
);

/// Moments of the table, in its order.
const MOMENTS: [&str; 7] = ["insert", "change", "deletion", "expiry", "query", "proof", "absence"];

/// The table of the page names the test of each kind and moment, and no other.
#[test]
fn the_page_names_the_test_of_each_cell() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/indexes.md")).unwrap();
    let from = page.find("| kind |").expect("the table");
    let mut rows = page[from..].lines().take_while(|line| line.starts_with('|'));
    let cells =
        |row: &str| -> Vec<String> { row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect() };
    assert_eq!(cells(rows.next().unwrap())[1..], MOMENTS);
    let shown: Vec<Vec<String>> = rows.skip(1).map(cells).collect();
    let expected: Vec<Vec<String>> =
        NAMES.iter().map(|name| MOMENTS.iter().map(|moment| format!("`{name}::{moment}`")).collect()).collect();
    let named: Vec<_> = shown.iter().map(|row| row[1..].to_vec()).collect();
    assert_eq!(named, expected);
}
