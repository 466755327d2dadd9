//! `drive-abci query`: asks a data directory, with a proof or without.

use std::path::{Path, PathBuf};

use clap::Args;
use dpp::primitives::{BlockHeight, TimestampMillis};
use serde::Serialize;
use serde_json::Value as Json;

use super::output::Output;
use super::{Answer, Failure};
use crate::input::read_text;
use crate::inspect::Snapshot;
use crate::query::{AskError, QueryRequest, Source};

/// Ask a data directory, also one a running node uses, with a proof or without.
///
/// QUERY is JSON, or the name of a file with it after an '@', like
/// '{"query": "document", "contract": ID, "documentType": "note", "id": ID}'. The others are
/// contract, documents, count, sum, average, top, documentExpiry and expiringDocuments; docs/queries.md
/// has their members. What is asked is the last block that was committed.
#[derive(Debug, Args)]
pub struct Query {
    /// Data directory of a node or of 'simulate --data-dir'.
    dir: PathBuf,
    /// The question.
    #[arg(value_name = "QUERY")]
    query: String,
    /// Add the proof, in the form 'verify-proof' reads.
    #[arg(long)]
    prove: bool,
}

/// An answer without a proof.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answered<'a> {
    height: Option<BlockHeight>,
    time_ms: Option<TimestampMillis>,
    answer: &'a Json,
}

impl Query {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let request = asked(&self.query)?;
        let snapshot = Snapshot::take(&self.dir)?;
        let source = Source { drive: snapshot.drive(), state: snapshot.chain_state() };
        if self.prove {
            output.json(&source.prove(&request)?)?;
        } else {
            let height = snapshot.chain_state().last_block.map(|last| last.height);
            output.json(&Answered { height, time_ms: snapshot.now(), answer: &source.ask(&request)? })?;
        }
        Ok(Answer::Yes)
    }
}

/// A question as it is given to a command: JSON, or a file with it after an '@'.
pub(super) fn asked(query: &str) -> Result<QueryRequest, Failure> {
    match query.strip_prefix('@') {
        Some(file) => Ok(QueryRequest::from_json(read_text("query", Path::new(file))?.as_bytes())?),
        None => Ok(QueryRequest::from_json(query.as_bytes())?),
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self { message: error.to_string(), next_step: error.next_step().to_owned() }
    }
}
