//! The server of the demo: the sibling binary, as a process of its own that can be stopped hard.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::failure::Failure;

/// The name of the program.
const PROGRAM: &str = "gf-async-server";
/// What it says once it is ready.
const READY: &str = "listening on ";
/// How long it may take to say so.
const START_PATIENCE: Duration = Duration::from_secs(30);

/// How long between two looks whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A server that this program started.
pub(crate) struct Server {
    program: PathBuf,
    data: PathBuf,
    log: PathBuf,
    /// Where it listens, from its first start on.
    url: Option<String>,
    running: Option<(Child, BufReader<ChildStdout>)>,
}

impl Server {
    /// A server that keeps everything in a file of `folder`; it does not run yet.
    pub(crate) fn new(folder: &Path) -> Self {
        let (data, log) = (folder.join("server.sqlite"), folder.join("server.log"));
        Self {
            program: program(),
            data,
            log,
            url: None,
            running: None,
        }
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }

    /// Starts it and waits until it listens: first on a free port, later on the same again.
    pub(crate) fn start(&mut self) -> Result<(), Failure> {
        let mut child = self
            .command()?
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let program = self.program.display();
                let msg = format_args!("{program} could not be started: {error}; build it first");
                Failure::new("no_server_program", msg)
            })?;
        let stdout = child.stdout.take().map(BufReader::new);
        let first = first_line(stdout);
        let (first, stdout) = match first {
            Ok(first) => first,
            Err(failure) => {
                // It says nothing, so nothing is lost with it.
                let _ = child.kill();
                let _ = child.wait();
                return Err(failure);
            }
        };
        // From here on it is stopped with this value, whatever happens.
        self.running = Some((child, stdout));
        let url = first
            .trim()
            .strip_prefix(READY)
            .ok_or_else(|| self.not_ready(&first))?;
        self.url = Some(url.to_owned());
        Ok(())
    }

    /// Stops it as a power cut would: what it acknowledged must be there afterwards.
    pub(crate) fn stop(&mut self) {
        if let Some((mut child, _)) = self.running.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Goes on serving until somebody stops this program, or the server ends by itself.
    pub(crate) fn serve(mut self, stop: &mut Stop) -> Result<(), Failure> {
        while let Some((child, _)) = &mut self.running {
            if stop.is_asked() || child.try_wait()?.is_some() {
                self.stop();
            } else {
                thread::sleep(LOOK_EVERY);
            }
        }
        Ok(())
    }

    fn command(&self) -> Result<Command, Failure> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let address = self.url.as_deref().and_then(|url| url.split_once("://"));
        let listen = address.map_or("127.0.0.1:0", |(_, address)| address);
        let mut command = Command::new(&self.program);
        command.args(["--listen", listen, "--data"]).arg(&self.data);
        command.stdin(Stdio::null()).stderr(log);
        Ok(command)
    }

    fn not_ready(&self, first: &str) -> Failure {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let last = log.lines().last().unwrap_or(first);
        Failure::new(
            "server_not_ready",
            format_args!("{PROGRAM} did not start: {last}"),
        )
    }
}

/// Whether somebody asked this program to stop: without it a server would outlive the demo.
pub(crate) struct Stop {
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
}

impl Stop {
    /// Begins to look; from now on this program ends only after its server.
    pub(crate) fn watch() -> Result<Self, Failure> {
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            let signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
            Ok(Self { signals })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    fn is_asked(&mut self) -> bool {
        #[cfg(unix)]
        return self.signals.pending().next().is_some();
        // Elsewhere a console ends all programs that it shows.
        #[cfg(not(unix))]
        return false;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The binary next to this one, or whatever the path has by this name.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let sibling = std::env::current_exe().map(|program| program.with_file_name(&name));
    sibling
        .ok()
        .filter(|sibling| sibling.is_file())
        .unwrap_or_else(|| name.into())
}

/// Reads the first line within the time allowed, and gives the stream back.
fn first_line(
    stdout: Option<BufReader<ChildStdout>>,
) -> Result<(String, BufReader<ChildStdout>), Failure> {
    let late = || {
        Failure::new(
            "server_not_ready",
            format_args!("{PROGRAM} does not say a word"),
        )
    };
    let mut stdout = stdout.ok_or_else(late)?;
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let read = stdout.read_line(&mut line);
        // Nobody listens any more if it took too long.
        let _ = send.send(read.map(|_| (line, stdout)));
    });
    Ok(receive.recv_timeout(START_PATIENCE).map_err(|_| late())??)
}
