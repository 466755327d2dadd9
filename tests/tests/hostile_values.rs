//! Indexed values a hostile writer would choose: long text within whose characters the store would
//! cut, bytes that are such text, and the longest there can be.

use platform_tests::{Wallet, for_each_version, with_chain};
use serde_json::{Value as Json, json};

/// A type with indexes of two properties, unique or not, of text or bytes first.
fn types() -> Json {
    let pair = |first: &str, second: &str, unique: bool| {
        let name = format!("{first}{second}");
        json!({ "name": name, "unique": unique, "properties": [ { first: "asc" }, { second: "asc" } ] })
    };
    let bytes = json!({ "type": "array", "byteArray": true, "maxItems": 255, "position": 1 });
    json!({ "entry": {
        "type": "object", "canBeDeleted": true,
        "indices": [pair("text", "place", true), pair("place", "text", false), pair("bytes", "place", true)],
        "properties": {
            "text": { "type": "string", "maxLength": 63, "position": 0 },
            "bytes": bytes,
            "place": { "type": "string", "maxLength": 63, "position": 2 },
        },
        "required": ["text", "place"], "additionalProperties": false,
    } })
}

fn hostile_texts() -> Vec<String> {
    let mut texts: Vec<String> = ["é", "€", "𐍈", "a"].iter().map(|character| character.repeat(63)).collect();
    // every way a character can lie across the 33rd byte
    for lead in 0..4 {
        texts.extend(["é", "€", "𐍈"].map(|character| "a".repeat(lead) + &character.repeat(12)));
    }
    texts
}

#[test]
fn text_is_never_cut_within_a_character() {
    for_each_version(|version| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&types());
        with_chain(version, &["alice"], |chain| {
            chain.accept(vec![register]);
            let mut written = Vec::new();
            for text in hostile_texts() {
                let bytes = Json::from(text.bytes().map(Json::from).collect::<Vec<_>>());
                let data = json!({ "text": text, "bytes": bytes, "place": text });
                let (create, id) = alice.create(contract, "entry", &data);
                assert_eq!(chain.check_tx(&create), 0, "{text}");
                chain.accept(vec![create]);
                let (again, _) = alice.create(contract, "entry", &data);
                assert_eq!(chain.codes(vec![again]), [40105], "{text}");
                written.push(id);
            }
            let deletions = written.into_iter().map(|id| alice.delete(contract, "entry", id)).collect();
            chain.accept(deletions);
        });
    });
}

#[test]
fn trees_that_are_not_there_can_be_asked_for_under_any_name() {
    with_chain(14, &["alice"], |chain| {
        let reader = chain.drive().reader();
        for text in hostile_texts() {
            let path = drive::tree::contracts::contracts().child(text.as_bytes()).child([1]).child(text.as_bytes());
            assert_eq!(reader.get(&path, text.as_bytes()).unwrap(), None);
            assert_eq!(reader.item_following_references(&path, &[0]).unwrap(), None);
            assert_eq!(reader.first_keys(&path, 3).unwrap(), Vec::<Vec<u8>>::new());
            assert_eq!(reader.entries_from(&path, vec![], 3).unwrap(), vec![]);
        }
    });
}
