//! Every document action around an expiry, as a table: `docs/actions.md` holds what this test finds.

use std::collections::BTreeMap;
use std::fs;

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive_abci::platform::Outcome;
use platform_tests::documents::{Planting, find};
use platform_tests::market::{bytes, reference};
use platform_tests::moderation::{self, both_lists, stored};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, chain, types, with_chain};
use serde_json::{Value as Json, json};

const DAY_MS: u64 = 86_400_000;

/// Price of the deed that is bought.
const PRICE: Credits = Credits(5_000_000);

/// When the actions' block is, seen from the deeds' expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Alive,
    LastMillisecond,
    AtExpiry,
    Waiting,
    Removed,
}

use When::{Alive, AtExpiry, LastMillisecond, Removed, Waiting};

const COLUMNS: [(When, &str); 5] = [
    (Alive, "alive"),
    (LastMillisecond, "last millisecond"),
    (AtExpiry, "block of the expiry"),
    (Waiting, "expired, not yet removed"),
    (Removed, "removed"),
];

/// What is done, each to a deed of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Replace,
    Transfer,
    UpdatePrice,
    Purchase,
    Delete,
    CreateSameValue,
    CreateSameId,
    ReferTo,
    ReplaceReferrer,
    OthersDelete,
    OthersReplace,
    ModeratorDeletes,
    ModeratorRestores,
    OthersModerate,
}

const ROWS: [(Row, &str); 14] = [
    (Row::Replace, "replace"),
    (Row::Transfer, "transfer"),
    (Row::UpdatePrice, "update price"),
    (Row::Purchase, "purchase"),
    (Row::Delete, "delete, by its owner"),
    (Row::CreateSameValue, "create with its unique value"),
    (Row::CreateSameId, "create with its id"),
    (Row::ReferTo, "create of a document that refers to it"),
    (Row::ReplaceReferrer, "replace of a document that refers to it"),
    (Row::OthersDelete, "delete, by somebody else"),
    (Row::OthersReplace, "replace, by somebody else"),
    (Row::ModeratorDeletes, "delete, by a moderator"),
    (Row::ModeratorRestores, "restore of what a moderator deleted while it was alive"),
    (Row::OthersModerate, "a moderator's delete, by somebody else"),
];

/// Deeds there are when the others are due: one was deleted by its moderator.
const LIVING: usize = ROWS.len() - 1;

fn schemas() -> Json {
    let review = json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true,
        "properties": { "of": reference(0, &json!({ "type": "deletableDocument", "documentType": "deed" })) },
        "required": ["$createdAt"], "additionalProperties": false,
    });
    let deed = types::with(types::deed(), |members| {
        members.insert("moderatorAbilities".to_owned(), json!({ "delete": true }));
    });
    json!({ "deed": deed, "flash": types::flash(), "review": review })
}

/// A deed for each row, and what is written about it.
struct Stage {
    alice: Wallet,
    bob: Wallet,
    mona: Wallet,
    contract: Identifier,
    deeds: BTreeMap<Row, Identifier>,
    review: Identifier,
    /// Bytes of the deed that was deleted by its moderator.
    deleted: Vec<u8>,
}

impl Stage {
    fn set(chain: &mut Chain<'_>) -> Self {
        // the contract's owner is above its moderators, so the deeds are somebody else's
        let [mut alice, bob, mut mona, mut owner] = ["alice", "bob", "mona", "owner"].map(Wallet::new);
        let (register, contract) = owner.register_moderated(&schemas(), both_lists(&[mona.id]));
        chain.accept(vec![register]);
        let mut creates = Vec::new();
        let mut deeds = BTreeMap::new();
        for (place, (row, _)) in (0u8..).zip(ROWS) {
            let data = json!({ "title": format!("deed {place}") });
            let (create, id) = alice.create_with(contract, "deed", (&data, [place; 32]));
            creates.push(create);
            deeds.insert(row, id);
        }
        chain.accept(creates);
        let price = DocumentAction::UpdatePrice { revision: Revision(2), price: PRICE };
        let priced = alice.document(contract, "deed", (deeds[&Row::Purchase], price));
        let (reviewed, review) =
            alice.create(contract, "review", &json!({ "of": bytes(deeds[&Row::ReplaceReferrer]) }));
        let restored = deeds[&Row::ModeratorRestores];
        let deleted = stored(chain, contract, "deed", restored).unwrap();
        let delete = mona.moderate(contract, moderation::delete("deed", restored));
        chain.accept(vec![priced, reviewed, delete]);
        Self { alice, bob, mona, contract, deeds, review, deleted }
    }

