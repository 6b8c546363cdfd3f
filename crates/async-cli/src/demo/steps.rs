//! The steps of the demo, in order. Each makes a claim and fails if it does not hold.

use std::path::{Path, PathBuf};
use std::time::Instant;

use async_client::{BoardRequest, Event, GhostOptions, Pick, Play};
use async_protocol::wire::{BoardAnswer, SubmitAnswer};
use async_protocol::{Status, Verdict};
use async_replay::{Limits, Run, RunId};
use serde_json::json;

use super::Told;
use super::course::{APP, Course};
use super::gap::{Gaps, Measure};
use super::player::Player;
use super::server::Server;
use super::tamper::tamper;
use crate::connection::api_url;
use crate::failure::Failure;
use crate::output::{BAD, DIM, GOOD, STRONG, Thousands};
use crate::submit::Submitted;
use crate::{board as boards, daily as dailies, fetch, submit};

/// Frames that a session simulates of its ghosts in one tick, and a little less.
const GHOST_FRAMES_PER_TICK: u32 = 1_000;

/// A run of the first player.
struct Played {
    id: RunId,
    bytes: Vec<u8>,
    trace: Vec<u8>,
    frames: u32,
    score: i64,
}

/// What the steps hand on to each other.
pub(super) struct Demo {
    course: Course,
    pub(super) server: Server,
    folder: PathBuf,
    first: Option<Player>,
    second: Option<Player>,
    played: Option<Played>,
    ghost: Option<(u64, u64)>,
    ranked: u64,
}

impl Demo {
    pub(super) fn new(course: Course, server: Server, folder: &Path) -> Self {
        Self {
            course,
            server,
            folder: folder.to_owned(),
            first: None,
            second: None,
            played: None,
            ghost: None,
            ranked: 0,
        }
    }

    pub(super) fn into_server(self) -> Server {
        self.server
    }

    fn join(&self, name: &str, folder: &str) -> Result<Player, Failure> {
        let settings = self.course.settings(&api_url(self.server.url()), name);
        Player::join(name, settings, &self.folder.join(folder))
    }
}

/// What a step needs of an earlier one.
fn there<T>(part: Option<T>) -> Result<T, Failure> {
    part.ok_or_else(|| Failure::new("demo", "an earlier step left nothing to go on with"))
}

/// The claim of a step.
fn require(holds: bool, claim: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(Failure::new("demo_claim", claim()))
    }
}

pub(super) fn server(demo: &mut Demo) -> Result<Told, Failure> {
    demo.server.start()?;
    let url = demo.server.url();
    Ok(Told {
        fields: json!({"url": url}),
        lines: vec![format!("{url}, with an empty file for everything")],
    })
}

pub(super) fn record(demo: &mut Demo) -> Result<Told, Failure> {
    let name = demo.course.first_name();
    let mut player = demo.join(&name, "first")?;
    let start = Instant::now();
    let summary = player.play(None, &mut demo.course.first_drive(), |_| Ok(()))?;
    let ms = start.elapsed().as_secs_f64() * 1_000.0;
    let session = player.session();
    let recorded = session.recorded(Some(summary.id))?;
    let trace = there(recorded.trace.clone())?;
    let (bytes, reason) = (recorded.bytes.clone(), format!("{:?}", recorded.reason));
    let verdict = session.verify(&bytes, Some(&trace))?;
    require(verdict.status == Status::Verified, || {
        format!(
            "the run just recorded is {}: {}",
            verdict.status, verdict.msg
        )
    })?;
    require(
        verdict.score == summary.score && verdict.frames == summary.frames,
        || "the verdict is about another run".into(),
    )?;
    let seconds = (f64::from(summary.frames) / 0.06).round() / 1_000.0;
    let mode = demo.course.mode;
    let told = Told {
        fields: json!({
            "player": name, "mode": mode, "id": summary.id.to_string(), "frames": summary.frames,
            "seconds": seconds, "bytes": bytes.len(), "score": summary.score,
            "end": reason.to_lowercase(), "digest": format!("{:016x}", verdict.digest),
        }),
        lines: vec![
            format!(
                "{STRONG}{name}{STRONG:#} plays {mode}: {} frames ({seconds:.1} s of play in \
                 {ms:.0} ms), score {STRONG}{}{STRONG:#}",
                Thousands(summary.frames),
                score_text(&demo.course, summary.score)
            ),
            format!(
                "{} bytes, re-simulated here: {GOOD}verified{GOOD:#}, digest {DIM}{:016x}{DIM:#}",
                Thousands(bytes.len()),
                verdict.digest
            ),
        ],
    };
    let (id, frames, score) = (summary.id, summary.frames, summary.score);
    demo.played = Some(Played {
        id,
        bytes,
        trace,
        frames,
        score,
    });
    demo.first = Some(player);
    Ok(told)
}

