//! Documents with a time to live: written, found, removed on time, nothing left.

use dpp::primitives::TimestampMillis;
use drive::tree::expiry;
use drive_abci::platform::Outcome;
use platform_tests::chain::GENESIS_TIME;
use platform_tests::{Wallet, with_chain};
use serde_json::json;

fn flash() -> serde_json::Value {
    json!({ "flash": {
        "type": "object", "ttl": 3600, "canBeDeleted": true,
        "indices": [ { "name": "byTag", "properties": [ { "tag": "asc" } ] } ],
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    } })
}

// # Rule TTL-15
// # Rule TTL-16
// # Rule TTL-27
#[test]
fn the_boundary_belongs_to_the_dead_side() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&flash());
    let (create, _) = alice.create(contract, "flash", &json!({ "tag": "red" }));
    with_chain(14, &[&alice], |chain| {
        let outcomes = chain.block(vec![register]).outcomes;
        assert!(matches!(outcomes[0], Outcome::Accepted { .. }), "{outcomes:?}");
        let empty = chain.platform.drive().walk().unwrap();
        let created_at = TimestampMillis(GENESIS_TIME.0 + 10_000);
        let outcomes = chain.block_at(created_at, vec![create]).outcomes;
        assert!(matches!(outcomes[0], Outcome::Accepted { .. }), "{outcomes:?}");
        let expires_at = TimestampMillis(created_at.0 + 3_600_000);
        let before = chain.block_at(TimestampMillis(expires_at.0 - 1), Vec::new());
        assert!(before.expirations.removed.is_empty());
        assert_eq!(before.expirations.entries, 1);
        let at = chain.block_at(expires_at, Vec::new());
        assert_eq!(at.expirations.removed.len(), 1);
        assert_eq!(at.expirations.removed[0].expires_at, expires_at);
        let after = chain.platform.drive().walk().unwrap();
        let left: Vec<_> = after.iter().filter(|key| !empty.contains(key)).collect();
        assert!(left.iter().all(|(path, _)| !path.parts().starts_with(expiry::queue().parts())), "{left:?}");
        let contract_path = drive::tree::contracts::contract(contract);
        assert!(left.iter().all(|(path, _)| !path.parts().starts_with(contract_path.parts())), "{left:?}");
        assert_eq!(chain.platform.drive().raw_keys().unwrap().len(), after.len());
        assert_eq!(chain.platform.drive().verify().unwrap(), 0);
    });
}
