//! Contract updates: what a type's documents were promised about their life stays.

use std::sync::Arc;

use dpp::contract::DataContract;
use dpp::document_type::ParsedContract;
use dpp::primitives::{Identifier, TimestampMillis};
use platform_tests::chain::code;
use platform_tests::types::{flash, note};
use platform_tests::{Chain, Wallet, for_each_version, with_chain};
use platform_version::{PlatformVersion, ProtocolVersion};
use serde_json::{Value as Json, json};

fn stored(chain: &Chain<'_>, id: Identifier) -> Arc<ParsedContract> {
    let rules = PlatformVersion::get(ProtocolVersion(chain.platform.chain_state().protocol_version)).unwrap();
    drive::contract::fetch(&chain.drive().reader(), chain.drive().contracts(), id, rules).unwrap().unwrap()
}

fn plain() -> Json {
    let mut plain = flash();
    plain.as_object_mut().unwrap().remove("ttl");
    plain
}

fn with_ttl(ttl: u64) -> Json {
    let mut flash = flash();
    flash["ttl"] = json!(ttl);
    flash
}

/// C-04, on a copy: nor does a life get shorter.
#[test]
fn an_update_cannot_shorten_the_life_of_a_type() {
    let mut alice = Wallet::new("alice");
    let (register, id) = alice.register(&json!({ "flash": with_ttl(7_200) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let contract = stored(chain, id).contract().clone();
        assert_eq!(chain.codes(vec![alice.update(&contract, &json!({ "flash": flash() }))]), [40212]);
        assert_eq!(stored(chain, id).contract().version, 1);
    });
}

/// C-04: four updates that touch the life of a type are refused; a type that is added declares it
/// freely; the documents expire when they were written to.
// # Rule TTL-9
// # Rule TTL-10
#[test]
fn an_update_cannot_touch_the_life_of_an_existing_type() {
    let mut alice = Wallet::new("alice");
    let (register, id) = alice.register(&json!({ "flash": flash(), "plain": plain() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let mut creates = Vec::new();
        for tag in 0..10 {
            creates.push(alice.create(id, "flash", &json!({ "tag": tag.to_string() })).0);
            creates.push(alice.create(id, "plain", &json!({ "tag": tag.to_string() })).0);
        }
        chain.accept(creates);
        let written_at = chain.time;
        let contract = stored(chain, id).contract().clone();
        let refused = [
            json!({ "flash": with_ttl(7_200), "plain": plain() }),
            json!({ "flash": with_ttl(3_601), "plain": plain() }),
            json!({ "flash": plain(), "plain": plain() }),
            json!({ "flash": flash(), "plain": flash() }),
        ];
        for types in refused {
            assert_eq!(chain.codes(vec![alice.update(&contract, &types)]), [40212], "{types}");
            assert_eq!(stored(chain, id).contract().version, 1);
        }
        let later = json!({ "flash": flash(), "plain": plain(), "later": with_ttl(7_200) });
        chain.accept(vec![alice.update(&contract, &later)]);
        assert_eq!(stored(chain, id).contract().version, 2);
        chain.accept(vec![alice.create(id, "later", &json!({ "tag": "x" })).0]);
        let expires_at = written_at.0 + 3_600_000;
        assert_eq!(chain.block_at(TimestampMillis(expires_at - 1), Vec::new()).expirations.removed.len(), 0);
        assert_eq!(chain.block_at(TimestampMillis(expires_at), Vec::new()).expirations.removed.len(), 10);
    });
}

/// C-02, the update part: floor and ceiling hold for types an update adds.
#[test]
fn the_limits_hold_for_types_an_update_adds() {
    let mut alice = Wallet::new("alice");
    let (register, id) = alice.register(&json!({ "note": note() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        for (ttl, code) in [(3_599, 10231), (31_536_001, 10231), (0, 10101)] {
            let contract = stored(chain, id).contract().clone();
            let types = json!({ "note": note(), "added": with_ttl(ttl) });
            assert_eq!(chain.codes(vec![alice.update(&contract, &types)]), [code], "{ttl}");
        }
        let mut types = json!({ "note": note() });
        for ttl in [3_600, 31_536_000] {
            let contract = stored(chain, id).contract().clone();
            types[format!("added{ttl}")] = with_ttl(ttl);
            chain.accept(vec![alice.update(&contract, &types)]);
        }
    });
}

/// Who may update what, in order: existence, owner, version; times stay and move as they must.
#[test]
fn updates_keep_the_registration_and_move_the_update() {
    for_each_version(|version| {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let mut contract = alice.contract(&json!({ "plain": plain() }));
        contract.config.keeps_history = true;
        let (id, register) = (contract.id, alice.register_contract(contract));
        with_chain(version, &["alice", "bob"], |chain| {
            chain.accept(vec![register]);
            let registered_at = chain.time;
            let contract = stored(chain, id).contract().clone();
            let types = json!({ "plain": plain(), "more": plain() });
            let unknown = DataContract { id: Identifier([3; 32]), ..contract.clone() };
            assert_eq!(chain.codes(vec![alice.update(&unknown, &types)]), [10400]);
            assert_eq!(
                chain.codes(vec![bob.update(&DataContract { owner_id: bob.id, ..contract.clone() }, &types)]),
                [40003]
            );
            let skipped = DataContract { version: 2, ..contract.clone() };
            assert_eq!(chain.codes(vec![alice.update(&skipped, &types)]), [10212]);
            chain.accept(vec![alice.update(&contract, &types)]);
            let updated = stored(chain, id).contract().clone();
            assert_eq!(updated.times.created_at, Some(registered_at));
            assert_eq!(updated.times.updated_at, Some(chain.time));
            let again = chain.time;
            let bytes = alice.update(&updated, &types);
            let outcomes = chain.block_at(again, vec![bytes]).outcomes;
            assert_eq!(platform_tests::chain::code(&outcomes[0]), 40004, "two revisions of one block time");
            let history = drive::tree::contracts::contract_history(id);
            let walked = chain.drive().walk().unwrap();
            assert_eq!(walked.iter().filter(|(path, _)| *path == history).count(), 3);
        });
    });
}

/// At 13 an update may raise the bounds of an integer that is stored by its width, and so change how the
/// type's documents are stored (node rules, section 3). What was stored before does not decode then: an
/// action on it is refused and paid, in check_tx too, and the chain goes on. At 14 the update is refused.
#[test]
fn a_document_an_update_made_unreadable_is_refused_and_the_chain_goes_on() {
    let schema = |maximum: u64| {
        json!({ "thing": {
            "type": "object", "canBeDeleted": true, "documentsMutable": true, "required": ["n"],
            "properties": { "n": { "type": "integer", "minimum": 0, "maximum": maximum, "position": 0 } },
            "additionalProperties": false,
        } })
    };
    for (version, of_update, of_delete) in [(13, 0, 10_223), (14, 40_212, 0)] {
        let mut alice = Wallet::new("alice");
        let (register, id) = alice.register(&schema(255));
        with_chain(version, &["alice"], |chain| {
            chain.accept(vec![register]);
            assert!(stored(chain, id).contract().config.sized_integer_types);
            let (create, thing) = alice.create(id, "thing", &json!({ "n": 7 }));
            chain.accept(vec![create]);
            let before = stored(chain, id).contract().clone();
            let update = alice.update(&before, &schema(70_000));
            // the invariants read every document
            chain.checks = false;
            assert_eq!(chain.codes(vec![update]), [of_update], "{version}");
            let delete = alice.delete(id, "thing", thing);
            assert_eq!(chain.check_tx(&delete), of_delete, "{version}");
            let (create, _) = alice.create(id, "thing", &json!({ "n": 8 }));
            let block = chain.block(vec![delete, create]);
            let codes: Vec<u32> = block.outcomes.iter().map(code).collect();
            assert_eq!(codes, [of_delete, 0], "{version}");
        });
    }
}
