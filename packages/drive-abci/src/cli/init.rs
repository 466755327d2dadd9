//! `drive-abci init`: a configuration and a genesis to start from.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dpp::block::ChainParameters;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits};
use platform_version::{PlatformVersion, ProtocolVersion};

use super::output::Output;
use super::{Answer, Failure};
use crate::chain::accounts::Accounts;
use crate::genesis::{Genesis, schedule};

/// Names of the files.
const CONFIG: &str = "drive-abci.yaml";
const GENESIS: &str = "genesis.json";

/// Ports beside the one of ABCI.
const CHECK_TX_OFFSET: u16 = 12;
const OPERATIONS_OFFSET: u16 = 22;

/// What a test identity owns: 10,000 Dash.
const TEST_BALANCE: Credits = Credits(1_000_000_000_000_000);

/// Write a commented configuration, and a genesis for the node's own genesis file.
///
/// Nothing that exists is overwritten.
#[derive(Debug, Args)]
pub struct Init {
    /// Directory for 'drive-abci.yaml' and 'genesis.json'; made if it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Name of the chain: that of the node's own genesis.
    #[arg(long, value_name = "NAME", default_value = "local")]
    chain_id: String,
    /// Protocol version the chain begins with.
    #[arg(long, value_name = "VERSION", default_value_t = 14)]
    protocol_version: u32,
    /// Seconds of an epoch.
    #[arg(long, value_name = "SECONDS", default_value_t = 788_400)]
    epoch_length: u32,
    /// Identities to try the chain with; their keys follow from the seed, so they are worth nothing elsewhere.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    test_identities: u16,
    /// Seed of the test identities.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Port of ABCI on 127.0.0.1; CheckTx alone is 12 above it, metrics are 22 above it.
    #[arg(long, value_name = "PORT", default_value_t = 26_658)]
    port: u16,
}

impl Init {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let genesis = self.genesis()?;
        let text = serde_json::to_string_pretty(&genesis).map_err(|error| {
            failure(format!("the genesis has no JSON form: {error}"), "report this with the command")
        })?;
        fs::create_dir_all(&self.folder).map_err(|error| {
            failure(format!("cannot make '{}': {error}", self.folder.display()), "name a directory you may write")
        })?;
        write_new(&self.folder.join(GENESIS), &format!("{text}\n"))?;
        write_new(&self.folder.join(CONFIG), &self.config()?)?;
        let (config, genesis) = (self.folder.join(CONFIG), self.folder.join(GENESIS));
        output.result(&format!(
            "{}\n{}\nnext: put the genesis under \"app_state\" in the node's genesis.json, then run\n  drive-abci start --config {}\n",
            config.display(),
            genesis.display(),
            config.display()
        ))?;
        Ok(Answer::Yes)
    }

    fn parameters(&self) -> ChainParameters {
        ChainParameters { epoch_length_seconds: self.epoch_length, ..ChainParameters::default() }
    }

    fn genesis(&self) -> Result<Genesis, Failure> {
        let wrong = |reason: String| failure(reason, "correct the argument");
        let rules = PlatformVersion::get(ProtocolVersion(self.protocol_version));
        let protocol_version = rules.map_err(|error| wrong(error.to_string()))?.protocol_version;
        schedule(self.parameters()).map_err(wrong)?;
        let accounts =
            Accounts::derive(self.seed, self.test_identities, 0).map_err(|error| wrong(error.to_string()))?;
        Ok(Genesis {
            chain_id: self.chain_id.clone(),
            protocol_version,
            initial_height: BlockHeight(1),
            initial_core_height: CoreBlockHeight(0),
            parameters: self.parameters(),
            consensus_version: 0,
            identities: accounts.in_genesis(TEST_BALANCE),
            quorums: Vec::new(),
            validators: Vec::new(),
        })
    }

    fn config(&self) -> Result<String, Failure> {
        let above = |offset: u16| {
            let port = self.port.checked_add(offset);
            port.ok_or_else(|| failure(format!("--port {} leaves no ports above it", self.port), "choose a lower port"))
        };
        let (port, check_tx, operations) = (self.port, above(CHECK_TX_OFFSET)?, above(OPERATIONS_OFFSET)?);
        let data_dir = serde_json::Value::from(self.folder.join("data").display().to_string());
        let ChainParameters { epoch_length_seconds, epochs_per_era } = self.parameters();
        Ok(format!(
            "# Settings of drive-abci. Unknown keys are refused. Only 'parameters' has to agree between nodes.

# Where the state and its copies are kept. One process at a time.
dataDir: {data_dir}

# Where Tenderdash connects: tcp://host:port, unix:// and a path, or grpc:host:port.
# There is no password: let nobody else connect.
listen: tcp://127.0.0.1:{port}

# CheckTx on a gRPC endpoint of its own, so that the mempool does not wait for blocks. In the node's config.toml:
#   transport = \"routed\"
#   address = \"CheckTx:grpc:127.0.0.1:{check_tx},*:socket:tcp://127.0.0.1:{port}\"
# checkTx: 127.0.0.1:{check_tx}

# /metrics for Prometheus and /healthz for a supervisor, over HTTP.
operations: 127.0.0.1:{operations}

# Epochs, as in the genesis; they decide keys of the state, so a node with others refuses to run.
parameters:
  epochLengthSeconds: {epoch_length_seconds}
  epochsPerEra: {epochs_per_era}

# Most transitions of a block this node proposes. What does not fit waits in the mempool.
maxTransitions: 1000

# Copies of the state for nodes that join, one every so many blocks. They cost disk as the state changes.
# snapshots:
#   every: 1000
#   keep: 3

# Check the quorum's signature of each block before it is committed: the number of the network's quorum type.
# verifyQuorumType: 106
"
        ))
    }
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let file = fs::File::options().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        failure(format!("cannot write '{}': {error}", path.display()), "remove the file, or name another directory")
    })
}

