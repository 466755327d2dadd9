//! Random creates, deletions and jumps in time over several types, beside a plain map of what should
//! live. The invariants of the state run after every block.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::{Identifier, TimestampMillis};
use drive::tree::contracts;
use platform_tests::documents::ids;
use platform_tests::{Chain, Wallet, chain, with_chain};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Properties of each unique index.
type Unique = &'static [&'static [&'static str]];

/// The types: name, seconds to live, and what is unique.
const TYPES: [(&str, Option<u64>, Unique); 4] = [
    ("bare", Some(3_600), &[]),
    ("short", Some(3_600), &[&["a", "b"]]),
    ("long", Some(7_200), &[&["c"]]),
    ("stays", None, &[&["b"]]),
];

/// Values of `b`; the longest lies across the store's cuts.
const TEXTS: [&str; 3] = ["", "x", "xéééééééééééééééééééééééééééééé"];

/// Properties of an index, whether it is unique, and whether all nulls are searchable.
type IndexFacts = (&'static [&'static str], bool, bool);

/// The indexes of each type, as [`schemas`] declares them.
const INDEXES: [&[IndexFacts]; 4] = [
    &[],
    &[(&["a", "b"], true, true), (&["a"], false, true), (&["a", "c"], false, false)],
    &[(&["c"], true, false), (&["$ownerId", "$createdAt"], false, true)],
    &[(&["b"], true, true), (&["b", "c"], false, false)],
];

/// A tree's path and a key in it.
type Place = (Vec<Vec<u8>>, Vec<u8>);

fn schemas() -> Json {
    let properties = json!({
        "a": { "type": "integer", "minimum": 0, "maximum": 3, "position": 0 },
        "b": { "type": "string", "maxLength": 40, "position": 1 },
        "c": { "type": "array", "byteArray": true, "maxItems": 4, "position": 2 },
    });
    let index = |name: &str, unique: bool, searchable: bool, properties: &[&str]| {
        let properties: Vec<Json> = properties.iter().map(|property| json!({ *property: "asc" })).collect();
        json!({ "name": name, "unique": unique, "nullSearchable": searchable, "properties": properties })
    };
    let indices = [
        json!([]),
        json!([
            index("ab", true, true, &["a", "b"]),
            index("a", false, true, &["a"]),
            index("ac", false, false, &["a", "c"]),
        ]),
        json!([index("c", true, false, &["c"]), index("owner", false, true, &["$ownerId", "$createdAt"])]),
        json!([index("b", true, true, &["b"]), index("bc", false, false, &["b", "c"])]),
    ];
    let mut all = serde_json::Map::new();
    for ((name, ttl, _), indices) in TYPES.iter().zip(indices) {
        let mut schema = json!({
            "type": "object", "canBeDeleted": true, "documentsMutable": false, "properties": properties,
            "required": ["$createdAt"], "additionalProperties": false,
        });
        if let Some(ttl) = ttl {
            schema["ttl"] = json!(ttl);
        }
        if indices != json!([]) {
            schema["indices"] = indices;
        }
        all.insert((*name).to_owned(), schema);
    }
    Json::Object(all)
}

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
    /// Somebody writes a document of a type with some of three values.
    Create { by_bob: bool, of: usize, values: [Option<u8>; 3] },
    /// The owner of one of the living documents deletes it.
    Delete(prop::sample::Index),
    /// A block ends, so many seconds after the last one.
    Block(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let values = prop::array::uniform3(prop::option::weighted(0.7, 0_u8..3));
    let create =
        (any::<bool>(), 0..TYPES.len(), values).prop_map(|(by_bob, of, values)| Step::Create { by_bob, of, values });
    let delete = any::<prop::sample::Index>().prop_map(Step::Delete);
    let wait = prop_oneof![Just(0), 1_u64..10, Just(3_599), Just(3_600), Just(1_800), Just(7_200)];
    prop::collection::vec(prop_oneof![6 => create, 1 => delete, 2 => wait.prop_map(Step::Block)], 10..50)
}

