//! The books of a busy chain, block by block, beside a ledger that follows the written rules.

use std::collections::{BTreeMap, BTreeSet};

use dpp::block::ChainParameters;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::store::{Element, TreeKind};
use drive::tree::{Path, expiry, misc, pools, root};
use drive_abci::platform::BlockResult;
use platform_tests::chain::{GENESIS_TIME, code};
use platform_tests::ledger::Ledger;
use platform_tests::moderation::{self, stored};
use platform_tests::wallet::values;
use platform_tests::{Chain, Node, Wallet, invariants, types};
use serde_json::{Value as Json, json};

/// Types, and the seconds their documents live; `None`: for ever.
const TYPES: [(&str, Option<u64>); 6] = [
    ("hour", Some(3_600)),
    ("three", Some(10_800)),
    ("day", Some(86_400)),
    ("weeks", Some(1_209_600)),
    ("year", Some(31_536_000)),
    ("plain", None),
];
const BLOCKS: u64 = 500;
const EPOCH_MS: u64 = 3_600_000;
const PARAMETERS: ChainParameters = ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 40 };

/// A seeded source of choices (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A document as its owner knows it.
#[derive(Clone, Copy)]
struct Known {
    document_type: &'static str,
    owner: usize,
    /// How many were created before it.
    place: usize,
    revision: u64,
    price: Option<Credits>,
}

/// What a transition does to what is known, once it is accepted.
enum Effect {
    Put(Identifier, Known),
    Gone(Identifier),
    /// A moderator took it; these bytes bring it back.
    Taken(Identifier, Known, Vec<u8>),
    Restored(Identifier, Known),
}

/// What a transition is called, its bytes, and what it does.
type Planned = (Vec<u8>, &'static str, Effect);

struct World {
    random: Random,
    wallets: Vec<Wallet>,
    contract: Identifier,
    /// Owns the contract and moderates it.
    moderator: Wallet,
    created: usize,
    known: BTreeMap<Identifier, Known>,
    taken: BTreeMap<Identifier, (Known, Vec<u8>)>,
    done: BTreeMap<&'static str, u64>,
}

fn schema(ttl: Option<u64>) -> Json {
    let letters = |position: u64| json!({ "type": "string", "maxLength": 300, "position": position });
    let schema = json!({
        "type": "object", "transferable": 1, "tradeMode": 1, "documentsMutable": true, "canBeDeleted": true,
        "moderatorAbilities": { "delete": true },
        "indices": [ { "name": "byTag", "properties": [ { "tag": "asc" }, { "$ownerId": "asc" } ] } ],
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 }, "text": letters(1) },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    });
    let Some(ttl) = ttl else { return schema };
    types::with(schema, |members| drop(members.insert("ttl".to_owned(), json!(ttl))))
}

impl World {
    fn data(&mut self) -> Json {
        let tag = self.random.pick(&["red", "green", "blue"]);
        json!({ "tag": tag, "text": "x".repeat(self.random.below(280)) })
    }

    /// So many transitions, on as many documents.
    fn transitions(&mut self, chain: &Chain<'_>, count: usize) -> Vec<Planned> {
        let mut touched = BTreeSet::new();
        (0..count).map(|_| self.transition(chain, &mut touched)).collect()
    }

    fn transition(&mut self, chain: &Chain<'_>, touched: &mut BTreeSet<Identifier>) -> Planned {
        let free: Vec<Identifier> = self.known.keys().filter(|id| !touched.contains(*id)).copied().collect();
        let choice = self.random.below(100);
        if free.is_empty() || choice < 45 {
            return self.create();
        }
        let taken: Vec<Identifier> = self.taken.keys().filter(|id| !touched.contains(*id)).copied().collect();
        if choice > 95 && !taken.is_empty() {
            let id = self.random.pick(&taken);
            touched.insert(id);
            return self.restore(id);
        }
        // now and then the one that is next to expire: the block of its end may be this one
        let next =
            free.iter().filter(|id| self.known[id].document_type == "hour").min_by_key(|id| self.known[id].place);
        let next = next.filter(|_| choice.is_multiple_of(4)).copied();
        let id = next.unwrap_or_else(|| self.random.pick(&free));
        touched.insert(id);
        if choice > 88 { self.take(chain, id) } else { self.change(id) }
    }

