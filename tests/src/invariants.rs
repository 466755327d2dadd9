//! What must hold of the committed state after every block of every story, read by plain walks that
//! share no code with the engine's own bookkeeping, but for the plan of a document's elements.
//!
//! Absent: what a story is about.

use std::collections::{BTreeMap, BTreeSet};

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::document::{Content, RankedGroup, placements, ranked_groups};
use drive::store::{Element, StateReader, TreeTotal};
use drive::tree::{GroupTotals, Path, contracts, expiry, misc, root, tokens};
use platform_version::PlatformVersion;

use crate::Chain;

/// An element: the tree it stands in, and its key.
type Place = (Path, Vec<u8>);

/// Checks every invariant.
pub fn hold(chain: &Chain<'_>) {
    let credits = chain.platform.credits().unwrap();
    assert_eq!(credits.issued, credits.accounted, "credits are out of balance");
    let drive = chain.drive();
    let walk = drive.walk().unwrap();
    assert_eq!(drive.raw_keys().unwrap().len(), walk.len(), "raw keys that no walk reaches");
    assert_eq!(drive.verify().unwrap(), 0, "the store's own verifier objects");
    assert_eq!(drive.root_hash().unwrap(), chain.platform.app_hash(), "the app hash is not the root hash");
    let (types, documents) = documents(chain, &walk);
    for (type_path, document_type) in &types {
        OfType::new(chain, type_path, document_type, documents.get(type_path)).holds(&walk);
    }
    the_queue_and_the_documents_agree(chain, &documents);
    no_flags_under_a_type_with_a_ttl(&drive.reader(), &walk, &types);
    supplies_are_the_sums_of_balances(&drive.reader());
}

/// What there is of a token is what identities have of it, by its elements and by its tree's own sum.
fn supplies_are_the_sums_of_balances(reader: &StateReader<'_>) {
    for token in entries(reader, &tokens::supplies()) {
        let id = Identifier::from_slice(&token.key).unwrap();
        let number = |element: &Option<Element>| match element {
            Some(Element::SumItem(number, None)) => *number,
            other => panic!("token {id} holds {other:?}"),
        };
        let balances = entries(reader, &tokens::balances_of(id));
        let held: i64 = balances.iter().map(|entry| number(&entry.element)).sum();
        assert!(balances.iter().all(|entry| number(&entry.element) >= 0), "token {id} is owed");
        assert_eq!(number(&token.element), held, "the supply of token {id}");
        assert_eq!(reader.sum_tree_total(&tokens::balances(), id.as_bytes()).unwrap(), held, "the sum of {id}");
    }
}

/// Every document by its type's path.
type Documents = BTreeMap<Path, Vec<Document>>;

fn documents(chain: &Chain<'_>, walk: &[Place]) -> (BTreeMap<Path, DocumentType>, Documents) {
    let drive = chain.drive();
    let (reader, rules) = (drive.reader(), rules(chain));
    let mut types = BTreeMap::new();
    for (_, id) in walk.iter().filter(|(path, _)| *path == contracts::contracts()) {
        let id = Identifier::from_slice(id).unwrap();
        let contract = drive::contract::fetch(&reader, drive.contracts(), id, rules).unwrap().unwrap();
        let named = contract.types().iter();
        types.extend(named.map(|(name, parsed)| (contracts::document_type(id, name), parsed.clone())));
    }
    let mut documents = Documents::new();
    for (path, key) in walk.iter().filter(|(path, _)| path.depth() == 5) {
        let (type_path, last) = path.split().unwrap();
        let Some(document_type) = types.get(&type_path).filter(|_| last == contracts::PRIMARY_KEY) else { continue };
        if document_type.settings().keeps_history {
            continue;
        }
        let bytes = reader.item(path, key).unwrap().unwrap();
        let document = Document::from_stored_bytes(&bytes, document_type).unwrap();
        assert_eq!(document.id.as_bytes().as_slice(), key, "a document stands under another's id");
        documents.entry(type_path).or_default().push(document);
    }
    (types, documents)
}

/// What the documents of a type must have put below the type's own trees.
struct OfType<'c> {
    reader: StateReader<'c>,
    path: &'c Path,
    document_type: &'c DocumentType,
    /// What must stand.
    certain: BTreeSet<Place>,
    /// What stands unless it was drained.
    drainable: BTreeSet<Place>,
    /// Those of them that are trees.
    trees: BTreeSet<Place>,
    /// Trees elements stand in, with how many may and what they add.
    entries: Vec<(Place, i128)>,
    groups: BTreeMap<Path, (RankedGroup, GroupTotals)>,
    documents: u64,
}

