//! Every refusal, raised through signed bytes in check_tx and in a block: its code, whether it is
//! paid, that the nonce moved or did not, and that nothing else changed.

use std::collections::BTreeSet;
use std::fs;

use dpp::primitives::{Credits, Identifier};
use drive_abci::platform::Outcome;
use platform_tests::refusals::contracts::{
    contests, contract_types, contracts_envelope, depth, only_at_13, said_otherwise_in_check_tx,
};
use platform_tests::refusals::documents::{changes, documents};
use platform_tests::refusals::envelope::{envelope, nonces_and_balances, signatures};
use platform_tests::refusals::identities::{credit_transfers, key_updates};
use platform_tests::refusals::moderation::{action_fees, lists, moderated_documents};
use platform_tests::refusals::references::{declared_references, references};
use platform_tests::refusals::tokens::{declared_tokens, token_costs};
use platform_tests::refusals::updates::updates;
use platform_tests::refusals::{Case, raise};
use platform_tests::{Node, Wallet};
use serde_json::json;

fn all_cases() -> Vec<Case> {
    let tables = [
        envelope(),
        signatures(),
        nonces_and_balances(),
        documents(),
        changes(),
        contracts_envelope(),
        contract_types(),
        updates(),
        key_updates(),
        credit_transfers(),
        lists(),
        moderated_documents(),
        action_fees(),
        only_at_13(),
        contests(),
        depth(),
        declared_references(),
        references(),
        declared_tokens(),
        token_costs(),
    ];
    tables.into_iter().flatten().collect()
}

#[test]
fn what_the_envelope_is_refused_for() {
    raise(14, &envelope());
}

#[test]
fn what_signatures_are_refused_for() {
    raise(14, &signatures());
}

#[test]
fn what_nonces_and_balances_are_refused_for() {
    raise(14, &nonces_and_balances());
}

#[test]
fn what_documents_are_refused_for() {
    raise(14, &documents());
}

#[test]
fn what_changes_of_documents_are_refused_for() {
    raise(14, &changes());
}

#[test]
fn what_contracts_are_refused_for_before_state_is_read() {
    raise(14, &contracts_envelope());
}

#[test]
fn what_document_types_are_refused_for() {
    raise(14, &contract_types());
}

#[test]
fn what_contests_and_depth_are_refused_for() {
    raise(14, &contests());
    raise(14, &depth());
}

/// check_tx parses without the meta-schema, and so says more of what is wrong; both refuse.
#[test]
fn what_check_tx_says_otherwise() {
    for version in [13, 14] {
        Node::new(version, &["alice"]).run(|chain| {
            let mut alice = Wallet::new("alice");
            for (code, in_block, schema) in said_otherwise_in_check_tx() {
                let (register, _) = alice.register(&json!({ "flash": schema }));
                assert_eq!(chain.check_tx(&register), code, "{schema}");
                assert_eq!(chain.codes(vec![register]), [in_block], "{schema}");
            }
        });
    }
}

#[test]
fn what_references_are_refused_for() {
    raise(14, &declared_references());
    raise(14, &references());
}

#[test]
fn what_tokens_are_refused_for() {
    raise(14, &declared_tokens());
    raise(14, &token_costs());
}

#[test]
fn what_updates_of_contracts_are_refused_for() {
    raise(14, &updates());
}

#[test]
fn what_identity_transitions_are_refused_for() {
    raise(14, &key_updates());
    raise(14, &credit_transfers());
}

#[test]
fn what_moderators_are_refused_for_and_who_they_bar() {
    raise(14, &lists());
}

#[test]
fn what_moderation_of_documents_is_refused_for() {
    raise(14, &moderated_documents());
}

#[test]
fn what_action_fees_and_claims_are_refused_for() {
    raise(14, &action_fees());
}

/// A refusal its signer cannot pay for is none of the block's: 30000, unpaid; check_tx names what is
/// wrong with the transition itself.
#[test]
fn a_refusal_nobody_can_pay_for_is_not_in_the_block() {
    let mut poor = Wallet::new("poor");
    let (create, _) = poor.create(Identifier([1; 32]), "flash", &json!({ "tag": "x" }));
    Node::new(14, &[]).fund("poor", Credits(100_000)).run(|chain| {
        assert_eq!(chain.check_tx(&create), 10400);
        let block = chain.block(vec![create]);
        assert!(matches!(block.outcomes[0], Outcome::RefusedUnpaid { .. }));
        assert_eq!(platform_tests::chain::code(&block.outcomes[0]), 30000);
        let balance = drive::identity::balance(&chain.drive().reader(), poor.id).unwrap();
        assert_eq!(balance, Some(Credits(100_000)));
    });
}

#[test]
fn what_13_refuses_and_14_does_not() {
    raise(13, &only_at_13());
}

/// The refusals of the two versions alike, at 13.
#[test]
fn the_envelope_and_signatures_are_refused_alike_at_13() {
    raise(13, &envelope());
    let signatures: Vec<Case> = signatures().into_iter().filter(|case| !case.what.contains("critical")).collect();
    raise(13, &signatures[..6]);
}

/// Codes that other stories raise, which need a block of their own.
const RAISED_ELSEWHERE: [(u32, &str); 1] = [(40140, include_str!("actions.rs"))];

/// Codes of the table of all codes that no test raises; the file shrinks as features come.
#[test]
fn the_codes_not_raised_yet_are_known() {
    let mut raised: BTreeSet<u32> = all_cases().into_iter().map(|case| case.code).collect();
    raised.extend(said_otherwise_in_check_tx().into_iter().map(|(code, ..)| code));
    for (code, story) in RAISED_ELSEWHERE {
        assert!(story.contains(&code.to_string()), "{code}");
        raised.insert(code);
    }
    let table = include_str!("../../docs/errors.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let codes = rows.filter_map(|(code, rest)| Some((code.parse::<u32>().ok()?, rest.trim_end_matches(" |"))));
    let mut listed = String::from(
        "# Codes of docs/errors.md that no test of the tables of tests/tests/errors.rs raises. UPDATE_GOLDEN=errors writes it anew.\n",
    );
    for (code, name) in codes.filter(|(code, _)| !raised.contains(code)) {
        listed += &format!("{code} {name}\n");
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/codes-not-raised.txt");
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|what| what == "errors") {
        fs::write(file, &listed).unwrap();
    }
    let stored = fs::read_to_string(file).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let differing: Vec<_> = lines(&listed).symmetric_difference(&lines(&stored)).cloned().collect();
    assert!(differing.is_empty(), "raised now, or no longer: {differing:?}");
}
