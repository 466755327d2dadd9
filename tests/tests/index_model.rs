//! Random types over every kind of index, random documents, changes and jumps in time, beside a plain
//! list of what lives. What the state answers is worked out from the list alone, after every block;
//! once all is gone every type's subtree hashes to what it was when it was empty.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use drive::query::{IndexQuery, Measure, Start, Window};
use drive::tree::{GroupTotals, RankAxis, contracts};
use platform_tests::ask::Ask;
use platform_tests::chain::GENESIS_TIME;
use platform_tests::{Chain, Wallet, chain, wallet, with_chain};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Values of `b`.
const TEXTS: [&str; 4] = ["", "x", "y", "zéé"];

/// What an index is, beyond its properties.
#[derive(Clone, Debug, Default)]
struct Kind {
    unique: bool,
    searchable: bool,
    counted: bool,
    summed: bool,
    ranked: [bool; 3],
    /// Range, step, phase and `ttl`, in seconds, of windows on `$createdAt` or `$updatedAt`.
    window: Option<(bool, u64, u64, u64, Option<u64>)>,
}

/// An index of the model.
#[derive(Clone, Debug)]
struct Indexed {
    name: String,
    properties: Vec<&'static str>,
    kind: Kind,
}

impl Indexed {
    /// Keys of the levels: property names, or the grid of the windows.
    fn level_keys(&self) -> Vec<Vec<u8>> {
        let mut keys: Vec<Vec<u8>> = self.properties.iter().map(|property| property.as_bytes().to_vec()).collect();
        if let Some((_, range, step, phase, _)) = self.kind.window {
            let grid = [range, step, phase].map(|seconds| u32::try_from(seconds).unwrap().to_be_bytes());
            keys[0] = [keys[0].as_slice(), &[0], &grid.concat()].concat();
        }
        keys
    }

    fn schema(&self) -> Json {
        let properties: Vec<Json> = self.properties.iter().map(|property| json!({ *property: "asc" })).collect();
        let Kind { unique, searchable, counted, summed, ranked, window } = self.kind;
        let mut index = json!({ "name": self.name, "properties": properties, "unique": unique });
        let members = index.as_object_mut().unwrap();
        if !searchable {
            members.insert("nullSearchable".to_owned(), json!(false));
        }
        if counted {
            members.insert("countable".to_owned(), json!("countable"));
            members.insert("rangeCountable".to_owned(), json!(true));
        }
        if summed {
            members.insert("summable".to_owned(), json!("n"));
            members.insert("rangeSummable".to_owned(), json!(true));
        }
        for (key, kept) in ["rankedCountable", "rankedSummable", "rankedAverageable"].iter().zip(ranked) {
            if kept {
                members.insert((*key).to_owned(), json!(true));
            }
        }
        if let Some((updated, range, step, phase, ttl)) = window {
            let on = if updated { "$updatedAt" } else { "$createdAt" };
            let mut grid = json!({ "on": on, "range": range, "step": step, "phase": phase });
            if let Some(ttl) = ttl {
                grid["ttl"] = json!(ttl);
            }
            members.insert("timeRange".to_owned(), grid);
        }
        index
    }
}

/// A type of the model.
#[derive(Clone, Debug)]
struct Typed {
    ttl: Option<u64>,
    counted: bool,
    summed: bool,
    indexes: Vec<Indexed>,
}

impl Typed {
    /// Document ttl, section 4.
    fn weight(&self) -> u64 {
        let windows = |index: &Indexed| index.kind.window.map_or(1, |(_, range, step, ..)| range / step);
        let levels = self.indexes.iter().map(|index| index.properties.len() as u64 * windows(index));
        1 + levels.sum::<u64>()
    }

    fn schema(&self) -> Json {
        let mut schema = json!({
            "type": "object", "canBeDeleted": true, "documentsMutable": true,
            "indices": self.indexes.iter().map(Indexed::schema).collect::<Vec<_>>(),
            "properties": {
                "a": { "type": "integer", "minimum": 0, "maximum": 255, "position": 0 },
                "b": { "type": "string", "maxLength": 10, "position": 1 },
                "n": { "type": "integer", "minimum": -1_000, "maximum": 1_000, "position": 2 },
                "meta": {
                    "type": "object", "position": 3, "additionalProperties": false,
                    "properties": { "code": { "type": "boolean", "position": 0 } }
                },
            },
            "required": ["$createdAt", "$updatedAt", "n"], "additionalProperties": false,
        });
        if let Some(ttl) = self.ttl {
            schema["ttl"] = json!(ttl);
        }
        if self.counted {
            schema["documentsCountable"] = json!(true);
        }
        if self.summed {
            schema["documentsSummable"] = json!("n");
        }
        schema
    }
}

