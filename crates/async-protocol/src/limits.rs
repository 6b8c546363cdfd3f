//! Every limit of the service, by name, the unit last.
//!
//! `GET /limits` serves what a server enforces, so that no client needs to guess. The limits of
//! the simulation (frames, players, buttons) are async-core's, those of a file async-replay's.

use async_core::Options;

/// Largest integer that a JSON number carries without loss in every language.
pub const JSON_INTEGER_MAX: i64 = (1 << 53) - 1;
/// Largest seed of a run, so that every language holds it exactly.
pub const SEED_MAX: u64 = async_core::SEED_MAX;

/// Run size accepted when nobody says otherwise.
pub const RUN_DEFAULT_BYTES: u32 = 262_144;
/// Smallest value of a run size limit.
pub const RUN_MIN_BYTES: u32 = 1_024;
/// Largest value of a run size limit.
pub const RUN_MAX_BYTES: u32 = 1_048_576;
/// Longest recording in frames, by default.
pub const RUN_DEFAULT_FRAMES: u32 = 36_000;
/// Longest recording in frames that any setting allows.
pub const RUN_MAX_FRAMES: u32 = async_core::FRAMES_MAX;

/// Longest key of a board.
pub const BOARD_KEY_MAX_BYTES: usize = 64;
/// Rows of an answer when the query does not say.
pub const BOARD_DEFAULT_ROWS: u32 = 10;
/// Rows of the largest answer, by default.
pub const BOARD_MAX_ROWS: u32 = 100;
/// Rows of the largest answer that any setting allows.
pub const BOARD_ROWS_CEILING_ROWS: u32 = 1_000;
/// Boards made on first use before a board must be declared.
pub const AUTO_BOARDS_MAX_COUNT: u32 = 1_000;
/// Input changes from which the same inputs by another player are a stolen run.
pub const DUPLICATE_MIN_INPUT_CHANGES: u32 = 64;

/// Longest player name, after cleaning.
pub const PLAYER_NAME_MAX_BYTES: usize = 64;
/// Longest player name as a reader counts characters, after cleaning.
pub const PLAYER_NAME_MAX_GRAPHEMES: usize = 24;
/// Longest single character of a player name (a letter with its accents).
pub const PLAYER_NAME_GRAPHEME_MAX_BYTES: usize = 32;
/// Longest player name before cleaning; more is refused unread.
pub const PLAYER_NAME_RAW_MAX_BYTES: usize = 512;

/// Longest application id.
pub const APP_MAX_BYTES: usize = 64;
/// Longest name of a game.
pub const GAME_MAX_BYTES: usize = 64;
/// Longest build version of a game.
pub const BUILD_MAX_BYTES: usize = 64;
/// Longest engine tag.
pub const ENGINE_MAX_BYTES: usize = 32;
/// Longest URL in a setting.
pub const URL_MAX_BYTES: usize = 2_048;
/// Longest API key.
pub const API_KEY_MAX_BYTES: usize = 256;
/// Mods named by a session.
pub const MODS_MAX_COUNT: usize = 64;
/// Longest id of a mod.
pub const MOD_MAX_BYTES: usize = 64;
/// Tracks of an engine game.
pub const TRACKS_MAX_COUNT: usize = 64;
/// Extra channels of one track.
pub const TRACK_CHANNELS_MAX_COUNT: usize = 8;
/// Kinds of marks of an engine game.
pub const EVENTS_MAX_COUNT: usize = 32;
/// Longest name of a button, axis, track, channel, mark or option.
pub const IDENTIFIER_MAX_BYTES: usize = 32;
/// Longest text value of a game option.
pub const GAME_OPTION_MAX_BYTES: usize = Options::TEXT_BYTES_MAX;

/// Largest JSON body of a request that carries no run.
pub const JSON_BODY_MAX_BYTES: usize = 16_384;
/// Longest request target (path and query).
pub const REQUEST_TARGET_MAX_BYTES: usize = 2_048;
/// Life of the nonce of a signed call.
pub const CALL_NONCE_LIFETIME_MS: u64 = 300_000;
/// Time an attempt may take before its ticket no longer counts; an outbox may be days late.
pub const TICKET_LIFETIME_MS: u64 = 7 * 86_400_000;
/// Time after the close of a daily in which a run whose ticket predates it is still taken.
pub const DAILY_GRACE_MS: u64 = 6 * 3_600_000;
/// How long a cache may keep the bytes of a run.
pub const RUN_CACHE_MAX_AGE_S: u32 = 3_600;
/// What a busy server asks a client to wait.
pub const RETRY_AFTER_S: u32 = 2;
/// Time a client gives one HTTP request.
pub const HTTP_TIMEOUT_MS: u32 = 30_000;

/// Base64 characters of one chunk of an upload over gfnet.
pub const CHUNK_BASE64_MAX_BYTES: usize = 32_000;
/// Bytes of one chunk of an upload over gfnet.
pub const CHUNK_MAX_BYTES: usize = 24_000;

/// Ghosts of one session.
pub const GHOSTS_MAX_COUNT: usize = 256;
/// Time that `clock: core` catches up after a stall; the rest is recorded as a gap.
pub const CATCH_UP_MAX_MS: u32 = 250;
