//! The HTTP endpoint: `GET /metrics` for Prometheus, `GET /healthz` for a supervisor.
//!
//! Invariant: it has a thread of its own and reads shared figures alone, so neither waits for a block.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use tokio::sync::oneshot;

use crate::node::Health;

/// The running endpoint; dropping it ends it.
pub struct Operations {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Where it listens.
    pub address: SocketAddr,
}

/// Why there is no endpoint.
#[derive(Debug, thiserror::Error)]
pub enum OperationsError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Which.
        address: String,
        /// Why.
        source: io::Error,
    },
}

#[derive(Clone)]
struct Shared {
    health: Arc<Health>,
    metrics: PrometheusHandle,
}

impl Operations {
    /// Listens on `host:port` and answers until it is dropped.
    pub fn start(address: &str, health: Arc<Health>, metrics: PrometheusHandle) -> Result<Self, OperationsError> {
        let failed = |source| OperationsError::Listen { address: address.to_owned(), source };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || {
            let served = runtime.block_on(serve(listener, Shared { health, metrics }, stopped));
            if let Err(error) = served {
                tracing::error!(%error, "metrics and health are no longer served; the node goes on");
            }
        };
        let thread = thread::Builder::new().name("operations".to_owned()).spawn(serve).map_err(failed)?;
        Ok(Self { stop: Some(stop), thread: Some(thread), address: bound })
    }
}

impl Drop for Operations {
    fn drop(&mut self) {
        drop(self.stop.take());
        // a thread that panicked has said so
        self.thread.take().map(JoinHandle::join);
    }
}

async fn serve(listener: TcpListener, shared: Shared, stopped: oneshot::Receiver<()>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = Router::new().route("/metrics", get(metrics)).route("/healthz", get(health)).with_state(shared);
    tokio::select! {
        served = async { axum::serve(listener, router).await } => served,
        // nothing that is asked here is worth waiting for
        _ = stopped => Ok(()),
    }
}

async fn metrics(State(shared): State<Shared>) -> String {
    shared.metrics.run_upkeep();
    shared.metrics.render()
}

/// 200 while the node can go on, 503 with the reason and the next step once it cannot.
async fn health(State(shared): State<Shared>) -> Response {
    let status = shared.health.status();
    match shared.health.failure() {
        None => (StatusCode::OK, Json(json!({ "status": "ok", "chain": status }))).into_response(),
        Some(failure) => {
            let body = json!({ "status": "failed", "error": failure.what, "next": failure.next_step, "chain": status });
            (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
        }
    }
}