/// A race's score is a time; anything else are points.
fn score_text(course: &Course, score: i64) -> String {
    if course.ascending() {
        format!("{:.3} s", score as f64 / 1_000.0)
    } else {
        Thousands(score).to_string()
    }
}

/// Sends a run that the server must verify.
fn accepted(player: &mut Player, id: RunId) -> Result<SubmitAnswer, Failure> {
    match submit::submit(player.connection(), id)? {
        Submitted::Taken(answer) => {
            require(answer.status == Status::Verified, || {
                format!("the server says {}: {}", answer.status, answer.verdict.msg)
            })?;
            Ok(*answer)
        }
        Submitted::Refused { code, msg, .. } => Err(Failure::new(code, msg)),
    }
}

pub(super) fn submit_first(demo: &mut Demo) -> Result<Told, Failure> {
    let (player, played) = (there(demo.first.as_mut())?, there(demo.played.as_ref())?);
    let start = Instant::now();
    let answer = accepted(player, played.id)?;
    let ms = start.elapsed().as_secs_f64() * 1_000.0;
    require(
        answer.rank == Some(1) && answer.score == played.score,
        || {
            format!(
                "the only run has rank {:?} and score {}",
                answer.rank, answer.score
            )
        },
    )?;
    require(!answer.duplicate && answer.receipt.is_some(), || {
        "the first submit is called a duplicate, or has no receipt".into()
    })?;
    demo.ranked = 1;
    Ok(Told {
        fields: answer_fields(&answer, &player.name),
        lines: vec![format!(
            "the server re-simulated it: {GOOD}{}{GOOD:#}, rank {STRONG}1{STRONG:#} on {}, \
             with a signed receipt {DIM}({ms:.0} ms){DIM:#}",
            answer.status,
            demo.course.board()
        )],
    })
}

fn answer_fields(answer: &SubmitAnswer, player: &str) -> serde_json::Value {
    json!({
        "player": player, "id": answer.id.to_string(), "status": answer.status.name(),
        "score": answer.score, "rank": answer.rank, "duplicate": answer.duplicate,
    })
}

pub(super) fn ghost(demo: &mut Demo) -> Result<Told, Failure> {
    let mut player = demo.join("Autopilot B", "second")?;
    let played = there(demo.played.as_ref())?;
    let board = demo.course.board();
    let request = player.session().fetch_from_board(&board, Pick::Top, 1)?;
    let fetched = fetch::fetched(player.connection(), request)?;
    let best = there(fetched.first())?;
    require(best.id == played.id, || {
        format!("the best run of the board is {}", best.id)
    })?;
    let session = player.session();
    let bytes = session.export(Some(best.id))?;
    require(bytes == played.bytes, || {
        "the fetched file is not the one that was sent".into()
    })?;
    let seed = Run::info(bytes, &Limits::LOCAL)?.header.seed;
    let ghost = session.load_ghost_by_id(best.id, GhostOptions::default())?;
    require(
        ghost.frames == played.frames && ghost.score == played.score,
        || "the ghost is another run".into(),
    )?;
    // The ghost's way is simulated over some ticks; the race begins once it is whole.
    (0..=played.frames / GHOST_FRAMES_PER_TICK).for_each(|_| session.tick(0.0, None));
    let told = Told {
        fields: json!({
            "player": player.name, "id": best.id.to_string(), "ghost_of": best.name,
            "bytes": best.bytes, "frames": ghost.frames, "score": ghost.score,
        }),
        lines: vec![format!(
            "{STRONG}{}{STRONG:#} fetches the best run, {} bytes of {}, and loads it as a ghost",
            player.name,
            Thousands(best.bytes),
            best.name
        )],
    };
    demo.ghost = Some((ghost.ghost, seed));
    demo.second = Some(player);
    Ok(told)
}

