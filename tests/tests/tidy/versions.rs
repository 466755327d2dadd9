//! Protocol versions: no comparisons, one place a rule, no network names.

use std::collections::BTreeMap;

use regex::Regex;

use crate::sources::{Offence, Source};

const TABLES: &str = "packages/platform-version/";
const RULES: &str = "packages/platform-version/src/rules/";

/// Files that may compare version numbers, and why.
const COMPARISONS: [(&str, &str); 0] = [];

/// Rules that more than one file may decide by, and why.
const SHARED_RULES: [(&str, &str); 0] = [];

/// Where what a block does to state is decided.
const CONSENSUS: [&str; 6] = [
    "packages/platform-version/src/",
    "packages/dpp/src/",
    "packages/drive/src/",
    "packages/drive-abci/src/transition/",
    "packages/drive-abci/src/block/",
    "packages/drive-abci/src/upgrade/",
];

/// Comparisons and matches of protocol version numbers outside the tables' package.
pub fn compared(sources: &[Source]) -> Vec<Offence> {
    let version = r"(?:protocol_version|ProtocolVersion\(\w+\))(?:\(\))?(?:\.0)?";
    let sign = r"(?:==|!=|<=|>=|\s<\s|\s>\s)";
    let patterns = [
        format!(r"\b{version}\s*{sign}"),
        format!(r"{sign}\s*&?(?:\w+(?:\(\))?\.)*{version}"),
        format!(r"\bmatch\s+[\w.()]*{version}"),
    ];
    let pattern = Regex::new(&patterns.join("|")).unwrap();
    let mut offences = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with(TABLES)) {
        if COMPARISONS.iter().any(|(path, _)| *path == source.path) {
            continue;
        }
        let found = pattern.find_iter(&source.product);
        offences.extend(found.map(|found| source.offence(found.start(), "compares protocol versions: add a row")));
    }
    offences
}

/// Enums of the rules whose variants two or more files name.
pub fn rules_decided_twice(sources: &[Source]) -> Vec<Offence> {
    let enums = Regex::new(r"\bpub enum (\w+)").unwrap();
    let rules = sources.iter().filter(|source| source.path.starts_with(RULES));
    let names = rules.flat_map(|source| enums.captures_iter(&source.code).map(|found| found[1].to_owned()));
    names
        .filter(|name| !SHARED_RULES.iter().any(|(shared, _)| shared == name))
        .flat_map(|n| named(sources, &n))
        .collect()
}

/// The files that name variants of a rule, when there are several.
fn named(sources: &[Source], rule: &str) -> Vec<Offence> {
    // who hands a rule on names its type; who decides names a variant
    let variant = Regex::new(&format!(r"\b{rule}\s*::\s*[A-Z*{{]")).unwrap();
    let alias = Regex::new(&format!(r"\b{rule}\s+as\s")).unwrap();
    let mut places = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.path.starts_with(TABLES)) {
        if let Some(found) = variant.find(&source.product).or_else(|| alias.find(&source.product)) {
            places.insert(&source.path, source.offence(found.start(), format!("decides by `{rule}`, as others do")));
        }
    }
    if places.len() > 1 { places.into_values().collect() } else { vec![] }
}

/// Names of networks in code or strings of consensus packages.
pub fn network_names(sources: &[Source]) -> Vec<Offence> {
    let network = Regex::new(r"(?i)mainnet|testnet|devnet|regtest").unwrap();
    let mut offences = Vec::new();
    for source in sources.iter().filter(|source| CONSENSUS.iter().any(|folder| source.path.starts_with(folder))) {
        for found in network.find_iter(&source.uncommented) {
            let in_tests =
                source.product[found.range()].trim().is_empty() && !source.code[found.range()].trim().is_empty();
            if !in_tests {
                offences.push(source.offence(found.start(), format!("names a network: `{}`", found.as_str())));
            }
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "packages/a/src/lib.rs";

    #[test]
    fn comparisons_of_versions_are_found() {
        for bad in [
            "if rules.protocol_version == 14 {}",
            "if version.protocol_version.0 >= 14 {}",
            "if ProtocolVersion(14) <= rules.protocol_version {}",
            "let new = 13 < rules.protocol_version;",
            "match self.protocol_version { _ => {} }",
        ] {
            assert_eq!(compared(&[Source::new(LIB, bad)]).len(), 1, "{bad}");
            assert_eq!(compared(&[Source::new("packages/platform-version/src/a.rs", bad)]).len(), 0);
            assert_eq!(compared(&[Source::new("tests/tests/a.rs", bad)]).len(), 0);
        }
        for good in [
            "fn get(protocol_version: Option<ProtocolVersion>) -> u8 { 1 }",
            "let rules = PlatformVersion::get(block.protocol_version)?;",
            "// if protocol_version == 14\nlet a = \"protocol_version == 14\";",
            "let at = Block { protocol_version: version, height: 1 == 1 };",
        ] {
            assert_eq!(compared(&[Source::new(LIB, good)]).len(), 0, "{good}");
        }
    }

    #[test]
    fn rules_in_two_places_are_found() {
        let rule = Source::new("packages/platform-version/src/rules/fee.rs", "pub enum Choice { One, Two }");
        let table = Source::new("packages/platform-version/src/tables/v13.rs", "choice: Choice::One,");
        let decides = "use a::{Choice, b};\nmatch rules.choice { Choice::One => 1, Choice::Two => 2 }";
        let first = Source::new("packages/a/src/one.rs", decides);
        let import_only = Source::new("packages/a/src/two.rs", "use a::{Choice, b};\nfn a() {}");
        let tests = Source::new("packages/a/src/three.rs", "#[cfg(test)]\nmod tests { fn a() { Choice::One } }");
        let hands_on = Source::new("packages/b/src/four.rs", "fn a(choice: Choice) { b(choice) }");
        let mut sources = vec![rule, table, first, import_only, tests, hands_on];
        assert_eq!(rules_decided_twice(&sources).len(), 0);
        for bad in ["if choice == Choice::One {}", "use a::Choice::*;", "use a::Choice as C;"] {
            sources.push(Source::new("packages/b/src/five.rs", bad));
            assert_eq!(rules_decided_twice(&sources).len(), 2, "{bad}");
            sources.pop();
        }
    }

    #[test]
    fn network_names_are_found_in_code_and_strings() {
        let count = |path: &str, text: &str| network_names(&[Source::new(path, text)]).len();
        assert_eq!(count("packages/dpp/src/a.rs", "if network == Network::Testnet { \"mainnet\" }"), 2);
        assert_eq!(count("packages/dpp/src/a.rs", "// as mainnet does\nlet a = 1;"), 0);
        assert_eq!(count("packages/drive-abci/src/cli/a.rs", "let a = \"mainnet\";"), 0);
    }
}
