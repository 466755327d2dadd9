//! A progress bar over blocks, on a terminal's standard error only.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str = "{bar:40} {pos}/{len} blocks  {elapsed}, {eta} left  {msg}";

/// A bar for so many blocks; `None`: how many is not known.
pub fn bar(blocks: Option<u64>) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(blocks, target);
    let style = match blocks {
        Some(_) => ProgressStyle::with_template(TEMPLATE),
        None => ProgressStyle::with_template("{spinner} {pos} blocks  {elapsed}"),
    };
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
