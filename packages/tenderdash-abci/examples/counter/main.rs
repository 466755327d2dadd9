//! A counter as an ABCI application: `counter [ADDRESS]` listens for a node until it is killed.
//!
//! A transition is the next number, 8 bytes, big endian. Nothing is kept on disk: after a restart the node
//! replays its blocks.

mod application;

use std::process::ExitCode;

use application::Counter;
use tenderdash_abci::server::{Config, Server};

/// Where a node looks for its application.
const ADDRESS: &str = "tcp://127.0.0.1:26658";

fn run(address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut server = Server::new(Config::default())?;
    let bound = server.listen_socket(&address.parse()?)?;
    eprintln!("listening on {bound}");
    server.run(&Counter::default())?;
    Ok(())
}

fn main() -> ExitCode {
    let address = std::env::args().nth(1).unwrap_or_else(|| ADDRESS.to_owned());
    match run(&address) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
