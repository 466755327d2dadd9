//! Builders shared by the stories in `tests/`.

#![allow(clippy::expect_used, clippy::panic, reason = "a story that cannot be set up has failed")]

pub mod strategies;
