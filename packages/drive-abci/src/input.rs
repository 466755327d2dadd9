//! Bounded reading of the files people write: strategies, genesis files, contracts.
//!
//! Invariants: a file is refused by its size before it is read, and its nesting, aliases and nodes
//! are bounded while it is parsed; an error names the file, the place in it and what to do.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// Bytes of the largest file that is read.
pub const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Nested lists and maps a file may hold; reading recurses, so the stack bounds this.
const MAX_DEPTH: usize = 32;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be read.
    #[error("cannot read the {what} '{}': {source}", path.display())]
    Unreadable {
        /// What the file is for.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is larger than any sensible one.
    #[error("the {what} '{}' is larger than {MAX_FILE_BYTES} bytes", path.display())]
    TooLarge {
        /// What the file is for.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The file's content is not what it should be.
    #[error("the {what} '{}' is not valid: {reason}", path.display())]
    Invalid {
        /// What the file is for.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong, with the place.
        reason: String,
    },
}

impl InputError {
    /// A file whose content breaks a rule of its own.
    pub fn invalid(what: &'static str, path: &Path, reason: impl Into<String>) -> Self {
        Self::Invalid { what, path: path.to_owned(), reason: reason.into() }
    }
}

/// Reads a file as UTF-8 text, up to [`MAX_FILE_BYTES`].
pub fn read_text(what: &'static str, path: &Path) -> Result<String, InputError> {
    let unreadable = |source| InputError::Unreadable { what, path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_FILE_BYTES) {
        return Err(InputError::TooLarge { what, path: path.to_owned() });
    }
    String::from_utf8(bytes).map_err(|_| InputError::invalid(what, path, "it is not UTF-8 text"))
}

/// Reads a YAML or JSON file into `T`.
pub fn read_document<T: DeserializeOwned>(what: &'static str, path: &Path) -> Result<T, InputError> {
    parse_document(&read_text(what, path)?).map_err(|reason| InputError::invalid(what, path, reason))
}

/// Parses YAML 1.2, of which JSON is a part, into `T`; the error has line and column.
pub fn parse_document<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_documents: 1,
            max_aliases: 1_000,
            max_anchors: 1_000,
        },
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        name: String,
        on: bool,
    }

    #[test]
    fn yaml_and_json_give_the_same() {
        let sample = Sample { name: "a".into(), on: true };
        assert_eq!(parse_document::<Sample>("name: a\non: true\n"), Ok(Sample { name: "a".into(), on: true }));
        assert_eq!(parse_document::<Sample>(r#"{"name": "a", "on": true}"#), Ok(sample));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let unknown = parse_document::<Sample>("name: a\non: true\nfoo: 1\n").unwrap_err();
        assert!(unknown.contains("foo") && unknown.contains("line 3"), "{unknown}");
        let old_boolean = parse_document::<Sample>("name: a\non: yes\n").unwrap_err();
        assert!(old_boolean.contains("line 2"), "{old_boolean}");
    }

    #[test]
    fn hostile_documents_are_refused() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert!(parse_document::<serde_json::Value>(&deep).is_err());
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned()
            + &('b'..='z')
                .map(|c| format!("{c}: &{c} [{}]\n", vec![format!("*{}", (c as u8 - 1) as char); 9].join(",")))
                .collect::<String>();
        assert!(parse_document::<serde_json::Value>(&bomb).is_err());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_text("strategy", Path::new("/nowhere/x.yaml")).unwrap_err().to_string();
        assert!(error.contains("strategy") && error.contains("/nowhere/x.yaml"), "{error}");
    }
}