fn data(values: &[Option<u8>; 3]) -> Json {
    let mut data = serde_json::Map::new();
    if let Some(a) = values[0] {
        data.insert("a".to_owned(), json!(a));
    }
    if let Some(b) = values[1] {
        // an empty text is a value, not a null; the longest lies across the store's cuts
        data.insert("b".to_owned(), json!(TEXTS[usize::from(b)]));
    }
    if let Some(c) = values[2] {
        // no bytes are indexed like a null
        data.insert("c".to_owned(), json!(vec![7; usize::from(c)]));
    }
    Json::Object(data)
}

/// A document as the model knows it.
#[derive(Clone)]
struct Known {
    of: usize,
    by_bob: bool,
    values: [Option<u8>; 3],
    created_at: u64,
}

impl Known {
    /// What a unique index holds the document to; `None` if something of it is null.
    fn unique_key(&self, properties: &[&str]) -> Option<Vec<u8>> {
        let place = |name: &str| match name {
            "a" => self.values[0],
            "b" => self.values[1],
            _ => self.values[2].filter(|bytes| *bytes > 0),
        };
        properties.iter().map(|name| place(name)).collect()
    }

    /// The key of an indexed value (state layout, section 5), by hand.
    fn key(&self, name: &str, owners: [Identifier; 2]) -> Vec<u8> {
        let text = |b: u8| if b == 0 { vec![0] } else { TEXTS[usize::from(b)].as_bytes().to_vec() };
        match name {
            "a" => self.values[0].map_or(vec![], |a| vec![a | 0x80]),
            "b" => self.values[1].map_or(vec![], text),
            "c" => self.values[2].map_or(vec![], |c| vec![7; usize::from(c)]),
            "$ownerId" => owners[usize::from(self.by_bob)].to_vec(),
            _ => (self.created_at | 1 << 63).to_be_bytes().to_vec(),
        }
    }

    fn conflicts(&self, other: &Known) -> bool {
        let unique = TYPES[self.of].2;
        let same = |properties: &&[&str]| {
            let key = self.unique_key(properties);
            key.is_some() && key == other.unique_key(properties)
        };
        self.of == other.of && unique.iter().any(same)
    }

    fn expired(&self, now: u64) -> bool {
        TYPES[self.of].1.is_some_and(|ttl| now >= self.created_at + ttl * 1_000)
    }
}

/// Everything that lives, and the block that is being filled.
#[derive(Default)]
struct Model {
    live: BTreeMap<Identifier, Known>,
    pending: Vec<(Vec<u8>, Change)>,
}

enum Change {
    Create(Identifier, Known),
    Delete(Identifier),
}

impl Model {
    fn fill(&mut self, wallets: &mut [Wallet; 2], contract: Identifier, step: &Step) {
        match step {
            Step::Create { by_bob, of, values } => {
                let wallet = &mut wallets[usize::from(*by_bob)];
                let (bytes, id) = wallet.create(contract, TYPES[*of].0, &data(values));
                let known = Known { of: *of, by_bob: *by_bob, values: *values, created_at: 0 };
                self.pending.push((bytes, Change::Create(id, known)));
            }
            Step::Delete(index) if !self.live.is_empty() => {
                let (id, known) = index.get(&self.live.iter().collect::<Vec<_>>()).to_owned();
                let bytes = wallets[usize::from(known.by_bob)].delete(contract, TYPES[known.of].0, *id);
                self.pending.push((bytes, Change::Delete(*id)));
            }
            _ => {}
        }
    }

    /// Runs the block and does the same to the map; codes must agree.
    fn block(&mut self, chain: &mut Chain<'_>, wait: u64) {
        let now = chain.time.0 + wait * 1_000;
        let (bytes, changes): (Vec<_>, Vec<_>) = core::mem::take(&mut self.pending).into_iter().unzip();
        let block = chain.block_at(TimestampMillis(now), bytes);
        for (outcome, change) in block.outcomes.iter().zip(changes) {
            let expected = match change {
                Change::Create(_, known) if self.live.values().any(|other| known.conflicts(other)) => 40105,
                Change::Create(id, known) => {
                    self.live.insert(id, Known { created_at: now, ..known });
                    0
                }
                Change::Delete(id) => self.live.remove(&id).map_or(40101, |_| 0),
            };
            assert_eq!(chain::code(outcome), expected, "{outcome:?}");
        }
        let due = self.live.values().filter(|known| known.expired(now)).count();
        self.live.retain(|_, known| !known.expired(now));
        assert_eq!(block.expirations.removed.len(), due);
        assert_eq!(block.expirations.orphans, 0);
    }

