//! The bench for refusals: one chain with something to refuse, and what must hold of a refusal in
//! check_tx and in a block.

pub mod contracts;
pub mod documents;
pub mod envelope;
pub mod identities;
mod made;
pub mod moderation;
pub mod references;
pub mod tokens;
pub mod updates;

use dpp::contract::DataContract;
use dpp::primitives::{Credits, Identifier, Revision};
use dpp::transition::DocumentAction;
use drive::identity;
use drive::tree::{self, Path, root};
use drive_abci::platform::Outcome;
use serde_json::json;

use crate::{Chain, Node, Wallet, chain, market, types};

/// Whether a refusal is paid, and what check_tx says beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not in the block; check_tx says the same.
    Unpaid,
    /// In the block, nonce used, work charged; check_tx says the same.
    Paid,
    /// Paid, and only a block asks: check_tx lets it pass.
    PaidInBlock,
}

/// Who there is; the last cannot pay.
const NAMES: [&str; 6] = ["alice", "bob", "mona", "carol", "dave", "poor"];

/// What refused transitions are made of.
pub struct Bench {
    /// Owner of the contract and of every document.
    pub alice: Wallet,
    /// Somebody else.
    pub bob: Wallet,
    /// Somebody who cannot pay.
    pub poor: Wallet,
    /// A contract of [`schemas`].
    pub contract: Identifier,
    /// A `flash` of alice's.
    pub flash: Identifier,
    /// A `keep` of alice's, which she cannot delete.
    pub keep: Identifier,
    /// A `deed` of alice's, for nobody's money, titled "mine".
    pub deed: Identifier,
    /// A `deed` of alice's for more than there is, titled "dear".
    pub dear: Identifier,
    /// A moderated contract; none where no version knows one.
    pub moderated: Option<moderation::Moderated>,
    /// A contract of [`market`], whose tokens alice has.
    pub market: Identifier,
    /// A `post` of alice's, named "post".
    pub post: Identifier,
    /// A `review` of alice's of that post, one star.
    pub review: Identifier,
    /// An `entry` of bob's, who has no tokens, at revision 2.
    pub entry: Identifier,
    /// A contract of alice's that is read-only.
    pub sealed: Identifier,
}

/// One refusal.
pub struct Case {
    /// What is wrong, in words.
    pub what: &'static str,
    /// The code.
    pub code: u32,
    /// Paid or not.
    pub kind: Kind,
    /// Makes the transition, and names its signer.
    pub make: fn(&mut Bench) -> (Vec<u8>, Identifier),
}

/// Types of the bench's contract.
pub fn schemas() -> serde_json::Value {
    let set = |key: &str, value: serde_json::Value| {
        types::with(types::flash(), |members| {
            members.insert(key.to_owned(), value);
        })
    };
    json!({
        "flash": types::flash(),
        "claim": types::claim(),
        "keep": set("canBeDeleted", json!(false)),
        "closed": set("creationRestrictionMode", json!(2)),
        "owners": set("creationRestrictionMode", json!(1)),
        "deed": types::deed(),
        "prize": prize(),
        "strict": set("signatureSecurityLevelRequirement", json!(1)),
        "till": types::with(types::flash(), |members| {
            members["properties"]["amount"] = json!({ "type": "integer", "minimum": 0, "position": 1 });
            members["required"] = json!(["$createdAt", "amount"]);
            members.insert("documentsSummable".to_owned(), json!("amount"));
        }),
    })
}

/// `prize`: for ever, nobody may create one; a tag of "gold" is contested.
fn prize() -> serde_json::Value {
    types::with(types::permanent(types::flash()), |members| {
        members.insert("documentsMutable".to_owned(), json!(false));
        members.insert("creationRestrictionMode".to_owned(), json!(2));
        let contested = json!({ "resolution": 0, "fieldMatches": [ { "field": "tag", "regexPattern": "^gold$" } ] });
        let index =
            json!({ "name": "byTag", "unique": true, "properties": [ { "tag": "asc" } ], "contested": contested });
        members.insert("indices".to_owned(), json!([index]));
    })
}

/// Raises every case on one chain of a version.
pub fn raise(version: u32, cases: &[Case]) {
    let [funded @ .., poor] = NAMES;
    let node = Node::new(version, &funded).fund(poor, Credits(100_000));
    node.run(|chain| {
        let mut bench = bench(chain);
        crate::invariants::hold(chain);
        chain.checks = false;
        for case in cases {
            case.holds(chain, &mut bench);
        }
        crate::invariants::hold(chain);
    });
}

fn bench(chain: &mut Chain<'_>) -> Bench {
    let [mut alice, mut bob, poor] = ["alice", "bob", "poor"].map(Wallet::new);
    let schemas = match crate::invariants::rules(chain).block.expire {
        Some(_) => schemas(),
        None => json!({ "flash": types::permanent(types::flash()) }),
    };
    let (register, contract) = alice.register(&schemas);
    chain.accept(vec![register]);
    // before what expires: eight days pass in it
    let is_moderated = crate::invariants::rules(chain).contract.newest_config >= 2;
    let moderated = is_moderated.then(|| moderation::moderated(chain, &mut alice, &mut bob));
    let (create, flash) = alice.create(contract, "flash", &json!({ "tag": "red" }));
    chain.accept(vec![create]);
    let (mut keep, mut deed, mut dear) = (flash, flash, flash);
    if schemas.get("keep").is_some() {
        let (create, id) = alice.create(contract, "keep", &json!({ "tag": "red" }));
        let (claim, _) = alice.create(contract, "claim", &json!({ "name": "bob" }));
        chain.accept(vec![create, claim]);
        keep = id;
        let made = ["mine", "dear"].map(|title| alice.create(contract, "deed", &json!({ "title": title })));
        [deed, dear] = [made[0].1, made[1].1];
        let price = DocumentAction::UpdatePrice { revision: Revision(2), price: Credits(u64::MAX) };
        let priced = alice.document(contract, "deed", (dear, price));
        chain.accept(made.into_iter().map(|(create, _)| create).chain([priced]).collect());
    }
    let [market, post, review, entry, sealed] = [contract; 5];
    let mut bench =
        Bench { alice, bob, poor, contract, flash, keep, deed, dear, moderated, market, post, review, entry, sealed };
    if schemas.get("keep").is_some() {
        open_market(chain, &mut bench);
    }
    bench
}

