//! The native driver: carries out a session's commands with files and HTTP. One thread does the
//! storage, in order; one does HTTP. The game's thread only passes messages.

mod files;
mod http;

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::{Answer, Command, Session};

use files::Files;
use http::Http;

/// Entropy for [`Session::new`], from the system.
///
/// # Errors
/// Where the system has none.
pub fn entropy() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// Carries out the commands of one session.
///
/// Dropping it waits for what is being written, gives up what is being sent (a submit is in the
/// outbox and goes on next time), and takes at most about a second.
#[derive(Debug)]
pub struct NativeDriver {
    storage: Option<Sender<Command>>,
    http: Http,
    answers: Receiver<Answer>,
    writer: Option<JoinHandle<()>>,
    sender: Sender<Answer>,
}

impl NativeDriver {
    /// A driver that keeps its files in `folder`, which is made if it is not there. One driver at
    /// a time may use a folder.
    ///
    /// # Errors
    /// The folder cannot be made, is in use by another driver, or a thread cannot be started.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let files = Files::open(folder)?;
        let (sender, answers) = channel();
        let (storage, commands) = channel();
        let done = sender.clone();
        let writer = std::thread::Builder::new()
            .name("gf-client-files".to_owned())
            .spawn(move || files.serve(&commands, &done))?;
        Ok(Self {
            storage: Some(storage),
            http: Http::start(sender.clone())?,
            answers,
            writer: Some(writer),
            sender,
        })
    }

    /// Hands the session's commands over and feeds it what is done. Never waits: call it once per
    /// frame.
    pub fn pump(&mut self, session: &mut Session) {
        while let Ok(answer) = self.answers.try_recv() {
            session.feed(answer);
        }
        while let Some(command) = session.next_command() {
            self.carry_out(command);
        }
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Http(request) => self.http.send(request),
            Command::Connect { session, .. } => {
                let msg = "this driver has no WebSocket yet".to_owned();
                // The receiver lives as long as `self`.
                let _ = self.sender.send(Answer::Closed { session, msg });
            }
            Command::Send { .. } | Command::Close { .. } => {}
            Command::Store { .. }
            | Command::Append { .. }
            | Command::Load { .. }
            | Command::Erase { .. } => {
                if let Some(storage) = &self.storage {
                    // A file thread that is gone leaves the session without answers: nothing is
                    // queued then, and nothing pretends to be stored.
                    let _ = storage.send(command);
                }
            }
        }
    }
}

impl Drop for NativeDriver {
    fn drop(&mut self) {
        self.http.stop();
        // Without a sender the file thread ends once what it was given is written.
        self.storage = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
