//! Reading a recording, line by line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{FORMAT, Header, MAX_LINE_BYTES, RecordedBlock, RecordingError, VERSION};
use crate::genesis::Genesis;

/// A recording that is being read; it yields its blocks.
#[derive(Debug)]
pub struct Recording<R = BufReader<File>> {
    path: PathBuf,
    lines: R,
    line: u64,
    genesis: Genesis,
}

impl Recording {
    /// Opens a recording and reads its genesis.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = File::open(path).map_err(|source| RecordingError::Unreadable { path: path.to_owned(), source })?;
        Self::read(path, BufReader::new(file))
    }
}

impl<R: BufRead> Recording<R> {
    /// Reads the genesis of a recording; errors name `path`.
    pub fn read(path: &Path, mut lines: R) -> Result<Self, RecordingError> {
        let foreign = |reason: String| RecordingError::Foreign { path: path.to_owned(), reason };
        let first = read_line(&mut lines, path, 1)?.ok_or_else(|| foreign("it is empty".to_owned()))?;
        let genesis = read_header(&first).map_err(foreign)?;
        Ok(Self { path: path.to_owned(), lines, line: 1, genesis })
    }

    /// The genesis of the chain.
    pub fn genesis(&self) -> &Genesis {
        &self.genesis
    }

    /// What is left to read.
    pub(super) fn into_rest(self) -> R {
        self.lines
    }

    fn next_block(&mut self) -> Result<Option<RecordedBlock>, RecordingError> {
        self.line = self.line.saturating_add(1);
        let Some(line) = read_line(&mut self.lines, &self.path, self.line)? else { return Ok(None) };
        let block = serde_json::from_slice(&line).map_err(|error| RecordingError::Broken {
            path: self.path.clone(),
            line: self.line,
            reason: error.to_string(),
        })?;
        Ok(Some(block))
    }
}

impl<R: BufRead> Iterator for Recording<R> {
    type Item = Result<RecordedBlock, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_block().transpose()
    }
}

/// Reads a line without its line feed; `None` at the end of the file.
fn read_line(lines: &mut impl BufRead, path: &Path, line: u64) -> Result<Option<Vec<u8>>, RecordingError> {
    let mut bytes = Vec::new();
    let limit = MAX_LINE_BYTES.saturating_add(1);
    let read = lines.take(limit).read_until(b'\n', &mut bytes);
    let length = read.map_err(|source| RecordingError::Unreadable { path: path.to_owned(), source })?;
    match bytes.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(bytes)),
        Some(_) if u64::try_from(length) == Ok(limit) => {
            let reason = format!("it is longer than {MAX_LINE_BYTES} bytes");
            Err(RecordingError::Broken { path: path.to_owned(), line, reason })
        }
        Some(_) => Err(RecordingError::Truncated { path: path.to_owned(), line }),
    }
}

fn read_header(line: &[u8]) -> Result<Genesis, String> {
    let json: serde_json::Value =
        serde_json::from_slice(line).map_err(|error| format!("its first line is no JSON: {error}"))?;
    if json.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
        return Err(format!("its first line does not say \"format\": \"{FORMAT}\""));
    }
    let version = json.get("version").cloned().unwrap_or_default();
    if version != VERSION {
        return Err(format!("it has version {version} of the format; this program reads version {VERSION}"));
    }
    let header: Header = serde_json::from_value(json).map_err(|error| format!("its genesis is broken: {error}"))?;
    header.genesis.checked().map_err(|reason| format!("its genesis is broken: {reason}"))
}
