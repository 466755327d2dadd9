//! Builders shared by the stories in `tests/`.
