//! `drive-abci inspect`: looks into a data directory, also of a running node.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dpp::primitives::Identifier;
use serde::Serialize;

use super::output::{Mood, Output};
use super::{Answer, Failure};
use crate::inspect::{Documents, Expirations, InspectError, Pools, QueueFilter, Snapshot, Summary, Tree, parse_path};

/// Look into a data directory, also one a running node uses, without writing to it.
///
/// The directory is locked while a node runs, so a private copy is opened instead: files that never
/// change are linked where the file system can, the others copied. The copy stands where the
/// variable TMPDIR says and is removed at the end; on the disk of the data directory it takes next
/// to no space. What is shown is the last block that was committed when the copy was taken.
#[derive(Debug, Args)]
pub struct Inspect {
    /// Data directory of a node or of 'simulate --data-dir'.
    dir: PathBuf,
    /// Print the result as JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show where the chain stands, its books, its contracts and its expiry queue.
    ///
    /// Exits 1 when credits were lost or made.
    Summary,
    Expirations(ExpirationsArgs),
    Documents(DocumentsArgs),
    /// Show the fee pools that are not empty.
    Pools,
    Tree(TreeArgs),
}

/// List the expiry queue, oldest first, and forecast what falls due when.
#[derive(Debug, Args)]
struct ExpirationsArgs {
    /// Entries to list at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    /// Only documents of this contract.
    #[arg(long, value_name = "ID")]
    contract: Option<Identifier>,
    /// Hours to forecast from the last block on.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(..=8_784))]
    hours: u16,
}

/// List the documents of a type by id, with their expiry.
#[derive(Debug, Args)]
struct DocumentsArgs {
    /// Id of the contract.
    contract: Identifier,
    /// Name of the document type.
    #[arg(value_name = "TYPE")]
    document_type: String,
    /// Documents to list at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
}

/// List the elements of a tree of the state.
///
/// A path is the keys from the root down with '/' between, like 104/E; '/' is the root. A key is
/// written as one byte (0 to 255), as an identifier in base58, as hex (0x00ff; 0x is the empty key),
/// as a big-endian number (u16:256, u32:7, u64:1700003600000), or as text (note, $ownerId; text:104
/// where it could be taken for something else).
#[derive(Debug, Args)]
struct TreeArgs {
    /// Keys from the root down, like 104/E.
    path: String,
    /// Elements to list at most.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

impl Inspect {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        match &self.what {
            What::Summary => self.summary(output),
            What::Expirations(arguments) => {
                let filter =
                    QueueFilter { contract: arguments.contract, limit: arguments.limit, hours: arguments.hours };
                self.show(output, &Expirations::read(&self.snapshot()?, &filter)?, Expirations::render)
            }
            What::Documents(DocumentsArgs { contract, document_type, limit }) => {
                let found = Documents::read(&self.snapshot()?, *contract, document_type, *limit)?;
                self.show(output, &found, Documents::render)
            }
            What::Pools => self.show(output, &Pools::read(&self.snapshot()?)?, Pools::render),
            What::Tree(TreeArgs { path, limit }) => {
                let path = parse_path(path).map_err(InspectError::from)?;
                self.show(output, &Tree::read(&self.snapshot()?, &path, *limit)?, Tree::render)
            }
        }
    }

    fn snapshot(&self) -> Result<Snapshot, InspectError> {
        Snapshot::take(&self.dir)
    }

    fn summary(&self, output: &Output) -> Result<Answer, Failure> {
        let summary = Summary::read(&self.snapshot()?)?;
        self.show(output, &summary, Summary::render)?;
        if summary.credits.balanced {
            return Ok(Answer::Yes);
        }
        if !self.json {
            output.verdict(Mood::Bad, "Credits do not balance.")?;
        }
        Ok(Answer::No)
    }

    fn show<T: Serialize>(&self, output: &Output, found: &T, render: fn(&T) -> String) -> Result<Answer, Failure> {
        if self.json {
            output.json(found)?
        } else {
            output.result(&render(found))?
        }
        Ok(Answer::Yes)
    }
}

impl From<InspectError> for Failure {
    fn from(error: InspectError) -> Self {
        Self { message: error.to_string(), next_step: error.next_step().to_owned() }
    }
}
