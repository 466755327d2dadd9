//! `drive-abci quote`: what a transition on a document will cost.

use std::path::{Path, PathBuf};

use clap::Args;
use dpp::block::ChainParameters;
use dpp::fee::EpochSchedule;
use dpp::primitives::{TimestampMillis, TtlSeconds};
use serde::Serialize;
use serde_json::Value as Json;

use super::contract::rules_of;
use super::output::{Mood, Output};
use super::{Answer, Failure};
use crate::chain::human::{Instant, parse_instant};
use crate::contract_check::ContractSource;
use crate::genesis::schedule;
use crate::input::{InputError, read_text};
use crate::quote::{self, Quote as Quoted, QuoteAction, QuoteError, QuoteFault, QuoteRequest, quote};

/// Say what a transition on a document will cost, without a chain.
///
/// Each item is an upper bound: bytes and the price of a byte, the prepaid deletion, processing, in
/// credits and in Dash; beside it the same document stored for ever, and which epochs are paid how
/// much. CONTRACT is a file 'contract check' reads. Epochs are counted from the block's own.
///
/// Exits 1 when the transition would be refused.
#[derive(Debug, Args)]
pub struct Quote {
    /// JSON file with the contract.
    contract: PathBuf,
    /// Name of the document type.
    #[arg(long, value_name = "TYPE")]
    document_type: String,
    /// JSON file with the document's properties; for a replace those it will have.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What is done to the document.
    #[arg(long, value_enum, default_value_t)]
    action: QuoteAction,
    /// Time of the block, like 2026-01-31T12:00:00Z or in milliseconds; no price depends on it.
    #[arg(long, value_name = "TIME", value_parser = instant, allow_negative_numbers = true)]
    at: Option<TimestampMillis>,
    /// Seconds the document still lives at that block [default: its type's ttl].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    lifetime_left: Option<u32>,
    /// Seconds of an epoch of the chain [default: 788400].
    #[arg(long, value_name = "SECONDS")]
    epoch_length: Option<u32>,
    /// Rules to quote by [default: the newest this program knows].
    #[arg(long, value_name = "N")]
    protocol_version: Option<u32>,
    /// Print the quote as JSON.
    #[arg(long)]
    json: bool,
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Shown<'r> {
    accepted: bool,
    quote: Option<&'r Quoted>,
    faults: &'r [QuoteFault],
}

impl Quote {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let (source, data) = (ContractSource::read(&self.contract)?, read_data(&self.data)?);
        let request = QuoteRequest {
            document_type: &self.document_type,
            data: &data,
            action: self.action,
            at: self.at,
            lifetime_left: self.lifetime_left.map(TtlSeconds),
            schedule: self.schedule()?,
            rules: rules_of(self.protocol_version)?,
        };
        match quote(&source, &request)? {
            quote::Answer::Quoted(quoted) => {
                self.show(output, Some(&quoted), &[])?;
                Ok(Answer::Yes)
            }
            quote::Answer::Refused(faults) => {
                self.show(output, None, &faults)?;
                Ok(Answer::No)
            }
        }
    }

    fn show(&self, output: &Output, quoted: Option<&Quoted>, faults: &[QuoteFault]) -> Result<(), Failure> {
        if self.json {
            return output.json(&Shown { accepted: quoted.is_some(), quote: quoted, faults });
        }
        match quoted {
            Some(quoted) => output.result(&quoted.render()),
            None => {
                output.result(&faults.iter().map(QuoteFault::render).collect::<String>())?;
                output.verdict(Mood::Bad, "The transition would be refused.")
            }
        }
    }
}

impl Quote {
    fn schedule(&self) -> Result<EpochSchedule, Failure> {
        let default = ChainParameters::default();
        let epoch_length_seconds = self.epoch_length.unwrap_or(default.epoch_length_seconds);
        schedule(ChainParameters { epoch_length_seconds, ..default }).map_err(|reason| Failure {
            message: format!("--epoch-length: {reason}"),
            next_step: "name at least one second".to_owned(),
        })
    }
}

/// A document's file. That it holds an object is the quote's to judge.
fn read_data(path: &Path) -> Result<Json, InputError> {
    let text = read_text("document", path)?;
    serde_json::from_str(&text)
        .map_err(|error| InputError::invalid("document", path, format!("it is not JSON: {error}")))
}

fn instant(text: &str) -> Result<TimestampMillis, String> {
    text.parse().map(TimestampMillis).or_else(|_| parse_instant(text).map(|Instant(at)| at))
}

impl From<QuoteError> for Failure {
    fn from(error: QuoteError) -> Self {
        let next_step = match &error {
            QuoteError::Request(request) => request.next_step(),
            QuoteError::Node(_) => "report this with the contract and the document",
        };
        Self { message: error.to_string(), next_step: next_step.to_owned() }
    }
}
