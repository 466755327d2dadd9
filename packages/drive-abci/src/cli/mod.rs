//! The command line: one file a command.
//!
//! Standard output holds the result and nothing else; talk, progress and errors go to standard
//! error. Exit codes: 0 all is well, 1 the answer is no, 2 the command cannot run.

mod contract;
mod init;
mod inspect;
mod output;
mod progress;
mod query;
mod quote;
mod replay;
mod simulate;
mod start;
mod verify_proof;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::chain::ChainError;
use crate::telemetry::{self, LogFormat};
use output::{ColorChoice, Output};

/// A Dash Platform node: executes blocks, and runs local chains.
#[derive(Debug, Parser)]
#[command(name = "drive-abci", version, after_help = AFTER_HELP)]
struct Cli {
    /// When to use colors.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
    /// What to log to standard error, like 'info' or 'drive=debug' [default: $RUST_LOG, else warn].
    #[arg(long, global = true, value_name = "FILTER")]
    log: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Simulate(simulate::Simulate),
    Replay(replay::Replay),
    Inspect(inspect::Inspect),
    Contract(contract::Contract),
    Quote(quote::Quote),
    Query(query::Query),
    VerifyProof(verify_proof::VerifyProof),
    Init(init::Init),
    Start(start::Start),
}

const AFTER_HELP: &str = "Exit codes: 0 all is well, 1 the answer is no, 2 the command cannot run.";

/// What a command found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
}

/// Why a command cannot run, and what to do next.
#[derive(Debug)]
struct Failure {
    message: String,
    next_step: String,
}

/// Runs the command the arguments name, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(usage) => {
            // help goes to stdout with 0, a wrong usage to stderr with 2; a reader may be gone
            usage.print().ok();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2));
        }
    };
    let output = Output::new(cli.color);
    match execute(&cli, &output) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(2)
        }
    }
}

fn execute(cli: &Cli, output: &Output) -> Result<Answer, Failure> {
    let (quiet, format) = match &cli.command {
        Command::Start(start) => ("info", start.log_format),
        _ => ("warn", LogFormat::Text),
    };
    telemetry::start(cli.log.as_deref(), quiet, format, output.colors_errors()).map_err(|error| Failure {
        message: format!("--log: {error}"),
        next_step: "write a level like 'info', or 'drive=debug,warn'".to_owned(),
    })?;
    match &cli.command {
        Command::Simulate(simulate) => simulate.run(output),
        Command::Replay(replay) => replay.run(output),
        Command::Inspect(inspect) => inspect.run(output),
        Command::Contract(contract) => contract.run(output),
        Command::Quote(quote) => quote.run(output),
        Command::Query(query) => query.run(output),
        Command::VerifyProof(verify) => verify.run(output),
        Command::Init(init) => init.run(output),
        Command::Start(start) => start.run(output),
    }
}

impl From<ChainError> for Failure {
    fn from(error: ChainError) -> Self {
        Self { message: error.to_string(), next_step: error.next_step().to_owned() }
    }
}
