//! What a create with a time to live pays, to the credit, and that nothing comes back.

use dpp::block::BlockInfo;
use dpp::document::{BlockTimes, Document};
use dpp::fee::{FeeResult, LifetimeLeft, document_ttl};
use dpp::primitives::{Credits, Identifier, TimestampMillis};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};
use drive::tree::contracts;
use drive_abci::platform::FeePaid;
use platform_tests::chain::accepted;
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use platform_version::PlatformVersion;
use platform_version::rules::fee::{DocumentTtlFees, FeeRules};
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};

/// Bytes a varint of `z` takes below 2^14.
fn varint(z: u64) -> u64 {
    if z < 128 { 1 } else { 2 }
}

/// Added bytes of a flagless item with a key of `k` and a value of `v` bytes (fees and epochs, 14).
fn item_bytes(k: u64, v: u64) -> u64 {
    let y = v + 68;
    (32 + k + varint(32 + k)) + (y + varint(y)) + (k + 36)
}

/// Added bytes of a flagless empty tree with a key of `k` bytes.
fn tree_bytes(k: u64) -> u64 {
    (32 + k + varint(32 + k)) + 38 + (k + 36)
}

fn stored_length(chain: &Chain<'_>, contract: Identifier, document_type: &str, id: Identifier) -> u64 {
    let primary = contracts::primary(contract, document_type);
    u64::try_from(chain.drive().reader().item(&primary, id.as_bytes()).unwrap().unwrap().len()).unwrap()
}

/// F-01: one create each at every edge of the price ladder; the same bytes, so the amounts divide
/// exactly. The bytes themselves are those of the store's accounting formulas.
#[test]
fn the_price_ladder_at_its_edges() {
    let ladder: [(u64, u64); 14] = [
        (3_600, 1),
        (3_601, 4),
        (86_400, 4),
        (86_401, 8),
        (172_800, 8),
        (172_801, 15),
        (345_600, 15),
        (345_601, 26),
        (604_800, 26),
        (604_801, 34),
        (788_400, 34),
        (788_401, 68),
        (1_209_600, 68),
        (31_536_000, 1_360),
    ];
    let mut alice = Wallet::new("alice");
    let schemas: serde_json::Map<String, Json> = ladder
        .iter()
        .enumerate()
        .map(|(place, (ttl, _))| (format!("t{place:02}"), types::levelled(*ttl, &[])))
        .collect();
    let (register, contract) = alice.register(&Json::Object(schemas));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let mut first = 0;
        for (place, (ttl, price)) in ladder.into_iter().enumerate() {
            let name = format!("t{place:02}");
            let (create, id) = alice.create(contract, &name, &json!({ "n": 7 }));
            let paid = chain.accept(vec![create])[0];
            let bytes =
                item_bytes(32, stored_length(chain, contract, &name, id)) + item_bytes(32, 32 + 3) + tree_bytes(8);
            assert_eq!(paid.lifetime_storage, Credits(bytes * price), "ttl {ttl}");
            if place == 0 {
                first = paid.lifetime_storage.0;
            } else {
                assert_eq!(paid.storage, paid.lifetime_storage, "ttl {ttl}: permanent bytes");
            }
            assert_eq!(paid.lifetime_storage.0, first * price);
        }
    });
}

/// F-01, the sweep: never cheaper with more time, over every hour of a year.
#[test]
fn the_price_never_falls_with_the_time() {
    let prices = V14.fee.document_ttl.unwrap();
    let price = |hours: u64| document_ttl::price_per_byte(LifetimeLeft(hours * 3_600_000), &prices).unwrap();
    assert!((1..=8_760).map(price).is_sorted());
}

