//! Writing a recording, a line a block as blocks are committed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{FORMAT, Header, MAX_LINE_BYTES, RecordedBlock, Recording, RecordingError, VERSION};
use crate::genesis::Genesis;

/// A recording that is being written.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    /// What the file holds past the chain's last block: the next line or its beginning, which a
    /// process left that was killed before it committed the block.
    ahead: Vec<u8>,
}

impl Recorder {
    /// Begins a recording, or goes on with one that ends where the chain stands, or in the line of
    /// the block after it.
    ///
    /// `blocks` is the number of blocks the chain has. A recording cannot begin in the middle of a
    /// chain: replaying starts from genesis.
    pub fn open(path: &Path, genesis: &Genesis, blocks: u64) -> Result<Self, RecordingError> {
        let unwritable = |source| RecordingError::Unwritable { path: path.to_owned(), source };
        let begun = path.metadata().is_ok_and(|file| file.len() > 0);
        if !begun && blocks > 0 {
            let reason = format!("the chain has {blocks} blocks already, and the file is empty or does not exist");
            return Err(RecordingError::Elsewhere { path: path.to_owned(), reason });
        }
        let header = line(&Header { format: FORMAT.to_owned(), version: VERSION, genesis: genesis.clone() });
        let header = header.map_err(unwritable)?;
        let has_header = begun && !is_cut_off_within(path, &header)?;
        let ahead = match (begun, has_header) {
            (_, true) => past_the_chain(path, genesis, blocks)?,
            (true, false) => fs::read(path).map_err(unwritable)?,
            (false, false) => Vec::new(),
        };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(unwritable)?;
        let mut recorder = Self { path: path.to_owned(), file, ahead };
        if !has_header {
            recorder.write(&header).map_err(unwritable)?;
        }
        Ok(recorder)
    }

    /// Adds a block that is about to be committed. Where the file holds it already, it must be the
    /// same: nothing is ever overwritten.
    pub fn add(&mut self, block: &RecordedBlock) -> Result<(), RecordingError> {
        let line = line(block).map_err(|source| self.unwritable(source))?;
        if !line.starts_with(&self.ahead) {
            let reason = format!("it goes on with another block at height {}", block.height);
            return Err(RecordingError::Elsewhere { path: self.path.clone(), reason });
        }
        self.write(&line).map_err(|source| self.unwritable(source))
    }

    /// Writes what the file lacks of a line. One write a line: a process that is killed leaves
    /// whole lines, or one line cut off.
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let ahead = std::mem::take(&mut self.ahead);
        self.file.write_all(line.get(ahead.len()..).unwrap_or_default())
    }

    fn unwritable(&self, source: io::Error) -> RecordingError {
        RecordingError::Unwritable { path: self.path.clone(), source }
    }
}

fn line(content: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(content)?;
    bytes.push(b'\n');
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > MAX_LINE_BYTES {
        return Err(io::Error::other(format!("it takes a line of {length} bytes")));
    }
    Ok(bytes)
}

/// Whether the file is a beginning of the header and nothing more.
fn is_cut_off_within(path: &Path, header: &[u8]) -> Result<bool, RecordingError> {
    let unreadable = |source| RecordingError::Unreadable { path: path.to_owned(), source };
    let limit = u64::try_from(header.len()).unwrap_or(u64::MAX);
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(limit).read_to_end(&mut start)).map_err(unreadable)?;
    Ok(start.len() < header.len() && header.starts_with(&start))
}

/// The bytes after the line of the chain's last block: nothing, a line or its beginning.
fn past_the_chain(path: &Path, genesis: &Genesis, blocks: u64) -> Result<Vec<u8>, RecordingError> {
    let elsewhere = |reason: String| RecordingError::Elsewhere { path: path.to_owned(), reason };
    let mut recording = Recording::open(path)?;
    if recording.genesis() != genesis {
        return Err(elsewhere("it has another genesis".to_owned()));
    }
    let first = genesis.initial_height.0;
    for number in 0..blocks {
        let Some(block) = recording.next() else {
            return Err(elsewhere(format!("it has {number} blocks, the chain has {blocks}")));
        };
        let height = block?.height.0;
        if height != first.saturating_add(number) {
            return Err(elsewhere(format!("its blocks are out of order at height {height}")));
        }
    }
    let mut ahead = Vec::new();
    let rest = recording.into_rest().take(MAX_LINE_BYTES.saturating_add(1)).read_to_end(&mut ahead);
    rest.map_err(|source| RecordingError::Unreadable { path: path.to_owned(), source })?;
    let lines_end = ahead.iter().position(|byte| *byte == b'\n').map(|end| end.saturating_add(1));
    if lines_end.is_some_and(|end| end < ahead.len()) {
        return Err(elsewhere(format!("the chain has {blocks} blocks, and it goes on for more than one block")));
    }
    Ok(ahead)
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
        let mut recorder = Recorder::open(&path, &genesis(), 0).unwrap();
        recorder.add(&block(1)).unwrap();
        recorder.add(&block(2)).unwrap();
        let fails = |genesis: &Genesis, blocks, path: &Path| {
            matches!(Recorder::open(path, genesis, blocks), Err(RecordingError::Elsewhere { .. }))
        };
        assert!(fails(&genesis(), 0, &path), "two blocks ahead");
        assert!(fails(&genesis(), 3, &path));
        assert!(fails(&Genesis { chain_id: "other".into(), ..genesis() }, 2, &path));
        assert!(fails(&genesis(), 1, &folder.path().join("new.jsonl")), "recordings begin at genesis");
        let mut ahead = Recorder::open(&path, &genesis(), 1).unwrap();
        assert!(matches!(ahead.add(&block(3)), Err(RecordingError::Elsewhere { .. })), "nothing is overwritten");
    }

    #[test]
    fn a_recording_that_was_cut_off_anywhere_in_its_last_line_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.jsonl");
        let mut recorder = Recorder::open(&path, &genesis(), 0).unwrap();
        let header = fs::metadata(&path).unwrap().len() as usize;
        recorder.add(&block(1)).unwrap();
        let first = fs::metadata(&path).unwrap().len() as usize;
        recorder.add(&block(2)).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let blocks = u64::from(length >= first);
            let mut recorder = Recorder::open(&path, &genesis(), blocks).unwrap();
            (blocks + 1..=2).for_each(|height| recorder.add(&block(height)).unwrap());
            assert!(fs::read(&path).unwrap() == whole, "cut to {length} bytes of which {header} are the header");
        }
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
