//! The `drive-abci` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    drive_abci::cli::run(std::env::args_os())
}