pub(super) fn race(demo: &mut Demo) -> Result<Told, Failure> {
    let (ghost, seed) = there(demo.ghost)?;
    let player = there(demo.second.as_mut())?;
    let played = there(demo.played.as_ref())?;
    let measure = if demo.course.ascending() {
        Measure::Seconds
    } else {
        Measure::Points
    };
    let mut gaps = Gaps::new(measure, 60);
    let mut started = false;
    let mut drive = demo.course.autopilots(1_000);
    let summary = player.play(Some(seed), &mut drive, |session| {
        if !started {
            session.play(
                ghost,
                &Play {
                    from: Some(1),
                    speed: Some(1.0),
                    repeat: None,
                },
            )?;
            started = true;
        }
        if session.recording() {
            gaps.note(session.frames(), &session.ghost(ghost, None)?);
        }
        Ok(())
    })?;
    require(gaps.known() * 2 > gaps.count(), || {
        format!(
            "the gap is known at {} of {} times",
            gaps.known(),
            gaps.count()
        )
    })?;
    let answer = accepted(player, summary.id)?;
    let better = match demo.course.ascending() {
        true => summary.score < played.score,
        false => summary.score > played.score,
    };
    let rank = if better || summary.score == played.score {
        1
    } else {
        2
    };
    require(answer.rank == Some(rank), || {
        format!(
            "score {} against {} got rank {:?}",
            summary.score, played.score, answer.rank
        )
    })?;
    demo.ranked = 2;
    let mut fields = answer_fields(&answer, &player.name);
    fields["frames"] = summary.frames.into();
    fields["gap"] = gaps.object();
    let mut lines = vec![
        format!(
            "{STRONG}{}{STRONG:#} races it on the same course: score {STRONG}{}{STRONG:#}, \
             {GOOD}{}{GOOD:#}, rank {STRONG}{rank}{STRONG:#}",
            player.name,
            score_text(&demo.course, summary.score),
            answer.status
        ),
        format!(
            "gap to the ghost  {}  {DIM}high is ahead{DIM:#}",
            gaps.line()
        ),
    ];
    lines.extend(gaps.rows());
    Ok(Told { fields, lines })
}

/// The board as anybody sees it.
fn page(player: &mut Player, course: &Course) -> Result<BoardAnswer, Failure> {
    let board = course.board();
    boards::fetch(
        player.connection(),
        &BoardRequest {
            board,
            ..BoardRequest::default()
        },
    )
}

pub(super) fn board(demo: &mut Demo) -> Result<Told, Failure> {
    let answer = page(there(demo.second.as_mut())?, &demo.course)?;
    require(
        answer.total == demo.ranked && answer.rows.len() as u64 == demo.ranked,
        || {
            format!(
                "{} rows of {} are on the board",
                answer.rows.len(),
                answer.total
            )
        },
    )?;
    for row in &answer.rows {
        let better = |other: i64| match demo.course.ascending() {
            true => other < row.score,
            false => other > row.score,
        };
        let above = answer
            .rows
            .iter()
            .filter(|other| better(other.score))
            .count() as u64;
        require(row.rank == above + 1, || {
            format!("{} has rank {} with {above} above", row.name, row.rank)
        })?;
    }
    let lines = answer.rows.iter().map(|row| {
        format!(
            "{STRONG}{:>2}{STRONG:#}  {:>10}  {:<24} {GOOD}{}{GOOD:#} {DIM}{}{DIM:#}",
            row.rank,
            score_text(&demo.course, row.score),
            row.name,
            row.status,
            row.run
        )
    });
    let rows = serde_json::to_value(&answer.rows).unwrap_or_default();
    Ok(Told {
        fields: json!({"board": answer.board, "total": answer.total, "rows": rows}),
        lines: lines.collect(),
    })
}

pub(super) fn tampered(demo: &mut Demo) -> Result<Told, Failure> {
    let played = there(demo.played.as_ref())?;
    let copy = tamper(&played.bytes)?;
    let mut cheater = demo.join("Tampered copy", "copy")?;
    let id = cheater.session().adopt(&copy.bytes)?;
    let Submitted::Refused { code, msg, verdict } = submit::submit(cheater.connection(), id)?
    else {
        return Err(Failure::new("demo_claim", "the server took a tampered run"));
    };
    require(code == "diverged", || {
        format!("the server refused it for {code}: {msg}")
    })?;
    let server = there(verdict)?;
    let (agreed, apart) = (there(server.agreed)?, there(server.frame)?);
    require(agreed <= copy.frame && copy.frame < apart, || {
        format!(
            "frame {} was changed, not one of {agreed} to {apart}",
            copy.frame
        )
    })?;
    let local = cheater.session().verify(&copy.bytes, Some(&played.trace))?;
    require(
        local.frame == Some(copy.frame) && local.field.as_ref() == Some(&copy.field),
        || {
            format!(
                "the trace names {:?} in frame {:?}",
                local.field, local.frame
            )
        },
    )?;
    let after = page(&mut cheater, &demo.course)?;
    require(after.total == demo.ranked, || {
        format!("{} rows on the board now", after.total)
    })?;
    let (frame, field) = (copy.frame, &copy.field);
    Ok(Told {
        fields: json!({
            "changed": {"frame": frame, "field": field},
            "server": verdict_fields(&server), "trace": verdict_fields(&local),
        }),
        lines: vec![
            format!(
                "one input of {} changed, every checksum right, signed anew: {BAD}refused{BAD:#} \
                 {DIM}({code}){DIM:#}",
                Thousands(played.frames)
            ),
            format!(
                "the server:    between frames {} and {}",
                Thousands(agreed),
                Thousands(apart)
            ),
            format!(
                "with a trace:  frame {STRONG}{}{STRONG:#}, {STRONG}{field}{STRONG:#}",
                Thousands(frame)
            ),
        ],
    })
}

