//! What the server does, without a word of HTTP: the same services carry other ways in later.

pub(crate) mod apps;
mod boards;
mod late;
mod nonces;
mod reads;
mod submit;
pub(crate) mod tickets;
mod verification;

use std::sync::{Arc, Mutex};

use async_core::{Catalogue, PLAYERS_MAX};
use async_identity::{KeyRing, ServerKey};
use async_replay::Limits;
use async_store::{Options, Secrets, SqliteStore, Store};
use async_verify::Verifier;

use crate::config::{Config, KitFile, threads};
use crate::error::Error;
use crate::failure::Failure;
use crate::pool::Pool;

pub(crate) use reads::{BoardPage, BoardQuestion};
pub(crate) use submit::Submission;

/// Threads that read the file for answers that memory cannot give.
const READ_THREADS: usize = 2;
/// Reads that may wait for one.
const READ_QUEUE: usize = 4_096;

/// The services over one store.
pub(crate) struct Service {
    pub(crate) config: Config,
    pub(crate) key: ServerKey,
    pub(crate) ring: KeyRing,
    /// This server's id, which signed calls name.
    pub(crate) id: String,
    pub(crate) secrets: Secrets,
    pub(crate) nonces: nonces::UsedNonces,
    pub(crate) store: Arc<dyn Store>,
    /// Rendered top pages.
    pub(crate) pages: crate::http::Pages,
    kit: Option<KitFile>,
    /// What a run may hold: what `GET /limits` says is what is enforced.
    pub(crate) limits: Limits,
    verifier: Verifier,
    verifying: Pool,
    reading: Pool,
    late: late::Late,
    /// Held while a board is made or bound, so that two first runs cannot both bind it.
    binding: Mutex<()>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// Opens the data file, loads the ranks, declares the configured boards, starts the threads.
    pub(crate) fn open(config: Config) -> Result<Self, Error> {
        let failed = |source| Error::Data {
            path: config.data.clone(),
            source,
        };
        let kit = config.kit.as_deref().map(KitFile::load).transpose()?;
        let store = open_store(&config).map_err(failed)?;
        boards::declare(store.as_ref(), &config.boards).map_err(failed)?;
        let secrets = store.secrets();
        let key = ServerKey::from_seed(secrets.server_key_seed);
        let ring = KeyRing::new(key.public()).map_err(|error| Error::Config {
            file: config.data.display().to_string(),
            message: error.to_string(),
        })?;
        let limits = limits(&config, kit.as_ref());
        let queue = usize::try_from(config.verify_queue).unwrap_or(usize::MAX);
        Ok(Self {
            id: key.server_id(),
            ring,
            key,
            secrets,
            nonces: nonces::UsedNonces::default(),
            kit,
            pages: crate::http::Pages::default(),
            verifier: Verifier::new(Catalogue::standard(), limits),
            limits,
            verifying: Pool::start("gf-verify", threads(config.verify_threads), queue)?,
            reading: Pool::start("gf-read", READ_THREADS, READ_QUEUE)?,
            late: late::Late::default(),
            binding: Mutex::new(()),
            store,
            config,
        })
    }

    /// Finishes what is queued and joins the threads.
    pub(crate) fn stop(&self) {
        self.late.stop();
        self.verifying.stop();
        self.reading.stop();
    }

    /// Runs a read of the file away from the async runtime.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let service = Arc::clone(self);
        let done = self.reading.run(move || work(&service)).await?;
        done.unwrap_or_else(|| Err(Failure::internal(&"a read panicked")))
    }
}

/// A game that records longer runs says so in its kit file; else the kit's default holds.
fn limits(config: &Config, kit: Option<&KitFile>) -> Limits {
    let usual = Limits::default();
    let frames_max = kit.map_or(usual.frames_max, |kit| kit.settings.max_frames);
    let frames = usize::try_from(frames_max).unwrap_or(usize::MAX);
    Limits {
        bytes_max: usize::try_from(config.max_run_bytes).unwrap_or(usize::MAX),
        frames_max,
        inputs_max: frames.saturating_mul(PLAYERS_MAX),
        ..usual
    }
}

fn open_store(config: &Config) -> Result<Arc<dyn Store>, async_store::Error> {
    let options = Options {
        auto_boards_max: usize::try_from(config.auto_boards).unwrap_or(usize::MAX),
        ..Options::default()
    };
    Ok(Arc::new(SqliteStore::open(&config.data, options)?))
}