fn failure(message: String, next_step: &str) -> Failure {
    Failure { message, next_step: next_step.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parse_document;
    use crate::node::NodeConfig;

    fn init() -> Init {
        Init {
            folder: PathBuf::from("here: # there"),
            chain_id: "test".to_owned(),
            protocol_version: 14,
            epoch_length: 3_600,
            test_identities: 2,
            seed: 1,
            port: 26_658,
        }
    }

    #[test]
    fn the_configuration_is_read_as_it_is_written_and_with_every_comment_taken_away() {
        let text = init().config().unwrap();
        let config: NodeConfig = parse_document(&text).unwrap();
        assert_eq!(config.parameters.epoch_length_seconds, 3_600);
        assert_eq!(config.data_dir, PathBuf::from("here: # there/data"));
        assert_eq!(config.check_tx, None);
        let mut all = text;
        for optional in ["checkTx:", "snapshots:", "  every:", "  keep:", "verifyQuorumType:"] {
            all = all.replacen(&format!("# {optional}"), optional, 1);
        }
        let config: NodeConfig = parse_document(&all).unwrap();
        assert!(config.check_tx.is_some() && config.verify_quorum_type.is_some());
        assert!(parse_document::<NodeConfig>(&format!("{all}surprise: 1\n")).is_err());
    }

    #[test]
    fn the_genesis_is_one() {
        let genesis = init().genesis().unwrap();
        let json = serde_json::to_string(&genesis).unwrap();
        assert_eq!(serde_json::from_str::<Genesis>(&json).unwrap(), genesis);
        assert_eq!(genesis.identities.len(), 2);
        assert!(Init { protocol_version: 15, ..init() }.genesis().is_err());
        assert!(Init { epoch_length: 0, ..init() }.genesis().is_err());
        assert!(Init { port: u16::MAX, ..init() }.config().is_err());
    }
}
