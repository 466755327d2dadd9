//! All elements of a tree, in key order, read a page at a time so that memory stays bounded.

use std::collections::VecDeque;

use drive::store::{Entry, StateReader, StoreError};
use drive::tree::Path;

/// Rows read at a time.
const PAGE: u16 = 1_000;

/// The elements of a tree.
pub(super) struct Pages<'r, 's> {
    reader: &'r StateReader<'s>,
    path: Path,
    read: VecDeque<Entry>,
    /// Where the next page starts; `None`: there is none.
    next: Option<Vec<u8>>,
}

impl<'r, 's> Pages<'r, 's> {
    /// The elements of the tree at `path`; none if it is not there.
    pub fn of(reader: &'r StateReader<'s>, path: Path) -> Self {
        Self { reader, path, read: VecDeque::new(), next: Some(Vec::new()) }
    }

    fn read_on(&mut self) -> Result<(), StoreError> {
        let Some(from) = self.next.take() else { return Ok(()) };
        let page = self.reader.entries_from(&self.path, from, PAGE)?;
        if page.len() >= usize::from(PAGE) {
            // the least key that is greater than the last
            self.next = page.last().map(|last| [last.key.as_slice(), &[0]].concat());
        }
        self.read = page.into();
        Ok(())
    }
}

impl Iterator for Pages<'_, '_> {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read.is_empty()
            && let Err(error) = self.read_on()
        {
            return Some(Err(error));
        }
        self.read.pop_front().map(Ok)
    }
}

/// How many elements a tree has.
pub(super) fn count(reader: &StateReader<'_>, path: Path) -> Result<u64, StoreError> {
    Pages::of(reader, path).try_fold(0_u64, |count, entry| entry.map(|_| count.saturating_add(1)))
}
