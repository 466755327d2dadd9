//! Documents against what they speak of: commands, packages, links.

use std::collections::BTreeSet;

use regex::Regex;

use crate::sources::{Offence, Source, root};

/// A file that must exist, or the offence that it does not.
fn required<'a>(files: &'a [Source], path: &str) -> Result<&'a Source, Vec<Offence>> {
    let missing = || vec![Source::new(path, "").offence_as_a_whole("is missing")];
    files.iter().find(|file| file.path == path).ok_or_else(missing)
}

/// `make` targets the README names that the Makefile lacks.
pub fn unknown_make_targets(files: &[Source]) -> Vec<Offence> {
    let (readme, makefile) = match (required(files, "README.md"), required(files, "Makefile")) {
        (Ok(readme), Ok(makefile)) => (readme, makefile),
        (readme, makefile) => return [readme.err(), makefile.err()].into_iter().flatten().flatten().collect(),
    };
    let target = Regex::new(r"(?m)^([\w-]+(?: [\w-]+)*)\s*:(?:[^=]|$)").unwrap();
    let targets: BTreeSet<&str> =
        target.captures_iter(&makefile.text).flat_map(|found| found.get(1).unwrap().as_str().split(' ')).collect();
    // in code only: "make sure" is no command
    let command = Regex::new(r"(?m)(?:`|^\s*(?:\$ )?)make ([a-z][\w-]*)").unwrap();
    let commands = command.captures_iter(&readme.text).map(|found| found.get(1).unwrap());
    let unknown = commands.filter(|command| !targets.contains(command.as_str()));
    unknown
        .map(|found| readme.offence(found.start(), format!("no target `{}` in the Makefile", found.as_str())))
        .collect()
}

/// Packages of the workspace without a table row in ARCHITECTURE.md.
pub fn packages_without_row(files: &[Source]) -> Vec<Offence> {
    let architecture = match required(files, "ARCHITECTURE.md") {
        Ok(architecture) => architecture,
        Err(missing) => return missing,
    };
    let package = Regex::new(r"^packages/([\w-]+)/Cargo\.toml$").unwrap();
    let packages = files.iter().filter_map(|file| package.captures(&file.path).map(|found| found[1].to_owned()));
    let has_row = |package: &String| {
        let named = Regex::new(&format!(r"(?m)^\|[^|\n]*(?:`|/){package}(?:`|/)")).unwrap();
        named.is_match(&architecture.text)
    };
    let without = packages.filter(|package| !has_row(package));
    without.map(|package| architecture.offence_as_a_whole(format!("no table row for `{package}`"))).collect()
}

/// Relative links in Markdown that lead to no file.
pub fn dead_links(files: &[Source]) -> Vec<Offence> {
    let link = Regex::new(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)").unwrap();
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md")) {
        let folder = root().join(&file.path).parent().unwrap().to_owned();
        for found in link.captures_iter(&file.text).map(|found| found.get(1).unwrap()) {
            if !found.as_str().contains("://") && !folder.join(found.as_str()).exists() {
                offences.push(file.offence(found.start(), format!("leads nowhere: `{}`", found.as_str())));
            }
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_without_target_are_found() {
        let makefile = Source::new("Makefile", ".PHONY: demo\nA := 1\ndemo test: setup\n\trun\ncheck:\n");
        let readme =
            Source::new("README.md", "`make demo`, make sure, `make fly`\n\n    make check\n    $ make swim\n");
        let files = [readme, makefile];
        let found: Vec<_> = unknown_make_targets(&files).into_iter().map(|offence| offence.what).collect();
        assert_eq!(found, ["no target `fly` in the Makefile", "no target `swim` in the Makefile"]);
        assert_eq!(unknown_make_targets(&files[..1]).len(), 1, "a missing Makefile");
        assert_eq!(unknown_make_targets(&[]).len(), 2, "both missing");
    }

    #[test]
    fn packages_without_row_are_found() {
        let package = |name: &str| Source::new(&format!("packages/{name}/Cargo.toml"), "");
        let architecture =
            Source::new("ARCHITECTURE.md", "| `packages/drive-abci` | x |\nthe `dpp` package\n| `drive` | y |");
        let files = [architecture, package("drive-abci"), package("dpp"), package("drive")];
        let found: Vec<_> = packages_without_row(&files).into_iter().map(|offence| offence.what).collect();
        assert_eq!(found, ["no table row for `dpp`"]);
        assert_eq!(packages_without_row(&files[1..]).len(), 1, "a missing page");
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let page =
            Source::new("docs/a.md", "[a](errors.md) [b](../Cargo.toml#x) [c](https://a.b/c) [d](#e) [f](none.md)");
        let found: Vec<_> = dead_links(&[page]).into_iter().map(|offence| offence.what).collect();
        assert_eq!(found, ["leads nowhere: `none.md`"]);
    }
}
