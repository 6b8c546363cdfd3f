//! What a session refuses, and why.

use thiserror::Error as ThisError;

/// Every code that an error of this crate's own can carry.
pub const CODES: &[&str] = &[
    "already_recording",
    "bad_arguments",
    "bad_url",
    "bad_answer",
    "busy",
    "duplicate_kit",
    "erased_run",
    "ghosts_full",
    "no_challenge",
    "no_identity",
    "no_server",
    "not_a_core_game",
    "not_an_engine_game",
    "not_recording",
    "outbox_full",
    "practice_run",
    "store_failed",
    "too_short",
    "unknown_ghost",
    "unknown_method",
    "unknown_run",
    "unknown_service",
    "unreachable",
    "unsigned_run",
    "wrong_clock",
    "wrong_server",
];

/// Why a call of a session failed. Nothing is half done when one comes back.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Caller: an argument is missing, unknown, of another type or out of its bounds.
    #[error("{msg}")]
    BadArguments {
        /// Which one, and what is allowed.
        msg: String,
    },
    /// Caller: no such service.
    #[error("there is no service `{0}`")]
    UnknownService(String),
    /// Caller: the service has no such method.
    #[error("`{service}` has no method `{method}`")]
    UnknownMethod {
        /// The service.
        service: String,
        /// The method.
        method: String,
    },
    /// Caller: the same kit was configured twice.
    #[error("the kit {0} is configured twice")]
    DuplicateKit(String),
    /// Caller: a setting is not as the table says.
    #[error(transparent)]
    Settings(#[from] async_protocol::SettingsError),
    /// Caller: a URL that no request can be built from.
    #[error("{0}")]
    BadUrl(String),
    /// Caller: `step()` with the clock `core`.
    #[error("frames advance with tick() while `clock` is core")]
    WrongClock,
    /// Caller: a recording is under way and `restart` was not given.
    #[error("a recording is under way; stop it, or start with `restart: true`")]
    AlreadyRecording,
    /// Caller: there is no recording to stop.
    #[error("nothing is being recorded")]
    NotRecording,
    /// Run: a recording was stopped before its first frame.
    #[error("a run has at least one frame")]
    NoFrames,
    /// Caller: a call for engine games while a game of the core is configured.
    #[error("`{0}` is for engine games; the core computes this game")]
    NotAnEngineGame(&'static str),
    /// Caller: no run of that id is at hand.
    #[error("no run {0} is at hand")]
    UnknownRun(String),
    /// Caller: no such ghost, or it was unloaded.
    #[error("there is no ghost {0}")]
    UnknownGhost(u64),
    /// Caller: too many ghosts.
    #[error("at most {max} ghosts at once")]
    GhostsFull {
        /// The limit.
        max: usize,
    },
    /// Caller: too many requests under way.
    #[error("at most {max} requests at once")]
    Busy {
        /// The limit.
        max: usize,
    },
    /// Caller: too many runs wait.
    #[error("at most {max} runs wait in the outbox")]
    OutboxFull {
        /// The limit.
        max: usize,
    },
    /// Caller: practice runs are never sent.
    #[error("a practice run is never sent")]
    PracticeRun,
    /// Caller: the run carries no signature of this device's player.
    #[error("the run is not signed by this device's player")]
    UnsignedRun,
    /// Caller: the device's key, or the id of the server that it knows, is not loaded yet.
    #[error("the device's key and the server that it knows are not loaded")]
    NoIdentity,
    /// Caller: neither `apiUrl` nor a connected session.
    #[error("no server: `apiUrl` is empty")]
    NoServer,
    /// Player: no daily is known; ask for it first, or practise.
    #[error("no daily challenge is known; call `daily` first, or practise")]
    NoChallenge,
    /// Server: an answer that is not what was asked for.
    #[error("the server's answer makes no sense: {0}")]
    BadAnswer(String),
    /// Server: another one than the first that answered at `apiUrl`. Nothing was signed for it.
    #[error(
        "the server at `apiUrl` is {found:?}, not {known:?} as before; nothing was signed for it"
    )]
    WrongServer {
        /// The id that is kept.
        known: String,
        /// The id of the server that answers now.
        found: String,
    },
    /// The simulation.
    #[error(transparent)]
    Core(#[from] async_core::Error),
    /// The simulation stopped.
    #[error("the game failed: {0}")]
    Fault(async_core::Fault),
    /// The run format.
    #[error(transparent)]
    Replay(#[from] async_replay::Error),
    /// Signed statements.
    #[error(transparent)]
    Identity(#[from] async_identity::Error),
    /// Traces.
    #[error(transparent)]
    Verify(#[from] async_verify::Error),
    /// Wire types.
    #[error(transparent)]
    Protocol(#[from] async_protocol::Error),
}

impl Error {
    /// The stable code, listed in the registry of async-protocol.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadArguments { .. } => "bad_arguments",
            Self::UnknownService(_) => "unknown_service",
            Self::UnknownMethod { .. } => "unknown_method",
            Self::DuplicateKit(_) => "duplicate_kit",
            Self::Settings(error) => error.code(),
            Self::BadUrl(_) => "bad_url",
            Self::WrongClock => "wrong_clock",
            Self::AlreadyRecording => "already_recording",
            Self::NotRecording => "not_recording",
            Self::NoFrames => "too_short",
            Self::NotAnEngineGame(_) => "not_an_engine_game",
            Self::UnknownRun(_) => "unknown_run",
            Self::UnknownGhost(_) => "unknown_ghost",
            Self::GhostsFull { .. } => "ghosts_full",
            Self::Busy { .. } => "busy",
            Self::OutboxFull { .. } => "outbox_full",
            Self::PracticeRun => "practice_run",
            Self::UnsignedRun => "unsigned_run",
            Self::NoIdentity => "no_identity",
            Self::NoServer => "no_server",
            Self::NoChallenge => "no_challenge",
            Self::BadAnswer(_) => "bad_answer",
            Self::WrongServer { .. } => "wrong_server",
            Self::Core(error) => error.code(),
            Self::Fault(fault) => fault.code(),
            Self::Replay(error) => error.code(),
            Self::Identity(error) => error.code(),
            Self::Verify(error) => error.code(),
            Self::Protocol(error) => error.code(),
        }
    }
}
