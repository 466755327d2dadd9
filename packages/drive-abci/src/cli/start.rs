//! `drive-abci start`: the node beside a Tenderdash.

use std::path::PathBuf;

use clap::Args;
use tenderdash_abci::address::{Endpoint, HostPort};
use tenderdash_abci::server::{Config, Server, ServerError, StopHandle};
use tenderdash_abci::{Method, Methods};

use super::output::Output;
use super::{Answer, Failure};
use crate::chain::pause::{Pause, PauseAt};
use crate::input::read_document;
use crate::node::{self, DataDir, Node, NodeConfig, Settings, with_node};
use crate::operations::{Operations, metrics};
use crate::telemetry::LogFormat;

/// Run the node: answer a Tenderdash over ABCI until SIGTERM or SIGINT.
///
/// A block that runs when the signal comes is finished and answered first. Logs are at 'info' unless --log or
/// $RUST_LOG says otherwise.
#[derive(Debug, Args)]
pub struct Start {
    /// YAML file with the node's settings, as 'drive-abci init' writes it.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// How to log: for people, or a JSON object a line.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(super) log_format: LogFormat,
    /// Keep the state in DIR instead of the file's dataDir.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Listen on ADDRESS, tcp://host:port, unix://path or grpc:host:port, instead of the file's.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Stop at a point of a block and wait to be killed there.
    #[arg(long, value_name = "POINT:HEIGHT", hide = true)]
    pause_at: Option<PauseAt>,
}

impl Start {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let config = self.config()?;
        let data_dir = DataDir::take(&config.data_dir)?;
        let drive = data_dir.open(config.parameters)?;
        let settings = Settings { pause: Pause(self.pause_at), ..config.settings() };
        let ran = with_node(&drive, settings, |node| serve(&config, node, output));
        ran.map_err(|error| node::Failure::of(&error))??;
        output.note("stopped");
        Ok(Answer::Yes)
    }

    fn config(&self) -> Result<NodeConfig, Failure> {
        let config: NodeConfig = read_document("configuration", &self.config).map_err(|error| {
            failure(error.to_string(), "correct the configuration; 'drive-abci init' writes one that works")
        })?;
        Ok(NodeConfig {
            data_dir: self.data_dir.clone().unwrap_or(config.data_dir),
            listen: self.listen.clone().unwrap_or(config.listen),
            ..config
        })
    }
}

/// Serves until a signal or a failure of the node ends it.
fn serve(config: &NodeConfig, node: &Node<'_>, output: &Output) -> Result<(), Failure> {
    let server = listen(config, output)?;
    let _operations = config.operations.as_deref().map(|address| operations(address, node, output)).transpose()?;
    let stop = server.stop_handle();
    node.health().on_failure(move || stop.stop());
    stop_on_signals(server.stop_handle())?;
    server.run(node).map_err(|error| failure(error.to_string(), "start the node again"))?;
    node.health().failure().map_or(Ok(()), |failure| Err(failure.into()))
}

fn listen(config: &NodeConfig, output: &Output) -> Result<Server, Failure> {
    let next = "choose an address nothing listens on";
    let failed = |error: ServerError| failure(error.to_string(), next);
    let mut server = Server::new(Config::default()).map_err(failed)?;
    let bound = server.listen(&endpoint(&config.listen)?).map_err(failed)?;
    output.note(&format!("listening on {bound}"));
    if let Some(check_tx) = &config.check_tx {
        let address: HostPort = parse(check_tx)?;
        let bound = server.listen_grpc(&address, Methods::only(&[Method::CheckTx])).map_err(failed)?;
        output.note(&format!("CheckTx over gRPC on {bound}"));
    }
    Ok(server)
}

fn operations(address: &str, node: &Node<'_>, output: &Output) -> Result<Operations, Failure> {
    let metrics = metrics::install().map_err(|error| failure(error.to_string(), "report this"))?;
    if let Some(state) = node.chain_state() {
        metrics::stands(&state);
    }
    let operations = Operations::start(address, node.health().clone(), metrics)
        .map_err(|error| failure(error.to_string(), "choose an address nothing listens on"))?;
    output.note(&format!("metrics and health on http://{}", operations.address));
    Ok(operations)
}

fn endpoint(address: &str) -> Result<Endpoint, Failure> {
    match address.strip_prefix("grpc:") {
        Some(address) => parse(address).map(Endpoint::Grpc),
        None => parse(address).map(Endpoint::Socket),
    }
}

fn parse<A: core::str::FromStr>(address: &str) -> Result<A, Failure>
where
    A::Err: core::fmt::Display,
{
    let next = "write an address like tcp://127.0.0.1:26658, or unix:// and a path";
    address.parse().map_err(|error: A::Err| failure(format!("{address}: {error}"), next))
}

impl From<node::Failure> for Failure {
    fn from(failure: node::Failure) -> Self {
        Self { message: failure.what, next_step: failure.next_step.to_owned() }
    }
}

/// The first signal lets what runs finish; a second one ends the process at once.
fn stop_on_signals(stop: StopHandle) -> Result<(), Failure> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT])
        .map_err(|error| failure(error.to_string(), "free some of the system's resources and start again"))?;
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if stop.is_stopped() {
                std::process::exit(1);
            }
            tracing::info!("stopping: what runs is finished first");
            stop.stop();
        }
    });
    Ok(())
}

fn failure(message: impl Into<String>, next_step: &str) -> Failure {
    Failure { message: message.into(), next_step: next_step.to_owned() }
}
