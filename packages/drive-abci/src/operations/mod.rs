//! What an operator watches: `/metrics` and `/healthz` over HTTP.
//!
//! Names of metrics and what they mean stand in `docs/metrics.md`, and a test holds the two together.
//! Invariants: nothing here is read by a rule; without a recorder, as in tests and simulations, a metric costs
//! a look at a pointer. Absent: logs (`telemetry`), alerts.

mod http;
pub mod metrics;

pub use http::{Operations, OperationsError};
