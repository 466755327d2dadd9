//! The real `drive-abci start` on a Unix socket, and what it says on standard error.

#![allow(dead_code, reason = "each test uses its part")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use dpp::block::ChainParameters;
use drive_abci::chain::pause::PauseAt;
use platform_tests::served::App;

/// How long a line is waited for; a test that fails is red, not slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A node's folder with its configuration.
pub struct Folder(tempfile::TempDir);

/// A running node.
pub struct Process {
    /// A connection to it.
    pub app: App,
    child: Arc<Mutex<Child>>,
    lines: Receiver<String>,
    /// Where metrics and health are.
    pub operations: Option<String>,
    said: Vec<String>,
}

impl Folder {
    /// A folder of a chain with these epochs.
    pub fn new(parameters: ChainParameters) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ChainParameters { epoch_length_seconds, epochs_per_era } = parameters;
        let path = folder.path().display();
        let config = format!(
            "dataDir: {path}/data\nlisten: unix://{path}/abci.sock\noperations: 127.0.0.1:0\nparameters: {{ epochLengthSeconds: {epoch_length_seconds}, epochsPerEra: {epochs_per_era} }}\nmaxTransitions: 10000\nsnapshots: {{ every: 5, keep: 2 }}\n"
        );
        fs::write(folder.path().join("node.yaml"), config).unwrap();
        Self(folder)
    }

    /// A path within it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command that starts the node.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
        command.arg("start").arg("--config").arg(self.path("node.yaml"));
        command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Starts it, and waits until it listens.
    pub fn start(&self, pause: Option<PauseAt>) -> Process {
        let mut command = self.command();
        if let Some(pause) = pause {
            command.arg("--pause-at").arg(pause.to_string());
        }
        self.spawn(command)
    }

    /// Runs a command that starts it, and waits until it listens.
    pub fn spawn(&self, mut command: Command) -> Process {
        let mut child = command.spawn().expect("the command runs");
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (line, lines) = channel();
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|text| line.send(text)));
        let child = Arc::new(Mutex::new(child));
        let mut said = Vec::new();
        let mut operations = None;
        loop {
            let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("the node does not start: {said:#?}"));
            if let Some((_, address)) = line.split_once("health on http://") {
                operations = Some(address.to_owned());
            }
            said.push(line);
            if operations.is_some() {
                break;
            }
        }
        Process { app: App::connect(&self.path("abci.sock")), child, lines, operations, said }
    }
}

impl Process {
    /// Waits for a line on standard error.
    pub fn wait_for(&mut self, text: &str) {
        while !self.said.iter().any(|line| line.contains(text)) {
            let line = self.lines.recv_timeout(PATIENCE);
            self.said.push(line.unwrap_or_else(|_| panic!("no line with '{text}': {:#?}", self.said)));
        }
    }

    /// Number of the process.
    pub fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    /// SIGKILL, and its end.
    pub fn kill(&mut self) {
        kill(&self.child);
    }

    /// SIGKILL after some time, from another thread.
    pub fn kill_after(&self, time: Duration) -> JoinHandle<()> {
        let child = Arc::clone(&self.child);
        std::thread::spawn(move || {
            std::thread::sleep(time);
            kill(&child);
        })
    }

    /// Waits for its end, and all it said.
    pub fn end(self) -> (ExitStatus, String) {
        let status = self.child.lock().unwrap().wait().unwrap();
        let mut said = self.said.clone();
        said.extend(self.lines.iter());
        (status, said.join("\n"))
    }
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap();
    // it may have been killed before
    child.kill().ok();
    child.wait().unwrap();
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&self.child);
    }
}
