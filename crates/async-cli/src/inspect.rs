//! `gf-async inspect`: what a run file holds, also one that a crash cut off.

use async_core::{OptionValue, Options};
use async_replay::{
    ChunkSize, EndReason, Header, Limits, MarkKind, Priors, Recovered, Run, chunk_sizes,
};
use serde_json::{Map, Value, json};

use crate::args::InspectArgs;
use crate::failure::{Exit, Failure};
use crate::files;
use crate::output::{BAD, DIM, GOOD, Output, STRONG, Thousands, plain};
use crate::streams::Streams;

/// Marks and checkpoints that are listed for people; JSON has all of them.
const LISTED_MAX: usize = 12;

/// A file as far as it could be read.
struct Inspected<'p> {
    bytes: usize,
    header: Header,
    body: Body,
    chunks: Vec<ChunkSize>,
    priors: &'p Priors,
}

enum Body {
    Whole(Box<Run>),
    Cut(Box<Recovered>),
}

pub(crate) fn run(args: &InspectArgs, output: &mut Output) -> Result<Exit, Failure> {
    let bytes = files::read_run(&args.path)?;
    let priors = files::read_priors(&args.known)?;
    let inspected = Inspected::of(&bytes, &priors).map_err(|failure| failure.about(&args.path))?;
    output.object(&inspected.object())?;
    inspected.show(output)?;
    match &inspected.body {
        Body::Whole(_) => Ok(Exit::Fine),
        Body::Cut(_) => Ok(Exit::Refused),
    }
}

impl<'p> Inspected<'p> {
    fn of(bytes: &[u8], priors: &'p Priors) -> Result<Self, Failure> {
        let limits = &Limits::LOCAL;
        let (header, body, whole) = match Run::open_with(bytes, limits, priors) {
            Ok(run) => (run.header.clone(), Body::Whole(Box::new(run)), bytes.len()),
            Err(error) => {
                // What is no run at all, or of another version, cannot be shown in part either.
                let cut =
                    Run::recover_with(bytes, limits, priors).map_err(|_| Failure::from(error))?;
                let whole = cut.whole_bytes;
                (cut.header.clone(), Body::Cut(Box::new(cut)), whole)
            }
        };
        let chunks = chunk_sizes(&bytes[..whole], limits)?;
        Ok(Self {
            bytes: bytes.len(),
            header,
            body,
            chunks,
            priors,
        })
    }

    fn frames(&self) -> u32 {
        match &self.body {
            Body::Whole(run) => run.end.frames,
            Body::Cut(cut) => cut.whole_frames,
        }
    }

    fn seconds(&self) -> f64 {
        self.header.rate.milliseconds(self.frames()) as f64 / 1_000.0
    }

    fn streams(&self) -> Streams {
        let run = match &self.body {
            Body::Whole(run) => Some(&**run),
            Body::Cut(_) => None,
        };
        Streams::of(&self.chunks, self.seconds() / 60.0, run, self.priors)
    }