    fn transition(&mut self, row: Row) -> Vec<u8> {
        let (contract, id, place) = (self.contract, self.deeds[&row], row as u8);
        let revision = Revision(2);
        let replace =
            || DocumentAction::Replace { revision, data: values(&json!({ "title": format!("new {place}") })) };
        let of = json!({ "of": bytes(id) });
        let action = match row {
            Row::Replace => replace(),
            Row::Transfer => DocumentAction::Transfer { revision, recipient_id: self.bob.id },
            Row::UpdatePrice => DocumentAction::UpdatePrice { revision, price: PRICE },
            Row::Delete => DocumentAction::Delete,
            Row::Purchase => {
                let purchase = DocumentAction::Purchase { revision: Revision(3), price: PRICE };
                return self.bob.document(contract, "deed", (id, purchase));
            }
            Row::ModeratorDeletes => return self.mona.moderate(contract, moderation::delete("deed", id)),
            Row::ModeratorRestores => return self.mona.moderate(contract, moderation::restore("deed", &self.deleted)),
            Row::OthersModerate => return self.bob.moderate(contract, moderation::delete("deed", id)),
            Row::OthersDelete => return self.bob.delete(contract, "deed", id),
            Row::OthersReplace => return self.bob.document(contract, "deed", (id, replace())),
            Row::CreateSameValue => {
                return self.bob.create(contract, "deed", &json!({ "title": format!("deed {place}") })).0;
            }
            Row::CreateSameId => {
                let data = json!({ "title": format!("new {place}") });
                return self.alice.create_with(contract, "deed", (&data, [place; 32])).0;
            }
            Row::ReferTo => return self.alice.create(contract, "review", &of).0,
            Row::ReplaceReferrer => {
                let replace = DocumentAction::Replace { revision, data: values(&of) };
                return self.alice.document(contract, "review", (self.review, replace));
            }
        };
        self.alice.document(contract, "deed", (id, action))
    }

    /// Brings the chain to just before the actions' block; the block's time.
    fn wait(&self, chain: &mut Chain<'_>, when: When, created_at: u64) -> TimestampMillis {
        let expires_at = created_at + DAY_MS;
        chain.checks = false;
        match when {
            Alive => chain.next_time(),
            LastMillisecond => TimestampMillis(expires_at - 1),
            AtExpiry => TimestampMillis(expires_at),
            Waiting => {
                let created_at = TimestampMillis(expires_at - 3_600_000 - 1);
                let older =
                    Planting { contract: self.contract, document_type: "flash", owner: self.alice.id, created_at };
                older.plant_many(chain, 300, &json!({ "tag": "old" }));
                let left = chain.block_at(TimestampMillis(expires_at), Vec::new()).expirations.backlog;
                assert_eq!(left, 300 + LIVING as u64 - 128);
                chain.next_time()
            }
            Removed => {
                let removed = chain.block_at(TimestampMillis(expires_at), Vec::new()).expirations;
                assert_eq!((removed.removed.len(), removed.entries), (LIVING, 0));
                chain.next_time()
            }
        }
    }
}

