//! Golden files: state and app hashes as text, compared line by line, written anew only when asked.
//!
//! `UPDATE_GOLDEN=14 cargo test -p platform-tests --test golden` writes the files of 14 anew, `=13`
//! those of 13.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use drive::store::{Element, Reference};
use drive::tree::Path;

use crate::{Chain, invariants};

/// Compares text with the golden file of a version, or writes the file when its version is asked for.
pub fn matches(version: u32, name: &str, header: &str, text: &str) {
    let file: PathBuf = [env!("CARGO_MANIFEST_DIR"), "golden", &format!("v{version}"), name].iter().collect();
    let text = format!("{header}{text}");
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|asked| asked == version.to_string()) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &text).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(golden.lines()).position(|(ours, golden)| ours != golden);
    let length = text.lines().count() == golden.lines().count();
    if let Some(line) = differs {
        let at = |text: &str| text.lines().nth(line).unwrap_or_default().to_owned();
        panic!("{} line {}:\n  golden {}\n  ours   {}", file.display(), line + 1, at(&golden), at(&text));
    }
    assert!(length, "{} has another number of lines", file.display());
}

/// Every element at and below some paths: tree, key, element with its flags, all in hex.
pub fn elements(chain: &Chain<'_>, paths: &[Path]) -> String {
    let reader = chain.drive().reader();
    let mut text = String::new();
    for path in paths {
        for (place, key) in invariants::below(chain, path) {
            let element = reader.get(&place, &key).unwrap().unwrap();
            writeln!(text, "{place} {} {}", hex::encode(&key), described(&element)).unwrap();
        }
    }
    text
}

fn described(element: &Element) -> String {
    let flags = invariants::flags_of(element).map_or("-".to_owned(), hex::encode);
    let what = match element {
        Element::Item(value, _) => format!("item {}", hex::encode(value)),
        Element::SumItem(number, _) => format!("sum item {number}"),
        Element::Reference(reference, _) => format!("reference {}", pointed(reference)),
        Element::Tree(kind, _) => format!("tree {kind:?}"),
    };
    format!("{what} flags {flags}")
}

fn pointed(reference: &Reference) -> String {
    match reference {
        Reference::Upstream { kept_parts, appended, max_hops } => {
            let appended: Vec<String> = appended.iter().map(hex::encode).collect();
            format!("keeps {kept_parts} appends {} hops {max_hops}", appended.join("/"))
        }
        Reference::Sibling(key) => format!("sibling {}", hex::encode(key)),
    }
}
