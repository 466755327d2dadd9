//! A private copy of a store's folder, taken beside a process that may be writing to it.
//!
//! The store locks its folder and cannot be opened for reading alone, so whoever only wants to look
//! opens a copy. Tables never change once they are listed, so they are linked where the file system
//! can; everything else is copied.
//! Invariants: nothing in the source folder is created, written or removed. The copy holds no table
//! its list does not name: the engine could otherwise write a new file over a link it shares with
//! the source. Every block of every table was read once and its checksum is right.

use std::collections::BTreeSet;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path as FilePath;
use std::path::PathBuf;

use rocksdb::{DB, Options, ReadOptions};

use super::scan::COLUMN_FAMILIES;

/// Names the current list of tables.
const CURRENT: &str = "CURRENT";

/// More than the name in [`CURRENT`] ever takes.
const MAX_NAME_BYTES: u64 = 64;

/// Why a folder could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The folder holds no store.
    #[error("it holds no state: {0}")]
    NotAStore(&'static str),
    /// The process that uses the folder rearranged it meanwhile; another try may succeed.
    #[error("it was rearranged while it was copied")]
    Moved,
    /// A file cannot be read, linked or written.
    #[error("'{}': {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The engine cannot read its files.
    #[error("its files cannot be read: {0}")]
    Damaged(String),
}

/// The list of tables a folder goes by; it only grows, until another takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableList {
    name: String,
    bytes: u64,
}

/// The files of a folder by how they are copied.
#[derive(Debug, Default)]
struct Listing {
    /// Tables, by whether they can be linked.
    tables: Vec<(String, bool)>,
    /// Logs of commits, by number.
    logs: BTreeSet<(u64, String)>,
    /// Small files that are copied whole.
    others: Vec<String>,
}

/// Copies the store in `source` into the empty folder `target`.
pub fn copy_store(source: &FilePath, target: &FilePath) -> Result<(), CopyError> {
    copy_while(source, target, || {})
}

/// The same; `meanwhile` happens where another process can do most harm.
fn copy_while(source: &FilePath, target: &FilePath, meanwhile: impl FnOnce()) -> Result<(), CopyError> {
    let list = TableList::of(source)?;
    // tables may come after the list names them, so the list is copied before they are looked for
    copy_bytes(source, target, &list.name, list.bytes)?;
    meanwhile();
    let listing = Listing::of(source)?;
    for (name, linkable) in &listing.tables {
        link_or_copy(source, target, name, *linkable)?;
    }
    // older logs first: each holds a prefix of the commits, so all of them do
    for (_, name) in &listing.logs {
        copy_whole(source, target, name)?;
    }
    for name in &listing.others {
        copy_whole(source, target, name)?;
    }
    write(target, CURRENT, format!("{}\n", list.name).as_bytes())?;
    // a commit leaves the list alone; what changes tables or drops a log writes to it
    if TableList::of(source)? != list {
        return Err(CopyError::Moved);
    }
    keep_listed_tables(target)
}

impl TableList {
    fn of(folder: &FilePath) -> Result<Self, CopyError> {
        let path = folder.join(CURRENT);
        if !path.is_file() {
            return Err(CopyError::NotAStore("there is no file 'CURRENT'"));
        }
        let mut text = String::new();
        let file = File::open(&path).map_err(|source| failed(&path, source))?;
        file.take(MAX_NAME_BYTES)
            .read_to_string(&mut text)
            .map_err(|_| CopyError::NotAStore("the file 'CURRENT' is not one of a store"))?;
        let name = text.strip_suffix('\n').filter(|name| number_after(name, "MANIFEST-").is_some());
        let name = name.ok_or(CopyError::NotAStore("the file 'CURRENT' is not one of a store"))?.to_owned();
        let path = folder.join(&name);
        let bytes = fs::metadata(&path).map_err(|source| failed(&path, source))?.len();
        Ok(Self { name, bytes })
    }
}

impl Listing {
    fn of(folder: &FilePath) -> Result<Self, CopyError> {
        let mut listing = Self::default();
        for entry in fs::read_dir(folder).map_err(|source| failed(folder, source))? {
            let entry = entry.map_err(|source| failed(folder, source))?;
            let kind = entry.file_type().map_err(|source| failed(&entry.path(), source))?;
            if let Some(name) = entry.file_name().to_str() {
                listing.add(name, kind);
            }
        }
        Ok(listing)
    }

    fn add(&mut self, name: &str, kind: FileType) {
        let numbered = |ending: &str| name.strip_suffix(ending).and_then(|number| number_after(number, ""));
        if kind.is_dir() {
            return;
        }
        if numbered(".sst").is_some() {
            self.tables.push((name.to_owned(), kind.is_file()));
        } else if let Some(number) = numbered(".log") {
            self.logs.insert((number, name.to_owned()));
        } else if name == "IDENTITY" || number_after(name, "OPTIONS-").is_some() {
            self.others.push(name.to_owned());
        }
    }
}

