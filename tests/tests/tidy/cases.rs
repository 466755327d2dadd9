//! `docs/cases.md` against the tests: each case names tests that name it, or what it still waits for.

use std::collections::BTreeMap;

use regex::Regex;

use crate::sources::{Offence, Source, root};

const PAGE: &str = "docs/cases.md";

/// A row: id, title, the files that run it, what it waits for.
struct Row {
    id: String,
    files: Vec<String>,
    waits: bool,
    at: usize,
}

fn rows(page: &Source) -> Vec<Row> {
    let row = Regex::new(r"(?m)^\| ([A-Z]-\d{2}) \| [^|]+ \|([^|]*)\|([^|]*)\|$").unwrap();
    let file = Regex::new(r"`([^`]+\.rs)`").unwrap();
    let read = |found: regex::Captures<'_>| Row {
        id: found[1].to_owned(),
        files: file.captures_iter(&found[2]).map(|file| file[1].to_owned()).collect(),
        waits: !found[3].trim().is_empty(),
        at: found.get(0).unwrap().start(),
    };
    row.captures_iter(&page.text).map(read).collect()
}

/// Rows that name a file which does not name the case, or leave out one that does, rows with neither a test nor a reason, and ids
/// that tests name and the page does not have.
pub fn not_run(files: &[Source], sources: &[Source]) -> Vec<Offence> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Source::new(PAGE, "").offence_as_a_whole("is missing")];
    };
    let (mut offences, mut listed) = (Vec::new(), BTreeMap::new());
    for row in rows(page) {
        if row.files.is_empty() && !row.waits {
            offences.push(page.offence(row.at, format!("{} is run by nothing and waits for nothing", row.id)));
        }
        for file in &row.files {
            if !names(sources, file, &row.id) {
                offences.push(page.offence(row.at, format!("`{file}` does not name {}", row.id)));
            }
        }
        for file in left_out(sources, &row) {
            offences.push(page.offence(row.at, format!("`{file}` names {} and is not in its row", row.id)));
        }
        if let Some(first) = listed.insert(row.id.clone(), row.at) {
            offences.push(page.offence(first, format!("{} is given twice", row.id)));
        }
    }
    offences.extend(unknown(sources, &listed));
    offences
}

/// Tests that say they run a case; a property test's file of failures is none.
fn left_out<'s>(sources: &'s [Source], row: &'s Row) -> impl Iterator<Item = &'s str> {
    let paths = sources.iter().map(|source| source.path.as_str());
    let tests = paths.filter(|path| path.contains("/tests/") && !path.starts_with("tests/tests/tidy/"));
    tests.filter(|path| !row.files.iter().any(|file| file == path) && names(sources, path, &row.id))
}

/// Whether a comment of the file names the case, alone or within a span such as "C-01 to C-03".
fn names(sources: &[Source], path: &str, id: &str) -> bool {
    let Some(source) = sources.iter().find(|source| source.path == path) else { return false };
    comments(source).any(|(_, comment)| cases_of(comment).iter().any(|(named, _)| named == id))
}

fn comments(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    lines.filter(|(_, line)| line.trim_start().starts_with("//"))
}

/// Ids a comment names, with where they stand in it; a span names all within it.
fn cases_of(comment: &str) -> Vec<(String, usize)> {
    let case = Regex::new(r"\b([BCDEFOPQU])-(\d{2})\b(?: to [BCDEFOPQU]-(\d{2})\b)?").unwrap();
    let mut cases = Vec::new();
    for found in case.captures_iter(comment) {
        let (group, at) = (&found[1], found.get(0).unwrap().start());
        let first: u32 = found[2].parse().unwrap();
        let last = found.get(3).map_or(first, |last| last.as_str().parse().unwrap());
        cases.extend((first..=last).map(|number| (format!("{group}-{number:02}"), at)));
    }
    cases
}

fn unknown(sources: &[Source], listed: &BTreeMap<String, usize>) -> Vec<Offence> {
    let mut offences = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with("tests/tests/tidy/")) {
        for (start, comment) in comments(source) {
            for (id, at) in cases_of(comment).into_iter().filter(|(id, _)| !listed.contains_key(id)) {
                offences.push(source.offence(start + at, format!("names {id}, which {PAGE} does not have")));
            }
        }
    }
    offences
}

/// Tests named on the page that are not there.
pub fn missing_files(files: &[Source]) -> Vec<Offence> {
    let page = files.iter().filter(|file| file.path == PAGE);
    let mut offences = Vec::new();
    for page in page {
        for row in rows(page) {
            let missing = row.files.iter().filter(|file| !root().join(file).exists());
            offences.extend(missing.map(|file| page.offence(row.at, format!("no such file: `{file}`"))));
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offences(page: &str, test: &str) -> Vec<String> {
        let page = Source::new(PAGE, page);
        let test = Source::new("tests/tests/a.rs", test);
        not_run(&[page], &[test]).into_iter().map(|offence| offence.what).collect()
    }

    #[test]
    fn rows_and_tests_are_held_together() {
        let good = "| C-01 | a title | `tests/tests/a.rs` | |\n| C-02 | another |  | proofs |\n";
        assert_eq!(offences(good, "/// C-01: runs\nfn a() {}"), [""; 0]);
        assert_eq!(offences(good, "// none\nlet a = \"C-01\";"), ["`tests/tests/a.rs` does not name C-01"]);
        assert_eq!(offences("| C-01 | t |  | |\n", ""), ["C-01 is run by nothing and waits for nothing"]);
        assert_eq!(offences("| C-01 | t |  | x |\n| C-01 | t |  | x |\n", ""), ["C-01 is given twice"]);
        assert_eq!(offences("| C-01 | t | `b.rs` | x |\n", ""), ["`b.rs` does not name C-01"]);
        assert_eq!(not_run(&[], &[]).len(), 1, "a missing page");
    }

    #[test]
    fn spans_name_all_within_them_and_ids_nobody_lists_are_found() {
        let page = "| C-01 | t | `tests/tests/a.rs` | |\n| C-02 | t | `tests/tests/a.rs` | |\n";
        assert_eq!(offences(page, "// C-01 to C-02"), [""; 0]);
        assert_eq!(offences(page, "// C-01 to C-03"), [format!("names C-03, which {PAGE} does not have")]);
        // no case: other letters, other lengths
        assert_eq!(offences(page, "// C-01 to C-02; TTL-14, A-01, C-100, UTF-16"), [""; 0]);
    }

    #[test]
    fn files_that_are_not_there_are_found() {
        let page = Source::new(PAGE, "| C-01 | t | `tests/tests/none.rs` | |\n");
        assert_eq!(missing_files(&[page]).len(), 1);
    }
}