    fn take(&mut self, chain: &Chain<'_>, id: Identifier) -> Planned {
        let known = self.known[&id];
        let bytes = stored(chain, self.contract, known.document_type, id).unwrap();
        let act = self.moderator.moderate(self.contract, moderation::delete(known.document_type, id));
        (act, "taken", Effect::Taken(id, known, bytes))
    }

    fn restore(&mut self, id: Identifier) -> Planned {
        let (known, bytes) = self.taken[&id].clone();
        let act = self.moderator.moderate(self.contract, moderation::restore(known.document_type, &bytes));
        (act, "restored", Effect::Restored(id, known))
    }

    fn create(&mut self) -> Planned {
        let (document_type, _) = self.random.pick(&TYPES);
        let (owner, data) = (self.random.below(self.wallets.len()), self.data());
        self.wallets[owner].user_fee_increase = self.random.pick(&[0, 0, 7, 100, 1_000]);
        let (bytes, id) = self.wallets[owner].create(self.contract, document_type, &data);
        self.created += 1;
        let place = self.created;
        (bytes, "created", Effect::Put(id, Known { document_type, owner, place, revision: 1, price: None }))
    }

    fn change(&mut self, id: Identifier) -> Planned {
        let before = self.known[&id];
        let other = (before.owner + 1) % self.wallets.len();
        let revision = Revision(before.revision + 1);
        let next = Known { revision: revision.0, price: None, ..before };
        let (signer, what, action, effect) = match (self.random.below(5), before.price) {
            (0, _) => (before.owner, "deleted", DocumentAction::Delete, Effect::Gone(id)),
            (1, _) => {
                let data = values(&self.data());
                (before.owner, "replaced", DocumentAction::Replace { revision, data }, Effect::Put(id, next))
            }
            (2, _) => {
                let action = DocumentAction::Transfer { revision, recipient_id: self.wallets[other].id };
                (before.owner, "transferred", action, Effect::Put(id, Known { owner: other, ..next }))
            }
            (_, Some(price)) => {
                let action = DocumentAction::Purchase { revision, price };
                (other, "purchased", action, Effect::Put(id, Known { owner: other, ..next }))
            }
            (_, None) => {
                let price = Credits(5_000_000);
                let action = DocumentAction::UpdatePrice { revision, price };
                (before.owner, "repriced", action, Effect::Put(id, Known { price: Some(price), ..next }))
            }
        };
        let wallet = &mut self.wallets[signer];
        wallet.user_fee_increase = self.random.pick(&[0, 0, 7, 100]);
        (wallet.document(self.contract, before.document_type, (id, action)), what, effect)
    }

    fn settle(&mut self, planned: Vec<Planned>, result: &BlockResult) {
        for ((_, what, effect), outcome) in planned.into_iter().zip(&result.outcomes) {
            let what = match code(outcome) {
                0 => what,
                // the one thing the strategy may be too late for
                40140 if what == "restored" => "restored too late",
                40140 => "refused",
                other => panic!("{what}: {other}"),
            };
            *self.done.entry(what).or_default() += 1;
            match effect {
                Effect::Restored(id, known) => {
                    self.taken.remove(&id);
                    if what == "restored" {
                        self.known.insert(id, known);
                    }
                }
                _ if what == "refused" => {}
                Effect::Taken(id, known, bytes) => {
                    self.known.remove(&id);
                    self.taken.insert(id, (known, bytes));
                }
                Effect::Put(id, known) => drop(self.known.insert(id, known)),
                Effect::Gone(id) => drop(self.known.remove(&id)),
            }
        }
        for gone in &result.expirations.removed {
            assert!(self.known.remove(&gone.document_id).is_some(), "{gone:?}");
            *self.done.entry("expired").or_default() += 1;
        }
    }
}

