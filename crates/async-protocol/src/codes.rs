//! The registry of error codes: code, whose fault, HTTP status, one line.
//!
//! A code is stable for ever: it is what programs compare. Every code that any crate can answer
//! with is a row here; a test in `tests/` holds each crate's `CODES` against it.
//!
//! The statuses: 400 the bytes or the JSON are not what the call takes · 401 who is calling is not
//! shown · 403 it is known and may not · 404 there is none · 409 it does not fit what is already
//! there · 413 too much · 422 well formed, read, and refused for what it says · 429 too often ·
//! 5xx not your fault.

use Fault::{Caller, Network, Player, Run, Server};

/// Whose fault an error is, and so who can do something about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The program that made the call: a wrong argument, a wrong order of calls.
    Caller,
    /// The player: out of attempts, banned, no key.
    Player,
    /// The run itself: damaged, diverged, against a rule.
    Run,
    /// The server: busy, broken, full.
    Server,
    /// The way between: no connection, no answer.
    Network,
}

impl Fault {
    /// The word in lists and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Player => "player",
            Self::Run => "run",
            Self::Server => "server",
            Self::Network => "network",
        }
    }
}

/// One code of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    /// The code, stable for ever.
    pub code: &'static str,
    /// Whose fault it is.
    pub fault: Fault,
    /// The HTTP status of a response that carries it.
    pub status: u16,
    /// What it means, in one line.
    pub meaning: &'static str,
}

impl CodeEntry {
    /// True if the same request may do better later, unchanged.
    #[must_use]
    pub fn retryable(&self) -> bool {
        matches!(self.status, 408 | 429 | 500..)
    }
}

/// The entry of a code, if it is registered.
#[must_use]
pub fn lookup(code: &str) -> Option<&'static CodeEntry> {
    let index = REGISTRY
        .binary_search_by(|entry| entry.code.cmp(code))
        .ok()?;
    REGISTRY.get(index)
}

const fn row(code: &'static str, fault: Fault, status: u16, meaning: &'static str) -> CodeEntry {
    CodeEntry {
        code,
        fault,
        status,
        meaning,
    }
}