    fn object(&self) -> Value {
        let mut object = json!({
            "ok": matches!(self.body, Body::Whole(_)), "bytes": self.bytes,
            "frames": self.frames(), "seconds": self.seconds(),
            "header": header_object(&self.header), "streams": self.streams().object(),
        });
        match &self.body {
            Body::Whole(run) => whole_object(run, &mut object),
            Body::Cut(cut) => {
                let cause = cut.cause.as_ref();
                object["code"] = cause.map_or("unfinished", async_replay::Error::code).into();
                object["whole_bytes"] = cut.whole_bytes.into();
            }
        }
        object
    }

    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        self.show_header(output)?;
        output.line("")?;
        self.streams().show(self.bytes, output)?;
        match &self.body {
            Body::Whole(run) => show_whole(run, output),
            Body::Cut(cut) => {
                let cause = cut.cause.as_ref();
                let code = cause.map_or("unfinished", async_replay::Error::code);
                let cause = cause.map_or("no end".into(), ToString::to_string);
                let (frames, bytes) = (Thousands(cut.whole_frames), Thousands(cut.whole_bytes));
                output.line(format_args!(
                    "\n{BAD}not whole{BAD:#}: {cause} {DIM}({code}){DIM:#}\n\
                     {frames} frames in the first {bytes} bytes are whole"
                ))?;
                Ok(())
            }
        }
    }

    fn show_header(&self, output: &mut Output) -> Result<(), Failure> {
        let header = &self.header;
        let mut row = |name: &str, value: String| {
            output.line(format_args!("{DIM}{name:<12}{DIM:#}{}", plain(&value)))
        };
        let (frames, seconds) = (Thousands(self.frames()), self.seconds());
        row(
            "game",
            format!("{} revision {}", header.game, header.revision),
        )?;
        row("options", options_line(&header.options))?;
        row(
            "length",
            format!("{frames} frames, {seconds:.1} s at {}", rate(header)),
        )?;
        row("seed", header.seed.to_string())?;
        row(
            "players",
            format!("{}, recorded in slot {}", header.players, header.slot),
        )?;
        row("player", player_line(header))?;
        row(
            "board",
            format!("{:?} of app {:?}", header.board, header.app),
        )?;
        row(
            "build",
            format!("{:?}, engine {:?}", header.build, header.engine),
        )?;
        row("ruleset", header.ruleset().to_string())?;
        if !header.mods.is_empty() {
            row("mods", header.mods.join(", "))?;
        }
        if let Some(opponent) = &header.opponent {
            row(
                "opponent",
                format!("{} in slot {}", opponent.run, opponent.slot),
            )?;
        }
        if header.practice {
            row("practice", "yes: it never ranks".into())?;
        }
        for (name, text) in &header.meta {
            row("meta", format!("{name} {text:?}"))?;
        }
        Ok(())
    }
}

fn rate(header: &Header) -> String {
    match (header.rate.numer(), header.rate.denom()) {
        (numer, 1) => format!("{numer} Hz"),
        (numer, denom) => format!("{numer}/{denom} Hz"),
    }
}

fn player_line(header: &Header) -> String {
    let id = header
        .player
        .map_or_else(|| "nobody".to_owned(), |player| player.to_string());
    format!("{:?} {id}", header.player_name)
}

fn options_line(options: &Options) -> String {
    let entries: Vec<String> = options
        .iter()
        .map(|(name, value)| format!("{name} {}", option_value(value)))
        .collect();
    if entries.is_empty() {
        "the game's defaults".into()
    } else {
        entries.join(", ")
    }
}

fn option_value(value: &OptionValue) -> Value {
    match value {
        OptionValue::Bool(value) => json!(value),
        OptionValue::Int(value) => integer(*value),
        OptionValue::Text(value) => json!(value),
    }
}

/// An integer as JSON has it: a decimal string where a reader might round it.
fn integer(value: i64) -> Value {
    const SAFE: u64 = (1 << 53) - 1;
    if value.unsigned_abs() <= SAFE {
        json!(value)
    } else {
        json!(value.to_string())
    }
}

