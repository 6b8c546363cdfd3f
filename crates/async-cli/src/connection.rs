//! A session of the kit with its native driver, pumped until what was asked for has come.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_client::native::{NativeDriver, entropy};
use async_client::{Event, Session};
use async_protocol::wire::BASE_PATH;
use serde_json::{Value, json};

use crate::args::ServerArgs;
use crate::failure::Failure;

/// How long between two looks at what came.
const PUMP_EVERY: Duration = Duration::from_millis(2);

/// A session that is driven by this thread.
pub(crate) struct Connection {
    // Dropped in this order: the driver writes and sends what the session still asked for.
    driver: NativeDriver,
    session: Session,
    url: String,
    last: Instant,
    patience: Duration,
}

impl Connection {
    /// Opens a session of `net.async` with `settings`, kept in `folder`, and waits until the
    /// player's key is there.
    pub(crate) fn open(
        settings: Value,
        folder: &Path,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let app = settings.get("app").cloned().unwrap_or_default();
        let url = settings.get("apiUrl").and_then(Value::as_str);
        let url = url.unwrap_or_default().to_owned();
        let kits = [
            (
                "net.transport",
                json!({"app": app, "version": env!("CARGO_PKG_VERSION")}),
            ),
            ("net.async", settings),
        ];
        let driver = NativeDriver::new(folder).map_err(|error| Failure::file(folder, &error))?;
        let session = Session::new(&kits, entropy()?)?;
        let mut connection = Self {
            driver,
            session,
            url,
            last: Instant::now(),
            patience,
        };
        connection.wait_until("the player's key", |session| session.player().is_some())?;
        Ok(connection)
    }

    /// Opens a session that asks the server of `args`.
    pub(crate) fn to_server(args: &ServerArgs, app: &str) -> Result<Self, Failure> {
        let folder = data_folder(args.data_dir.as_deref())?;
        let settings = json!({
            "apiUrl": api_url(&args.url), "apiKey": args.api_key, "app": app,
            "clock": "host", "boardRows": 1_000,
        });
        Self::open(settings, &folder, Duration::from_secs(args.timeout.into()))
    }

    pub(crate) fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Lets time pass and answers in; returns what happened.
    pub(crate) fn pump(&mut self) -> Vec<Event> {
        self.driver.pump(&mut self.session);
        let now = Instant::now();
        let passed = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        let unix_ms = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let unix_ms = unix_ms.and_then(|since| u64::try_from(since.as_millis()).ok());
        self.session.tick(passed, unix_ms);
        self.driver.pump(&mut self.session);
        self.session.events()
    }

    /// Waits for the event that `pick` takes; a failure of `request` that is final ends the wait.
    pub(crate) fn wait<T>(
        &mut self,
        request: u64,
        mut pick: impl FnMut(Event) -> Option<T>,
    ) -> Result<T, Failure> {
        // Why it did not work so far, should the time run out.
        let mut excuse = None;
        let url = self.url.clone();
        let found = self.watch(|event| match event {
            Event::Failed {
                request: of,
                code,
                msg,
                retry_ms,
            } if of == request => {
                let failure = failed(&url, code, &msg);
                excuse = Some(failure.clone());
                retry_ms.is_none().then_some(Err(failure))
            }
            other => pick(other).map(Ok),
        });
        match found {
            Some(found) => found,
            None => Err(excuse
                .unwrap_or_else(|| Failure::new("no_answer", "the server did not answer in time"))),
        }
    }

    /// Shows `pick` every event until it takes one; `None` once the time is up.
    pub(crate) fn watch<T>(&mut self, mut pick: impl FnMut(Event) -> Option<T>) -> Option<T> {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(found) = self.pump().into_iter().find_map(&mut pick) {
                return Some(found);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(PUMP_EVERY);
        }
    }

    fn wait_until(&mut self, what: &str, done: impl Fn(&Session) -> bool) -> Result<(), Failure> {
        let deadline = Instant::now() + self.patience;
        while !done(&self.session) {
            if Instant::now() >= deadline {
                let msg = format_args!("{what} could not be read from the data folder");
                return Err(Failure::new("store_failed", msg));
            }
            self.pump();
            thread::sleep(PUMP_EVERY);
        }
        Ok(())
    }
}

/// Why a request failed; a server that was not reached is named, since the URL may be the mistake.
fn failed(url: &str, code: String, msg: &str) -> Failure {
    if code != "unreachable" {
        return Failure::new(code, msg);
    }
    let cause = msg.strip_prefix("io: ").unwrap_or(msg);
    Failure::new(code, format_args!("{url} cannot be reached: {cause}"))
}

/// The run API of a server: its path is added where the URL has none.
pub(crate) fn api_url(url: &str) -> String {
    let url = url.trim_end_matches('/');
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    if rest.contains('/') {
        url.to_owned()
    } else {
        format!("{url}{BASE_PATH}")
    }
}

/// The folder of the player's key and outbox: the one named, or the user's own.
fn data_folder(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(folder) = named {
        return Ok(folder.to_owned());
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = |rest: &str| variable("HOME").map(|home| PathBuf::from(home).join(rest));
    let base = if cfg!(windows) {
        variable("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME")
            .map(PathBuf::from)
            .or_else(|| home(".local/share"))
    };
    base.map(|base| base.join("gf-async")).ok_or_else(|| {
        Failure::new(
            "no_data_folder",
            "there is no folder of the user's; name one by --data-dir",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_is_named() {
        let away = failed("http://h:1", "unreachable".into(), "io: refused");
        assert_eq!(away.msg, "http://h:1 cannot be reached: refused");
        assert_eq!(failed("http://h:1", "busy".into(), "later").msg, "later");
    }

    #[test]
    fn the_path_of_the_api_is_added_only_where_there_is_none() {
        assert_eq!(api_url("http://h:1"), "http://h:1/api/v1/async");
        assert_eq!(api_url("http://h:1/"), "http://h:1/api/v1/async");
        assert_eq!(api_url("https://h/api/v1/async/"), "https://h/api/v1/async");
        assert_eq!(api_url("https://h/games"), "https://h/games");
    }
}