fn indexed() -> impl Strategy<Value = Indexed> {
    let pool = prop::sample::subsequence(vec!["a", "b", "meta.code", "$ownerId", "$createdAt"], 1..=3).prop_shuffle();
    let flags = prop::array::uniform4(any::<bool>());
    let ranked = prop_oneof![3 => Just([false; 3]), 2 => prop::array::uniform3(any::<bool>())];
    let grid = prop_oneof![
        Just((3_600, 3_600, 0)),
        Just((7_200, 1_800, 600)),
        Just((5_400, 2_700, 100)),
        Just((3_600, 1_200, 0)),
    ];
    let ttl = prop::option::of(Just(7_200_u64));
    let window = prop::option::weighted(0.4, (any::<bool>(), grid, ttl));
    (pool, flags, ranked, window).prop_map(|(mut properties, [unique, searchable, counted, summed], ranked, window)| {
        let mut kind = Kind { unique, searchable, counted, summed, ..Kind::default() };
        if let Some((updated, (range, step, phase), ttl)) = window {
            let on = if updated { "$updatedAt" } else { "$createdAt" };
            properties.retain(|property| *property != on);
            properties.insert(0, on);
            // a unique window is one, on $createdAt
            kind.unique &= range == step && !updated;
            kind.searchable = true;
            kind.window = Some((updated, range, step, phase, ttl));
        } else if properties.len() == 1 && ranked.contains(&true) && properties[0] != "$ownerId" {
            let [by_count, by_sum, by_average] = ranked;
            kind.unique = false;
            kind.counted |= by_count || by_average;
            kind.summed |= by_sum || by_average;
            kind.ranked = ranked;
        }
        Indexed { name: String::new(), properties, kind }
    })
}

fn typed() -> impl Strategy<Value = Typed> {
    let ttl = prop_oneof![Just(None), Just(Some(3_600)), Just(Some(10_800))];
    (ttl, any::<[bool; 2]>(), prop::collection::vec(indexed(), 1..5)).prop_map(|(ttl, [counted, summed], found)| {
        let mut indexes: Vec<Indexed> = Vec::new();
        for mut index in found {
            // the same properties twice are refused; so are two lives of one grid
            let grid =
                |of: &Indexed| of.kind.window.map(|(updated, range, step, phase, _)| (updated, range, step, phase));
            let clash = indexes.iter().any(|other| {
                let lives = (index.kind.window.and_then(|w| w.4), other.kind.window.and_then(|w| w.4));
                other.properties == index.properties
                    || (grid(other).is_some() && grid(other) == grid(&index) && lives.0 != lives.1)
            });
            if !clash {
                index.name = format!("i{}", indexes.len());
                indexes.push(index);
            }
        }
        Typed { ttl, counted, summed, indexes }
    })
}

/// What a document holds.
#[derive(Clone, Debug)]
struct Data {
    a: Option<u8>,
    b: Option<u8>,
    n: i64,
    code: Option<bool>,
}

impl Data {
    fn json(&self) -> Json {
        let mut data = serde_json::Map::new();
        data.insert("n".to_owned(), json!(self.n));
        if let Some(a) = self.a {
            // 200 has its top bit set
            data.insert("a".to_owned(), json!(u64::from(a) * 100));
        }
        if let Some(b) = self.b {
            data.insert("b".to_owned(), json!(TEXTS[usize::from(b)]));
        }
        if let Some(code) = self.code {
            data.insert("meta".to_owned(), json!({ "code": code }));
        }
        Json::Object(data)
    }
}