/// The queue's trees are ordinary ones, and so is the tree above: no sum sees them.
fn the_queue_adds_nothing_to_any_sum(chain: &Chain<'_>) {
    let reader = chain.drive().reader();
    let queue = reader.get(&misc::misc(), expiry::QUEUE_KEY).unwrap();
    assert!(matches!(queue, Some(Element::Tree(TreeKind::Normal, None))), "{queue:?}");
    let above = reader.get(&Path::default(), &[root::MISC]).unwrap();
    assert!(matches!(above, Some(Element::Tree(TreeKind::Normal, _))), "{above:?}");
    for time in invariants::entries(&reader, &expiry::queue()) {
        assert!(matches!(time.element, Some(Element::Tree(TreeKind::Normal, None))), "{:?}", time.element);
    }
}

/// 'l' counts once: its tree sums up its pools, and the pools' tree sums up that (`Ledger::agrees`).
fn lifetime_pools_count_once(chain: &Chain<'_>, ledger: &Ledger) {
    let total = chain.drive().reader().sum_tree_total(&pools::pools(), pools::LIFETIME_POOLS_KEY).unwrap();
    assert_eq!(u64::try_from(total).unwrap(), ledger.lifetime.values().sum::<u64>());
}

/// Times of the blocks: about 74 seconds apart, with one jump over an epoch.
fn time_of(block: u64) -> TimestampMillis {
    let jump = if block > BLOCKS / 2 { 2 * EPOCH_MS + EPOCH_MS / 3 } else { 0 };
    TimestampMillis(GENESIS_TIME.0 + block * 74_000 + block % 7 + jump)
}

/// F-13: 500 blocks over 12 short epochs, and one in between without blocks.
#[test]
fn the_books_balance_after_every_block() {
    let names = ["alice", "bob", "carol", "mona"];
    let mut wallets: Vec<Wallet> = names.iter().map(|name| Wallet::new(name)).collect();
    let schemas: serde_json::Map<_, _> = TYPES.iter().map(|(name, ttl)| ((*name).to_owned(), schema(*ttl))).collect();
    let mut moderator = wallets.remove(3);
    let (register, contract) = moderator.register_moderated(&Json::Object(schemas), moderation::both_lists(&[]));
    let mut node = Node::with_epochs(14, &names, PARAMETERS);
    node.checks = false;
    node.run(|chain| {
        let mut ledger = Ledger { epoch: Some(0), ..Ledger::default() };
        let (known, taken, done) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut world = World { random: Random(13), wallets, contract, moderator, created: 0, known, taken, done };
        ledger.follow(chain.drive(), &chain.block_at(time_of(1), vec![register]));
        for block in 2..=BLOCKS {
            let count = world.random.below(4);
            let planned = world.transitions(chain, count);
            let before = ledger.epoch;
            chain.checks = block % 50 == 0;
            let result = chain.block_at(time_of(block), planned.iter().map(|(bytes, ..)| bytes.clone()).collect());
            world.settle(planned, &result);
            // charged = waiting + moved, for storage of a known life, after every block
            ledger.follow(chain.drive(), &result);
            lifetime_pools_count_once(chain, &ledger);
            let credits = chain.platform.credits().unwrap();
            assert_eq!(credits.issued, credits.accounted, "block {block}");
            if chain.checks || ledger.epoch != before {
                ledger.agrees(chain.drive(), chain.platform.chain_state());
                the_queue_adds_nothing_to_any_sum(chain);
            }
        }
        assert_eq!((ledger.epoch, ledger.paid.len()), (Some(12), 11), "{:?}", ledger.paid.keys());
        let all = ["created", "deleted", "replaced", "transferred", "purchased", "repriced", "refused", "expired"];
        for done in all.into_iter().chain(["taken", "restored", "restored too late"]) {
            assert!(world.done.contains_key(done), "never: {done}; {:?}", world.done);
        }
        assert!(ledger.spread > 0 && ledger.lifetime.values().sum::<u64>() > 0);
    });
}
