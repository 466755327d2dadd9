//! Logs: to stderr, so that stdout holds nothing but results.

use std::io;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// Level when neither `--log` nor `RUST_LOG` says otherwise.
const DEFAULT_FILTER: &str = "warn";

/// Starts logging under a filter like `info` or `drive=debug`; without one, under `RUST_LOG`.
pub fn start(filter: Option<&str>, color: bool) -> Result<(), ParseError> {
    let environment = std::env::var(EnvFilter::DEFAULT_ENV).ok();
    let filter = filter.or(environment.as_deref()).filter(|filter| !filter.is_empty()).unwrap_or(DEFAULT_FILTER);
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(filter)?)
        .with_writer(io::stderr)
        .with_ansi(color)
        .finish();
    // a second start, as in tests of one process, keeps the first
    tracing::subscriber::set_global_default(subscriber).ok();
    Ok(())
}