fn number_after(name: &str, start: &str) -> Option<u64> {
    let digits = name.strip_prefix(start)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Links a table, or copies it where links cannot be made: another disk, another owner.
fn link_or_copy(source: &FilePath, target: &FilePath, name: &str, linkable: bool) -> Result<(), CopyError> {
    if linkable && fs::hard_link(source.join(name), target.join(name)).is_ok() {
        return Ok(());
    }
    copy_whole(source, target, name)
}

fn copy_whole(source: &FilePath, target: &FilePath, name: &str) -> Result<(), CopyError> {
    let path = source.join(name);
    let bytes = fs::metadata(&path).map_err(|source| failed(&path, source))?.len();
    copy_bytes(source, target, name, bytes)
}

/// Copies the first bytes of a file that may be growing.
fn copy_bytes(source: &FilePath, target: &FilePath, name: &str, bytes: u64) -> Result<(), CopyError> {
    let (from, to) = (source.join(name), target.join(name));
    let file = File::open(&from).map_err(|source| failed(&from, source))?;
    let mut copy = File::create(&to).map_err(|source| CopyError::File { path: to.clone(), source })?;
    io::copy(&mut file.take(bytes), &mut copy).map_err(|source| CopyError::File { path: to, source })?;
    Ok(())
}

fn write(target: &FilePath, name: &str, bytes: &[u8]) -> Result<(), CopyError> {
    let path = target.join(name);
    fs::write(&path, bytes).map_err(|source| CopyError::File { path, source })
}

/// A file that was there when the folder was listed and is gone is a sign of a process at work.
fn failed(path: &FilePath, source: io::Error) -> CopyError {
    match source.kind() {
        io::ErrorKind::NotFound => CopyError::Moved,
        _ => CopyError::File { path: path.to_owned(), source },
    }
}

/// Reads the copy once, which writes nothing, and removes the tables its list does not name: those
/// the process was only writing, or did no longer need.
fn keep_listed_tables(folder: &FilePath) -> Result<(), CopyError> {
    let damaged = |error: rocksdb::Error| CopyError::Damaged(error.to_string());
    let engine = DB::open_cf_for_read_only(&Options::default(), folder, COLUMN_FAMILIES, false).map_err(damaged)?;
    let live = engine.live_files().map_err(damaged)?;
    let live: BTreeSet<&str> = live.iter().map(|file| file.name.trim_start_matches('/')).collect();
    for (name, _) in Listing::of(folder)?.tables {
        if !live.contains(name.as_str()) {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|source| CopyError::File { path, source })?;
        }
    }
    COLUMN_FAMILIES.into_iter().try_for_each(|name| read_all(&engine, name)).map_err(CopyError::Damaged)
}

