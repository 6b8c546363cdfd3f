//! `recordStart`, `recordStop`, `export`, `verify`, and `set` of input.actions.

use std::collections::BTreeMap;

use async_identity::TICKET_BYTES_MAX;
use async_protocol::limits::SEED_MAX;
use async_verify::TRACE_BYTES_MAX;
use serde_json::{Map, Value, json};

use super::{Reply, reply, run_id};
use crate::args::{Args, bad, write_integer};
use crate::commands::ANSWER_BYTES_MAX;
use crate::events::base64;
use crate::{Error, RecordOptions, RunSummary, Session};

impl Session {
    pub(super) fn call_record_start(&mut self, args: &Value) -> Reply {
        let known = [
            "ticket", "seed", "board", "meta", "practice", "trace", "restart",
        ];
        let args = Args::parse(args, &known)?;
        let seed_max = i64::try_from(SEED_MAX).unwrap_or(i64::MAX);
        let seed = self.record_start(&RecordOptions {
            ticket: args.bytes("ticket", TICKET_BYTES_MAX)?,
            seed: args.exact("seed", 0, seed_max)?.map(i64::unsigned_abs),
            board: args.text("board")?.map(str::to_owned),
            meta: meta(args.value("meta"))?,
            practice: args.flag("practice")?,
            trace: args.flag("trace")?,
            restart: args.flag("restart")?,
        })?;
        reply(json!({"seed": seed}))
    }

    pub(super) fn call_record_stop(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["score"])?;
        let score = args.exact("score", i64::MIN, i64::MAX)?;
        reply(summary(&self.record_stop(score)?))
    }

    pub(super) fn call_export(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["id", "trace"])?;
        let id = run_id(&args, "id")?;
        let mut fields = Map::new();
        fields.insert("bytes".to_owned(), base64(self.export(id)?));
        if args.flag("trace")? {
            let trace = self.recorded(id)?.trace.as_deref();
            fields.insert("trace".to_owned(), trace.map_or(Value::Null, base64));
        }
        Ok(fields)
    }

    pub(super) fn call_verify(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["run", "trace"])?;
        let run = self.run_bytes(&args)?;
        let trace = args.bytes("trace", TRACE_BYTES_MAX)?;
        let verdict = self.verify(&run, trace.as_deref())?;
        reply(serde_json::to_value(verdict).unwrap_or_default())
    }

    /// The argument `run`: the bytes of a run, or the id of one at hand. No run is as short as an
    /// id, so the two cannot be confused.
    pub(super) fn run_bytes(&self, args: &Args<'_>) -> Result<Vec<u8>, Error> {
        let text = Args::required("run", args.text("run")?)?;
        match text.parse() {
            Ok(id) => Ok(self.export(Some(id))?.to_vec()),
            Err(_) => crate::args::read_bytes("run", text, ANSWER_BYTES_MAX),
        }
    }

    pub(super) fn call_set(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["slot", "buttons", "axes"])?;
        let slot = args
            .integer("slot", 0, 7)?
            .and_then(|slot| u8::try_from(slot).ok());
        let input = self
            .controls()
            .read(args.value("buttons"), args.value("axes"))?;
        self.set_input(slot.unwrap_or(self.kits().settings.slot), input)?;
        Ok(Map::new())
    }
}

/// Texts by name. How many and how long is the header's to say.
fn meta(value: Option<&Value>) -> Result<BTreeMap<String, String>, Error> {
    let texts = |map: &Map<String, Value>| {
        map.iter()
            .map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())))
            .collect()
    };
    match value {
        None => Ok(BTreeMap::new()),
        Some(value) => value
            .as_object()
            .and_then(texts)
            .ok_or_else(|| bad("`meta` is an object of texts by name")),
    }
}

fn summary(run: &RunSummary) -> Value {
    json!({
        "id": run.id.to_string(), "bytes": run.bytes, "frames": run.frames,
        "score": write_integer(run.score), "truncated": run.truncated,
    })
}