/// Every code of every crate, sorted by code.
#[rustfmt::skip]
pub const REGISTRY: &[CodeEntry] = &[
    row("already_recording", Caller, 409, "an unfinished recording is there; say restart"),
    row("app", Caller, 409, "gfnet: the server serves another app"),
    row("auth", Player, 401, "gfnet: the handshake's signature does not show the player"),
    row("bad_answer", Server, 502, "the server's answer is not what was asked for"),
    row("bad_api_key", Caller, 401, "the API key belongs to no app here"),
    row("bad_app", Caller, 400, "the app's name is too long"),
    row("bad_arguments", Caller, 400, "an argument is missing, unknown or not allowed"),
    row("bad_base64", Caller, 400, "bytes are not padded base64"),
    row("bad_board", Caller, 400, "the board key breaks the syntax of keys"),
    row("bad_body", Caller, 400, "the body is not what this call takes"),
    row("bad_config", Server, 500, "the server's configuration says something not allowed"),
    row("bad_corpus", Caller, 400, "an INP1 or SMP1 recording does not hold what it says"),
    row("bad_cursor", Caller, 400, "the cursor was not made by this board"),
    row("bad_day", Caller, 400, "a daily's day is no date"),
    row("bad_end", Run, 400, "the run's end does not agree with what was recorded"),
    row("bad_field", Caller, 400, "a field of a signed statement is out of its bounds"),
    row("bad_header", Run, 400, "a header field has a value the format does not allow"),
    row("bad_id", Caller, 400, "an id is not lower-case hex of its length"),
    row("bad_integer", Caller, 400, "a number is not whole, or needs to be a decimal string"),
    row("bad_key", Player, 400, "the player's public key is no valid key"),
    row("bad_key_ring", Server, 500, "the server's ring of keys is empty or over-full"),
    row("bad_key_text", Player, 400, "an exported key was mistyped"),
    row("bad_name", Player, 400, "the player name is too long"),
    row("bad_nonce", Caller, 401, "the nonce of a signed call is not this server's"),
    row("bad_option", Caller, 422, "the game does not take this option or value"),
    row("bad_players", Caller, 422, "the game cannot be played by so many"),
    row("bad_prior", Caller, 422, "a prior that cannot be trained, or is for another schema"),
    row("bad_query", Caller, 400, "the query is not what this call takes"),
    row("bad_rate", Caller, 422, "the frame rate is not between 10 and 120 Hz"),
    row("bad_receipt", Caller, 400, "the receipt cannot be read"),
    row("bad_sample", Run, 400, "a sample is off its track's rules"),
    row("bad_save", Caller, 400, "saved bytes are no state of this game"),
    row("bad_schema", Caller, 422, "the input schema declares too much or a bad name"),
    row("bad_seed", Caller, 422, "the seed is above 2^53-1"),
    row("bad_setting", Caller, 400, "a setting has a value that is not allowed"),
    row("bad_signature", Run, 401, "the signature does not match the player and the content"),
    row("bad_slot", Caller, 422, "the slot is not one of the game's"),
    row("bad_ticket", Run, 422, "the ticket cannot be read or is not this server's"),
    row("bad_url", Caller, 400, "no request can be built from this URL"),
    row("banned", Player, 403, "the player is banned"),
    row("board_conflict", Caller, 409, "the board has runs, and another order or ruleset"),
    row("body_timeout", Network, 408, "the body did not come in time"),
    row("busy", Server, 503, "too much work is waiting; try again after the time given"),
    row("cannot_listen", Server, 500, "the server's address cannot be listened on"),
    row("closed", Run, 409, "the board has closed, and the grace is over"),
    row("damaged", Run, 400, "a chunk does not match its checksum"),
    row("data_unreadable", Server, 500, "the server's data file cannot be opened"),
    row("diverged", Run, 422, "the re-simulation left the recording between two checkpoints"),
    row("duplicate_kit", Caller, 400, "the same kit was configured twice"),
    row("duplicate_run", Run, 409, "another player has sent these inputs"),
    row("erased", Player, 410, "this was erased and cannot come back"),
    row("erased_run", Caller, 409, "the run is no longer on this device"),
    row("frames_after_finish", Run, 422, "the run goes on after the game has finished"),
    row("full", Server, 503, "gfnet: no more sessions"),
    row("ghosts_full", Caller, 409, "as many ghosts as there may be"),
    row("input_undeclared", Run, 422, "an input uses what the schema does not declare"),
    row("internal", Server, 500, "the server failed; it is written in its log"),
    row("limit", Run, 413, "there is more of something than the limits allow"),
    row("malformed", Run, 400, "checksums hold, and yet the content breaks the format"),
    row("method_not_allowed", Caller, 405, "this path does not take this method"),
    row("missing_prior", Run, 422, "the run needs a codec prior that is unknown here"),
    row("model", Caller, 409, "gfnet: the server is of another model"),
    row("mods", Caller, 409, "gfnet: the game and the server run different mods"),
    row("no_attempts", Player, 403, "the player has no attempt left on this board"),
    row("no_challenge", Caller, 409, "no daily is known yet; ask the server for it first"),
    row("no_identity", Caller, 409, "the device's key is not loaded"),
    row("no_inputs", Run, 422, "a deterministic game without inputs is plausible at best"),
    row("no_ruleset", Caller, 422, "no run has bound the board yet; say the ruleset"),
    row("no_server", Network, 503, "neither apiUrl nor a connected session is there"),
    row("nonce_expired", Caller, 401, "the nonce of a signed call is too old"),
    row("nonce_used", Caller, 401, "the nonce of a signed call was used before"),
    row("not_a_core_game", Caller, 409, "for games of the core; the engine computes this one"),
    row("not_a_number", Run, 422, "the simulation came to a value that is no number"),
    row("not_a_prior", Caller, 400, "the bytes are not a prior"),
    row("not_a_run", Run, 400, "the bytes are not a run file"),
    row("not_a_trace", Caller, 400, "the bytes are not a trace"),
    row("not_an_engine_game", Caller, 409, "for engine games; the core computes this one"),
    row("not_found", Caller, 404, "there is none"),
    row("not_open", Run, 409, "the board has not opened yet"),
    row("not_ready", Server, 503, "the server is loading, or stopping"),
    row("not_recording", Caller, 409, "nothing is being recorded"),
    row("not_revealed", Caller, 403, "the board does not show this to others, or not yet"),
    row("opponent_differs", Run, 422, "the opponent's slot does not play the opponent's run"),
    row("opponent_unavailable", Run, 422, "the opponent's run is not here; the run waits"),
    row("outbox_full", Caller, 409, "as many runs wait as there may"),
    row("port_in_use", Server, 500, "another program listens at the server's address"),
    row("practice", Run, 422, "a practice run never ranks"),
    row("practice_run", Caller, 409, "a practice run is never sent"),
    row("queued", Server, 503, "a long run: it is kept, and verified after the answer"),
    row("rate_limited", Caller, 429, "too many calls; try again after the time given"),
    row("samples_differ", Run, 422, "the samples are not what the simulation shows"),
    row("score_exceeded", Run, 422, "a higher score than the rules believe"),
    row("score_mismatch", Run, 422, "the claimed score is not the computed one"),
    row("speed_exceeded", Run, 422, "something moved faster than the rules believe"),
    row("store_busy", Server, 503, "too many writes wait; try again after the time given"),
    row("store_closed", Server, 503, "the store is closing"),
    row("store_damaged", Server, 500, "the store's file is damaged or no store"),
    row("store_failed", Server, 500, "the disk or the database failed"),
    row("store_full", Server, 503, "the store's disk is full"),
    row("store_in_use", Server, 500, "another process has the store open"),
    row("store_newer", Server, 500, "a newer program wrote the store"),
    row("store_read_only", Server, 503, "the store may not be written"),
    row("system", Server, 500, "the system gives no thread or randomness"),
    row("ticket_early", Run, 422, "the ticket is from the future"),
    row("ticket_expired", Run, 422, "the ticket has expired"),
    row("ticket_required", Run, 422, "this board needs a ticket"),
    row("ticket_used", Run, 409, "the ticket was already used by another run"),
    row("ticket_wrong_app", Run, 422, "the ticket is for another app"),
    row("ticket_wrong_board", Run, 422, "the ticket is for another board"),
    row("ticket_wrong_opponent", Run, 422, "the ticket is for another opponent"),
    row("ticket_wrong_player", Run, 422, "the ticket is another player's"),
    row("ticket_wrong_ruleset", Run, 422, "the ticket is for another ruleset"),
    row("ticket_wrong_seed", Run, 422, "the run did not start from the ticket's seed"),
    row("too_expensive", Run, 422, "a frame costs more work than a frame may"),
    row("too_fast", Run, 422, "it arrived sooner after its ticket than it lasts"),
    row("too_large", Run, 413, "the run has more bytes than allowed"),
    row("too_many_frames", Run, 413, "the run has more frames than allowed"),
    row("too_short", Run, 422, "fewer frames than the rules ask for"),
    row("trace_damaged", Caller, 400, "the trace does not match its checksum"),
    row("trace_malformed", Caller, 400, "the trace breaks its format"),
    row("trace_truncated", Caller, 400, "the trace is cut off"),
    row("trace_version", Caller, 400, "the trace is of another version"),
    row("trailing", Run, 400, "there are bytes after the end of the run"),
    row("trap", Run, 422, "the game stopped itself"),
    row("truncated", Run, 400, "the run is cut off"),
    row("turn_rate_exceeded", Run, 422, "something turned faster than the rules believe"),
    row("unfinished", Run, 400, "the recording was never finished"),
    row("unfinished_game", Run, 422, "the run says that the game finished, and it did not"),
    row("unknown_board", Caller, 404, "no such board, and none more is made on first use"),
    row("unknown_chunks", Run, 422, "the run has chunks that this server does not know"),
    row("unknown_critical", Run, 400, "the run has a chunk that must be understood and is not"),
    row("unknown_game", Caller, 422, "no game has this name"),
    row("unknown_ghost", Caller, 404, "there is no such ghost"),
    row("unknown_key", Caller, 422, "signed by a key that is not in the ring"),
    row("unknown_kit", Caller, 400, "no kit has this name"),
    row("unknown_method", Caller, 404, "the service has no such method"),
    row("unknown_model", Run, 400, "the run is coded with a model that is unknown here"),
    row("unknown_revision", Caller, 422, "the game has no such revision"),
    row("unknown_run", Caller, 404, "there is no such run"),
    row("unknown_service", Caller, 404, "no service has this name"),
    row("unknown_setting", Caller, 400, "no setting has this name"),
    row("unknown_version", Caller, 422, "a signed statement of another version"),
    row("unreachable", Network, 503, "no answer from the server"),
    row("unsigned", Run, 401, "the run is not signed"),
    row("unsigned_call", Caller, 401, "the call needs a player's signature"),
    row("unsigned_run", Player, 409, "the run is not signed by this device's player"),
    row("unsupported_policy", Caller, 422, "the board asks for a policy not offered"),
    row("version", Caller, 409, "gfnet: the server needs another version"),
    row("wrong_app", Run, 422, "the run is for another app"),
    row("wrong_build", Run, 422, "recorded by another build than the board's"),
    row("wrong_clock", Caller, 409, "frames advance another way with this clock"),
    row("wrong_content", Run, 422, "recorded on another map or scene than the board's"),
    row("wrong_inputs", Caller, 400, "a frame needs one input for each slot"),
    row("wrong_mods", Run, 422, "recorded with other mods than the board's"),
    row("wrong_order", Caller, 409, "recorded out of order"),
    row("wrong_ruleset", Run, 422, "the board binds another ruleset"),
    row("wrong_schema", Run, 422, "the input schema is not the game's"),
    row("wrong_seed", Run, 422, "the run did not start from the board's seed"),
    row("wrong_server", Server, 502, "not the server known at this URL; nothing was signed"),
    row("wrong_version", Run, 400, "the run is of another format version"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_sorted_without_duplicates_and_every_row_is_found() {
        for pair in REGISTRY.windows(2) {
            assert!(
                pair[0].code < pair[1].code,
                "{} {}",
                pair[0].code,
                pair[1].code
            );
        }
        for entry in REGISTRY {
            assert_eq!(lookup(entry.code), Some(entry));
        }
        assert_eq!(lookup("no_such_code"), None);
    }

    #[test]
    fn every_row_is_snake_case_with_a_status_that_fits_its_fault() {
        for entry in REGISTRY {
            let snake = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            assert!(entry.code.bytes().all(snake), "{}", entry.code);
            assert!(
                !entry.meaning.is_empty() && entry.meaning.len() <= 80,
                "{}",
                entry.code
            );
            let served = entry.status >= 500 || entry.status == 408;
            let ours = matches!(entry.fault, Server | Network);
            assert_eq!(served, ours, "{}", entry.code);
        }
    }
}
