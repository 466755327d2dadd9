//! A quote beside what a chain says and charges: it is what check_tx answers, and never less than a
//! block takes.

use dpp::block::ChainParameters;
use dpp::fee::EpochSchedule;
use dpp::primitives::{Credits, Identifier, Revision};
use dpp::transition::DocumentAction;
use drive_abci::contract_check::ContractSource;
use drive_abci::platform::CheckTxResult;
use drive_abci::quote::{Answer, Cost, QuoteAction, QuoteRequest, quote};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};

fn cost(types: &Json, document_type: &str, data: &Json, action: QuoteAction) -> Cost {
    let source = ContractSource::parse(&types.to_string()).unwrap();
    let parameters = ChainParameters::default();
    let schedule = EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era).unwrap();
    let request = QuoteRequest { document_type, data, action, at: None, lifetime_left: None, schedule, rules: &V14 };
    match quote(&source, &request).unwrap() {
        Answer::Quoted(quote) => quote.cost,
        Answer::Refused(faults) => panic!("{faults:?}"),
    }
}

struct Asked {
    /// What check_tx answers.
    answered: u64,
    /// What the block takes.
    charged: u64,
    /// Lifetime storage the block takes.
    rent: u64,
}

fn ask(chain: &mut Chain<'_>, bytes: Vec<u8>) -> Asked {
    let answered = match chain.platform.check_tx(&bytes).unwrap() {
        CheckTxResult::Accepted(fee) => fee.storage.0 + fee.processing.0,
        refused => panic!("{refused:?}"),
    };
    let paid = chain.accept(vec![bytes])[0];
    Asked { answered, charged: paid.storage.0 + paid.processing.0, rent: paid.lifetime_storage.0 }
}

/// The first create of a writer costs what the quote itemises, but for the bounds in it: the answer of
/// check_tx to the credit, and for a first document of its time the rent to the credit.
#[test]
fn a_quote_is_what_check_tx_answers_and_bounds_what_a_block_takes() {
    let schemas = json!({
        "note": types::note(), "flash": types::flash(), "deed": types::deed(),
        "twin": types::permanent(types::note()), "levelled": types::levelled(86_400, &[1, 2, 3]),
    });
    let cases = [
        ("note", json!({ "text": "x".repeat(280) })),
        ("flash", json!({ "tag": "a" })),
        ("deed", json!({ "title": "a" })),
        ("twin", json!({ "text": "short" })),
        ("levelled", json!({ "n": 1, "p0": 5, "p1": 6, "p2": 7 })),
    ];
    for (document_type, data) in cases {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&schemas);
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            let quoted = cost(&schemas, document_type, &data, QuoteAction::Create);
            let asked = ask(chain, alice.create(contract, document_type, &data).0);
            assert_eq!(quoted.total.0, asked.answered, "{document_type}");
            assert!(quoted.total.0 >= asked.charged, "{document_type}");
            let rent: u64 =
                quoted.rents.iter().filter(|rent| rent.lifetime_epochs.is_some()).map(|r| r.credits.0).sum();
            assert!(rent >= asked.rent, "{document_type}");
            if document_type == "note" {
                assert_eq!(rent, asked.rent, "the first of its expiry time");
            }
        });
    }
}

/// Changes and a deletion of a deed are bounded too, whoever makes them.
#[test]
fn quotes_of_changes_bound_what_a_block_takes() {
    let schemas = json!({ "deed": types::deed() });
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&schemas);
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
        chain.accept(vec![create]);
        let longer = json!({ "title": "a longer title" });
        let (price, bob_id) = (Credits(5_000_000), bob.id);
        let bounded = |chain: &mut Chain<'_>, wallet: &mut Wallet, quoted: QuoteAction, action: DocumentAction| {
            let quoted = cost(&schemas, "deed", &longer, quoted);
            let id: Identifier = id;
            let asked = ask(chain, wallet.document(contract, "deed", (id, action)));
            assert!(quoted.total.0 >= asked.charged, "{quoted:?}");
            assert!(quoted.storage.0 >= asked.rent);
        };
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(&longer) };
        bounded(chain, &mut alice, QuoteAction::Replace, replace);
        let transfer = DocumentAction::Transfer { revision: Revision(3), recipient_id: bob_id };
        bounded(chain, &mut alice, QuoteAction::Transfer, transfer);
        let offer = DocumentAction::UpdatePrice { revision: Revision(4), price };
        bounded(chain, &mut bob, QuoteAction::UpdatePrice, offer);
        bounded(chain, &mut alice, QuoteAction::Purchase, DocumentAction::Purchase { revision: Revision(5), price });
        bounded(chain, &mut alice, QuoteAction::Delete, DocumentAction::Delete);
    });
}
