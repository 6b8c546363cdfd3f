//! The JSON surface: `call(service, method, args)`. Every method here is a typed method of the
//! session with its arguments read and its result written; a failure is
//! `{"ok": false, "code", "msg"}`, and nothing panics.

mod engine;
mod ghosts;
mod net;
mod recording;

use async_replay::RunId;
use serde_json::{Map, Value};

use crate::args::{Args, bad};
use crate::{Error, Session};

/// The fields of a successful reply, beside `ok`.
type Reply = Result<Map<String, Value>, Error>;

/// Longest name of a service or method that an error repeats.
const NAME_SHOWN_CHARS: usize = 40;

impl Session {
    /// Calls a method of a service. Engines write JSON in their own ways, so these are the rules:
    /// - `args` is an object, or an array holding at most that object; null is as if absent.
    /// - An integer is a number, or a decimal string, which it must be beyond 2^53 - 1. A whole
    ///   double (`3.0`) is the integer too, wherever it is no seed and no score: those are `3` or
    ///   `"3"`. `1.5`, `-0.0`, booleans and what is out of range are `bad_arguments`. The same
    ///   holds for the numbers in answers ([`Answer::from_json`](crate::Answer::from_json)).
    /// - Bytes are padded base64, ids lower-case hex.
    pub fn call(&mut self, service: &str, method: &str, args: &Value) -> Value {
        let reply = match service {
            "net.async" => self.call_async(method, args),
            "input.actions" => self.call_actions(method, args),
            "game.engine" => self.call_engine(method, args),
            "net.transport" => Err(no_method(service, method)),
            _ => Err(Error::UnknownService(shown(service))),
        };
        match reply {
            Ok(mut fields) => {
                fields.insert("ok".to_owned(), true.into());
                Value::Object(fields)
            }
            Err(error) => failure(&error),
        }
    }

    fn call_async(&mut self, method: &str, args: &Value) -> Reply {
        match method {
            "recordStart" => self.call_record_start(args),
            "recordStop" => self.call_record_stop(args),
            "export" => self.call_export(args),
            "verify" => self.call_verify(args),
            "loadGhost" => self.call_load_ghost(args),
            "unloadGhost" => self.call_unload_ghost(args),
            "play" => self.call_play(args),
            "ghost" => self.call_ghost(args),
            "submit" => self.call_submit(args),
            "fetch" => self.call_fetch(args),
            "board" => self.call_board(args),
            "daily" => self.call_daily(args),
            "ticket" => self.call_ticket(args),
            "forgetServer" => self.call_forget_server(args),
            "outbox" => self.call_outbox(args),
            _ => Err(no_method("net.async", method)),
        }
    }

    fn call_actions(&mut self, method: &str, args: &Value) -> Reply {
        match method {
            "set" => self.call_set(args),
            _ => Err(no_method("input.actions", method)),
        }
    }

    fn call_engine(&mut self, method: &str, args: &Value) -> Reply {
        match method {
            "sample" => self.call_sample(args),
            "mark" => self.call_mark(args),
            "pause" => self.call_pause(args),
            "resume" => self.call_resume(args),
            "score" => self.call_score(args),
            "progress" => self.call_progress(args),
            _ => Err(no_method("game.engine", method)),
        }
    }
}

/// A failure as JSON.
fn failure(error: &Error) -> Value {
    let mut fields = Map::new();
    fields.insert("ok".to_owned(), false.into());
    fields.insert("code".to_owned(), error.code().into());
    fields.insert("msg".to_owned(), error.to_string().into());
    Value::Object(fields)
}

fn no_method(service: &str, method: &str) -> Error {
    Error::UnknownMethod {
        service: service.to_owned(),
        method: shown(method),
    }
}

fn shown(name: &str) -> String {
    name.chars().take(NAME_SHOWN_CHARS).collect()
}

/// The fields of a reply from a JSON object.
fn reply(value: Value) -> Reply {
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

/// The id of a run in an argument.
fn run_id(args: &Args<'_>, name: &str) -> Result<Option<RunId>, Error> {
    args.text(name)?
        .map(|text| read_run_id(name, text))
        .transpose()
}

fn read_run_id(name: &str, text: &str) -> Result<RunId, Error> {
    text.parse()
        .map_err(|_| bad(&format!("`{name}` is a run id: 32 lower-case hex digits")))
}
