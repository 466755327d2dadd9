//! Logs: to stderr, so that stdout holds nothing but results.
//!
//! Levels: `error`, the operator has to do something; `warn`, something is wrong and the node copes; `info`,
//! what happened to the chain, a block or so a line; `debug`, what happened inside a block; `trace`, calls.
//! A user's bad transition and a proposer's bad block are nobody's fault here and never above `info`.

use std::io;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// A JSON object a line, for programs.
    Json,
}

/// Starts logging under a filter like `info` or `drive=debug`; without one, under `RUST_LOG`, else `quiet`.
pub fn start(filter: Option<&str>, quiet: &str, format: LogFormat, color: bool) -> Result<(), ParseError> {
    let environment = std::env::var(EnvFilter::DEFAULT_ENV).ok();
    let filter = filter.or(environment.as_deref()).filter(|filter| !filter.is_empty()).unwrap_or(quiet);
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(EnvFilter::try_new(filter)?).with_writer(io::stderr).with_ansi(color);
    // a second start, as in tests of one process, keeps the first
    match format {
        LogFormat::Text => tracing::subscriber::set_global_default(subscriber.finish()).ok(),
        LogFormat::Json => tracing::subscriber::set_global_default(subscriber.json().finish()).ok(),
    };
    Ok(())
}
