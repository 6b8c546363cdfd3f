//! A player of the demo: a session of the kit with a folder of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_client::{RecordOptions, RunSummary, Session};
use serde_json::Value;

use super::course::Drive;
use crate::connection::Connection;
use crate::failure::Failure;

/// How long the demo waits for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A player, present or away.
pub(crate) struct Player {
    pub(crate) name: String,
    settings: Value,
    folder: PathBuf,
    connection: Connection,
}

impl Player {
    /// A player with an empty folder, or the same one again.
    pub(crate) fn join(name: &str, settings: Value, folder: &Path) -> Result<Self, Failure> {
        let connection = Connection::open(settings.clone(), folder, PATIENCE)?;
        Ok(Self {
            name: name.to_owned(),
            settings,
            folder: folder.to_owned(),
            connection,
        })
    }

    /// Leaves and comes back: only what is on disk comes along.
    pub(crate) fn restart(self) -> Result<Self, Failure> {
        let Self {
            name,
            settings,
            folder,
            connection,
        } = self;
        // The folder serves one driver at a time.
        drop(connection);
        Self::join(&name, settings, &folder)
    }

    pub(crate) fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    pub(crate) fn session(&mut self) -> &mut Session {
        self.connection.session()
    }

    /// Plays and records a run from `seed` (a fresh one if absent) until the game or `drive` ends.
    /// `each` looks at the session after every frame.
    pub(crate) fn play(
        &mut self,
        seed: Option<u64>,
        drive: &mut Drive,
        mut each: impl FnMut(&mut Session) -> Result<(), Failure>,
    ) -> Result<RunSummary, Failure> {
        let session = self.connection.session();
        session.record_start(&RecordOptions {
            seed,
            trace: true,
            ..RecordOptions::default()
        })?;
        while session.recording() {
            let frame = session.frames();
            let Some(inputs) = session.game().and_then(|game| drive.inputs(game, frame)) else {
                break;
            };
            for (slot, input) in (0_u8..).zip(inputs) {
                session.set_input(slot, input)?;
            }
            session.step()?;
            each(session)?;
        }
        Ok(session.record_stop(None)?)
    }
}