fn data() -> impl Strategy<Value = Data> {
    let a = prop::option::weighted(0.8, 0_u8..3);
    let b = prop::option::weighted(0.8, 0_u8..4);
    (a, b, -1_000_i64..=1_000, prop::option::of(any::<bool>())).prop_map(|(a, b, n, code)| Data { a, b, n, code })
}

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
    Create(bool, prop::sample::Index, Data),
    Replace(prop::sample::Index, Data),
    Delete(prop::sample::Index),
    Block(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let create =
        (any::<bool>(), any::<prop::sample::Index>(), data()).prop_map(|(bob, of, data)| Step::Create(bob, of, data));
    let replace = (any::<prop::sample::Index>(), data()).prop_map(|(of, data)| Step::Replace(of, data));
    let delete = any::<prop::sample::Index>().prop_map(Step::Delete);
    let wait = prop_oneof![Just(0), 1_u64..2_000, Just(1_800), Just(3_600), Just(7_200)];
    let step = prop_oneof![7 => create, 2 => replace, 1 => delete, 3 => wait.prop_map(Step::Block)];
    prop::collection::vec(step, 15..60)
}

/// A document as the model knows it.
#[derive(Clone, Debug)]
struct Known {
    of: usize,
    bob: bool,
    data: Data,
    created: u64,
    updated: u64,
    revision: u64,
}

/// The keys of values, and when entries under them end.
type Combination = (Vec<Vec<u8>>, Option<u64>);

impl Known {
    /// The key of a value (state layout, section 5), by hand.
    fn key(&self, property: &str, owners: [Identifier; 2]) -> Vec<u8> {
        match property {
            "a" => self.data.a.map_or(vec![], |a| vec![(a * 100) ^ 0x80]),
            "b" => self.data.b.map_or(vec![], |b| if b == 0 { vec![0] } else { TEXTS[usize::from(b)].into() }),
            "meta.code" => self.data.code.map_or(vec![], |code| vec![u8::from(code)]),
            "$ownerId" => owners[usize::from(self.bob)].to_vec(),
            "$createdAt" => time_key(self.created),
            other => panic!("{other}"),
        }
    }

    /// Every combination of keys the document stands under in an index.
    fn combinations(&self, index: &Indexed, owners: [Identifier; 2]) -> Vec<Combination> {
        let Some((updated, range, step, phase, ttl)) = index.kind.window else {
            let keys: Vec<_> = index.properties.iter().map(|property| self.key(property, owners)).collect();
            let all_null = keys.iter().all(Vec::is_empty);
            return if all_null && !index.kind.searchable { vec![] } else { vec![(keys, None)] };
        };
        let at = if updated { self.updated } else { self.created };
        // by the definition: phase + k * step, at or before the time, and less than a range before it
        let first = (at - range * 1_000 - phase * 1_000) / (step * 1_000);
        let starts = (first..first + 30).map(|k| phase * 1_000 + k * step * 1_000);
        let starts = starts.filter(|start| *start <= at && at < start + range * 1_000);
        let rest: Vec<_> = index.properties[1..].iter().map(|property| self.key(property, owners)).collect();
        starts
            .map(|start| ([&[time_key(start)], rest.as_slice()].concat(), ttl.map(|ttl| start + ttl * 1_000)))
            .collect()
    }

    fn expired(&self, types: &[Typed], now: u64) -> bool {
        types[self.of].ttl.is_some_and(|ttl| now >= self.created + ttl * 1_000)
    }
}

fn time_key(time: u64) -> Vec<u8> {
    (time | (1 << 63)).to_be_bytes().to_vec()
}

/// Everything that lives, and the block that is being filled.
struct Model {
    types: Vec<Typed>,
    owners: [Identifier; 2],
    live: BTreeMap<Identifier, Known>,
    pending: Vec<(Vec<u8>, Change)>,
}

enum Change {
    Create(Identifier, Known),
    Replace(Identifier, Data, u64),
    Delete(Identifier),
}

fn type_name(of: usize) -> String {
    format!("t{of}")
}

