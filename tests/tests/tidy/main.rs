//! The rules of this repository, held by tests: each check lists every offender as `file:line`.
//!
//! A check is a function from sources to offences, in the file of its subject, with its own tests that
//! it refuses a bad snippet and accepts a good one; the tests here run all of them over the repository.
//! Exceptions are constants beside their check, each with its reason; a stale exception is an offence too.
//! Absent: anything that needs a network, a build, or a version control system.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

mod boundaries;
mod cases;
mod documents;
mod lexer;
mod rules;
mod shape;
mod sources;
mod versions;

use sources::{Offence, Source, committed_files, rust_sources};

/// Fails with all offences, when there are any.
#[track_caller]
fn expect_none(rule: &str, offences: Vec<Offence>) {
    let lines: Vec<String> = offences.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{rule}: {} offences\n{}", lines.len(), lines.join("\n"));
}

fn check_rust(rule: &str, check: impl Fn(&[Source]) -> Vec<Offence>) {
    let sources = rust_sources();
    assert!(sources.len() > 50, "only {} sources found: is the repository's root where it was?", sources.len());
    expect_none(rule, check(&sources));
}

#[test]
fn every_source_opens_with_what_it_is_for() {
    check_rust("a file opens with `//!`", shape::without_module_docs);
}

#[test]
fn no_folder_or_function_is_named_by_a_version() {
    check_rust("names say what happens, not in which version", shape::named_by_version);
}

#[test]
fn files_and_functions_are_short() {
    check_rust("a file has one purpose", shape::long_files);
    check_rust("a function does one thing", shape::long_functions);
}

#[test]
fn names_are_short() {
    check_rust("a long name is a missing type", shape::long_names);
}

#[test]
fn nothing_is_left_unfinished() {
    check_rust("what is not supported is refused, not left open", boundaries::unfinished);
}

#[test]
fn versions_are_never_compared() {
    check_rust("a difference between versions is a row of the table", versions::compared);
}

#[test]
fn each_rule_is_decided_in_one_place() {
    check_rust("a rule is decided in one file outside the tables", versions::rules_decided_twice);
}

#[test]
fn no_rule_depends_on_the_name_of_a_network() {
    check_rust("networks differ by their parameters", versions::network_names);
}

#[test]
fn the_store_is_behind_one_room() {
    check_rust("only `drive`'s store speaks to grovedb", boundaries::store_named);
    expect_none("only `drive` depends on grovedb", boundaries::store_dependencies(&committed_files()));
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    expect_none("paths are relative to the repository", boundaries::machine_paths(&committed_files()));
}

#[test]
fn the_documents_tell_the_truth() {
    let files = committed_files();
    expect_none("a command in the README exists", documents::unknown_make_targets(&files));
    expect_none("ARCHITECTURE.md has a row for each package", documents::packages_without_row(&files));
    expect_none("a link in a document leads somewhere", documents::dead_links(&files));
}

#[test]
fn each_rule_is_quoted_where_it_is_enforced_and_where_it_is_tested() {
    expect_none("docs/rules.md and the quotes agree", rules::not_held_together(&committed_files(), &rust_sources()));
}

#[test]
fn each_acceptance_case_is_run_or_waits() {
    let files = committed_files();
    expect_none("docs/cases.md and the tests agree", cases::not_run(&files, &rust_sources()));
    expect_none("docs/cases.md names files that are there", cases::missing_files(&files));
}