fn header_object(header: &Header) -> Value {
    let options: Map<String, Value> = header
        .options
        .iter()
        .map(|(name, value)| (name.into(), option_value(value)))
        .collect();
    let inputs = header.inputs.as_ref().map(|schema| {
        let axes: Vec<&str> = schema.axes.iter().map(|axis| axis.name.as_str()).collect();
        json!({"buttons": schema.buttons, "axes": axes})
    });
    let samples = header.samples.as_ref().map(|schema| {
        let tracks: Vec<&str> = schema
            .tracks
            .iter()
            .map(|track| track.name.as_str())
            .collect();
        json!({"rate_hz": schema.rate_hz, "tracks": tracks, "step_mm": schema.precision.step_mm()})
    });
    json!({
        "game": header.game, "revision": header.revision, "build": header.build,
        "options": options,
        "content": header.content.map(|hash| data_encoding::HEXLOWER.encode(&hash)),
        "mods": header.mods, "seed": header.seed, "players": header.players, "slot": header.slot,
        "player": header.player.map(|player| player.to_string()), "name": header.player_name,
        "engine": header.engine, "app": header.app, "board": header.board,
        "rate": {"numer": header.rate.numer(), "denom": header.rate.denom()},
        "frames_max": header.frames_max, "inputs": inputs, "samples": samples,
        "ticket": header.ticket.is_some(),
        "opponent": header.opponent.map(|it| json!({"run": it.run.to_string(), "slot": it.slot})),
        "practice": header.practice, "meta": header.meta, "ruleset": header.ruleset().to_string(),
    })
}

fn whole_object(run: &Run, object: &mut Value) {
    let hashes = run.hashes();
    object["id"] = hashes.full.id().to_string().into();
    object["input_changes"] = hashes.input_changes.into();
    object["signed"] = run.signature.is_some().into();
    object["end"] = json!({
        "score": integer(run.end.score), "reason": reason(run.end.reason),
        "digest": format!("{:016x}", run.end.digest),
    });
    object["marks"] = run.marks.iter().map(mark_object).collect();
    object["pauses"] = run
        .pauses
        .iter()
        .map(|pause| json!({"frame": pause.frame, "wall_ms": pause.wall_ms}))
        .collect();
    object["checkpoints"] = run
        .checkpoints
        .iter()
        .map(|at| json!({"frame": at.frame, "digest": format!("{:08x}", at.digest)}))
        .collect();
    object["samples"] = run.tracks.iter().map(Vec::len).collect();
}

fn mark_object(mark: &async_replay::Mark) -> Value {
    json!({"frame": mark.frame, "kind": mark_name(mark.kind), "value": integer(mark.value)})
}

fn mark_name(kind: MarkKind) -> String {
    match kind {
        MarkKind::Split => "split".into(),
        MarkKind::Lap => "lap".into(),
        MarkKind::Respawn => "respawn".into(),
        MarkKind::Custom(index) => format!("event {index}"),
    }
}

fn reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Finished => "finished",
        EndReason::Stopped => "stopped",
        EndReason::Truncated => "truncated",
    }
}

fn show_whole(run: &Run, output: &mut Output) -> Result<(), Failure> {
    if run.marks.len() + run.checkpoints.len() > 0 {
        output.line("")?;
    }
    for mark in run.marks.iter().take(LISTED_MAX) {
        let (frame, name) = (Thousands(mark.frame), mark_name(mark.kind));
        output.line(format_args!(
            "  {name:<12}frame {frame:>7}  {}",
            Thousands(mark.value)
        ))?;
    }
    for at in run.checkpoints.iter().take(LISTED_MAX) {
        let (frame, digest) = (Thousands(at.frame), at.digest);
        output.line(format_args!(
            "  checkpoint  frame {frame:>7}  {DIM}{digest:08x}{DIM:#}"
        ))?;
    }
    let unlisted = run.marks.len().saturating_sub(LISTED_MAX)
        + run.checkpoints.len().saturating_sub(LISTED_MAX);
    if unlisted > 0 {
        output.line(format_args!(
            "  {DIM}and {unlisted} more; --json has them all{DIM:#}"
        ))?;
    }
    let (why, score, digest) = (
        reason(run.end.reason),
        Thousands(run.end.score),
        run.end.digest,
    );
    let signed = if run.signature.is_some() {
        "signed"
    } else {
        "not signed"
    };
    output.line(format_args!(
        "\n{GOOD}{why}{GOOD:#} with score {STRONG}{score}{STRONG:#}, run digest {digest:016x}, \
         {signed}\nid {STRONG}{}{STRONG:#}",
        run.id()
    ))?;
    Ok(())
}
