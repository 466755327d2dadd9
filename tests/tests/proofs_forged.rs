//! Proofs a liar makes: what the hashes of the state alone would allow, and what costs whoever checks too much.
//!
//! A hash does not say what it is of. GroveDB hashes a tree as H(H(element) ++ root) and a reference as
//! H(H(element) ++ H(target)), and a root is the hash of 96 bytes, as is a value of 95 bytes after a length of
//! 0x5f: whoever finds an id for which a node begins so, one in half a million, has a tree that reads as an item.

use dpp::block::BlockInfo;
use dpp::document::{BlockTimes, Document};
use dpp::document_type::ParsedContract;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};
use drive::proof::{ProofError, VerifyError, verify};
use drive::query::{self, Answer, Expiring, IndexQuery, Measure, Query, Row, RowContent, TopQuery, Unanswered};
use drive::tree::{Path, RankAxis, TreeTotal};
use platform_tests::ask::{Ask, equal, text};
use platform_tests::documents::Planting;
use platform_tests::proof_bytes::{Hash, Layer, blake3, combined, key_value_hash, node_preimage, value_hash};
use platform_tests::{Chain, Wallet, invariants, types, wallet, with_chain};
use serde_json::{Value as Json, json};

const NONE: Hash = [0; 32];
const VICTIM: Identifier = Identifier([5; 32]);
const QUEUE: Expiring = Expiring { from: TimestampMillis(0), to: None, contract: None, limit: 1_000 };

fn bid() -> Json {
    json!({
        "type": "object", "ttl": 3_600, "documentsSummable": "amount",
        "indices": [
            {
                "name": "byTag", "properties": [ { "tag": "asc" } ], "averageable": "amount", "rangeAverageable": true,
                "rankedCountable": true,
            },
            { "name": "byName", "unique": true, "properties": [ { "name": "asc" } ], "countable": "countable" },
        ],
        "properties": {
            "tag": { "type": "string", "maxLength": 59, "position": 0 },
            "amount": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 1 },
            "name": { "type": "string", "maxLength": 59, "position": 2 },
        },
        "required": ["$createdAt", "amount"], "additionalProperties": false,
    })
}

/// Plants a document under an id of the liar's choice.
fn plant(chain: &mut Chain<'_>, contract: Identifier, type_name: &str, id: Identifier, data: &Json) {
    let drive = chain.drive();
    let rules = invariants::rules(chain);
    let block = BlockInfo { time: chain.time, ..chain.platform.chain_state().last_block_info() };
    let parsed = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, rules).unwrap().unwrap();
    let document_type = parsed.types().get(type_name).unwrap();
    let times = BlockTimes { time: block.time, height: block.height, core_height: block.core_height };
    let data = document_type.validate_data(&wallet::values(data), rules).unwrap();
    let document = Document::create(document_type, &parsed.contract().config, (id, Identifier([7; 32])), data, times);
    let context = ApplyContext { rules, block, schedule: drive.schedule() };
    let operation = DocumentOperation { contract: parsed, document_type: type_name.to_owned(), document };
    let operation = DriveOperation::InsertDocument(Box::new(operation));
    chain.plant(|transaction| {
        apply_operations(transaction, &[operation], &context).unwrap();
    });
}

/// An id whose node with this value reads as an item of 95 bytes: the first from a number on, below
/// which there is none.
fn ground(value: &Hash, from: u64) -> Identifier {
    let id = |number: u64| [&[0xee; 24][..], &number.to_be_bytes()].concat().try_into().unwrap();
    let reads_as_item = |id: &Hash| {
        let hash = key_value_hash(id, value);
        hash[0] == 95 && hash[1] == 0 && (61..=92).contains(&hash[2])
    };
    let found = (from..).map(id).find(reads_as_item).unwrap();
    Identifier(found)
}

/// The bytes that hash to the root of a tree of two nodes, the liar's above the victim's.
fn preimage(liar: &Identifier, own: &Hash, of_victim: &Hash) -> Vec<u8> {
    let below = blake3(&node_preimage(&key_value_hash(&VICTIM.0, of_victim), &NONE, &NONE));
    node_preimage(&key_value_hash(&liar.0, own), &below, &NONE)
}

