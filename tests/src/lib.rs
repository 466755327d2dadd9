//! Builders shared by the stories in `tests/`.

pub mod strategies;
