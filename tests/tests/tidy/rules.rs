//! `docs/rules.md` against the code: each rule is quoted where it is enforced and where it is tested.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::lexer::without_tests;
use crate::sources::{Offence, Source};

const PAGE: &str = "docs/rules.md";
const WAITING: &str = "## Waiting";

/// Ids of the page, with where they stand.
struct Page<'a> {
    page: &'a Source,
    listed: BTreeMap<String, usize>,
    waiting: BTreeMap<String, usize>,
    offences: Vec<Offence>,
}

impl<'a> Page<'a> {
    fn read(page: &'a Source) -> Self {
        let row = Regex::new(r"(?m)^\| (TTL-\d+) \|").unwrap();
        let waiting_from = page.text.find(WAITING).unwrap_or(page.text.len());
        let mut read = Self { page, listed: BTreeMap::new(), waiting: BTreeMap::new(), offences: Vec::new() };
        for found in row.captures_iter(&page.text).map(|found| found.get(1).unwrap()) {
            let rows = if found.start() < waiting_from { &mut read.listed } else { &mut read.waiting };
            if rows.insert(found.as_str().to_owned(), found.start()).is_some() {
                read.offences.push(page.offence(found.start(), format!("{} is given twice", found.as_str())));
            }
        }
        for (id, at) in read.waiting.iter().filter(|(id, _)| !read.listed.contains_key(*id)) {
            read.offences.push(page.offence(*at, format!("{id} waits and is no rule")));
        }
        read
    }
}

/// Quotes of rules in comments, by id.
#[derive(Default)]
struct Quotes {
    enforced: BTreeSet<String>,
    tested: BTreeSet<String>,
    places: Vec<(String, Offence)>,
}

impl Quotes {
    fn read(sources: &[Source]) -> Self {
        let quote = Regex::new(r"// # Rule (TTL-\d+)\b").unwrap();
        let mut quotes = Self::default();
        for source in sources.iter().filter(|source| !source.path.starts_with("tests/tests/tidy/")) {
            // comments are no code, so tests are told apart on the source itself
            let product = if source.is_test() { String::new() } else { without_tests(&masked(source)) };
            for found in quote.captures_iter(&source.text).map(|found| found.get(1).unwrap()) {
                let id = found.as_str().to_owned();
                let enforced = product.as_bytes().get(found.start()).is_some_and(|byte| *byte != b' ');
                let set = if enforced { &mut quotes.enforced } else { &mut quotes.tested };
                set.insert(id.clone());
                quotes.places.push((id, source.offence(found.start(), "quotes a rule that is not on the page")));
            }
        }
        quotes
    }
}

/// The code of a source with its comments' letters as `x`, so that their braces do not count.
fn masked(source: &Source) -> String {
    let text = source.text.bytes().zip(source.uncommented.bytes()).zip(source.code.bytes());
    let mask = |((text, uncommented), code): ((u8, u8), u8)| {
        let in_comment = text != uncommented;
        if in_comment { b'x' } else { code }
    };
    String::from_utf8(text.map(mask).collect()).unwrap()
}

/// Rules without a quote in code or tests, quotes without a rule, and rules that no longer wait.
pub fn not_held_together(files: &[Source], sources: &[Source]) -> Vec<Offence> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Source::new(PAGE, "").offence_as_a_whole("is missing")];
    };
    let mut page = Page::read(page);
    let quotes = Quotes::read(sources);
    let mut offences = std::mem::take(&mut page.offences);
    for (id, at) in &page.listed {
        let (enforced, tested) = (quotes.enforced.contains(id), quotes.tested.contains(id));
        let what = match (enforced, tested, page.waiting.get(id)) {
            (true, true, None) | (false, _, Some(_)) | (true, false, Some(_)) => continue,
            (true, true, Some(waiting)) => {
                offences.push(page.page.offence(*waiting, format!("{id} no longer waits: it is enforced and tested")));
                continue;
            }
            (false, false, None) => "neither in the code that enforces it nor in a test",
            (false, true, None) => "not in the code that enforces it",
            (true, false, None) => "not in a test",
        };
        offences.push(page.page.offence(*at, format!("{id} is quoted {what}")));
    }
    offences.extend(quotes.places.into_iter().filter(|(id, _)| !page.listed.contains_key(id)).map(|(_, place)| place));
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rules: &[u8], waiting: &[u8]) -> Source {
        let rows = |ids: &[u8]| ids.iter().map(|id| format!("| TTL-{id} | x |\n")).collect::<String>();
        Source::new(PAGE, &format!("{}{WAITING}\n{}", rows(rules), rows(waiting)))
    }

    fn offences(page: Source, code: &str, test: &str) -> Vec<String> {
        let text = format!("{code}\nfn a() {{}}\n#[cfg(test)]\nmod tests {{\n{test}\nfn b() {{}}\n}}");
        let sources = [Source::new("packages/a/src/lib.rs", &text)];
        not_held_together(&[page], &sources).into_iter().map(|offence| offence.what).collect()
    }

    #[test]
    fn rules_that_are_not_quoted_are_found() {
        let quote = "// # Rule TTL-1: a {brace";
        assert_eq!(offences(page(&[1], &[]), quote, quote), [""; 0]);
        assert_eq!(offences(page(&[1], &[]), "", quote), ["TTL-1 is quoted not in the code that enforces it"]);
        assert_eq!(offences(page(&[1], &[]), quote, ""), ["TTL-1 is quoted not in a test"]);
        assert_eq!(offences(page(&[1], &[]), "", "").len(), 1);
        assert_eq!(offences(page(&[1, 11], &[]), quote, quote).len(), 1, "TTL-11 is another rule");
    }

    #[test]
    fn rules_that_wait_are_left_until_they_no_longer_do() {
        let quote = "// # Rule TTL-1";
        assert_eq!(offences(page(&[1], &[1]), "", ""), [""; 0]);
        assert_eq!(offences(page(&[1], &[1]), quote, ""), [""; 0]);
        assert_eq!(offences(page(&[1], &[1]), quote, quote), ["TTL-1 no longer waits: it is enforced and tested"]);
        assert_eq!(offences(page(&[], &[2]), "", ""), ["TTL-2 waits and is no rule"]);
    }

    #[test]
    fn quotes_without_a_rule_and_ids_given_twice_are_found() {
        assert_eq!(offences(page(&[], &[]), "// # Rule TTL-9", ""), ["quotes a rule that is not on the page"]);
        assert_eq!(offences(page(&[1, 1], &[1]), "", ""), ["TTL-1 is given twice"]);
        assert_eq!(not_held_together(&[], &[]).len(), 1, "a missing page");
    }
}
