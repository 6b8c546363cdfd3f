//! HTTP on a thread of its own, with ureq and rustls: one request after the other.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::Request;

use crate::commands::ANSWER_BYTES_MAX;
use crate::{Answer, HttpRequest};

/// How long a drop waits for a request under way.
const STOP_WAIT: Duration = Duration::from_millis(900);
/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The HTTP thread.
#[derive(Debug)]
pub(super) struct Http {
    requests: Option<Sender<HttpRequest>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Http {
    pub(super) fn start(answers: Sender<Answer>) -> io::Result<Self> {
        let (requests, waiting) = channel();
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let thread = std::thread::Builder::new()
            .name("gf-client-http".to_owned())
            .spawn(move || serve(&waiting, &answers, &stop))?;
        Ok(Self {
            requests: Some(requests),
            stopping,
            thread: Some(thread),
        })
    }

    pub(super) fn send(&self, request: HttpRequest) {
        if let Some(requests) = &self.requests {
            // A thread that is gone gives no answer; the session's watchdog ends the request.
            let _ = requests.send(request);
        }
    }

    /// Ends the thread, or leaves it behind if a request holds it: it owns nothing that is needed
    /// any more, and ends by itself at the request's timeout.
    pub(super) fn stop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.requests = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        let since = Instant::now();
        while !thread.is_finished() && since.elapsed() < STOP_WAIT {
            std::thread::sleep(Duration::from_millis(5));
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

fn serve(requests: &Receiver<HttpRequest>, answers: &Sender<Answer>, stopping: &AtomicBool) {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .build()
        .into();
    for request in requests {
        if stopping.load(Ordering::Relaxed) {
            return;
        }
        let number = request.request;
        let answer = exchange(&agent, request).unwrap_or_else(|msg| Answer::HttpFailed {
            request: number,
            msg,
        });
        if answers.send(answer).is_err() {
            return;
        }
    }
}

fn exchange(agent: &Agent, ask: HttpRequest) -> Result<Answer, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut request = Request::builder().method(ask.method).uri(&ask.url);
    for (name, value) in &ask.headers {
        request = request.header(name, value);
    }
    let timeout = Duration::from_millis(u64::from(ask.timeout_ms));
    let result = if ask.method == "GET" {
        let request = request.body(()).map_err(|error| text(&error))?;
        agent.run(
            agent
                .configure_request(request)
                .timeout_global(Some(timeout))
                .build(),
        )
    } else {
        let request = request.body(ask.body).map_err(|error| text(&error))?;
        agent.run(
            agent
                .configure_request(request)
                .timeout_global(Some(timeout))
                .build(),
        )
    };
    let mut response = result.map_err(|error| text(&error))?;
    let headers = response.headers().iter();
    let headers = headers
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect();
    let mut body = Vec::new();
    let most = ANSWER_BYTES_MAX as u64;
    let reader = response.body_mut().as_reader();
    reader
        .take(most)
        .read_to_end(&mut body)
        .map_err(|error| text(&error))?;
    Ok(Answer::HttpDone {
        request: ask.request,
        status: response.status().as_u16(),
        headers,
        body,
    })
}