/// F-02: an hour costs less than a 5,000th of for ever, and each amount goes to its own pool.
#[test]
fn it_is_not_the_perpetual_price() {
    let mut alice = Wallet::new("alice");
    let (register, contract) =
        alice.register(&json!({ "flash": types::flash(), "twins": types::permanent(types::flash()) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let first = alice.create(contract, "flash", &json!({ "tag": "first" })).0;
        chain.accept(vec![first]);
        let pools = |chain: &Chain<'_>| {
            let reader = chain.drive().reader();
            let lifetime = drive::pool::lifetime_pools(&reader).unwrap().into_values().map(|pool| pool.0).sum::<u64>();
            (drive::pool::storage_pool(&reader).unwrap().0, lifetime)
        };
        let before = pools(chain);
        let flash = chain.accept(vec![alice.create(contract, "flash", &json!({ "tag": "a" })).0])[0];
        let between = pools(chain);
        let twin = chain.accept(vec![alice.create(contract, "twins", &json!({ "tag": "a" })).0])[0];
        let after = pools(chain);
        assert!(flash.storage.0 * 5_000 < twin.storage.0, "{flash:?} {twin:?}");
        assert_eq!((flash.storage, flash.storage.0 % 27_000 == 0), (flash.lifetime_storage, false));
        assert_eq!((twin.storage.0 % 27_000, twin.lifetime_storage), (0, Credits(0)));
        assert_eq!(between, (before.0, before.1 + flash.storage.0));
        assert_eq!(after, (between.0 + twin.storage.0, between.1));
    });
}

/// The fee of a create below the transitions, under any schedule; nothing of it stays.
fn fee_of(chain: &Chain<'_>, rules: &'static PlatformVersion, contract: Identifier, data: &Json) -> (FeeResult, usize) {
    let drive = chain.drive();
    let contract = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, &V14).unwrap().unwrap();
    let document_type = contract.types().get("t").unwrap();
    let block = BlockInfo { time: chain.next_time(), ..chain.platform.chain_state().last_block_info() };
    let times = BlockTimes { time: block.time, height: block.height, core_height: block.core_height };
    let data = document_type.validate_data(&values(data), &V14).unwrap();
    let ids = (Identifier([1; 32]), Identifier([2; 32]));
    let document = Document::create(document_type, &contract.contract().config, ids, data, times);
    let bytes = document.to_stored_bytes(document_type, contract.contract(), &V14).unwrap().len();
    let operation = DocumentOperation { contract: contract.clone(), document_type: "t".to_owned(), document };
    let context = ApplyContext { rules, block, schedule: drive.schedule() };
    let transaction = drive.begin();
    let fee = apply_operations(&transaction, &[DriveOperation::InsertDocument(Box::new(operation))], &context).unwrap();
    (fee, bytes)
}

/// F-03: under a copy of the schedule whose three cleanup costs are zero the same create pays
/// exactly the prepaid deletion less, and the same storage.
#[test]
fn the_prepaid_deletion_to_the_credit() {
    let free = DocumentTtlFees {
        cleanup_base: 0,
        cleanup_per_index_level: 0,
        cleanup_per_document_byte: 0,
        ..V14.fee.document_ttl.unwrap()
    };
    let fee = FeeRules { document_ttl: Some(free), ..V14.fee };
    let copy: &'static PlatformVersion = Box::leak(Box::new(PlatformVersion { fee, ..V14 }));
    let text = |indices: Json| {
        let letter = |position: u64| json!({ "type": "string", "maxLength": 10, "position": position });
        let long = |position: u64| json!({ "type": "string", "maxLength": 5_000, "position": position });
        let mut schema = json!({
            "type": "object", "ttl": 1_209_600,
            "properties": { "a": letter(0), "b": letter(1), "c": letter(2), "text": long(3), "more": long(4) },
            "required": ["$createdAt"], "additionalProperties": false,
        });
        if indices != json!([]) {
            schema["indices"] = indices;
        }
        schema
    };
    let two = json!([
        { "name": "ab", "properties": [ { "a": "asc" }, { "b": "asc" } ] },
        { "name": "ac", "properties": [ { "a": "asc" }, { "c": "asc" } ] },
    ]);
    let windows = json!([ {
        "name": "recent", "properties": [ { "$createdAt": "asc" }, { "a": "asc" } ],
        "timeRange": { "on": "$createdAt", "range": 7_200, "step": 3_600 }
    } ]);
    let cases =
        [(json!([]), 250, 1_305_000), (two, 250, 2_905_000), (windows, 250, 2_905_000), (json!([]), 5_250, 3_405_000)];
    for (indices, bytes, prepaid) in cases {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "t": text(indices) }));
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            let data = |filler: usize| {
                let more = if bytes > 5_000 { 1_000 } else { 1 };
                json!({ "a": "a", "b": "b", "c": "c", "text": "x".repeat(filler), "more": "y".repeat(more) })
            };
            let length = |filler| fee_of(chain, &V14, contract, &data(filler)).1;
            // the length of the text is a varint, so its size is searched for
            let filler = (1..5_000).rev().find(|filler| (bytes > 5_000 || *filler < 260) && length(*filler) == bytes);
            let data = data(filler.unwrap());
            let (full, stored) = fee_of(chain, &V14, contract, &data);
            let (without, _) = fee_of(chain, copy, contract, &data);
            assert_eq!(stored, bytes);
            assert_eq!(full.processing.0 - without.processing.0, prepaid);
            assert_eq!((full.storage, full.lifetime_storage), (without.storage, without.lifetime_storage));
        });
    }
}