impl<'c> OfType<'c> {
    fn new(
        chain: &'c Chain<'_>,
        path: &'c Path,
        document_type: &'c DocumentType,
        documents: Option<&Vec<Document>>,
    ) -> Self {
        let mut all = Self {
            reader: chain.drive().reader(),
            path,
            document_type,
            certain: BTreeSet::new(),
            drainable: BTreeSet::new(),
            trees: BTreeSet::new(),
            entries: Vec::new(),
            groups: BTreeMap::new(),
            documents: 0,
        };
        documents.into_iter().flatten().for_each(|document| all.add(document, chain.time));
        for (group, totals) in all.groups.values() {
            for (axis, order) in &group.orders {
                all.certain.insert((order.clone(), axis.group_key(*totals, &group.key).unwrap()));
            }
        }
        all
    }

    fn add(&mut self, document: &Document, now: TimestampMillis) {
        self.documents += 1;
        for placement in placements(self.document_type, document, TimestampMillis::default()).unwrap() {
            let places = if placement.has_expired(now) { &mut self.drainable } else { &mut self.certain };
            let trees = placement.trees.into_iter().map(|tree| (tree.path, tree.key));
            for tree in trees {
                self.trees.insert(tree.clone());
                places.insert(tree);
            }
            let place = (placement.path, placement.key);
            places.insert(place.clone());
            let adds = if let Content::Summand(value) = placement.content { i128::from(value) } else { 0 };
            self.entries.push((place, adds));
        }
        for group in ranked_groups(self.document_type, document).unwrap() {
            let (_, totals) = self.groups.entry(group.at.clone()).or_insert((group.clone(), GroupTotals::default()));
            totals.count += 1;
            totals.sum += i128::from(group.summand);
        }
    }

    /// Nothing less, nothing more; no tree is empty; counts and sums are those of what stands.
    fn holds(mut self, walk: &[Place]) {
        let of_type = self.path;
        // revisions stand under the times they were written at, which a document does not know
        if self.document_type.settings().keeps_history {
            return;
        }
        let found: BTreeSet<Place> = walk.iter().filter(|place| is_of_documents(place, of_type)).cloned().collect();
        for places in [&mut self.certain, &mut self.drainable] {
            places.retain(|place| is_of_documents(place, of_type));
        }
        let missing: Vec<_> = self.certain.difference(&found).collect();
        assert!(missing.is_empty(), "missing of documents of {of_type}: {missing:?}");
        let possible = &self.certain | &self.drainable;
        let strange: Vec<_> = found.difference(&possible).collect();
        assert!(strange.is_empty(), "of no document of {of_type}: {strange:?}");
        let lived_in: BTreeSet<&Path> = found.iter().map(|(path, _)| path).collect();
        for (path, key) in self.trees.intersection(&found) {
            let below = path.child(key.clone());
            assert!(lived_in.contains(&below), "{below} is an empty tree");
        }
        self.totals_hold(&found);
    }

    fn totals_hold(&self, found: &BTreeSet<Place>) {
        let mut totals: BTreeMap<&Path, GroupTotals> = BTreeMap::new();
        for ((path, _), adds) in self.entries.iter().filter(|(place, _)| found.contains(place)) {
            let totals = totals.entry(path).or_default();
            totals.count += 1;
            totals.sum += adds;
        }
        for (path, expected) in totals {
            let (above, key) = path.split().unwrap();
            match self.reader.tree_total(&above, key).unwrap().unwrap() {
                TreeTotal::Count(count) => assert_eq!(count, expected.count, "count of {path}"),
                TreeTotal::Sum(sum) => assert_eq!(sum, expected.sum, "sum of {path}"),
                TreeTotal::None => {}
            }
        }
        if self.document_type.aggregates().is_counted() {
            let counted = self.reader.tree_total(self.path, contracts::PRIMARY_KEY).unwrap();
            assert_eq!(counted, Some(TreeTotal::Count(self.documents)), "count of {}", self.path);
        }
    }
}

/// The trees standing right in a type's tree come with the contract; all below is documents'.
fn is_of_documents((path, _): &Place, type_path: &Path) -> bool {
    path.depth() > contracts::TYPE_PATH_DEPTH && path.parts().starts_with(type_path.parts())
}

