//! Running the command and looking at what it says.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;

/// Exit code, standard output, standard error.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
    command.args(arguments).env_remove("RUST_LOG").env_remove("NO_COLOR");
    let Output { status, stdout, stderr } = command.output().expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// The JSON a command prints, with its exit code; nothing stands beside it.
pub fn json(arguments: &[&str]) -> (i32, Json) {
    let (code, stdout, stderr) = run(&[arguments, &["--json"]].concat());
    assert_eq!(stderr, "", "{arguments:?}");
    (code, serde_json::from_str(&stdout).expect("one JSON document"))
}

/// A file of the workspace's tests.
pub fn test_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name);
    path.to_str().expect("UTF-8").to_owned()
}