/// F-07: a tip multiplies work, not rent, exactly; the largest is paid in full, without overflow.
#[test]
fn a_tip_multiplies_work_and_not_rent() {
    let paid = [0, 100, 65_535].map(|tip| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "note": types::note() }));
        alice.user_fee_increase = tip;
        let create = alice.create(contract, "note", &json!({ "text": "the same" })).0;
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            chain.accept(vec![create])[0]
        })
    });
    let [plain, double, most] = paid;
    assert_eq!([plain.storage, plain.lifetime_storage], [double.storage, double.lifetime_storage]);
    assert_eq!([plain.storage, plain.lifetime_storage], [most.storage, most.lifetime_storage]);
    assert_eq!(double.processing.0, plain.processing.0 * 2);
    assert_eq!(most.processing.0, plain.processing.0 + plain.processing.0 * 65_535 / 100);
}

/// F-08, the owner's deletion: nothing is refunded, to nobody, while a permanent twin refunds.
#[test]
fn nothing_comes_back() {
    let mut alice = Wallet::new("alice");
    let twin = types::permanent(types::flash());
    let (register, contract) = alice.register(&json!({ "flash": types::flash(), "twin": twin }));
    let (flash, flash_id) = alice.create(contract, "flash", &json!({ "tag": "a" }));
    let (twin, twin_id) = alice.create(contract, "twin", &json!({ "tag": "a" }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![flash]);
        chain.accept(vec![twin]);
        let balance =
            |chain: &Chain<'_>| drive::identity::balance(&chain.drive().reader(), alice.id).unwrap().unwrap().0;
        let pending = |chain: &Chain<'_>| {
            drive::pool::pending_refunds(&chain.drive().reader()).unwrap().into_values().map(|r| r.0).sum::<u64>()
        };
        let mut other = alice.clone();
        let before = balance(chain);
        let paid = chain.accept(vec![other.delete(contract, "flash", flash_id)])[0];
        assert_eq!((paid.storage, paid.lifetime_storage), (Credits(0), Credits(0)));
        assert!(paid.processing.0 > 0);
        assert_eq!((before - balance(chain), pending(chain)), (paid.processing.0, 0));
        let before = balance(chain);
        let paid = chain.accept(vec![other.delete(contract, "twin", twin_id)])[0];
        assert!(pending(chain) > 0);
        assert_eq!(before + pending(chain) - paid.processing.0, balance(chain));
    });
}

/// What a writer pays for time does not change with when in the block's epoch it is written.
#[test]
fn the_same_create_pays_the_same_rent_at_any_time() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "note": types::note() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let mut rent = |chain: &mut Chain<'_>, after: u64| -> FeePaid {
            let create = alice.create(contract, "note", &json!({ "text": "same" })).0;
            let at = TimestampMillis(chain.time.0 + after);
            accepted(&chain.block_at(at, vec![create]).outcomes[0])
        };
        let first = rent(chain, 3_000);
        for after in [1, 3_600_000, 788_400_000] {
            assert_eq!(rent(chain, after).lifetime_storage, first.lifetime_storage);
        }
    });
}