fn verdict_fields(verdict: &Verdict) -> serde_json::Value {
    serde_json::to_value(verdict).unwrap_or_default()
}

pub(super) fn twice(demo: &mut Demo) -> Result<Told, Failure> {
    let (player, played) = (there(demo.first.as_mut())?, there(demo.played.as_ref())?);
    let answer = accepted(player, played.id)?;
    require(answer.duplicate, || {
        "the same run is not called a duplicate".into()
    })?;
    let after = page(player, &demo.course)?;
    let rows = after
        .rows
        .iter()
        .filter(|row| row.run.0 == played.id.0)
        .count();
    require(after.total == demo.ranked && rows == 1, || {
        format!("{} rows on the board, {rows} of this run", after.total)
    })?;
    let mut fields = answer_fields(&answer, &player.name);
    fields["total"] = after.total.into();
    Ok(Told {
        fields,
        lines: vec![format!(
            "the same run sent again is a duplicate: still {} rows on the board",
            after.total
        )],
    })
}

pub(super) fn offline(demo: &mut Demo) -> Result<Told, Failure> {
    let mut player = there(demo.second.take())?;
    demo.server.stop();
    let mut drive = demo.course.autopilots(2_000);
    let (_, seed) = there(demo.ghost)?;
    let summary = player.play(Some(seed), &mut drive, |_| Ok(()))?;
    let id = summary.id;
    let request = player.session().submit(Some(id))?;
    let connection = player.connection();
    let mut queued = false;
    let failed = connection.watch(|event| match event {
        Event::Queued { id: of, .. } if of == id => {
            queued = true;
            None
        }
        Event::Failed {
            request: of,
            code,
            retry_ms: Some(_),
            ..
        } if of == request => Some(code),
        _ => None,
    });
    require(queued, || {
        "the run was not stored before it was sent".into()
    })?;
    let code = there(failed)?;
    demo.server.start()?;
    let mut player = player.restart()?;
    let connection = player.connection();
    connection.session().try_now();
    let arrived = connection.watch(|event| submit::answer(event, id));
    let Some(Submitted::Taken(answer)) = arrived else {
        return Err(Failure::new(
            "demo_claim",
            "the run did not arrive from the outbox",
        ));
    };
    require(answer.status == Status::Verified, || {
        format!("it is {}", answer.status)
    })?;
    let board = page(&mut player, &demo.course)?;
    require(board.total == demo.ranked, || {
        format!(
            "{} rows on the board after the server came back",
            board.total
        )
    })?;
    let left = player.session().outbox().count();
    require(left == 0, || format!("{left} runs still wait"))?;
    let mut fields = answer_fields(&answer, &player.name);
    fields["while_away"] = code.as_str().into();
    demo.second = Some(player);
    Ok(Told {
        fields,
        lines: vec![
            format!("the server is killed; a new run waits in the outbox {DIM}({code}){DIM:#}"),
            format!(
                "player and server come back, all rows are there, and it arrives: \
                 {GOOD}{}{GOOD:#}, score {}",
                answer.status,
                score_text(&demo.course, answer.score)
            ),
        ],
    })
}

pub(super) fn daily(demo: &mut Demo) -> Result<Told, Failure> {
    let player = there(demo.second.as_mut())?;
    let answer = dailies::fetch(player.connection())?;
    let open = (answer.opens_ms..answer.closes_ms).contains(&answer.server_ms);
    require(answer.board.starts_with("daily-") && open, || {
        format!("{} is not open at {}", answer.board, answer.server_ms)
    })?;
    let left_min = (answer.closes_ms - answer.server_ms) / 60_000;
    let fields = serde_json::to_value(&answer).unwrap_or_default();
    Ok(Told {
        fields,
        lines: vec![format!(
            "today's challenge for {APP} is {STRONG}{}{STRONG:#}, open for {} h {:02} min more",
            answer.board,
            left_min / 60,
            left_min % 60
        )],
    })
}