fn open_market(chain: &mut Chain<'_>, bench: &mut Bench) {
    let alice = &mut bench.alice;
    let contract = market::contract(alice);
    bench.market = contract.id;
    let mut sealed = DataContract { tokens: Default::default(), ..contract.clone() };
    let register = alice.register_contract(contract);
    sealed.document_schemas = alice.contract(&json!({ "note": types::note() })).document_schemas;
    sealed.id = alice.contract(&json!({})).id;
    sealed.config.readonly = true;
    bench.sealed = sealed.id;
    let seal = alice.register_contract(sealed);
    chain.accept(vec![register, seal]);
    let (create, post) = alice.create(bench.market, "post", &json!({ "name": "post" }));
    let data = json!({ "stars": 1, "of": market::bytes(post), "name": "post" });
    let (reviewed, review) = alice.create(bench.market, "review", &data);
    let data = json!({ "tag": "x" });
    let (entered, entry) = alice.create_paying(bench.market, "entry", (&data, market::agreement()));
    let transfer = DocumentAction::Transfer { revision: Revision(2), recipient_id: bench.bob.id };
    let given = alice.document_paying(bench.market, "entry", (entry, transfer), Some(market::agreement()));
    let read_only = identities::read_only_key(&mut bench.bob);
    chain.accept(vec![create, reviewed, entered, given, read_only]);
    (bench.post, bench.review, bench.entry) = (post, review, entry);
}

/// What a refusal may change: balance and nonce of its signer.
#[derive(Debug, PartialEq)]
struct Signer {
    balance: Option<Credits>,
    nonces: [u8; 32],
}

impl Case {
    fn holds(&self, chain: &mut Chain<'_>, bench: &mut Bench) {
        let what = format!("{} {} ({:?})", self.code, self.what, self.kind);
        let wallets = (bench.alice.clone(), bench.bob.clone(), bench.poor.clone());
        let (bytes, signer) = (self.make)(bench);
        let said = if self.kind == Kind::PaidInBlock { 0 } else { self.code };
        assert_eq!(chain.check_tx(&bytes), said, "{what}: check_tx");
        let others = others(chain, signer);
        let before = look(chain, signer);
        let outcome = chain.block(vec![bytes.clone()]).outcomes.remove(0);
        let after = look(chain, signer);
        assert_eq!(chain::code(&outcome), self.code, "{what}: {outcome:?}");
        match (&outcome, self.kind) {
            (Outcome::RefusedUnpaid { .. }, Kind::Unpaid) => {
                assert_eq!(before, after, "{what}: changed its signer");
                (bench.alice, bench.bob, bench.poor) = wallets;
            }
            (Outcome::RefusedPaid { fee, .. }, Kind::Paid | Kind::PaidInBlock) => {
                assert!(fee.processing.0 > 0, "{what}: free");
                let paid = fee.storage.0 + fee.processing.0;
                assert_eq!(before.balance.unwrap().0 - after.balance.unwrap().0, paid, "{what}: the charge");
                assert_ne!(before.nonces, after.nonces, "{what}: the nonce did not move");
                assert_eq!(chain.check_tx(&bytes), 40204, "{what}: can be sent again");
                assert_eq!(fee.lifetime_storage, Credits(0), "{what}: rent for nothing");
            }
            _ => panic!("{what}: {outcome:?}"),
        }
        assert_eq!(others, self::others(chain, signer), "{what}: changed more than its signer");
    }
}

fn look(chain: &Chain<'_>, signer: Identifier) -> Signer {
    let balance = identity::balance(&chain.drive().reader(), signer).unwrap();
    let nonces = match balance {
        Some(_) => chain.drive().subtree_hash(&tree::identities::identity(signer)).unwrap(),
        None => [0; 32],
    };
    Signer { balance, nonces }
}

/// Trees a refusal never writes to, whoever signed: all but identities, balances, and the fee pools.
const UNTOUCHED: [u8; 11] = [
    root::CONTRACTS,
    root::TOKENS,
    root::WITHDRAWALS,
    root::VOTES,
    root::NON_UNIQUE_KEY_HASHES,
    root::UNIQUE_KEY_HASHES,
    root::PREFUNDED_BALANCES,
    root::SPENT_ASSET_LOCKS,
    root::MISC,
    root::VERSIONS,
    root::GROUP_ACTIONS,
];

/// Everything that is not the signer's or the fee pools': those trees, and what every other identity has. The
/// tree of versions changes with each proposer's vote, which says the same in each of these blocks.
fn others(chain: &Chain<'_>, signer: Identifier) -> (Vec<[u8; 32]>, Vec<Signer>) {
    let hashes = UNTOUCHED.map(|tree| chain.drive().subtree_hash(&Path::root(tree)).unwrap());
    let identities = NAMES.map(|name| Wallet::new(name).id).into_iter().filter(|id| *id != signer);
    (hashes.to_vec(), identities.map(|id| look(chain, id)).collect())
}