/// Reads every key, so that the engine checks every block: the iterators of the trees above take a
/// block that cannot be read for the end of their tree.
fn read_all(engine: &DB, column_family: &str) -> Result<(), String> {
    let handle = engine.cf_handle(column_family).ok_or_else(|| format!("there is no '{column_family}'"))?;
    let mut options = ReadOptions::default();
    options.fill_cache(false);
    let mut rows = engine.raw_iterator_cf_opt(handle, options);
    rows.seek_to_first();
    while rows.valid() {
        rows.next();
    }
    rows.status().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::SystemTime;

    use super::*;
    use crate::store::{Element, Store, StoreOp, TreeKind};
    use crate::tree::Path;
    use platform_version::rules::state::GroveChoice;

    type Contents = BTreeMap<String, (SystemTime, Vec<u8>)>;

    fn contents(folder: &FilePath) -> Contents {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        files
            .map(|file| {
                let modified = file.metadata().unwrap().modified().unwrap();
                (file.file_name().into_string().unwrap(), (modified, fs::read(file.path()).unwrap()))
            })
            .collect()
    }

    fn open(folder: &FilePath) -> Store {
        Store::open(folder, GroveChoice::V2).unwrap()
    }

    fn put(store: &Store, number: u32) {
        let transaction = store.begin();
        let tree = StoreOp::put(Path::default(), [1], Element::Tree(TreeKind::Normal, None));
        let item = StoreOp::put(Path::root(1), number.to_be_bytes(), Element::Item(vec![7; 100], None));
        let operations = if number == 0 { vec![tree, item] } else { vec![item] };
        transaction.apply(operations).unwrap();
        store.commit(transaction).unwrap();
    }

    fn copied(source: &FilePath) -> Result<tempfile::TempDir, CopyError> {
        let target = tempfile::tempdir().unwrap();
        copy_store(source, target.path()).map(|()| target)
    }

    #[test]
    fn a_copy_of_an_open_store_has_its_state_and_leaves_it_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        put(&store, 0);
        drop(store);
        // the second start turns the log into a table
        let store = open(folder.path());
        put(&store, 1);
        let before = contents(folder.path());
        assert!(before.keys().any(|name| name.ends_with(".sst")), "{:?}", before.keys());
        let copy = copied(folder.path()).unwrap();
        {
            let inspected = open(copy.path());
            assert_eq!(inspected.root_hash().unwrap(), store.root_hash().unwrap());
            // even writing to the copy does not reach the source
            (2..50).for_each(|number| put(&inspected, number));
        }
        drop(open(copy.path()));
        assert_eq!(contents(folder.path()), before);
        put(&store, 2);
    }

    #[test]
    fn a_table_nothing_names_is_not_shared() {
        let folder = tempfile::tempdir().unwrap();
        put(&open(folder.path()), 0);
        fs::write(folder.path().join("000099.sst"), b"only begun").unwrap();
        let before = contents(folder.path());
        let copy = copied(folder.path()).unwrap();
        assert!(!copy.path().join("000099.sst").exists());
        drop(open(copy.path()));
        assert_eq!(contents(folder.path()), before);
    }

    #[test]
    fn folders_of_others_and_damaged_ones_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(copied(folder.path()), Err(CopyError::NotAStore(_))));
        for text in ["", "MANIFEST-1", "../../etc/passwd\n", "MANIFEST-x\n", "MANIFEST-../1\n", "\u{0}\n"] {
            fs::write(folder.path().join(CURRENT), text).unwrap();
            assert!(matches!(copied(folder.path()), Err(CopyError::NotAStore(_))), "{text:?}");
        }
        fs::write(folder.path().join(CURRENT), "MANIFEST-000001\n").unwrap();
        assert!(matches!(copied(folder.path()), Err(CopyError::Moved)), "the list it names is not there");
        fs::write(folder.path().join("MANIFEST-000001"), "nothing of the kind").unwrap();
        assert!(matches!(copied(folder.path()), Err(CopyError::Damaged(_))));
    }

    #[test]
    fn a_folder_rearranged_meanwhile_is_noticed_and_a_commit_meanwhile_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        put(&open(folder.path()), 0);
        let target = tempfile::tempdir().unwrap();
        let restart = || put(&open(folder.path()), 1);
        assert!(matches!(copy_while(folder.path(), target.path(), restart), Err(CopyError::Moved)));
        let target = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        copy_while(folder.path(), target.path(), || put(&store, 2)).unwrap();
        assert_eq!(open(target.path()).root_hash().unwrap(), store.root_hash().unwrap());
    }

    #[test]
    fn copies_beside_a_process_that_rearranges_its_files_hold_a_commit_whole() {
        let folder = tempfile::tempdir().unwrap();
        put(&open(folder.path()), 0);
        let hashes = Mutex::new(vec![open(folder.path()).root_hash().unwrap()]);
        let (committed, done) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut good = 0;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for start in 1..40 {
                    // a start turns the log into a table, and takes a new log and a new list
                    let store = open(folder.path());
                    for number in 0..5 {
                        let transaction = store.begin();
                        let value = Element::Item(vec![start; 100], None);
                        transaction.apply(vec![StoreOp::put(Path::root(1), [number], value)]).unwrap();
                        hashes.lock().unwrap().push(transaction.root_hash().unwrap());
                        store.commit(transaction).unwrap();
                        committed.fetch_add(1, Ordering::SeqCst);
                    }
                }
                done.store(true, Ordering::SeqCst);
            });
            while !done.load(Ordering::SeqCst) {
                let at_least = committed.load(Ordering::SeqCst);
                match copied(folder.path()) {
                    Ok(copy) => {
                        let copy = open(copy.path());
                        let hash = copy.root_hash().unwrap();
                        let position = hashes.lock().unwrap().iter().rposition(|known| *known == hash).unwrap();
                        assert!(position >= at_least, "commit {position} is older than {at_least}");
                        assert_eq!(copy.verify().unwrap(), 0);
                        good += 1;
                    }
                    Err(CopyError::Moved) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        });
        assert!(good > 0);
    }

    #[test]
    fn a_block_that_cannot_be_read_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        (0..200).for_each(|number| put(&store, number));
        drop(store);
        drop(open(folder.path()));
        let tables: Vec<_> = contents(folder.path()).into_iter().filter(|(name, _)| name.ends_with(".sst")).collect();
        let (name, (_, mut bytes)) = tables.into_iter().max_by_key(|(_, (_, bytes))| bytes.len()).unwrap();
        bytes[1_000] ^= 1;
        fs::write(folder.path().join(name), bytes).unwrap();
        assert!(matches!(copied(folder.path()), Err(CopyError::Damaged(_))));
    }
}