/// Shows the tree with a root as a reference to an item, which hashes to the same; how many there were.
fn forge(layer: &mut Layer, preimage: &[u8]) -> usize {
    const TREE: u8 = 4;
    const REFERENCE: u8 = 6;
    let (inside, target) = (blake3(preimage), &preimage[1..]);
    let mut forged = 0;
    layer.each(&mut |layer| {
        for at in 0..layer.steps.len() {
            let Some((key, value, length)) = keyed(&layer.steps[at..]).filter(|_| layer.steps[at] == TREE) else {
                continue;
            };
            let end = at + length + 32;
            if layer.steps.get(at + length..end) != Some(&combined(&value_hash(&value), &inside)) {
                continue;
            }
            let head = [&[REFERENCE, key.len() as u8], key.as_slice(), &(target.len() as u16).to_be_bytes()].concat();
            let node = [&head, target, &value_hash(&value)].concat();
            layer.steps.splice(at..end, node);
            layer.lower.retain(|(of, _)| *of != key);
            forged += 1;
            return;
        }
    });
    forged
}

/// The key and value of a node that has both, and how long it is with them.
fn keyed(steps: &[u8]) -> Option<(Vec<u8>, Vec<u8>, usize)> {
    let (key, rest) = steps.get(2..)?.split_at_checked(usize::from(*steps.get(1)?))?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let value = rest.get(..usize::from(u16::from_be_bytes(*length))).filter(|value| value.len() < 128)?;
    Some((key.to_vec(), value.to_vec(), 4 + key.len() + value.len()))
}

/// The proof of an answer with its tree shown as a reference is refused, and the honest one is not.
fn a_forged_tree_is_refused(ask: &Ask<'_, '_>, query: &Query<'_>, preimage: &[u8]) {
    let proved = ask.prove(query);
    assert!(ask.verify(query, &proved.proof, &proved.app_hash).is_ok());
    let mut layers = Layer::of_answer(&proved.proof);
    assert_eq!(Layer::to_answer(&layers), proved.proof);
    assert_eq!(layers.iter_mut().map(|layer| forge(layer, preimage)).sum::<usize>(), 1, "{query:?}");
    let refused = ask.verify(query, &Layer::to_answer(&layers), &proved.app_hash);
    let altered = ProofError::Altered("it shows another kind of element than stands there");
    assert_eq!(refused, Err(altered.into()), "{query:?}");
}

/// The sum of a value would be 0 instead of 1,000, an average not there.
#[test]
fn a_sum_cannot_be_passed_off_as_an_item() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (register, contract) = alice.register(&json!({ "bid": bid() }));
        chain.accept(vec![register]);
        // sum items of 100 and 900, without flags
        let (own, of_victim) = (value_hash(&[3, 200, 0]), value_hash(&[3, 251, 0x07, 0x08, 0]));
        let liar = ground(&own, 90_000);
        plant(chain, contract, "bid", liar, &json!({ "tag": "x", "amount": 100 }));
        plant(chain, contract, "bid", VICTIM, &json!({ "tag": "x", "amount": 900 }));
        let ask = Ask::of(chain, contract, "bid");
        let preimage = preimage(&liar, &own, &of_victim);
        for (measure, index) in [
            (Measure::Sum, Some(equal("byTag", &[text("x")]))),
            (Measure::Average, Some(IndexQuery::all("byTag"))),
            (Measure::Sum, None),
        ] {
            a_forged_tree_is_refused(&ask, &Query::Totals { of: ask.named(), index, measure }, &preimage);
        }
    });
}

/// A time of the queue would hold nothing, and a document that is queued would not be.
#[test]
fn the_queue_cannot_be_passed_off_as_an_item() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        chain.accept(vec![register]);
        let entry = value_hash(&[&[0, 37], contract.0.as_slice(), b"flash", &[0]].concat());
        let liar = ground(&entry, 136_000);
        for id in [liar, VICTIM] {
            plant(chain, contract, "flash", id, &json!({ "tag": "x" }));
        }
        let ask = Ask::of(chain, contract, "flash");
        let preimage = preimage(&liar, &entry, &entry);
        a_forged_tree_is_refused(&ask, &Query::ExpiringDocuments(QUEUE), &preimage);
        let expiry = Query::DocumentExpiry { of: ask.named(), id: VICTIM, expires_at: None };
        a_forged_tree_is_refused(&ask, &expiry, &preimage);
    });
}

/// Questions of every kind over the one state of `with_bids`.
fn questions<'q>(ask: &'q Ask<'_, '_>, id: Identifier) -> Vec<Query<'q>> {
    let of = ask.named();
    let totals = |index, measure| Query::Totals { of, index: Some(index), measure };
    vec![
        Query::Contract(of.contract),
        Query::Document { of, id },
        Query::Documents { of, index: equal("byTag", &[text("x")]), start: None },
        Query::Documents { of, index: equal("byName", &[text("0")]), start: None },
        totals(equal("byTag", &[text("x")]), Measure::Average),
        totals(equal("byName", &[text("0")]), Measure::Count),
        Query::Totals { of, index: None, measure: Measure::Sum },
        Query::Top { of, ranking: TopQuery { index: "byTag", axis: RankAxis::Count, ascending: false, limit: 2 } },
        Query::DocumentExpiry { of, id, expires_at: None },
        Query::ExpiringDocuments(QUEUE),
    ]
}