/// Every entry leads to a live document that expires when the entry says; every live document of a
/// type with a `ttl` has exactly that one entry; no expiry time has an empty tree.
fn the_queue_and_the_documents_agree(chain: &Chain<'_>, documents: &Documents) {
    let reader = chain.drive().reader();
    let mut expected = BTreeMap::new();
    for (type_path, documents) in documents {
        let [_, contract, _, name] = type_path.parts() else { panic!("{type_path} is no type") };
        for document in documents {
            let created_at = document.times.created_at;
            let Some(ttl) = ttl_of(chain, contract, name) else { continue };
            let at = created_at.unwrap().0 + u64::from(ttl) * 1_000;
            let value = [contract.as_slice(), name.as_slice()].concat();
            expected.insert((at.to_be_bytes().to_vec(), document.id.to_vec()), value);
        }
    }
    let mut found = BTreeMap::new();
    for time in entries(&reader, &expiry::queue()) {
        let here = expiry::queue().child(time.key.clone());
        let inside = entries(&reader, &here);
        assert!(!inside.is_empty(), "expiry time {here} has an empty tree");
        for entry in inside {
            let Some(Element::Item(value, None)) = entry.element else { panic!("{here} holds {:?}", entry.element) };
            found.insert((time.key.clone(), entry.key), value);
        }
    }
    assert_eq!(found, expected, "expiry entries");
    let counted = chain.drive().queue_figures().entries();
    assert_eq!(counted, u64::try_from(found.len()).unwrap(), "the queue's figures");
}

/// The `ttl` as the stored schema says it, not as the parser does.
fn ttl_of(chain: &Chain<'_>, contract: &[u8], name: &[u8]) -> Option<u32> {
    rules(chain).block.expire?;
    let id = Identifier::from_slice(contract).unwrap();
    let drive = chain.drive();
    let contract = drive::contract::fetch(&drive.reader(), drive.contracts(), id, rules(chain)).unwrap().unwrap();
    let schema = contract.contract().document_schemas.get(std::str::from_utf8(name).unwrap()).unwrap();
    schema.get("ttl").and_then(dpp::value::Value::as_integer).map(|ttl| u32::try_from(ttl).unwrap())
}

/// Nothing a document of a type with a `ttl` writes carries storage flags.
fn no_flags_under_a_type_with_a_ttl(reader: &StateReader<'_>, walk: &[Place], types: &BTreeMap<Path, DocumentType>) {
    let expiring: Vec<&Path> = types.iter().filter(|(_, t)| t.ttl().is_some()).map(|(path, _)| path).collect();
    for place in walk {
        let queued = place.0.parts().starts_with(expiry::queue().parts())
            || (place.0 == misc::misc() && place.1 == expiry::QUEUE_KEY);
        if queued || expiring.iter().any(|type_path| is_of_documents(place, type_path)) {
            let element = reader.get(&place.0, &place.1).unwrap().unwrap();
            assert_eq!(flags_of(&element), None, "{place:?} carries flags");
        }
    }
}

/// The flags of an element, as they are stored.
pub fn flags_of(element: &Element) -> Option<&[u8]> {
    let (Element::Item(_, flags) | Element::SumItem(_, flags) | Element::Reference(_, flags) | Element::Tree(_, flags)) =
        element;
    flags.as_ref().map(|flags| flags.as_bytes())
}

/// Every element of a tree; none if the tree is not there.
pub fn entries(reader: &StateReader<'_>, path: &Path) -> Vec<drive::store::Entry> {
    if path.split().is_some_and(|(above, key)| !reader.contains(&above, key).unwrap()) {
        return Vec::new();
    }
    let (mut all, mut from) = (Vec::new(), Vec::new());
    loop {
        let page = reader.entries_from(path, from, 1_000).unwrap();
        let Some(last) = page.last() else { return all };
        from = [last.key.as_slice(), &[0]].concat();
        all.extend(page);
    }
}

/// The rules of the chain's next block.
pub fn rules(chain: &Chain<'_>) -> &'static PlatformVersion {
    chain.platform.chain_state().rules().unwrap()
}

/// Elements of a walk that stand at or below a path.
pub fn below(chain: &Chain<'_>, path: &Path) -> Vec<Place> {
    let walk = chain.drive().walk().unwrap();
    walk.into_iter().filter(|(place, _)| place.parts().starts_with(path.parts())).collect()
}

/// `[64]`, for stories that compare everything contracts hold.
pub fn contracts_path() -> Path {
    Path::root(root::CONTRACTS)
}
