//! Proofs: how long they are, and what making and verifying them takes beside reading the answer.
//!
//! Every proof that is measured is verified, and must show what was read.

use dpp::document_type::ParsedContract;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::query::{self, IndexQuery, Query, TopQuery, TypeName};
use drive::tree::{RankAxis, RootHash};
use drive::{Drive, proof};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::documents::Planting;
use platform_tests::population;
use platform_tests::{Node, Wallet};
use serde_json::{Value as Json, json};

use crate::ratio::{Ratio, Times};

/// Figures of one question.
#[derive(Debug)]
pub struct ProofTimes {
    /// What was asked.
    pub what: &'static str,
    /// Bytes of the proof.
    pub bytes: usize,
    read: Times,
    prove: Times,
    verify: Times,
}

impl ProofTimes {
    /// Making the proof, against reading the answer.
    pub fn prove(&self) -> Ratio {
        self.prove.over(&self.read)
    }

    /// Verifying it, against reading the answer.
    pub fn verify(&self) -> Ratio {
        self.verify.over(&self.read)
    }

    /// Medians in ms: read, prove, verify.
    pub fn medians_ms(&self) -> [f64; 3] {
        [&self.read, &self.prove, &self.verify].map(Times::median_ms)
    }
}

fn schema() -> Json {
    json!({
        "type": "object", "ttl": 86_400,
        "indices": [ {
            "name": "byTag", "properties": [ { "tag": "asc" } ], "countable": true, "rangeCountable": true,
            "rankedCountable": true,
        }, {
            "name": "byTopic", "properties": [ { "topic": "asc" } ],
        } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "topic": { "type": "string", "maxLength": 20, "position": 1 },
            "text": { "type": "string", "maxLength": 280, "position": 2 },
        },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    })
}

/// Plants documents of so many groups, one each and some more in the first ones, and asks.
pub fn measure(groups: usize, repetitions: usize) -> Vec<ProofTimes> {
    let mut owner = Wallet::new("owner");
    let (register, contract) = owner.register(&json!({ "post": schema() }));
    let mut node = Node::new(population::VERSION, &["owner"]);
    node.checks = false;
    node.run(|chain| {
        chain.accept_at(GENESIS_TIME, vec![register]);
        let data = |place: usize| {
            json!({ "tag": format!("tag {}", place % groups), "topic": format!("topic {}", place % 50), "text": format!("{place:-<80}") })
        };
        let data: Vec<_> = (0..groups + groups / 10).map(data).collect();
        let planting = Planting { contract, document_type: "post", owner: owner.id, created_at: GENESIS_TIME };
        let ids = planting.plant(chain, &data);
        let drive = chain.drive();
        let found = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, population::rules());
        let contract = found.unwrap().unwrap();
        let asked = Asked { drive, contract: &contract, root: drive.root_hash().unwrap(), repetitions };
        questions(TypeName { contract: contract.contract().id, name: "post" }, ids[0])
            .into_iter()
            .map(|(what, query)| asked.measure(what, &query))
            .collect()
    })
}

fn questions<'q>(of: TypeName<'q>, id: Identifier) -> Vec<(&'static str, Query<'q>)> {
    let hundred = IndexQuery { limit: 100, ..IndexQuery::all("byTopic") };
    let top = TopQuery { index: "byTag", axis: RankAxis::Count, ascending: false, limit: 5 };
    vec![
        ("one document by id", Query::Document { of, id }),
        ("100 documents by an index", Query::Documents { of, index: hundred, start: None }),
        ("an absent document", Query::Document { of, id: Identifier([0x55; 32]) }),
        ("the top 5 of all groups", Query::Top { of, ranking: top }),
        ("a document and its expiry entry", Query::DocumentExpiry { of, id, expires_at: None }),
    ]
}

struct Asked<'a> {
    drive: &'a Drive,
    contract: &'a ParsedContract,
    root: RootHash,
    repetitions: usize,
}

impl Asked<'_> {
    fn measure(&self, what: &'static str, query: &Query<'_>) -> ProofTimes {
        let now: TimestampMillis = GENESIS_TIME;
        let mut times =
            ProofTimes { what, bytes: 0, read: Times::default(), prove: Times::default(), verify: Times::default() };
        for _ in 0..self.repetitions {
            let reader = self.drive.reader();
            let read = times.read.run(|| query::ask(&reader, query, Some(self.contract), now).unwrap().unwrap());
            let proved = times.prove.run(|| self.drive.prove(query, Some(self.contract), now).unwrap().unwrap());
            times.bytes = proved.proof.len();
            let shown = times.verify.run(|| proof::verify(query, Some(self.contract), now, &proved.proof, &self.root));
            assert_eq!(shown, Ok(read), "{query:?}");
        }
        times
    }
}