fn with_bids(story: impl FnOnce(&Chain<'_>, &Ask<'_, '_>, &ParsedContract, &[Identifier])) {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (register, contract) = alice.register(&json!({ "bid": bid() }));
        chain.accept(vec![register]);
        let data: Vec<_> =
            (0..4).map(|n| json!({ "tag": (["x", "y"][n % 2]), "amount": n, "name": n.to_string() })).collect();
        let created_at = chain.time;
        let planting = Planting { contract, document_type: "bid", owner: Identifier([7; 32]), created_at };
        let ids = planting.plant(chain, &data);
        let (drive, rules) = (chain.drive(), invariants::rules(chain));
        let parsed = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, rules).unwrap().unwrap();
        story(chain, &Ask::of(chain, contract, "bid"), &parsed, &ids);
    });
}

/// A layer nobody asked for hangs below nothing, so no hash holds it.
#[test]
fn trees_nobody_asked_for_are_refused() {
    with_bids(|_, ask, _, ids| {
        for query in questions(ask, ids[0]) {
            let proved = ask.prove(&query);
            let layers = Layer::of_answer(&proved.proof);
            let mut all = 0;
            layers.clone().iter_mut().for_each(|layer| layer.each(&mut |_| all += 1));
            for chosen in 0..all {
                let (mut forged, mut at, mut is_added) = (layers.clone(), 0, false);
                forged.iter_mut().for_each(|layer| {
                    layer.each(&mut |layer| {
                        if at == chosen && layer.steps.len() >= 32 * (layer.lower.len() + 1) {
                            let more = Layer { steps: [&[1][..], &[9; 32]].concat(), lower: Vec::new() };
                            layer.lower.push((vec![0xff; 40], more));
                            is_added = true;
                        }
                        at += 1;
                    });
                });
                let shown = ask.verify(&query, &Layer::to_answer(&forged), &proved.app_hash);
                let is_refused = matches!(shown, Err(VerifyError::Proof(ProofError::Foreign(_))));
                assert_eq!(is_refused, is_added, "layer {chosen} of {query:?}: {shown:?}");
            }
        }
    });
}

type ChangeRow = fn(&mut Row);

/// Rows that are no answer to the question are an error of whoever has them, and none is passed over.
#[test]
fn rows_must_answer_the_question() {
    with_bids(|chain, ask, contract, ids| {
        let changes: [(&str, ChangeRow); 4] = [
            ("another kind", |row| {
                row.content = match row.content {
                    RowContent::Item(_) => RowContent::Tree(TreeTotal::None),
                    RowContent::Tree(_) => RowContent::Item(Vec::new()),
                };
            }),
            ("another total", |row| match &mut row.content {
                RowContent::Tree(total @ TreeTotal::Sum(_)) => *total = TreeTotal::Count(0),
                RowContent::Tree(total) => *total = TreeTotal::Sum(0),
                RowContent::Item(bytes) => *bytes = vec![0xff; 3],
            }),
            ("another key", |row| row.key = vec![0xff; 5]),
            ("another place", |row| row.path = Path::root(9)),
        ];
        for query in questions(ask, ids[0]) {
            for (what, change) in changes {
                let mut rows = 0;
                let answer = query::answer(&query, Some(contract), chain.time, &mut |plan: &query::QueryPlan| {
                    let mut found = chain.drive().reader().plan_rows(plan)?;
                    found.iter_mut().for_each(change);
                    rows += found.len();
                    Ok::<_, drive::store::StoreError>(found)
                });
                assert!(rows > 0);
                // where one key is asked, it and its place are the plan's
                let is_the_plans = matches!(what, "another key" | "another place")
                    && matches!(query, Query::Contract(_) | Query::Document { .. } | Query::DocumentExpiry { .. });
                let is_refused = matches!(answer, Err(Unanswered::State(_)));
                assert!(is_refused || is_the_plans || is_lenient(&query, what), "{what}: {query:?}: {answer:?}");
            }
        }
    });
}

/// What no row can get wrong: where a type's totals stand, or a ranking, is not in the answer, and an entry of
/// the queue without a document is the cleanup's to remove.
fn is_lenient(query: &Query<'_>, what: &str) -> bool {
    match query {
        Query::Totals { .. } | Query::Top { .. } => what == "another place",
        Query::ExpiringDocuments(_) => matches!(what, "another key" | "another total"),
        _ => false,
    }
}

