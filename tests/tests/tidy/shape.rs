//! Size and names: files, functions, folders.

use regex::Regex;

use crate::lexer::{body, line_of};
use crate::sources::{Offence, Source};

/// Lines of a file outside tests, of a function anywhere, and letters of a name.
const MOST_FILE_LINES: usize = 600;
const MOST_FUNCTION_LINES: usize = 120;
const MOST_NAME_LETTERS: usize = 40;

/// Folders whose names carry version numbers of byte forms: a form is never changed, only added to.
const ENCODINGS: [&str; 1] = ["packages/dpp/src/encoding/"];

/// Version tables are as long as there are rules.
const TABLES: &str = "packages/platform-version/src/tables/";

/// Files that do not begin with a module's documentation.
pub fn without_module_docs(sources: &[Source]) -> Vec<Offence> {
    let silent = sources.iter().filter(|source| !source.text.starts_with("//! "));
    silent.map(|source| source.offence(0, "open with `//!`: what it owns, units, invariants, what is absent")).collect()
}

/// Folders `v0`, `v1` and functions `…_v0`, `…_v1`, outside encodings.
pub fn named_by_version(sources: &[Source]) -> Vec<Offence> {
    let folder = Regex::new(r"/(v\d+)/").unwrap();
    let function = Regex::new(r"\bfn\s+(\w+_v\d+)\b").unwrap();
    let mut offences = Vec::new();
    for source in sources.iter().filter(|source| !ENCODINGS.iter().any(|encoding| source.path.starts_with(encoding))) {
        if let Some(found) = folder.captures(&source.path) {
            offences.push(source.offence(0, format!("folder `{}`: name it by what it does", &found[1])));
        }
        let functions = function.captures_iter(&source.code).map(|found| found.get(1).unwrap());
        let name = |name: regex::Match<'_>| {
            source.offence(name.start(), format!("`{}`: name it by what it does", name.as_str()))
        };
        offences.extend(functions.map(name));
    }
    offences
}

/// Files with too many lines, tests and tables apart.
pub fn long_files(sources: &[Source]) -> Vec<Offence> {
    let counted = sources.iter().filter(|source| !source.is_test() && !source.path.starts_with(TABLES));
    let mut offences = Vec::new();
    for source in counted {
        let lines = product_lines(source);
        if lines > MOST_FILE_LINES {
            offences.push(source.offence_as_a_whole(format!("{lines} lines, at most {MOST_FILE_LINES}: split it")));
        }
    }
    offences
}

/// All lines but those of `#[cfg(test)]` items.
fn product_lines(source: &Source) -> usize {
    let forms = source.text.lines().zip(source.code.lines().zip(source.product.lines()));
    forms.filter(|(_, (code, product))| code == product).count()
}

/// Functions with too many lines.
pub fn long_functions(sources: &[Source]) -> Vec<Offence> {
    let function = Regex::new(r"\bfn\s+(\w+)").unwrap();
    let mut offences = Vec::new();
    for source in sources {
        for found in function.captures_iter(&source.code) {
            let start = found.get(0).unwrap().start();
            let Some((_, end)) = body(&source.code, start) else { continue };
            let lines = line_of(&source.code, end) - line_of(&source.code, start) + 1;
            if lines > MOST_FUNCTION_LINES {
                let what = format!("`{}` has {lines} lines, at most {MOST_FUNCTION_LINES}: split it", &found[1]);
                offences.push(source.offence(start, what));
            }
        }
    }
    offences
}

/// Items with too long a name. Test code speaks in sentences and may be longer.
pub fn long_names(sources: &[Source]) -> Vec<Offence> {
    let item = Regex::new(r"\b(?:fn|struct|enum|trait|mod|const|static|type|union)\s+(\w+)").unwrap();
    let mut offences = Vec::new();
    for source in sources {
        let names = item.captures_iter(&source.product).map(|found| found.get(1).unwrap());
        for name in names.filter(|name| name.len() > MOST_NAME_LETTERS) {
            let what = format!("`{}`: more than {MOST_NAME_LETTERS} letters", name.as_str());
            offences.push(source.offence(name.start(), what));
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(check: fn(&[Source]) -> Vec<Offence>, path: &str, text: &str) -> usize {
        check(&[Source::new(path, text)]).len()
    }

    #[test]
    fn files_without_docs_are_found() {
        assert_eq!(count(without_module_docs, "packages/a/src/lib.rs", "// no\nfn a() {}"), 1);
        assert_eq!(count(without_module_docs, "packages/a/src/lib.rs", "//! Yes.\nfn a() {}"), 0);
    }

    #[test]
    fn names_with_versions_are_found() {
        assert_eq!(count(named_by_version, "packages/a/src/v0/mod.rs", "pub fn apply_v1(a: u8) {}"), 2);
        assert_eq!(count(named_by_version, "packages/a/src/tables/v13.rs", "// fn apply_v1\nfn v13() {}"), 0);
        assert_eq!(count(named_by_version, "packages/dpp/src/encoding/contract.rs", "fn read_v1() {}"), 0);
    }

    #[test]
    fn long_files_are_found_whatever_their_tests_weigh() {
        let lines = |count| "fn a() {}\n".repeat(count);
        assert_eq!(count(long_files, "packages/a/src/lib.rs", &lines(MOST_FILE_LINES + 1)), 1);
        assert_eq!(count(long_files, "packages/a/src/lib.rs", &lines(MOST_FILE_LINES)), 0);
        let tested = format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{}}}\n", lines(MOST_FILE_LINES));
        assert_eq!(count(long_files, "packages/a/src/lib.rs", &tested), 0);
        assert_eq!(count(long_files, "packages/a/tests/a.rs", &lines(2 * MOST_FILE_LINES)), 0);
    }

    #[test]
    fn long_functions_are_found() {
        let function = |lines: usize| format!("fn a(b: [u8; 2]) {{\n{}}}\n", "    let b = 1;\n".repeat(lines - 2));
        assert_eq!(count(long_functions, "packages/a/src/lib.rs", &function(MOST_FUNCTION_LINES + 1)), 1);
        assert_eq!(count(long_functions, "packages/a/src/lib.rs", &function(MOST_FUNCTION_LINES)), 0);
    }

    #[test]
    fn long_names_are_found() {
        let name = "a".repeat(MOST_NAME_LETTERS + 1);
        assert_eq!(count(long_names, "packages/a/src/lib.rs", &format!("struct {name};\nfn {name}() {{}}")), 2);
        let test = format!("#[cfg(test)]\nmod tests {{ fn {name}() {{}} }}");
        assert_eq!(count(long_names, "packages/a/src/lib.rs", &test), 0);
        assert_eq!(count(long_names, "packages/a/src/lib.rs", &format!("fn {}() {{}}", &name[1..])), 0);
    }
}
