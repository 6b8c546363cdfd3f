//! What goes to the server: submits by the outbox, everything else as jobs.

use std::collections::VecDeque;

use async_identity::PlayerKey;
use async_protocol::codes::Fault;
use async_protocol::wire::{DailyAnswer, SubmitAnswer, TicketRequest};
use async_protocol::{Status, board::check_key};
use async_replay::{Run, RunId};

use super::Session;
use crate::api::{Failure, Response};
use crate::args::bad;
use crate::commands::{Command, HttpRequest};
use crate::events::Event;
use crate::online::Purpose;
use crate::online::jobs::{BoardRequest, Context, FETCH_MAX, Job, Next, Pick};
use crate::outbox::{Errand, Fate, Waiting};
use crate::runs::Frozen;
use crate::{Error, storage_keys};

impl Session {
    /// Puts a recorded run (the last one if none is named) into the outbox; returns the request
    /// that its events will carry. It is sent once it is on disk, and as long as it takes.
    ///
    /// # Errors
    /// `unknown_run` (fetched runs are not recorded ones), `practice_run`, `unsigned_run`,
    /// `outbox_full`.
    pub fn submit(&mut self, id: Option<RunId>) -> Result<u64, Error> {
        let run = self.runs.recorded(id)?;
        if run.practice {
            return Err(Error::PracticeRun);
        }
        if !run.signed {
            return Err(Error::UnsignedRun);
        }
        let request = self.online.new_request();
        let request = self.outbox.add(run.id, &run.bytes, request)?;
        self.pump();
        Ok(request)
    }

    /// Takes on a finished, signed run from a file, so that it can be submitted: for tools and for
    /// moving to another device. Whoever signed it stays its player. There is no method of the kit
    /// for it: a game submits what it recorded, and a ghost never.
    ///
    /// # Errors
    /// Codes of the run format for what is no whole run; `practice_run`, `unsigned_run`.
    pub fn adopt(&mut self, bytes: &[u8]) -> Result<RunId, Error> {
        let run = Run::open(bytes, self.verifier.limits())?;
        if run.header.practice {
            return Err(Error::PracticeRun);
        }
        if run.signature.is_none() {
            return Err(Error::UnsignedRun);
        }
        let id = run.id();
        self.runs.keep_recorded(Frozen {
            id,
            bytes: bytes.to_vec(),
            frames: run.end.frames,
            score: run.end.score,
            reason: run.end.reason,
            practice: false,
            signed: true,
            trace: None,
        });
        Ok(id)
    }

    /// The runs that wait: run, request, where it stands.
    pub fn outbox(&self) -> impl Iterator<Item = (RunId, u64, Waiting)> {
        self.outbox.waiting()
    }

    /// The host knows that the network is back: what waits is tried at once.
    pub fn try_now(&mut self) {
        self.outbox.try_now();
        self.pump();
    }

    /// Asks for runs by their ids; `net.async.fetched` follows.
    ///
    /// # Errors
    /// `no_server`, `busy`; `bad_arguments` for no id or too many.
    pub fn fetch(&mut self, ids: &[RunId]) -> Result<u64, Error> {
        if ids.is_empty() || ids.len() > FETCH_MAX as usize {
            return Err(bad(&format!("1 to {FETCH_MAX} runs at once")));
        }
        let wanted: VecDeque<RunId> = ids.iter().copied().collect();
        let started = Job::runs(self.api()?, wanted);
        let (job, http) = started.ok_or_else(|| bad("at least one run"))?;
        self.start_job(job, http)
    }

    /// Asks for runs of a board (the session's where it is empty); `net.async.fetched` follows.
    ///
    /// # Errors
    /// `no_server`, `busy`, `bad_board`; `bad_arguments` for a count beyond 1 to 32.
    pub fn fetch_from_board(&mut self, board: &str, pick: Pick, count: u32) -> Result<u64, Error> {
        if count == 0 || count > FETCH_MAX {
            return Err(bad(&format!("`count` is 1 to {FETCH_MAX}")));
        }
        let board = self.board_or_own(board)?;
        let (me, count) = (self.player(), usize::try_from(count).unwrap_or(1));
        let (job, http) = Job::pick(self.api()?, &board, pick, count, me);
        self.start_job(job, http)
    }

