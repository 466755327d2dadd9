//! What may not be there: the store outside its room, paths of a machine, unfinished work.

use regex::Regex;

use crate::sources::{Offence, Source};

/// The rooms that speak to grovedb: a node's, and a light client's, which has no database.
const STORE: [&str; 2] = ["packages/drive/src/store/", "packages/drive/src/proof/"];

/// Files outside those rooms that may name grovedb, and why.
const NAMES_STORE: [(&str, &str); 2] = [
    ("benches/src/bare.rs", "the bare side of the ratios"),
    ("packages/platform-version/src/rules/state.rs", "pins the store's own version table by name"),
];

/// Packages that may depend on a crate of grovedb, and why.
const DEPENDS_ON_STORE: [(&str, &str); 3] = [
    ("benches/Cargo.toml", "the bare side of the ratios"),
    ("packages/drive/Cargo.toml", "the store is its room"),
    ("packages/platform-version/Cargo.toml", "grovedb-version alone: the pinned version table, no database"),
];

/// Uses of grovedb outside its rooms.
pub fn store_named(sources: &[Source]) -> Vec<Offence> {
    let name = Regex::new(r"\bgrovedb\w*\b").unwrap();
    let mut offences = Vec::new();
    for source in sources.iter().filter(|source| !STORE.iter().any(|room| source.path.starts_with(room))) {
        if NAMES_STORE.iter().any(|(path, _)| *path == source.path) {
            continue;
        }
        let found = name.find_iter(&source.code);
        offences.extend(found.map(|found| source.offence(found.start(), "names grovedb: go through `drive::store`")));
    }
    let stale = NAMES_STORE
        .iter()
        .filter(|(path, _)| sources.iter().any(|source| source.path == *path && !name.is_match(&source.code)));
    offences.extend(stale.map(|(path, _)| Source::new(path, "").offence_as_a_whole("no longer an exception")));
    offences
}

/// Packages that depend on a crate of grovedb.
pub fn store_dependencies(files: &[Source]) -> Vec<Offence> {
    let dependency = Regex::new(r"(?m)^\s*grovedb[\w-]*\s*[.=]").unwrap();
    let manifests = files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    let others = manifests.filter(|file| !DEPENDS_ON_STORE.iter().any(|(path, _)| *path == file.path));
    let found = |file: &Source| {
        let found = dependency.find(&file.text)?;
        Some(file.offence(found.end(), "depends on grovedb"))
    };
    others.filter_map(found).collect()
}

/// Absolute paths of one machine, in any text file.
pub fn machine_paths(files: &[Source]) -> Vec<Offence> {
    // in pieces, or this file would be an offender
    let folders = ["work", "root", "home", "Users", "tmp"].map(|folder| format!("(?:^|[\\s\"'`(=:])/{folder}/"));
    let path = Regex::new(&format!("(?m){}", folders.join("|"))).unwrap();
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.path != "Cargo.lock") {
        offences.extend(path.find_iter(&file.text).map(|found| {
            file.offence(found.end() - 1, format!("names a path of one machine: `{}`", found.as_str().trim()))
        }));
    }
    offences
}

/// Work left open, tests that do not run, and output left from debugging.
pub fn unfinished(sources: &[Source]) -> Vec<Offence> {
    let open = Regex::new(r"\b(?:todo|unimplemented|dbg)!|#\[ignore\b|#\[should_panic\b").unwrap();
    let mut offences = Vec::new();
    for source in sources {
        let found = open.find_iter(&source.code);
        offences.extend(found.map(|found| source.offence(found.start(), format!("`{}`", found.as_str()))));
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_outside_its_room_is_found() {
        let count = |path: &str, text: &str| store_named(&[Source::new(path, text)]).len();
        assert_eq!(count("packages/drive/src/pool/mod.rs", "use grovedb::Element;\nfn a() -> grovedb_costs::B {}"), 2);
        assert_eq!(count("packages/drive/src/store/mod.rs", "use grovedb::Element;"), 0);
        assert_eq!(count("packages/drive/src/pool/mod.rs", "// grovedb keeps it\nlet a = \"grovedb\";"), 0);
        assert_eq!(count("packages/platform-version/src/rules/state.rs", "fn a() {}"), 1, "a stale exception");
    }

    #[test]
    fn dependencies_on_the_store_are_found() {
        let count = |path: &str, text: &str| store_dependencies(&[Source::new(path, text)]).len();
        assert_eq!(count("packages/dpp/Cargo.toml", "[dependencies]\ngrovedb.workspace = true"), 1);
        assert_eq!(count("packages/dpp/Cargo.toml", "[dependencies]\ngrovedb-costs = \"1\""), 1);
        assert_eq!(count("packages/drive/Cargo.toml", "[dependencies]\ngrovedb.workspace = true"), 0);
        assert_eq!(count("packages/dpp/Cargo.toml", "[dependencies]\nserde = \"1\""), 0);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let count = |text: &str| machine_paths(&[Source::new("docs/a.md", text)]).len();
        for folder in ["work", "root", "home"] {
            assert_eq!(count(&format!("see /{folder}/a and `/{folder}/b`")), 2, "{folder}");
        }
        assert_eq!(count("https://example.org/home/a, packages/work/b, and the root/ of it"), 0);
    }

    #[test]
    fn open_work_is_found() {
        let count = |text: &str| unfinished(&[Source::new("packages/a/src/lib.rs", text)]).len();
        assert_eq!(count("fn a() { todo!() }\n#[ignore]\nfn b() { unimplemented!(\"c\") }"), 3);
        assert_eq!(count("// todo!()\nfn a() { let b = \"todo!\"; }"), 0);
    }
}
