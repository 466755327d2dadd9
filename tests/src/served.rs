//! A node that serves ABCI from a directory, in this process, and a client on its socket.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

use dpp::block::ChainParameters;
use drive_abci::node::{DataDir, Settings, SnapshotConfig, with_node};
use tenderdash_abci::address::Address;
use tenderdash_abci::client::{ClientError, SocketClient};
use tenderdash_abci::server::{Config, Server, StopHandle};
use tenderdash_abci::{Call, Method};

/// A node's directory, and how it runs.
pub struct Home {
    folder: tempfile::TempDir,
    /// Epochs of its chain.
    pub parameters: ChainParameters,
    /// What the node does for itself.
    pub settings: Settings,
}

/// A connection to a node, with a log of what went over it.
pub struct App {
    address: Address,
    client: SocketClient,
    calls: Mutex<Vec<Traced>>,
}

/// A call and its answer, as text.
#[derive(Clone, Debug)]
pub struct Traced {
    /// What was called.
    pub method: Method,
    /// The request.
    pub request: String,
    /// The answer.
    pub response: String,
}

/// A node that serves in a thread of its own; dropping it stops it as SIGTERM would.
pub struct Running {
    /// A connection to it.
    pub app: App,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            eprintln!("the node's thread panicked");
        }
    }
}

impl Home {
    /// An empty directory of a chain with these epochs.
    pub fn new(parameters: ChainParameters) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let restore = Some(folder.path().join("data/restored"));
        Self { folder, parameters, settings: Settings { max_transitions: 10_000, restore, ..Settings::default() } }
    }

    /// The same node, which copies its state every so many blocks.
    pub fn with_snapshots(mut self, every: u64, keep: usize) -> Self {
        let folder = self.data_dir().join("snapshots");
        self.settings.snapshots = Some((folder, SnapshotConfig { every, keep }));
        self
    }

    /// The data directory.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The socket's path.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("abci.sock")
    }

    /// Starts the node in a thread of its own, and connects to it.
    pub fn start(&self) -> Running {
        let (data_dir, parameters, settings) = (self.data_dir(), self.parameters, self.settings.clone());
        let address = Address::Unix(self.socket());
        let (ready, is_ready) = channel();
        let thread = std::thread::spawn(move || {
            let data_dir = DataDir::take(&data_dir).unwrap();
            let drive = data_dir.open(parameters).unwrap();
            let serve = |node: &drive_abci::node::Node<'_>| {
                let mut server = Server::new(Config::default()).unwrap();
                server.listen_socket(&address).unwrap();
                ready.send(server.stop_handle()).unwrap();
                server.run(node).unwrap();
            };
            with_node(&drive, settings, serve).unwrap();
        });
        let stop = is_ready.recv().expect("the node starts");
        Running { app: App::connect(&self.socket()), stop, thread: Some(thread) }
    }

    /// Starts the node, runs a story with a connection to it, and stops it.
    pub fn serve<T>(&self, story: impl FnOnce(&App) -> T) -> T {
        story(&self.start().app)
    }

    /// Forgets everything the node had.
    pub fn wipe(&self) {
        std::fs::remove_dir_all(self.data_dir()).unwrap();
    }
}

impl App {
    /// Connects to a Unix socket.
    pub fn connect(socket: &Path) -> Self {
        let address = Address::Unix(socket.to_owned());
        let client = SocketClient::connect(&address).unwrap();
        Self { address, client, calls: Mutex::default() }
    }

    /// Another connection to the same node.
    pub fn another(&self) -> SocketClient {
        SocketClient::connect(&self.address).unwrap()
    }

    /// The connection itself, to send without waiting.
    pub fn client(&self) -> &SocketClient {
        &self.client
    }

    /// Calls and takes note.
    pub fn try_call<C: Call + std::fmt::Debug>(&self, request: C) -> Result<C::Response, ClientError>
    where
        C::Response: std::fmt::Debug,
    {
        let asked = format!("{request:?}");
        let answer = self.client.call(request);
        let response = format!("{answer:?}");
        self.calls.lock().unwrap().push(Traced { method: C::METHOD, request: asked, response });
        answer
    }

    /// Calls, and expects an answer that is no exception.
    #[track_caller]
    pub fn call<C: Call + std::fmt::Debug>(&self, request: C) -> C::Response
    where
        C::Response: std::fmt::Debug,
    {
        self.try_call(request).unwrap_or_else(|error| panic!("{}: {error}", C::METHOD))
    }

    /// Names of the calls since the last time, in order.
    pub fn called(&self) -> Vec<&'static str> {
        self.traced().iter().map(|call| call.method.name()).collect()
    }

    /// The calls since the last time, in order.
    pub fn traced(&self) -> Vec<Traced> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}
