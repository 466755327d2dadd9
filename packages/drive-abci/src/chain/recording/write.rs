//! Writing a recording, a line a block as blocks are committed.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{FORMAT, Header, MAX_LINE_BYTES, RecordedBlock, Recording, RecordingError, VERSION};
use crate::genesis::Genesis;

/// A recording that is being written.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
}

impl Recorder {
    /// Begins a recording, or goes on with one that ends where the chain stands.
    ///
    /// `blocks` is the number of blocks the chain has. A recording cannot begin in the middle of a
    /// chain: replaying starts from genesis.
    pub fn open(path: &Path, genesis: &Genesis, blocks: u64) -> Result<Self, RecordingError> {
        let unwritable = |source| RecordingError::Unwritable { path: path.to_owned(), source };
        let elsewhere = |reason: String| RecordingError::Elsewhere { path: path.to_owned(), reason };
        let exists = path.metadata().is_ok_and(|file| file.len() > 0);
        if exists {
            ends_where_the_chain_stands(path, genesis, blocks)?;
        } else if blocks > 0 {
            return Err(elsewhere(format!("the chain has {blocks} blocks already, and the file does not exist")));
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(unwritable)?;
        let mut recorder = Self { path: path.to_owned(), file };
        if !exists {
            recorder.write(&Header { format: FORMAT.to_owned(), version: VERSION, genesis: genesis.clone() })?;
        }
        Ok(recorder)
    }

    /// Adds a committed block.
    pub fn add(&mut self, block: &RecordedBlock) -> Result<(), RecordingError> {
        self.write(block)
    }

    /// One write a line: a process that is killed leaves whole lines, or one line cut off.
    fn write(&mut self, line: &impl Serialize) -> Result<(), RecordingError> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            if length > MAX_LINE_BYTES {
                return Err(io::Error::other(format!("the block takes a line of {length} bytes")));
            }
            self.file.write_all(&bytes)
        });
        written.map_err(|source| RecordingError::Unwritable { path: self.path.clone(), source })
    }
}

fn ends_where_the_chain_stands(path: &Path, genesis: &Genesis, blocks: u64) -> Result<(), RecordingError> {
    let elsewhere = |reason: String| RecordingError::Elsewhere { path: path.to_owned(), reason };
    let recording = Recording::open(path)?;
    if recording.genesis() != genesis {
        return Err(elsewhere("it has another genesis".to_owned()));
    }
    let first = genesis.initial_height.0;
    let mut recorded = 0u64;
    for block in recording {
        let height = block?.height.0;
        if height != first.saturating_add(recorded) {
            return Err(elsewhere(format!("its blocks are out of order at height {height}")));
        }
        recorded = recorded.saturating_add(1);
    }
    if recorded == blocks {
        return Ok(());
    }
    Err(elsewhere(format!("it has {recorded} blocks, the chain has {blocks}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use dpp::primitives::{BlockHeight, CoreBlockHeight, Identifier, TimestampMillis};

    use super::*;
    use crate::chain::accounts::Accounts;

    fn genesis() -> Genesis {
        let strategy = crate::input::parse_document(
            "{protocolVersion: 14, genesisTime: 1, identities: {count: 2, balance: 5}, timeline: [{blocks: 1, every: 1s}]}",
        );
        Accounts::derive(1, 2, 2).unwrap().genesis(&strategy.unwrap())
    }

    fn block(height: u64) -> RecordedBlock {
        RecordedBlock {
            height: BlockHeight(height),
            time: TimestampMillis(height),
            proposer: Identifier([7; 32]),
            core_height: CoreBlockHeight(1),
            proposed_version: 14,
            transitions: vec![vec![1, 2, 255], vec![]],
            app_hash: [height as u8; 32],
        }
    }

    fn read(path: &Path) -> Result<Vec<RecordedBlock>, RecordingError> {
        Recording::open(path)?.collect()
    }

    #[test]
    fn what_is_written_is_read_and_can_be_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.jsonl");
        let mut recorder = Recorder::open(&path, &genesis(), 0).unwrap();
        recorder.add(&block(1)).unwrap();
        drop(recorder);
        Recorder::open(&path, &genesis(), 1).unwrap().add(&block(2)).unwrap();
        assert_eq!(read(&path).unwrap(), [block(1), block(2)]);
        assert_eq!(Recording::open(&path).unwrap().genesis(), &genesis());
    }

    #[test]
    fn a_recording_is_continued_only_where_the_chain_stands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.jsonl");
        Recorder::open(&path, &genesis(), 0).unwrap().add(&block(1)).unwrap();
        let fails = |genesis: &Genesis, blocks, path: &Path| {
            matches!(Recorder::open(path, genesis, blocks), Err(RecordingError::Elsewhere { .. }))
        };
        assert!(fails(&genesis(), 0, &path), "a new chain does not overwrite a recording");
        assert!(fails(&genesis(), 2, &path));
        assert!(fails(&Genesis { chain_id: "other".into(), ..genesis() }, 1, &path));
        assert!(fails(&genesis(), 1, &folder.path().join("new.jsonl")), "recordings begin at genesis");
    }

    #[test]
    fn files_that_are_cut_off_or_foreign_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.jsonl");
        Recorder::open(&path, &genesis(), 0).unwrap().add(&block(1)).unwrap();
        let whole = fs::read(&path).unwrap();
        let check = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read(&path)
        };
        assert!(matches!(check(&whole[..whole.len() - 1]), Err(RecordingError::Truncated { line: 2, .. })));
        assert!(matches!(check(&whole[..40]), Err(RecordingError::Truncated { line: 1, .. })));
        assert!(matches!(check(b""), Err(RecordingError::Foreign { .. })));
        assert!(matches!(check(b"{}\n"), Err(RecordingError::Foreign { .. })));
        assert!(matches!(check(b"\x7fELF\n"), Err(RecordingError::Foreign { .. })));
        let newer = String::from_utf8(whole.clone()).unwrap().replacen("\"version\":1", "\"version\":2", 1);
        assert!(matches!(check(newer.as_bytes()), Err(RecordingError::Foreign { reason, .. }) if reason.contains('2')));
        let broken = String::from_utf8(whole).unwrap().replace("0102ff", "0102fg");
        assert!(matches!(check(broken.as_bytes()), Err(RecordingError::Broken { line: 2, .. })));
    }
}
