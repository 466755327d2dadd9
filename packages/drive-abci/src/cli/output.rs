//! Where results and talk go, and whether in color.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::Serialize;

use super::Failure;

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// The two streams of the command.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    color_results: bool,
    color_errors: bool,
}

/// How a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// All is well.
    Good,
    /// The answer is no.
    Bad,
}

impl Output {
    /// Decides about colors.
    pub fn new(choice: ColorChoice) -> Self {
        let wanted = |is_terminal: bool| match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        Self { color_results: wanted(io::stdout().is_terminal()), color_errors: wanted(io::stderr().is_terminal()) }
    }

    /// Whether standard error is colored.
    pub fn colors_errors(&self) -> bool {
        self.color_errors
    }

    /// A result as text.
    pub fn result(&self, text: &str) -> Result<(), Failure> {
        write_result(format_args!("{}", visible(text)))
    }

    /// A result's last line, colored by what it means.
    pub fn verdict(&self, mood: Mood, text: &str) -> Result<(), Failure> {
        let color = match mood {
            Mood::Good => AnsiColor::Green,
            Mood::Bad => AnsiColor::Red,
        };
        let style = styled(self.color_results, color);
        write_result(format_args!("{style}{}{style:#}\n", visible(text)))
    }

    /// A result as JSON.
    pub fn json(&self, result: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(result).map_err(|error| Failure {
            message: format!("the result has no JSON form: {error}"),
            next_step: "run the command without --json".to_owned(),
        })?;
        write_result(format_args!("{text}\n"))
    }

    /// What goes on, on standard error.
    pub fn note(&self, text: &str) {
        io::stderr().write_all(format!("{}\n", visible(text)).as_bytes()).ok();
    }

    /// Why the command cannot run, on standard error.
    pub fn failure(&self, failure: &Failure) {
        let style = styled(self.color_errors, AnsiColor::Red);
        let (message, next_step) = (visible(&failure.message), visible(&failure.next_step));
        let text = format!("{style}error:{style:#} {message}\n  next: {next_step}\n");
        // nothing is left to tell it to when standard error is gone
        io::stderr().write_all(text.as_bytes()).ok();
    }
}

/// Text from files may hold anything: what would steer a terminal is shown instead.
fn visible(text: &str) -> String {
    let steers = |character: char| character.is_control() && character != '\n' && character != '\t';
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        match steers(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
        shown
    })
}

fn styled(colored: bool, color: AnsiColor) -> Style {
    if colored { color.on_default().bold() } else { Style::new() }
}

/// A reader that has seen enough is no failure.
fn write_result(text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure {
            message: format!("cannot write the result: {error}"),
            next_step: "check where standard output leads".to_owned(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_a_terminal_is_shown() {
        assert_eq!(visible("a\u{1b}[31mX\r\n\té\u{9b}"), "a\\u{1b}[31mX\\r\n\té\\u{9b}");
    }
}