    /// Asks for a page of a board; `net.async.board` follows.
    ///
    /// # Errors
    /// `no_server`, `busy`, `bad_board`.
    pub fn board(&mut self, page: &BoardRequest) -> Result<u64, Error> {
        let settings = &self.kits.settings;
        let rows = page
            .rows
            .unwrap_or(settings.board_default_rows)
            .clamp(1, settings.board_rows);
        let page = BoardRequest {
            board: self.board_or_own(&page.board)?,
            ..page.clone()
        };
        let (job, http) = Job::board(self.api()?, &page, rows, self.player());
        self.start_job(job, http)
    }

    /// Asks for the challenge of the day; `net.async.daily` follows.
    ///
    /// # Errors
    /// `no_server`, `busy`.
    pub fn daily(&mut self) -> Result<u64, Error> {
        let (job, http) = Job::daily(self.api()?);
        self.start_job(job, http)
    }

    /// The server's last answer about the daily.
    pub fn last_daily(&self) -> Option<&DailyAnswer> {
        self.daily.as_ref()
    }

    /// Asks for a ticket to start an attempt with; `net.async.ticket` follows.
    ///
    /// # Errors
    /// `no_server`, `busy`, `no_identity`, `bad_board`. The event is `net.async.failed` with
    /// `wrong_server` where another server answers than the first one at this `apiUrl`.
    pub fn ticket(&mut self, board: &str, opponent: Option<RunId>) -> Result<u64, Error> {
        let board = self.board_or_own(board)?;
        self.device
            .key()
            .filter(|_| self.server.is_loaded())
            .ok_or(Error::NoIdentity)?;
        let ruleset = self.header(board.clone(), 0)?.ruleset();
        let build = self.kits.transport.version.clone();
        let ask = TicketRequest {
            board,
            build,
            ruleset: Some(ruleset),
            opponent,
        };
        let (job, http) = Job::ticket(self.api()?, ask);
        self.start_job(job, http)
    }

    /// The key of this device's player as text, to move to another device: whoever has it is this
    /// player.
    ///
    /// # Errors
    /// `no_identity`.
    pub fn export_key(&self) -> Result<String, Error> {
        Ok(self.device.key().ok_or(Error::NoIdentity)?.export())
    }

    /// Becomes the player of a key that [`Session::export_key`] wrote, and stores it.
    ///
    /// # Errors
    /// Codes of async-identity for what is no key.
    pub fn import_key(&mut self, text: &str) -> Result<(), Error> {
        let store = self.device.take(PlayerKey::import(text)?);
        self.commands.push_back(store);
        Ok(())
    }

    /// Forgets the server that is known at `apiUrl`: the next one that answers is the known one.
    /// Signed calls are for the server that answered there first, and fail with `wrong_server` for
    /// any other; where an operator has lost or replaced the server's secrets, this is the way
    /// back. Do it for a player who agrees, or in a release of the game, never by itself after
    /// that error: it would trust whoever sits on the line. A host can also erase the value in its
    /// store before the session starts: its key is `server/` and 32 hex digits made from the URL.
    ///
    /// # Errors
    /// `no_server`.
    pub fn forget_server(&mut self) -> Result<(), Error> {
        self.api.as_ref().ok_or(Error::NoServer)?;
        let erase = self.server.forget();
        self.commands.push_back(erase);
        Ok(())
    }

    fn board_or_own(&self, board: &str) -> Result<String, Error> {
        let board = if board.is_empty() {
            &self.kits.settings.board
        } else {
            board
        };
        check_key(board)?;
        Ok(board.to_owned())
    }

    fn api(&self) -> Result<&crate::api::Api, Error> {
        self.online.room()?;
        self.api.as_ref().ok_or(Error::NoServer)
    }

    fn start_job(&mut self, job: Job, http: HttpRequest) -> Result<u64, Error> {
        let request = self.online.new_request();
        self.send(
            http,
            Purpose::Job {
                request,
                job: Box::new(job),
            },
        );
        Ok(request)
    }

    fn send(&mut self, mut http: HttpRequest, purpose: Purpose) {
        let now_ms = self.now_ms();
        self.online.open(&mut http, purpose, now_ms);
        self.commands.push_back(Command::Http(http));
    }

    pub(super) fn pump_outbox(&mut self, now_ms: u64) {
        let queued = self.outbox.queued_in_memory();
        self.tell_queued(queued);
        let Some(api) = &self.api else {
            return;
        };
        let (run, http) = match self.outbox.errand(now_ms) {
            None => return,
            Some(Errand::Send { run, bytes }) => (run, api.post_run(bytes)),
            Some(Errand::Ask { run }) => (run, api.get(&format!("/runs/{run}/status"))),
        };
        self.send(http, Purpose::Outbox(run));
    }

