//! `drive-abci contract`: what concerns contracts before they are on a chain.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use platform_version::{PlatformVersion, ProtocolVersion};

use super::output::{Mood, Output};
use super::{Answer, Failure};
use crate::contract_check::{ContractSource, Report, UnusableBase, check, check_update};
use crate::input::InputError;

/// Check contracts before they are signed.
#[derive(Debug, Args)]
pub struct Contract {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Check(Check),
}

/// Explain a contract's document types, or say everything that is wrong with them.
///
/// FILE is the JSON form the SDK writes, only its 'documentSchemas', or a bare map from names to
/// document schemas; what it leaves out takes the defaults. Each fault comes with its code, its
/// JSON pointer into the file and what to change. What depends on the state of a chain, such as
/// other contracts, is not checked.
///
/// Exits 1 when the contract would be refused.
#[derive(Debug, Args)]
struct Check {
    /// JSON file with the contract.
    file: PathBuf,
    /// Rules to check by [default: the newest this program knows].
    #[arg(long, value_name = "N")]
    protocol_version: Option<u32>,
    /// Check it as an update of the contract in OLD.
    #[arg(long, value_name = "OLD")]
    update_of: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

impl Contract {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        match &self.what {
            What::Check(check) => check.run(output),
        }
    }
}

impl Check {
    fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let report = self.report()?;
        let answer = if report.accepted { Answer::Yes } else { Answer::No };
        if self.json {
            output.json(&report)?;
            return Ok(answer);
        }
        output.result(&report.render())?;
        let mood = if report.accepted { Mood::Good } else { Mood::Bad };
        output.verdict(mood, &report.verdict())?;
        Ok(answer)
    }

    fn report(&self) -> Result<Report, Failure> {
        let rules = rules_of(self.protocol_version)?;
        let source = ContractSource::read(&self.file)?;
        match &self.update_of {
            None => Ok(check(&source, rules)),
            Some(old) => Ok(check_update(&ContractSource::read(old)?, &source, rules)?),
        }
    }
}

/// The rules of a version, or the newest this program knows.
pub(super) fn rules_of(version: Option<u32>) -> Result<&'static PlatformVersion, Failure> {
    let [.., newest] = PlatformVersion::ALL;
    let version = version.map_or(newest.protocol_version, ProtocolVersion);
    PlatformVersion::get(version).map_err(|error| Failure {
        message: error.to_string(),
        next_step: "leave --protocol-version out, or name one of these".to_owned(),
    })
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        let next_step = match &error {
            InputError::Unreadable { .. } => "check the path and its permissions",
            _ => "name a file that holds JSON",
        };
        Self { message: error.to_string(), next_step: next_step.to_owned() }
    }
}

impl From<UnusableBase> for Failure {
    fn from(error: UnusableBase) -> Self {
        let next_step = "check it by itself first, with 'contract check OLD'".to_owned();
        Self { message: error.to_string(), next_step }
    }
}