    /// Every place documents stand in, by the state layout alone: ids, index entries, both sides of the
    /// queue, and the trees on the way.
    fn places(&self, contract: Identifier, owners: [Identifier; 2]) -> BTreeSet<Place> {
        let mut places = BTreeSet::new();
        for (id, known) in &self.live {
            let (name, ttl, _) = TYPES[known.of];
            let of_type = [vec![64], contract.to_vec(), vec![1], name.as_bytes().to_vec()].to_vec();
            places.insert(([of_type.as_slice(), &[vec![0]]].concat(), id.to_vec()));
            for (properties, unique, searchable) in INDEXES[known.of] {
                let keys: Vec<_> = properties.iter().map(|name| known.key(name, owners)).collect();
                let nulls = keys.iter().filter(|key| key.is_empty()).count();
                if nulls == keys.len() && !searchable {
                    continue;
                }
                let mut path = of_type.clone();
                for (name, key) in properties.iter().zip(keys) {
                    places.insert((path.clone(), name.as_bytes().to_vec()));
                    path.push(name.as_bytes().to_vec());
                    places.insert((path.clone(), key.clone()));
                    path.push(key);
                }
                places.insert((path.clone(), vec![0]));
                if !(*unique && nulls == 0) {
                    path.push(vec![0]);
                    places.insert((path, id.to_vec()));
                }
            }
            if let Some(ttl) = ttl {
                let queue = vec![vec![104], b"E".to_vec()];
                let time = (known.created_at + ttl * 1_000).to_be_bytes().to_vec();
                places.insert((queue.clone(), time.clone()));
                places.insert(([queue, vec![time]].concat(), id.to_vec()));
            }
        }
        // trees standing right in a type's come with the contract
        places.retain(|(path, _)| path[0] == [104] || path.len() > 4);
        places
    }

    fn agrees(&self, chain: &Chain<'_>, contract: Identifier, owners: [Identifier; 2]) {
        let walked = chain.drive().walk().unwrap().into_iter();
        let walked = walked.map(|(path, key)| (path.parts().to_vec(), key)).filter(|(path, _)| {
            let of_documents = path.len() > 4 && path[0] == [64];
            of_documents || path.starts_with(&[vec![104], b"E".to_vec()])
        });
        assert!(walked.collect::<BTreeSet<Place>>() == self.places(contract, owners), "places differ");
        let stored: BTreeSet<Identifier> = TYPES.iter().flat_map(|(name, ..)| ids(chain, contract, name)).collect();
        assert_eq!(stored, self.live.keys().copied().collect());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, max_shrink_iters: 40, ..ProptestConfig::default() })]

    /// The living are those of the map after every block; once all that expires has expired and the
    /// rest is deleted, every type's subtree hashes to what it was right after registration.
    #[test]
    fn the_state_is_a_plain_map_of_what_lives(steps in steps()) {
        let mut wallets = ["alice", "bob"].map(Wallet::new);
        let owners = [wallets[0].id, wallets[1].id];
        let (register, contract) = wallets[0].register(&schemas());
        with_chain(14, &["alice", "bob"], |chain| {
            chain.accept(vec![register]);
            let types = TYPES.map(|(name, ..)| contracts::document_type(contract, name));
            let bare = types.clone().map(|path| chain.drive().subtree_hash(&path).unwrap());
            let mut model = Model::default();
            for step in &steps {
                model.fill(&mut wallets, contract, step);
                if let Step::Block(wait) = step {
                    model.block(chain, *wait);
                    model.agrees(chain, contract, owners);
                }
            }
            model.block(chain, 1);
            model.block(chain, 7_200);
            for (id, known) in model.live.clone() {
                let bytes = wallets[usize::from(known.by_bob)].delete(contract, TYPES[known.of].0, id);
                model.pending.push((bytes, Change::Delete(id)));
            }
            model.block(chain, 1);
            model.agrees(chain, contract, owners);
            prop_assert_eq!(types.map(|path| chain.drive().subtree_hash(&path).unwrap()), bare);
            Ok(())
        })?;
    }
}
