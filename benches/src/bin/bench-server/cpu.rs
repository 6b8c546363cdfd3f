//! CPU time by group of threads, from `/proc/self/task`.

use std::collections::BTreeMap;
use std::fs;

/// What a stage's threads are called; the first prefix that fits counts.
const GROUPS: [(&str, &str); 5] = [
    ("client", "client"),
    ("gf-http", "http"),
    ("gf-verify", "verify"),
    ("gf-store", "store"),
    ("rival-http", "rival"),
];

/// The name of all other threads' group.
pub(crate) const OTHER: &str = "other";

/// CPU seconds of the calling thread so far; 0 where there is no `/proc`.
pub(crate) fn this_thread() -> f64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = times
        .split_whitespace()
        .next()
        .and_then(|text| text.parse().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// CPU time of each living thread at a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cpu {
    threads: BTreeMap<String, (&'static str, f64)>,
}

/// CPU seconds by group between two moments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spent {
    groups: BTreeMap<&'static str, f64>,
}

impl Cpu {
    /// Looks at every thread of this process; empty where there is no `/proc`.
    pub(crate) fn now() -> Self {
        let tasks = fs::read_dir("/proc/self/task")
            .into_iter()
            .flatten()
            .flatten();
        let threads = tasks.filter_map(|task| {
            let path = task.path();
            let name = fs::read_to_string(path.join("comm")).ok()?;
            let times = fs::read_to_string(path.join("schedstat")).ok()?;
            let nanoseconds: f64 = times.split_whitespace().next()?.parse().ok()?;
            let id = task.file_name().into_string().ok()?;
            Some((id, (group(name.trim()), nanoseconds / 1e9)))
        });
        Cpu {
            threads: threads.collect(),
        }
    }

    /// What was spent since `before`; threads that ended meanwhile are not counted.
    pub(crate) fn since(&self, before: &Cpu) -> Spent {
        let mut spent = Spent::default();
        for (id, (group, seconds)) in &self.threads {
            let earlier = before.threads.get(id).map_or(0.0, |(_, earlier)| *earlier);
            *spent.groups.entry(group).or_default() += seconds - earlier;
        }
        spent
    }
}

impl Spent {
    /// Adds another span.
    pub(crate) fn add(&mut self, other: &Spent) {
        for (group, seconds) in &other.groups {
            *self.groups.entry(group).or_default() += seconds;
        }
    }

    /// CPU seconds of a group.
    pub(crate) fn seconds(&self, group: &str) -> f64 {
        self.groups.get(group).copied().unwrap_or_default()
    }
}

fn group(thread: &str) -> &'static str {
    GROUPS
        .iter()
        .find(|(prefix, _)| thread.starts_with(prefix))
        .map_or(OTHER, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_shows_up_in_its_group() {
        let work = || {
            let before = Cpu::now();
            let until = std::time::Instant::now() + std::time::Duration::from_millis(50);
            while std::time::Instant::now() < until {}
            Cpu::now().since(&before)
        };
        let thread = std::thread::Builder::new().name("gf-verify-7".to_owned());
        let spent = thread.spawn(work).unwrap().join().unwrap();
        assert!(spent.seconds("verify") > 0.005, "{spent:?}");
        assert!(spent.seconds("store") == 0.0);
    }
}
