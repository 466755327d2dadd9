//! `drive-abci verify-proof`: checks an answer against an app hash, without a chain.

use std::path::PathBuf;

use clap::Args;
use dpp::primitives::TimestampMillis;
use drive::tree::RootHash;
use serde::Serialize;
use serde_json::Value as Json;

use super::output::Output;
use super::{Answer, Failure};
use crate::input::read_text;
use crate::query::{AskError, ProvedAnswer, Trusted};

/// Check what 'query --prove' wrote, without a chain.
///
/// Nothing in FILE is believed. The app hash is that of the block's header, from whoever you trust; so is the
/// time, which matters where the query names a window. The contract the answer is read by has a proof of its
/// own in FILE.
///
/// Exits 1 when the proof does not show the answer.
#[derive(Debug, Args)]
pub struct VerifyProof {
    /// File that 'query --prove' wrote.
    file: PathBuf,
    /// App hash of the block, in hex.
    #[arg(long, value_name = "HEX", value_parser = app_hash)]
    app_hash: RootHash,
    /// Time of the block in ms.
    #[arg(long, value_name = "MS", value_parser = |text: &str| text.parse().map(TimestampMillis))]
    time: Option<TimestampMillis>,
}

#[derive(Serialize)]
struct Verdict {
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl VerifyProof {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let text = read_text("proved answer", &self.file)?;
        let proved = ProvedAnswer::from_json(text.as_bytes())?;
        match proved.check(&Trusted { app_hash: self.app_hash, time: self.time }) {
            Ok(answer) => {
                output.json(&Verdict { verified: true, answer: Some(answer), reason: None })?;
                Ok(Answer::Yes)
            }
            Err(error @ (AskError::NotProved(_) | AskError::OtherAnswer | AskError::NoContract(_))) => {
                output.json(&Verdict { verified: false, answer: None, reason: Some(error.to_string()) })?;
                Ok(Answer::No)
            }
            Err(other) => Err(other.into()),
        }
    }
}

fn app_hash(text: &str) -> Result<RootHash, String> {
    let mut hash = RootHash::default();
    hex::decode_to_slice(text, &mut hash).map_err(|error| format!("an app hash is 32 bytes in hex: {error}"))?;
    Ok(hash)
}