/// A tree of which 200,000 nodes are hidden, half of them before the one key it shows, comes to its end; one
/// that is deeper than a tree can be does not even begin.
#[test]
fn hostile_proofs_cost_no_more_than_their_bytes() {
    const HASH: u8 = 1;
    const HIDDEN: u8 = 2;
    const TREE: u8 = 4;
    const PARENT: u8 = 0x10;
    let query = Query::Contract(Identifier([1; 32]));
    let checked = |steps: &[u8], root: &Hash| {
        let layer = Layer { steps: steps.to_vec(), lower: Vec::new() };
        verify(&query, None, TimestampMillis(0), &Layer::to_answer(&[layer]), root)
    };
    let hidden = [&[HIDDEN][..], &[9; 32], &[PARENT]].concat().repeat(100_000);
    let empty_tree = [2, 0, 0];
    let shown = combined(&value_hash(&empty_tree), &NONE);
    let shown = [&[TREE, 1, 64, 0, 3][..], &empty_tree, &shown, &[PARENT]].concat();
    let steps = [&[HASH][..], &[9; 32], &hidden, &shown, &hidden].concat();
    let Err(VerifyError::Proof(ProofError::OtherState { found, .. })) = checked(&steps, &NONE) else {
        panic!("a root nobody knows")
    };
    // half of what is hidden may be what is asked, were it not for the key itself
    assert_eq!(checked(&steps, &found), Ok(Answer::Contract(None)));
    let another = [&hidden[..33], &hidden].concat();
    let Err(VerifyError::Proof(ProofError::OtherState { found, .. })) = checked(&another, &NONE) else {
        panic!("a root nobody knows")
    };
    assert!(matches!(checked(&another, &found), Err(VerifyError::Proof(ProofError::Incomplete(_)))));

    let deep = [&[HIDDEN][..], &[9; 32]].concat().repeat(200_000);
    let refused = checked(&deep, &NONE);
    assert_eq!(refused, Err(ProofError::Malformed("a tree of it is deeper than any").into()));
    let long = hidden.repeat(3);
    assert_eq!(checked(&long, &NONE), Err(ProofError::Malformed("it is longer than any proof").into()));
}

/// A type with a unique index, in which a document without a name stands in a tree.
fn named() -> Json {
    let properties = json!([ { "tag": "asc" }, { "name": "asc" } ]);
    json!({
        "type": "object", "ttl": 3_600,
        "indices": [ { "name": "byBoth", "unique": true, "properties": properties, "countable": "countable" } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 59, "position": 0 },
            "name": { "type": "string", "maxLength": 59, "position": 1 },
        },
        "required": ["$createdAt"], "additionalProperties": false,
    })
}

/// Where a unique index ends there may be a reference or a tree. Shown as a reference, the hashes in a tree are read
/// as an element; an id ground so that they begin like an item of more bytes than any memory has is refused like any other.
#[test]
fn a_length_within_the_hashes_of_a_tree_is_not_believed() {
    // the first of its kind with `5f 00 fd` there, 2^24 tries or so
    let liar: Hash = [&[0xee; 24][..], &15_407_156_u64.to_be_bytes()].concat().try_into().unwrap();
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (register, contract) = alice.register(&json!({ "bid": named() }));
        chain.accept(vec![register]);
        plant(chain, contract, "bid", Identifier(liar), &json!({ "tag": "x" }));
        let ask = Ask::of(chain, contract, "bid");
        let query = Query::Documents { of: ask.named(), index: equal("byBoth", &[text("x")]), start: None };
        let proved = ask.prove(&query);
        assert!(ask.verify(&query, &proved.proof, &proved.app_hash).is_ok());
        let mut layers = Layer::of_answer(&proved.proof);
        let mut own = None;
        layers[0].each(&mut |layer| {
            let reference = keyed(&layer.steps).filter(|(key, ..)| layer.steps[0] == 6 && *key == liar);
            if let Some((_, target, length)) = reference {
                let of_reference: Hash = layer.steps[length..].try_into().unwrap();
                own = Some(combined(&of_reference, &value_hash(&target)));
            }
        });
        let preimage = node_preimage(&key_value_hash(&liar, &own.unwrap()), &NONE, &NONE);
        assert_eq!(preimage[..3], [95, 0, 253], "an item of a length in the eight bytes that follow");
        assert_eq!(forge(&mut layers[0], &preimage), 1);
        let refused = ask.verify(&query, &Layer::to_answer(&layers), &proved.app_hash);
        assert!(matches!(refused, Err(VerifyError::Proof(ProofError::UnknownElement(_)))), "{refused:?}");
    });
}