    pub(super) fn http_done(
        &mut self,
        http: u64,
        status: u16,
        headers: &[(String, String)],
        body: &[u8],
    ) {
        let response = Response {
            status,
            headers,
            body,
        };
        match self.online.close(http) {
            None => {}
            Some(Purpose::Outbox(run)) => self.submit_answered(run, &response),
            Some(Purpose::Job { request, job }) => self.job_answered(request, *job, &response),
        }
    }

    pub(super) fn http_failed(&mut self, http: u64, msg: &str) {
        if let Some(purpose) = self.online.close(http) {
            self.no_answer(purpose, msg);
        }
    }

    pub(super) fn give_up_overdue(&mut self) {
        while let Some(purpose) = self.online.overdue(self.now_ms()) {
            self.no_answer(purpose, "no answer within the time allowed");
        }
    }

    fn no_answer(&mut self, purpose: Purpose, msg: &str) {
        let failure = Failure::unreachable(msg);
        match purpose {
            Purpose::Outbox(run) => self.submit_failed(run, &failure),
            Purpose::Job { request, .. } => self.job_failed(request, failure),
        }
    }

    // ---- jobs --------------------------------------------------------------------------------

    fn job_answered(&mut self, request: u64, job: Job, response: &Response<'_>) {
        let Some(api) = &self.api else {
            return;
        };
        let mut context = Context {
            api,
            key: self.device.key(),
            server: &mut self.server,
            commands: &mut self.commands,
            entropy: &mut self.entropy,
            runs: &mut self.runs,
            request,
        };
        match job.answered(response, &mut context) {
            Next::Request(job, http) => {
                self.send(
                    http,
                    Purpose::Job {
                        request,
                        job: Box::new(job),
                    },
                );
            }
            Next::Done(event) => {
                if let Event::Daily { answer, .. } = &event {
                    self.daily = Some(answer.clone());
                }
                self.events.push_back(event);
            }
            Next::Failed(failure) => self.job_failed(request, failure),
        }
    }

    fn job_failed(&mut self, request: u64, failure: Failure) {
        let Failure { code, msg, .. } = failure;
        self.events.push_back(Event::Failed {
            request,
            code,
            msg,
            retry_ms: None,
        });
    }

    // ---- submits -----------------------------------------------------------------------------

    fn submit_answered(&mut self, run: RunId, response: &Response<'_>) {
        match response.submit_answer() {
            Ok(answer) if answer.id != run => {
                let error = Error::BadAnswer(format!("the answer is about run {}", answer.id));
                self.submit_failed(run, &Failure::wrong(&error));
            }
            Ok(answer) if answer.status == Status::Pending => {
                self.settle(run, Fate::Pending);
            }
            Ok(answer) => self.accepted(run, answer),
            Err(failure) => self.submit_failed(run, &failure),
        }
    }

    fn accepted(&mut self, run: RunId, answer: SubmitAnswer) {
        if let Some(receipt) = &answer.receipt {
            let key = storage_keys::receipt(run);
            self.commands.push_back(Command::Store {
                key,
                bytes: receipt.0.clone(),
            });
        }
        if let Some(request) = self.outbox.request_of(run) {
            self.events.push_back(Event::Submitted {
                request,
                answer: Box::new(answer),
            });
        }
        self.settle(run, Fate::Done);
    }

    fn submit_failed(&mut self, run: RunId, failure: &Failure) {
        let Some(request) = self.outbox.request_of(run) else {
            return;
        };
        let after_ms = failure.after_ms;
        let refused = failure.verdict.as_ref().map(|verdict| verdict.status);
        let fate = match failure.fault {
            _ if refused == Some(Status::Refused) => Fate::Done,
            Fault::Run | Fault::Player => Fate::Done,
            Fault::Server | Fault::Network => Fate::RetryAll {
                after_ms,
                answered: failure.code != Failure::UNREACHABLE,
            },
            // A wrong key or a board that is not declared yet: the run is not to blame and stays.
            Fault::Caller => Fate::RetryThis { after_ms },
        };
        let retry_ms = self.settle(run, fate);
        let (code, msg) = (failure.code.clone(), failure.msg.clone());
        self.events.push_back(match fate {
            Fate::Done => Event::Refused {
                request,
                id: run,
                code,
                msg,
                verdict: failure.verdict.clone(),
            },
            _ => Event::Failed {
                request,
                code,
                msg,
                retry_ms,
            },
        });
    }

    fn settle(&mut self, run: RunId, fate: Fate) -> Option<u64> {
        let now_ms = self.now_ms();
        self.outbox.answered(run, fate, now_ms, &mut self.entropy)
    }
}
