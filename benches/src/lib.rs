//! Figures, each beside a rival measured in the same run.
//!
//! A bench is a binary of this package; it prints its figures with [`Figure::print`], one line
//! each, so that `scripts/bench` speaks with one voice.

pub mod codec;
pub mod recorded;
pub mod sim;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

/// One measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    rival: Option<(String, f64)>,
    note: String,
}

impl Figure {
    /// A figure by its stable name; `unit` is such as `1/s`, `ms` or `ratio`.
    #[must_use]
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Figure {
            name: name.into(),
            value,
            unit,
            rival: None,
            note: String::new(),
        }
    }

    /// The same beside a rival's value, in the same unit and measured in the same run.
    #[must_use]
    pub fn against(self, rival: impl Into<String>, value: f64) -> Self {
        Figure {
            rival: Some((rival.into(), value)),
            ..self
        }
    }

    /// The same with something said beside it to people; the JSON leaves it out.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Self {
        Figure {
            note: note.into(),
            ..self
        }
    }

    /// Our value over the rival's.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.rival.as_ref().map(|(_, value)| self.value / value)
    }

    /// Prints it to the standard output: a JSON object, or a line for people.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn print(&self, json: bool) -> io::Result<()> {
        let line = if json {
            self.as_json().to_string()
        } else {
            self.as_text()
        };
        writeln!(io::stdout().lock(), "{line}")
    }

    fn as_json(&self) -> Value {
        let mut object = json!({ "name": self.name, "value": self.value, "unit": self.unit });
        if let (Some((rival, value)), Some(ratio)) = (&self.rival, self.ratio()) {
            object["rival"] = json!(rival);
            object["rival_value"] = json!(value);
            object["ratio"] = json!(ratio);
        }
        object
    }

    fn as_text(&self) -> String {
        let mut line = format!("{:<32} {} {}", self.name, short(self.value), self.unit);
        if let (Some((rival, value)), Some(ratio)) = (&self.rival, self.ratio()) {
            // Writing to a string cannot fail.
            let _ = write!(
                line,
                "   {ratio:.3} of {rival} ({} {})",
                short(*value),
                self.unit
            );
        }
        if !self.note.is_empty() {
            line.push_str("   ");
            line.push_str(&self.note);
        }
        line
    }
}

/// A number with as many digits as say something.
fn short(value: f64) -> String {
    match value.abs() {
        large if large >= 1_000.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// The CPU time that this thread has used; it stands still while others have the core.
#[must_use]
pub fn thread_cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// The least thread CPU time that `work` took in so many runs.
pub fn best_of(runs: u32, mut work: impl FnMut()) -> Duration {
    let times = (0..runs).map(|_| {
        let start = thread_cpu_time();
        work();
        thread_cpu_time().saturating_sub(start)
    });
    times.min().unwrap_or_default()
}

/// The value at `share` (0 to 1) of the sorted values; 0 when there are none.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index into a list that fits in memory"
    )]
    let index = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    sorted.get(index).copied().unwrap_or(0.0)
}

/// The middle value; 0 when there are none.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_rival_only_where_there_is_one() {
        let alone = Figure::new("a", 2.0, "ms");
        assert_eq!(
            alone.as_json(),
            json!({ "name": "a", "value": 2.0, "unit": "ms" })
        );
        let beside = alone.against("b", 4.0);
        assert_eq!(
            beside.as_json(),
            json!({
                "name": "a", "value": 2.0, "unit": "ms",
                "rival": "b", "rival_value": 4.0, "ratio": 0.5,
            })
        );
    }

    #[test]
    fn quantiles_take_what_is_there() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 1.0), 4.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.0), 1.0);
    }
}
