//! What a command prints: aligned lines with a little colour for people, one JSON object a line for
//! programs. Colour leaves by itself where the output is no terminal or `NO_COLOR` is set.

use std::fmt::{self, Display};
use std::io::{self, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use async_protocol::Status;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;

/// Good news.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Something to look at.
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// Bad news.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What matters less.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What matters most.
pub(crate) const STRONG: Style = Style::new().bold();

/// Where a command's results go.
pub(crate) struct Output {
    json: bool,
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        let (out, err) = (
            AutoStream::auto(io::stdout()),
            AutoStream::auto(io::stderr()),
        );
        Self { json, out, err }
    }

    /// Whether programs read along.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints one line for people; nothing for programs.
    pub(crate) fn line(&mut self, line: impl Display) -> io::Result<()> {
        if self.json {
            Ok(())
        } else {
            writeln!(self.out, "{line}")
        }
    }

    /// Prints one object for programs; nothing for people.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        if !self.json {
            return Ok(());
        }
        writeln!(self.out, "{}", serde_json::to_string(object)?)?;
        self.out.flush()
    }

    /// Tells why the command could not do what it was asked. There is nobody left to tell if even
    /// that cannot be printed.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let Failure { code, msg } = failure;
        let _ = if self.json {
            self.object(&json!({"ok": false, "code": code, "msg": msg}))
        } else {
            writeln!(self.err, "{BAD}error{BAD:#}: {msg} {DIM}({code}){DIM:#}")
        };
    }
}

/// The colour of a status.
pub(crate) fn status_style(status: Status) -> Style {
    match status {
        Status::Verified => GOOD,
        Status::Plausible | Status::Pending | Status::Quarantined => ODD,
        Status::Refused => BAD,
    }
}

/// A whole number with its thousands apart, the same in every locale.
pub(crate) struct Thousands<T>(pub(crate) T);

impl<T: Display> Display for Thousands<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
        let mut parted = String::from(sign);
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                parted.push(',');
            }
            parted.push(digit);
        }
        f.pad(&parted)
    }
}

/// A text that came from outside, without anything that could drive a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .map(|part| if part.is_control() { '\u{fffd}' } else { part })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_n3_numbers_are_written_alike_everywhere() {
        let text = |number: i64| Thousands(number).to_string();
        assert_eq!(text(0), "0");
        assert_eq!(text(-999), "-999");
        assert_eq!(text(1_000), "1,000");
        assert_eq!(text(1_000_000), "1,000,000");
        assert_eq!(text(1_000_000_000_000_000), "1,000,000,000,000,000");
        assert_eq!(text(i64::MIN), "-9,223,372,036,854,775,808");
        assert_eq!(format!("{:>7}|", Thousands(1_000)), "  1,000|");
    }

    #[test]
    fn texts_from_outside_cannot_drive_a_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\n"), "a\u{fffd}[2Jb\u{fffd}");
    }
}