impl Model {
    fn fill(&mut self, wallets: &mut [Wallet; 2], contract: Identifier, step: &Step) {
        let pick = |index: &prop::sample::Index, live: &BTreeMap<Identifier, Known>| {
            let untouched: Vec<_> = live.iter().map(|(id, known)| (*id, known.clone())).collect();
            (!untouched.is_empty()).then(|| index.get(&untouched).clone())
        };
        match step {
            Step::Create(bob, of, data) => {
                let of = of.index(self.types.len());
                let (bytes, id) = wallets[usize::from(*bob)].create(contract, &type_name(of), &data.json());
                let known = Known { of, bob: *bob, data: data.clone(), created: 0, updated: 0, revision: 1 };
                self.pending.push((bytes, Change::Create(id, known)));
            }
            Step::Replace(index, data) => {
                let Some((id, known)) = pick(index, &self.live) else { return };
                let revision = known.revision + 1;
                let action =
                    DocumentAction::Replace { revision: Revision(revision), data: wallet::values(&data.json()) };
                let wallet = &mut wallets[usize::from(known.bob)];
                let bytes = wallet.document(contract, &type_name(known.of), (id, action));
                self.pending.push((bytes, Change::Replace(id, data.clone(), revision)));
            }
            Step::Delete(index) => {
                let Some((id, known)) = pick(index, &self.live) else { return };
                let bytes = wallets[usize::from(known.bob)].delete(contract, &type_name(known.of), id);
                self.pending.push((bytes, Change::Delete(id)));
            }
            Step::Block(_) => {}
        }
    }

    /// Whether a unique index holds another document to the same values.
    fn conflicts(&self, id: Identifier, known: &Known, now: u64) -> bool {
        let unique = self.types[known.of].indexes.iter().filter(|index| index.kind.unique);
        unique.into_iter().any(|index| {
            let whole = |known: &Known| -> BTreeSet<Vec<Vec<u8>>> {
                // values are free again in a window whose entries have expired
                let lasting = known.combinations(index, self.owners).into_iter();
                let all = lasting.filter(|(_, end)| end.is_none_or(|end| now < end)).map(|(keys, _)| keys);
                all.filter(|keys| keys.iter().all(|key| !key.is_empty())).collect()
            };
            let ours = whole(known);
            let others = self.live.iter().filter(|(other, their)| **other != id && their.of == known.of);
            others.into_iter().any(|(_, their)| !whole(their).is_disjoint(&ours))
        })
    }

    /// The code of a change at a time; what it does to the list.
    fn apply(&mut self, change: Change, now: u64) -> u32 {
        match change {
            Change::Create(id, known) => {
                let known = Known { created: now, updated: now, ..known };
                if self.conflicts(id, &known, now) {
                    return 40105;
                }
                self.live.insert(id, known);
            }
            Change::Replace(id, data, revision) => {
                let Some(known) = self.live.get(&id).cloned() else { return 40101 };
                if revision != known.revision + 1 {
                    return 40106;
                }
                if known.expired(&self.types, now) {
                    return 40140;
                }
                let changed = Known { data, revision, updated: now, ..known };
                if self.conflicts(id, &changed, now) {
                    return 40105;
                }
                self.live.insert(id, changed);
            }
            Change::Delete(id) if self.live.remove(&id).is_none() => return 40101,
            Change::Delete(_) => {}
        }
        0
    }

    fn block(&mut self, chain: &mut Chain<'_>, wait: u64) {
        let now = chain.time.0 + wait * 1_000;
        let (bytes, changes): (Vec<_>, Vec<_>) = core::mem::take(&mut self.pending).into_iter().unzip();
        let block = chain.block_at(TimestampMillis(now), bytes);
        for (outcome, change) in block.outcomes.iter().zip(changes) {
            assert_eq!(chain::code(outcome), self.apply(change, now), "{outcome:?}");
        }
        let removed = self.cleaned(now);
        assert_eq!(block.expirations.removed.len(), removed.len());
        for id in removed {
            self.live.remove(&id);
        }
    }

    /// What a block's cleanup takes: the oldest, 128 of them or a weight of 1,024, and always one.
    fn cleaned(&self, now: u64) -> Vec<Identifier> {
        let due = self.live.iter().filter(|(_, known)| known.expired(&self.types, now));
        let mut due: Vec<_> =
            due.map(|(id, known)| (known.created + self.types[known.of].ttl.unwrap() * 1_000, *id, known.of)).collect();
        due.sort();
        let (mut weight, mut taken) = (0, Vec::new());
        for (_, id, of) in due.into_iter().take(128) {
            weight += self.types[of].weight();
            if !taken.is_empty() && weight > 1_024 {
                break;
            }
            taken.push(id);
        }
        taken
    }