/// Code of each row at a moment. Refusals are paid, and check_tx says of an expired document what the
/// block does.
fn column(when: When) -> Vec<u32> {
    with_chain(14, &["alice", "bob", "mona", "owner"], |chain| {
        let mut stage = Stage::set(chain);
        let created_at = find(chain, stage.contract, "deed", stage.deeds[&Row::Replace]);
        let created_at = created_at.unwrap().times.created_at.unwrap().0;
        let time = stage.wait(chain, when, created_at);
        let transitions: Vec<_> = ROWS.iter().map(|(row, _)| stage.transition(*row)).collect();
        // check_tx judges at the time of the last block, and one transition at a time
        let judged = ROWS.iter().zip(&transitions).filter(|(_, bytes)| chain.check_tx(bytes) == 40140);
        let expired: Vec<Row> = judged.map(|((row, _), _)| *row).collect();
        let frozen = [Row::Replace, Row::Transfer, Row::UpdatePrice, Row::Purchase, Row::ModeratorRestores];
        let expected = match when {
            Alive | LastMillisecond | AtExpiry => &[][..],
            Waiting => &frozen,
            Removed => &frozen[4..],
        };
        assert_eq!(expired, expected, "{when:?}: check_tx");
        let block = chain.block_at(time, transitions);
        for (outcome, (row, _)) in block.outcomes.iter().zip(ROWS) {
            assert!(!matches!(outcome, Outcome::RefusedUnpaid { .. }), "{when:?} {row:?}: {outcome:?}");
        }
        block.outcomes.iter().map(chain::code).collect()
    })
}

fn page(columns: &[Vec<u32>]) -> String {
    let mut page = String::from(
        "# Document actions around an expiry\n\n\
         A `deed` lives a day: its owners may change, give away, sell and delete it, its title is unique. Each action is \
         sent\nin a block of its own moment; \"accepted\", or the code of the refusal, which is paid. \
         `tests/tests/actions.rs` runs every cell\nand keeps this page; names of the codes are in [errors.md](errors.md).\n\n",
    );
    let heads = COLUMNS.map(|(_, head)| head).join(" | ");
    page += &format!("| action | {heads} |\n|---|{}\n", "---|".repeat(COLUMNS.len()));
    for (place, (_, action)) in ROWS.iter().enumerate() {
        let cells = columns.iter().map(|column| match column[place] {
            0 => "accepted".to_owned(),
            code => code.to_string(),
        });
        page += &format!("| {action} | {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    page += "\n\"Block of the expiry\": block time equals `$createdAt` plus the `ttl`; transitions come first and still see \
             the document, the\ncleanup removes it at the end of that very block. \"Expired, not yet removed\": older \
             documents are ahead of it in the queue.\n\"Restore\": the record of the deletion stays, so that it is the expiry which \
             refuses, whether or not its time is long over.\n";
    page
}

/// E-01, E-03, E-05, E-06, E-11, E-15, E-17, U-01, U-09 and Q-05, as one table. The codes are the rules' own:
/// document ttl, section 3, and node rules, section 5.
#[test]
fn each_action_at_each_moment() {
    let columns = COLUMNS.map(|(when, _)| column(when));
    for ((when, _), codes) in COLUMNS.iter().zip(&columns) {
        let by_row: BTreeMap<Row, u32> = ROWS.iter().map(|(row, _)| *row).zip(codes.iter().copied()).collect();
        let is_there = *when != Removed;
        let is_frozen = [AtExpiry, Waiting].contains(when);
        let change = match (is_there, is_frozen) {
            (false, _) => 40101,
            (true, true) => 40140,
            (true, false) => 0,
        };
        for row in [Row::Replace, Row::Transfer, Row::UpdatePrice, Row::Purchase] {
            assert_eq!(by_row[&row], change, "{when:?} {row:?}");
        }
        let expected = [
            (Row::Delete, 0, 40101),
            (Row::CreateSameValue, 40105, 0),
            (Row::CreateSameId, 40100, 0),
            (Row::ReferTo, 0, 40120),
            (Row::ReplaceReferrer, 0, 40120),
            (Row::OthersDelete, 40102, 40101),
            // not the owner's: that comes before the expiry
            (Row::OthersReplace, 40102, 40101),
            (Row::ModeratorDeletes, 0, 40101),
            (Row::OthersModerate, 41101, 41101),
        ];
        // # Rule TTL-24: judged by the document's own time, which its removal does not change
        let restored = if is_there && !is_frozen { 0 } else { 40140 };
        assert_eq!(by_row[&Row::ModeratorRestores], restored, "{when:?}: restore");
        for (row, there, gone) in expected {
            assert_eq!(by_row[&row], if is_there { there } else { gone }, "{when:?} {row:?}");
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/actions.md");
    let found = page(&columns);
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|what| what == "actions") {
        fs::write(file, &found).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap_or_default(), found, "docs/actions.md: UPDATE_GOLDEN=actions writes it");
}
