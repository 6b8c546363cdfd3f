//! What the session keeps in the host's store: the player's key, the known server, the outbox, the
//! recording as it grows, receipts and traces.

use async_core::{Setup, Simulation};
use async_replay::{End, EndReason, Recovered, Run, RunId};

use super::Session;
use crate::commands::Command;
use crate::events::Event;
use crate::outbox::journal;
use crate::runs::Frozen;
use crate::{device, storage_keys};

/// Whether the last session's recording was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Saved {
    #[default]
    Unasked,
    Asked,
    Seen,
}

impl Session {
    pub(super) fn pump_storage(&mut self, now_ms: u64) {
        // Before the identity: who waits for the player knows the server, too.
        self.commands.extend(self.server.command(now_ms));
        self.commands.extend(self.device.command(now_ms));
        self.commands.extend(self.outbox.disk_command(now_ms));
        // Behind the identity, which a recovered run is signed with.
        if self.saved == Saved::Unasked {
            self.saved = Saved::Asked;
            let key = storage_keys::RECORDING.to_owned();
            self.commands.push_back(Command::Load { key });
        }
    }

    pub(super) fn stored(&mut self, key: &str) {
        match key {
            device::KEY => self.device.stored(),
            journal::KEY => {
                let queued = self.outbox.stored();
                self.tell_queued(queued);
            }
            _ => {}
        }
    }

    pub(super) fn tell_queued(&mut self, queued: Vec<(RunId, u64)>) {
        let events = queued
            .into_iter()
            .map(|(id, request)| Event::Queued { request, id });
        self.events.extend(events);
    }

    pub(super) fn loaded(&mut self, key: &str, bytes: Option<Vec<u8>>) {
        match key {
            device::KEY => {
                let store = self.device.loaded(bytes.as_deref(), &self.entropy);
                self.commands.extend(store);
            }
            journal::KEY => {
                let online = &mut self.online;
                self.outbox
                    .loaded(bytes.as_deref(), || online.new_request());
            }
            _ if self.server.owns(key) => self.server.loaded(bytes.as_deref()),
            storage_keys::RECORDING if self.saved == Saved::Asked => {
                self.saved = Saved::Seen;
                if let Some(bytes) = bytes {
                    self.reopen(&bytes);
                }
            }
            _ => {}
        }
    }

    pub(super) fn store_failed(&mut self, key: &str, msg: &str) {
        let now_ms = self.now_ms();
        match key {
            device::KEY => self.device.store_failed(now_ms),
            _ if self.server.owns(key) => self.server.store_failed(now_ms),
            journal::KEY => {
                let lost = self.outbox.store_failed(now_ms);
                let failed = lost.into_iter().map(|(_, request)| Event::Failed {
                    request,
                    code: "store_failed".to_owned(),
                    msg: format!("the run is not on disk and will not be sent: {msg}"),
                    retry_ms: None,
                });
                self.events.extend(failed);
            }
            _ => {}
        }
    }

    /// The last session's recording: a whole run is at hand again; one that a crash cut is closed
    /// where it was cut, if the core can play it.
    fn reopen(&mut self, bytes: &[u8]) {
        let Ok(recovered) = Run::recover(bytes, self.verifier.limits()) else {
            return;
        };
        if recovered.end.is_some() {
            if let Ok(run) = Run::open(bytes, self.verifier.limits()) {
                let signed = run.signature.is_some() && run.header.player == self.player();
                self.runs
                    .keep_recorded(frozen(&run, bytes.to_vec(), signed));
            }
        } else if let (None, Some(run)) = (&self.recorder, self.close_recovered(recovered)) {
            self.freeze(run, true);
        }
    }

    fn close_recovered(&self, recovered: Recovered) -> Option<Frozen> {
        let key = self.device.key()?;
        let header = &recovered.header;
        if header.revision == 0 || recovered.whole_frames == 0 || header.player != self.player() {
            return None;
        }
        let setup = Setup {
            seed: header.seed,
            players: header.players,
            slot: header.slot,
            rate: header.rate,
            options: header.options.clone(),
        };
        let catalogue = self.verifier.catalogue();
        let mut simulation =
            Simulation::start(catalogue, &header.game, header.revision, &setup).ok()?;
        for inputs in recovered.inputs.iter() {
            simulation.step(inputs).ok()?;
        }
        let end = End {
            frames: recovered.whole_frames,
            score: simulation.game().score(header.slot),
            reason: EndReason::Truncated,
            digest: simulation.run_digest(),
        };
        let mut run = recovered.into_run(end).ok()?;
        run.signature = Some(key.sign_run(&run.full_hash().0));
        let bytes = run.encode().ok()?;
        Some(frozen(&run, bytes, true))
    }
}

fn frozen(run: &Run, bytes: Vec<u8>, signed: bool) -> Frozen {
    Frozen {
        id: run.id(),
        bytes,
        frames: run.end.frames,
        score: run.end.score,
        reason: run.end.reason,
        practice: run.header.practice,
        signed,
        trace: None,
    }
}