    /// Every answer, worked out from the list.
    fn agrees(&self, chain: &Chain<'_>, contract: Identifier) {
        for (of, typed) in self.types.iter().enumerate() {
            let ask = Ask::of(chain, contract, &type_name(of));
            let documents: Vec<_> = self.live.iter().filter(|(_, known)| known.of == of).collect();
            if typed.counted {
                let counted = ask.total(None, Measure::Count).unwrap().count;
                assert_eq!(counted, u64::try_from(documents.len()).unwrap());
            }
            if typed.summed {
                let sum: i64 = documents.iter().map(|(_, known)| known.data.n).sum();
                assert_eq!(ask.total(None, Measure::Sum).unwrap().sum, i128::from(sum));
            }
            let found = chain.drive().walk().unwrap();
            let of_type = vec![vec![64], contract.to_vec(), vec![1], type_name(of).into_bytes()];
            let found = found.into_iter().map(|(path, key)| (path.parts().to_vec(), key));
            let found: Places = found.filter(|(path, _)| path.len() > 4 && path.starts_with(&of_type)).collect();
            let (certain, drainable) = self.places(&of_type, typed, &documents, chain.time.0);
            assert!(certain.is_subset(&found), "missing: {:x?}", certain.difference(&found).collect::<Vec<_>>());
            let possible = &certain | &drainable;
            assert!(found.is_subset(&possible), "strange: {:x?}", found.difference(&possible).collect::<Vec<_>>());
            for index in &typed.indexes {
                let mut standing: BTreeMap<Vec<Vec<u8>>, Vec<(Identifier, i64)>> = BTreeMap::new();
                for (id, known) in &documents {
                    for (keys, end) in known.combinations(index, self.owners) {
                        if end.is_none_or(|end| chain.time.0 < end) {
                            standing.entry(keys).or_default().push((**id, known.data.n));
                        }
                    }
                }
                index_agrees(&ask, index, &standing);
            }
        }
    }
}

/// Trees and keys.
type Places = BTreeSet<(Vec<Vec<u8>>, Vec<u8>)>;

impl Model {
    /// Where documents of a type stand, by the layout alone: what must stand, and what may be drained.
    fn places(
        &self,
        of_type: &[Vec<u8>],
        typed: &Typed,
        documents: &[(&Identifier, &Known)],
        now: u64,
    ) -> (Places, Places) {
        let (mut certain, mut drainable) = (Places::new(), Places::new());
        let below = |path: &[Vec<u8>], key: &[u8]| [path, &[key.to_vec()]].concat();
        let mut groups: BTreeMap<(usize, Vec<u8>), (i64, i64)> = BTreeMap::new();
        for (id, known) in documents {
            certain.insert((below(of_type, &[0]), id.to_vec()));
            if typed.summed {
                certain.insert((below(of_type, &[1]), id.to_vec()));
            }
            for (number, index) in typed.indexes.iter().enumerate() {
                for (keys, end) in known.combinations(index, self.owners) {
                    let group = groups.entry((number, keys[0].clone())).or_default();
                    *group = (group.0 + 1, group.1 + known.data.n);
                    let places = if end.is_none_or(|end| now < end) { &mut certain } else { &mut drainable };
                    let mut path = of_type.to_vec();
                    for (level, key) in index.level_keys().into_iter().zip(&keys) {
                        places.insert((path.clone(), level.clone()));
                        path.push(level);
                        places.insert((path.clone(), key.clone()));
                        path.push(key.clone());
                    }
                    places.insert((path.clone(), vec![0]));
                    if !index.kind.unique || keys.iter().any(Vec::is_empty) {
                        places.insert((below(&path, &[0]), id.to_vec()));
                    }
                    if index.kind.summed {
                        places.insert((path.clone(), vec![1]));
                        places.insert((below(&path, &[1]), id.to_vec()));
                    }
                }
            }
        }
        for ((number, key), (count, sum)) in groups {
            let index = &typed.indexes[number];
            let average = (i128::from(sum) * 1_000_000_000).div_euclid(i128::from(count)) as u128 ^ (1 << 127);
            let aggregates = [
                count.to_be_bytes().to_vec(),
                ((sum as u64) ^ (1 << 63)).to_be_bytes().to_vec(),
                average.to_be_bytes().to_vec(),
            ];
            for (axis, aggregate) in (0_u8..).zip(aggregates).filter(|(axis, _)| index.kind.ranked[usize::from(*axis)])
            {
                let order = [&[2, axis], index.name.as_bytes()].concat();
                certain.insert((below(of_type, &order), [aggregate, key.clone()].concat()));
            }
        }
        // trees standing right in a type's come with the contract
        for places in [&mut certain, &mut drainable] {
            places.retain(|(path, _)| path.len() > 4);
        }
        (certain, drainable)
    }
}

