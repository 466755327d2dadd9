//! Parts of a contract that are decoded and not run yet are refused by name, never accepted and ignored:
//! their trees, lists and supplies would be missing from the state for good.

use dpp::contract::{ContractConfig, Moderation, Moderators};
use dpp::primitives::Identifier;
use dpp::transition::{ModerationAction, StateTransition};
use platform_tests::moderation::both_lists;
use platform_tests::{Wallet, types, with_chain};
use serde_json::json;

#[test]
fn what_is_not_run_yet_is_refused_by_name() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        for moderation in [
            Moderation { moderators: Moderators::ElectedModerators, ..both_lists(&[]) },
            Moderation { warnings: true, ..both_lists(&[]) },
        ] {
            let contract = alice.moderated_contract(&json!({ "note": types::note() }), moderation);
            // unpaid: the nonce is not used
            let mut twin = alice.clone();
            let refused = twin.register_contract(contract);
            assert_eq!(chain.check_tx(&refused), 10006);
            assert_eq!(chain.codes(vec![refused]), [10006]);
        }
        for ability in ["deleteKeepsRecord", "deleteRefundsOwner", "deleteSettled", "deleteKeepsFields", "changeFields"]
        {
            let page = types::with(types::page(), |members| {
                members.insert("moderatorAbilities".to_owned(), json!({ "delete": true, ability: true }));
            });
            let (refused, _) = alice.register_moderated(&json!({ "page": page }), both_lists(&[]));
            assert_eq!(chain.codes(vec![refused]), [10006], "{ability}");
        }

        // config 2 without moderation asks for nothing
        let mut plain = alice.contract(&json!({ "note": types::note() }));
        plain.config = ContractConfig { version: 2, ..ContractConfig::default() };
        chain.accept(vec![alice.register_contract(plain)]);
    });
}

/// Moderation's other actions: 10006 by number.
#[test]
fn actions_of_moderators_that_are_not_run_are_refused_by_name() {
    let mut alice = Wallet::new("alice");
    let lift = ModerationAction::Unban { identity_id: Identifier([1; 32]) };
    let act: StateTransition = alice.moderation(Identifier([2; 32]), lift);
    let bytes = act.to_bytes();
    // envelope, owner, contract, nonce; then the action
    let action = 2 + 32 + 32 + 1;
    assert_eq!(bytes[action], 1);
    with_chain(14, &["alice"], |chain| {
        for number in [4, 5, 8, 9] {
            let mut other = bytes.clone();
            other[action] = number;
            assert_eq!(chain.check_tx(&other), 10006, "action {number}");
        }
    });
}
