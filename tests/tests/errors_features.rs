//! Parts of a contract that are decoded and not run yet are refused by name, never accepted and ignored:
//! their trees, lists and supplies would be missing from the state for good.

use dpp::contract::{ContractConfig, Moderation, Moderators};
use platform_tests::{Wallet, types, with_chain};
use serde_json::json;

#[test]
fn what_is_not_run_yet_is_refused_by_name() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let mut moderated = alice.contract(&json!({ "note": types::note() }));
        let moderators = Moderators::ContractOwner;
        let moderation = Moderation { banlist: true, suspensions: false, moderators, warnings: false };
        moderated.config = ContractConfig { version: 2, moderation: Some(moderation), ..ContractConfig::default() };
        let moderated = alice.register_contract(moderated);
        assert_eq!(chain.check_tx(&moderated), 10006);
        assert_eq!(chain.codes(vec![moderated]), [10006]);

        // config 2 without moderation asks for nothing
        let mut plain = alice.contract(&json!({ "note": types::note() }));
        plain.config = ContractConfig { version: 2, ..ContractConfig::default() };
        chain.accept(vec![alice.register_contract(plain)]);
    });
}