/// The combinations of values an index holds, with the documents of each, in order.
type Standing = BTreeMap<Vec<Vec<u8>>, Vec<(Identifier, i64)>>;

fn index_agrees(ask: &Ask<'_, '_>, index: &Indexed, standing: &Standing) {
    // without windows one query asks for all; else one for each that holds something
    let windows: BTreeSet<Option<Vec<u8>>> = match index.kind.window {
        None => BTreeSet::from([None]),
        Some(_) => standing.keys().map(|keys| Some(keys[0].clone())).collect(),
    };
    for window in windows {
        let start = |key: &Vec<u8>| u64::from_be_bytes(key.as_slice().try_into().unwrap()) & !(1 << 63);
        let by_start = window.as_ref().map(|key| Window::ByStart(TimestampMillis(start(key))));
        let query = IndexQuery { window: by_start, ..IndexQuery::all(&index.name) };
        let inside: Standing = standing
            .iter()
            .filter(|(keys, _)| window.is_none() || Some(&keys[0]) == window.as_ref())
            .map(|(keys, ids)| (keys.clone(), ids.clone()))
            .collect();
        let expected: Vec<Identifier> = inside.values().flatten().map(|(id, _)| *id).collect();
        assert_eq!(ask.ids(&query).unwrap(), expected, "{index:?} {inside:x?}");
        backwards_and_in_pages(ask, &query, &inside);
        let equal = |keys: &Vec<Vec<u8>>| IndexQuery { equals: values(index, keys), ..query.clone() };
        for (keys, documents) in &inside {
            let ids: Vec<_> = documents.iter().map(|(id, _)| *id).collect();
            assert_eq!(ask.ids(&equal(keys)).unwrap(), ids, "{index:?} {keys:?}");
        }
        totals_agree(ask, index, &query, &inside);
    }
    ranking_agrees(ask, index, standing);
}

fn backwards_and_in_pages(ask: &Ask<'_, '_>, query: &IndexQuery<'_>, inside: &Standing) {
    let groups = inside.values().rev();
    let expected: Vec<Identifier> = groups.flat_map(|documents| documents.iter().rev().map(|(id, _)| *id)).collect();
    let mut found = Vec::new();
    let mut last = None;
    loop {
        let page = IndexQuery { descending: true, limit: 3, start: last.as_ref().map(Start::After), ..query.clone() };
        let documents = ask.documents(&page).unwrap();
        found.extend(documents.iter().map(|document| document.id));
        let Some(document) = documents.into_iter().last() else { break };
        last = Some(document);
    }
    assert_eq!(found, expected, "{query:?}");
}

/// The values keys stand for; a window's is named apart.
fn values(index: &Indexed, keys: &[Vec<u8>]) -> Vec<Option<Value>> {
    let skipped = usize::from(index.kind.window.is_some());
    let value = |(property, key): (&&'static str, &Vec<u8>)| {
        let first = key.first()?;
        Some(match *property {
            "a" => Value::U8(first ^ 0x80),
            "b" if *key == [0] => Value::Text(String::new()),
            "b" => Value::Text(String::from_utf8(key.clone()).unwrap()),
            "meta.code" => Value::Bool(*first == 1),
            "$ownerId" => Value::Identifier(key.as_slice().try_into().unwrap()),
            _ => Value::U64(u64::from_be_bytes(key.as_slice().try_into().unwrap()) & !(1 << 63)),
        })
    };
    index.properties.iter().zip(keys).skip(skipped).map(value).collect()
}

fn totals_of(documents: &[(Identifier, i64)]) -> GroupTotals {
    let sum: i64 = documents.iter().map(|(_, n)| n).sum();
    GroupTotals { count: u64::try_from(documents.len()).unwrap(), sum: i128::from(sum) }
}

