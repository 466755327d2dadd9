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

/// Codes this program can name and no input can raise, and why.
const UNREACHED: [(u32, &str); 4] = [
    (10100, "10101 comes first"),
    (10102, "10103 comes first"),
    (10401, "a batch has one transition: 10412 comes first"),
    (40000, "a contract's id is made of its owner's nonce, which is used once: 40204 comes first"),
];

const NOT_BINARY: &str = "no bytes can be short of it, or it does not decode: 10002";
const NAMED_OTHERWISE: &str = "judged under another code of the tables of checks, which comes first";
const NOT_EXECUTED: &str = "of a kind of transition that is refused with 10006";
const NOT_SUPPORTED: &str = "of a feature that is refused with 10006";
const FROM_BLOCK_TIME: &str = "writers send no times";

/// Codes of the protocol this program never names, and why; each range is of one reason.
const NOT_NAMED: [(core::ops::RangeInclusive<u32>, &str); 39] = [
    (10000..=10005, "a version that is not known or not active: 10002, 10603"),
    (10202..=10203, NAMED_OTHERWISE),
    (10215..=10219, NAMED_OTHERWISE),
    (10221..=10221, NAMED_OTHERWISE),
    (10222..=10222, NOT_BINARY),
    (10224..=10227, NAMED_OTHERWISE),
    (10229..=10230, NOT_BINARY),
    (10232..=10234, NAMED_OTHERWISE),
    (10235..=10236, NOT_BINARY),
    (10237..=10237, NOT_SUPPORTED),
    (10238..=10238, NOT_BINARY),
    (10239..=10242, NAMED_OTHERWISE),
    (10259..=10260, "10101 comes first"),
    (10402..=10403, NAMED_OTHERWISE),
    (10407..=10410, NOT_BINARY),
    (10418..=10418, NOT_SUPPORTED),
    (10502..=10514, NOT_EXECUTED),
    (10517..=10518, NOT_EXECUTED),
    (10520..=10520, "a wrong proof of a key: 20009, 20010, 20008"),
    (10521..=10525, NOT_EXECUTED),
    (10527..=10527, NAMED_OTHERWISE),
    (10530..=10532, NOT_EXECUTED),
    (10600..=10601, NOT_BINARY),
    (10905..=10905, NOT_SUPPORTED),
    (20005..=20005, "a key of another purpose: 20001, 20011"),
    (20007..=20007, NAMED_OTHERWISE),
    (40005..=40007, NOT_SUPPORTED),
    (40103..=40107, FROM_BLOCK_TIME),
    (40123..=40123, NOT_SUPPORTED),
    (40130..=40130, "a batch has one transition"),
    (40138..=40138, NOT_SUPPORTED),
    (40200..=40200, NOT_EXECUTED),
    (40202..=40202, NAMED_OTHERWISE),
    (40206..=40207, NAMED_OTHERWISE),
    (40210..=40210, "every shortage is 30000"),
    (40211..=40217, NOT_SUPPORTED),
    (40222..=40222, "nobody sponsors gas"),
    (40400..=40711, NOT_SUPPORTED),
    (41123..=41124, NOT_SUPPORTED),
];

fn raised() -> BTreeSet<u32> {
    let in_check_tx = said_otherwise_in_check_tx().into_iter().map(|(code, ..)| code);
    all_cases().into_iter().map(|case| case.code).chain(in_check_tx).collect()
}

#[test]
fn every_code_this_program_names_is_raised_or_cannot_be() {
    let raised = raised();
    let silent: Vec<u32> =
        dpp::ConsensusError::all().map(|(code, _)| code).filter(|code| !raised.contains(code)).collect();
    assert_eq!(silent, UNREACHED.map(|(code, _)| code));
}

fn why_not_raised(code: u32) -> &'static str {
    let unreached = UNREACHED.iter().find(|(known, _)| *known == code).map(|(_, why)| *why);
    let not_named = NOT_NAMED.iter().find(|(codes, _)| codes.contains(&code)).map(|(_, why)| *why);
    unreached.or(not_named).unwrap_or_else(|| panic!("{code} is not raised, and nothing says why"))
}

/// Codes of the protocol's table that no test raises, each with its reason.
#[test]
fn the_codes_not_raised_are_known() {
    let raised = raised();
    let table = include_str!("../../docs/errors.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let codes = rows.filter_map(|(code, rest)| Some((code.parse::<u32>().ok()?, rest.trim_end_matches(" |"))));
    let mut listed =
        String::from("# Codes of docs/errors.md that no test raises, and why. UPDATE_GOLDEN=errors writes it anew.\n");
    for (code, name) in codes.filter(|(code, _)| !raised.contains(code)) {
        listed += &format!("{code} {name}: {}\n", why_not_raised(code));
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
