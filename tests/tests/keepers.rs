//! Who tries to keep a document alive: no change, update, restart or proposer buys it time, and every
//! new document pays for itself.

use dpp::contract::DataContract;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::tree::expiry;
use platform_tests::chain::PROPOSER;
use platform_tests::documents::{find, ids};
use platform_tests::invariants::entries;
use platform_tests::wallet::values;
use platform_tests::{Chain, Node, Wallet, types, with_chain};
use serde_json::json;

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

fn replace(revision: u64, title: &str) -> DocumentAction {
    DocumentAction::Replace { revision: Revision(revision), data: values(&json!({ "title": title })) }
}

/// A contract under the keeper's hands, its version, and the document it keeps.
struct Keeper {
    wallet: Wallet,
    contract: DataContract,
    kept: Identifier,
    accepted: u64,
}

impl Keeper {
    /// Replaces the document; the code.
    fn replaces(&mut self, chain: &mut Chain<'_>, at: u64) -> u32 {
        let change = replace(self.accepted + 2, &format!("kept {}", self.accepted));
        let bytes = self.wallet.document(self.contract.id, "deed", (self.kept, change));
        let outcome = chain.block_at(TimestampMillis(at), vec![bytes]).outcomes.remove(0);
        let code = platform_tests::chain::code(&outcome);
        self.accepted += u64::from(code == 0);
        code
    }

    /// Updates the contract: one more type that nobody uses.
    fn updates(&mut self, chain: &mut Chain<'_>, at: u64) {
        let mut next = DataContract { version: self.contract.version + 1, ..self.contract.clone() };
        let more = dpp::value::Value::from_json(&types::note(), dpp::value::IntegerKind::Signed);
        next.document_schemas.insert(format!("more{}", next.version), more);
        chain.accept_at(TimestampMillis(at), vec![self.wallet.update_contract(next.clone())]);
        self.contract = next;
    }
}

/// O-01: 23 replaces an hour apart are accepted, the 24th is not; updates of the contract change
/// nothing; a second keeper who writes a new document ten minutes before each end has one or two alive
/// all the time, and pays for each.
#[test]
fn keepers_cannot_keep() {
    let (alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let contract = alice.contract(&json!({ "deed": types::deed() }));
    let id = contract.id;
    let mut keeper = Keeper { wallet: alice, contract: contract.clone(), kept: id, accepted: 0 };
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![keeper.wallet.register_contract(contract)]);
        let t0 = chain.time.0 + 10;
        let (create, kept) = keeper.wallet.create(id, "deed", &json!({ "title": "kept" }));
        let (fresh, _) = bob.create(id, "deed", &json!({ "title": "fresh 0" }));
        let mut paid = vec![chain.accept_at(TimestampMillis(t0), vec![create, fresh])[1]];
        keeper.kept = kept;
        let mut codes = Vec::new();
        for hour in 1..=30 {
            if hour == 24 {
                let (fresh, _) = bob.create(id, "deed", &json!({ "title": "fresh 1" }));
                paid.push(chain.accept_at(TimestampMillis(t0 + DAY_MS - 10 * MINUTE_MS), vec![fresh])[0]);
            }
            codes.push(keeper.replaces(chain, t0 + hour * HOUR_MS));
            let owners = ids(chain, id, "deed").into_iter().map(|id| find_owner(chain, &keeper, id));
            assert!([1, 2].contains(&owners.filter(|owner| *owner == bob.id).count()), "hour {hour}");
            if [12, 23].contains(&hour) {
                keeper.updates(chain, t0 + hour * HOUR_MS + 1);
            }
            assert_eq!(find(chain, id, "deed", kept).is_some(), hour < 24, "hour {hour}");
        }
        let expected = [vec![0; 23], vec![40140], vec![40101; 6]].concat();
        assert_eq!((codes, keeper.accepted), (expected, 23));
        assert_eq!(ids(chain, id, "deed").len(), 1, "the second keeper's second");
        // the first shared its expiry time's tree, 123 bytes at 4 credits, with the kept one
        assert_eq!(paid[1].lifetime_storage, Credits(paid[0].lifetime_storage.0 + 123 * 4));
    });
}

fn find_owner(chain: &Chain<'_>, keeper: &Keeper, document: Identifier) -> Identifier {
    find(chain, keeper.contract.id, "deed", document).unwrap().owner_id
}

/// E-08: a replace, a transfer, a price and a sale in the last second, the node stopped and started
/// and another proposer between each: one entry throughout, where it was.
#[test]
fn no_change_buys_time_whoever_proposes_and_whatever_restarts() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&json!({ "deed": types::deed() }));
    let node = Node::new(14, &["alice", "bob"]);
    let t0 = node.run(|chain| {
        chain.accept(vec![register]);
        chain.time.0 + 1_000
    });
    let (create, id) = alice.create(contract, "deed", &json!({ "title": "one" }));
    let revision = Revision;
    let give = DocumentAction::Transfer { revision: revision(3), recipient_id: bob.id };
    let price = DocumentAction::UpdatePrice { revision: revision(4), price: Credits(5_000_000) };
    let purchase = DocumentAction::Purchase { revision: revision(5), price: Credits(5_000_000) };
    let steps = [
        (0, create, alice.id),
        (20_000, alice.document(contract, "deed", (id, replace(2, "two"))), alice.id),
        (40_000, alice.document(contract, "deed", (id, give)), bob.id),
        (60_000, bob.document(contract, "deed", (id, price)), bob.id),
        (86_399, alice.document(contract, "deed", (id, purchase)), alice.id),
    ];
    for (place, (seconds, bytes, owner)) in (0u8..).zip(steps) {
        node.run(|chain| {
            chain.proposer = if place % 2 == 0 { PROPOSER } else { Identifier([10; 32]) };
            chain.accept_at(TimestampMillis(t0 + seconds * 1_000), vec![bytes]);
            let document = find(chain, contract, "deed", id).unwrap();
            assert_eq!((document.owner_id, document.times.created_at), (owner, Some(TimestampMillis(t0))));
            let times = entries(&chain.drive().reader(), &expiry::queue());
            assert_eq!(times.len(), 1);
            assert_eq!(times[0].key, (t0 + DAY_MS).to_be_bytes());
        });
    }
    node.run(|chain| {
        let balances = |chain: &Chain<'_>| {
            [alice.id, bob.id].map(|id| drive::identity::balance(&chain.drive().reader(), id).unwrap())
        };
        let before = balances(chain);
        let removed = chain.block_at(TimestampMillis(t0 + DAY_MS), Vec::new()).expirations;
        assert_eq!((removed.removed.len(), removed.entries), (1, 0));
        assert_eq!(balances(chain), before, "no part of the price is returned");
    });
}