fn totals_agree(ask: &Ask<'_, '_>, index: &Indexed, query: &IndexQuery<'_>, inside: &Standing) {
    let measures = [
        (Measure::Count, index.kind.counted, (true, false)),
        (Measure::Sum, index.kind.summed, (false, true)),
        (Measure::Average, index.kind.counted && index.kind.summed, (true, true)),
    ];
    for (measure, kept, (counts, sums)) in measures {
        let groups = ask.groups(Some(query), measure);
        if !kept {
            assert!(groups.is_err(), "{index:?}");
            continue;
        }
        let found: Vec<_> = groups
            .unwrap()
            .into_iter()
            .map(|row| {
                let keys: Vec<_> = row.at.parts()[4..].iter().skip(1).step_by(2).cloned().collect();
                (keys, row.totals)
            })
            .collect();
        let asked = |totals: GroupTotals| GroupTotals {
            count: if counts { totals.count } else { 0 },
            sum: if sums { totals.sum } else { 0 },
        };
        let expected: Vec<_> =
            inside.iter().map(|(keys, documents)| (keys.clone(), asked(totals_of(documents)))).collect();
        assert_eq!(found, expected, "{index:?} {measure:?}");
    }
}

fn ranking_agrees(ask: &Ask<'_, '_>, index: &Indexed, standing: &Standing) {
    for (axis, kept) in RankAxis::ALL.into_iter().zip(index.kind.ranked) {
        if !kept {
            assert!(ask.top(&index.name, axis, 5).is_err());
            continue;
        }
        let mut expected: Vec<(i128, Vec<u8>)> = standing
            .iter()
            .map(|(keys, documents)| {
                let totals = totals_of(documents);
                let aggregate = match axis {
                    RankAxis::Count => i128::from(totals.count),
                    RankAxis::Sum => totals.sum,
                    RankAxis::Average => (totals.sum * 1_000_000_000).div_euclid(i128::from(totals.count)),
                };
                (aggregate, keys[0].clone())
            })
            .collect();
        expected.sort();
        expected.reverse();
        let rows = ask.top(&index.name, axis, 1_000).unwrap();
        let found: Vec<_> = rows.into_iter().map(|row| (row.aggregate, row.group)).collect();
        assert_eq!(found, expected, "{index:?} {axis:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 12, ..ProptestConfig::default() })]

    #[test]
    fn every_index_answers_as_a_plain_list_would(types in prop::collection::vec(typed(), 2..4), steps in steps()) {
        let mut wallets = ["alice", "bob"].map(Wallet::new);
        let owners = [wallets[0].id, wallets[1].id];
        let schemas = types.iter().enumerate().map(|(of, typed)| (type_name(of), typed.schema()));
        let (register, contract) = wallets[0].register(&Json::Object(schemas.collect()));
        with_chain(14, &["alice", "bob"], |chain| {
            chain.accept_at(GENESIS_TIME, vec![register]);
            let paths: Vec<_> =
                (0..types.len()).map(|of| contracts::document_type(contract, &type_name(of))).collect();
            let hashes = |chain: &Chain<'_>| -> Vec<_> {
                paths.iter().map(|path| chain.drive().subtree_hash(path).unwrap()).collect()
            };
            let empty = hashes(chain);
            let mut model = Model { types: types.clone(), owners, live: BTreeMap::new(), pending: Vec::new() };
            for step in &steps {
                model.fill(&mut wallets, contract, step);
                if let Step::Block(wait) = step {
                    model.block(chain, *wait);
                    model.agrees(chain, contract);
                }
            }
            model.block(chain, 1);
            model.agrees(chain, contract);
            for wait in [3_600, 7_200, 1, 1, 1] {
                model.block(chain, wait);
                model.agrees(chain, contract);
            }
            for (id, known) in model.live.clone() {
                let bytes = wallets[usize::from(known.bob)].delete(contract, &type_name(known.of), id);
                model.pending.push((bytes, Change::Delete(id)));
            }
            model.block(chain, 1);
            model.agrees(chain, contract);
            prop_assert_eq!(hashes(chain), empty);
            Ok(())
        })?;
    }
}
