//! Files of the repository as the checks see them, and what a check finds.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::lexer;

/// What nobody wrote: history (a file in a second working copy) and build output.
const SKIPPED: [&str; 2] = [".git", "target"];

/// A text file, with its path relative to the repository's root.
pub struct Source {
    /// Path with forward slashes.
    pub path: String,
    /// All of it.
    pub text: String,
    /// Without comments.
    pub uncommented: String,
    /// Without comments and without what strings hold.
    pub code: String,
    /// `code` without tests.
    pub product: String,
}

/// Something a rule refuses.
#[derive(Debug)]
pub struct Offence {
    /// File.
    pub path: String,
    /// Line from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}:{}: {}", self.path, self.line, self.what)
    }
}

impl Source {
    /// Reads a text the way the checks want it. Only Rust has comments and tests to leave out.
    pub fn new(path: &str, text: &str) -> Self {
        let rust = path.ends_with(".rs");
        let (uncommented, code) = if rust { lexer::blank(text) } else { (text.to_owned(), text.to_owned()) };
        let product = if is_test_file(path) { String::new() } else { lexer::without_tests(&code) };
        Self { path: path.to_owned(), text: text.to_owned(), uncommented, code, product }
    }

    /// An offence at a byte of the file; all forms of a source have the same lines.
    pub fn offence(&self, at: usize, what: impl Into<String>) -> Offence {
        Offence { path: self.path.clone(), line: lexer::line_of(&self.text, at), what: what.into() }
    }

    /// An offence of the file as a whole.
    pub fn offence_as_a_whole(&self, what: impl Into<String>) -> Offence {
        Offence { path: self.path.clone(), line: 0, what: what.into() }
    }

    /// Whether all of the file is test code.
    pub fn is_test(&self) -> bool {
        is_test_file(&self.path)
    }
}

fn is_test_file(path: &str) -> bool {
    let in_folder = |folder: &str| path.starts_with(&format!("{folder}/")) || path.contains(&format!("/{folder}/"));
    ["tests", "benches", "fuzz"].into_iter().any(in_folder) || path.ends_with("/tests.rs")
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every Rust file of the packages and of the tests.
pub fn rust_sources() -> Vec<Source> {
    let files = read_below(&["packages", "tests", "benches"]);
    files.into_iter().filter(|(path, _)| path.ends_with(".rs")).map(|(path, text)| Source::new(&path, &text)).collect()
}

/// Every text file of the repository.
pub fn committed_files() -> Vec<Source> {
    read_below(&[""]).into_iter().map(|(path, text)| Source::new(&path, &text)).collect()
}

fn read_below(folders: &[&str]) -> Vec<(String, String)> {
    let root = root();
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        // what is no text is no source
        let text = std::fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok())?;
        let relative = path.strip_prefix(&root).unwrap();
        Some((relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"), text))
    };
    paths.into_iter().filter_map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let kind = entry.file_type().unwrap();
        if SKIPPED.contains(&&*name.to_string_lossy()) {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), paths);
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}
