//! The client under which everything is measured: raw HTTP/1.1 on keep-alive connections.
//!
//! It shares the cores with what it measures, so it does as little as it can: requests are whole
//! byte strings made beforehand, and of an answer it reads the status and the length.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::cpu::{Cpu, Spent};

// An answer's head is a few hundred bytes, a page of a hundred rows about thirty thousand.
const BUFFER_BYTES: usize = 64 * 1024;
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// When a load ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// Every request was sent once.
    Sent,
    /// So much time has passed; requests repeat.
    Elapsed(Duration),
}

/// What to send, to whom, over how many connections.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Where the server listens.
    pub(crate) address: SocketAddr,
    /// Connections kept open throughout.
    pub(crate) connections: usize,
    /// Whole requests, see [`get`] and [`post`].
    pub(crate) requests: Arc<Vec<Vec<u8>>>,
    /// When to stop.
    pub(crate) until: Until,
}

/// One answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// Index of its request.
    pub(crate) request: usize,
    /// HTTP status.
    pub(crate) status: u16,
    /// The body; kept under [`Until::Sent`] only.
    pub(crate) body: Vec<u8>,
    /// From before the first byte was written to after the last was read.
    pub(crate) latency_ms: f64,
}

/// What a load measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// The answers in the order of arrival.
    pub(crate) answers: Vec<Answer>,
    /// From the first request to the last answer.
    pub(crate) seconds: f64,
    /// CPU time by group of threads meanwhile.
    pub(crate) cpu: Spent,
}

impl Measured {
    /// Answers per second.
    pub(crate) fn per_second(&self) -> f64 {
        as_f64(self.answers.len()) / self.seconds
    }

    /// All latencies, in milliseconds.
    pub(crate) fn latencies(&self) -> Vec<f64> {
        self.answers
            .iter()
            .map(|answer| answer.latency_ms)
            .collect()
    }
}

/// A count as a number to divide by.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of a bench are far below 2^53"
)]
pub(crate) fn as_f64(count: usize) -> f64 {
    count as f64
}

/// A GET of `path`.
pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

/// A POST of bytes to `path`.
pub(crate) fn post(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Runs a load on a thread of its own.
///
/// # Errors
/// When a connection fails or an answer is no HTTP.
pub(crate) fn run(load: &Load) -> io::Result<Measured> {
    let load = load.clone();
    let client = thread::Builder::new()
        .name("client".to_owned())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                // Before it sleeps, the client lets whoever answers go on: else it may wake for
                // every single answer, and more time goes into waking than into the server.
                .on_thread_park(thread::yield_now)
                .build()?;
            tokio::task::LocalSet::new().block_on(&runtime, drive(load))
        })?;
    client
        .join()
        .map_err(|_| io::Error::other("the client panicked"))?
}

struct Shared {
    load: Load,
    started: Instant,
    next: Cell<usize>,
    answers: RefCell<Vec<Answer>>,
}

impl Shared {
    fn next_request(&self) -> Option<usize> {
        let number = self.next.get();
        let count = self.load.requests.len();
        let more = match self.load.until {
            Until::Sent => number < count,
            Until::Elapsed(time) => self.started.elapsed() < time,
        };
        self.next.set(number + 1);
        more.then_some(number % count.max(1))
    }
}

async fn drive(load: Load) -> io::Result<Measured> {
    let mut streams = Vec::new();
    for _ in 0..load.connections {
        let stream = TcpStream::connect(load.address).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let before = Cpu::now();
    let shared = Rc::new(Shared {
        answers: RefCell::new(Vec::with_capacity(load.requests.len())),
        load,
        started: Instant::now(),
        next: Cell::new(0),
    });
    let mut tasks = JoinSet::new();
    for stream in streams {
        tasks.spawn_local(connection(stream, Rc::clone(&shared)));
    }
    while let Some(ended) = tasks.join_next().await {
        ended.map_err(io::Error::other)??;
    }
    let seconds = shared.started.elapsed().as_secs_f64();
    let answers = shared.answers.take();
    Ok(Measured {
        answers,
        seconds,
        cpu: Cpu::now().since(&before),
    })
}

async fn connection(mut stream: TcpStream, shared: Rc<Shared>) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Some(request) = shared.next_request() {
        let sent = Instant::now();
        stream.write_all(&shared.load.requests[request]).await?;
        let (status, body) = answer(&mut stream, &mut buffer).await?;
        let latency_ms = sent.elapsed().as_secs_f64() * 1_000.0;
        let body = match shared.load.until {
            Until::Sent => buffer[body].to_vec(),
            Until::Elapsed(_) => Vec::new(),
        };
        shared.answers.borrow_mut().push(Answer {
            request,
            status,
            body,
            latency_ms,
        });
    }
    Ok(())
}

/// Reads one answer into `buffer`; returns its status and where its body lies.
async fn answer(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> io::Result<(u16, std::ops::Range<usize>)> {
    let mut filled = 0;
    let mut head = None;
    loop {
        let read = stream.read(&mut buffer[filled..]).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        filled += read;
        if head.is_none() {
            head = parse_head(&buffer[..filled])?;
        }
        if let Some((status, body, length)) = head {
            if filled >= body + length {
                return Ok((status, body..body + length));
            }
            if buffer.len() < body + length {
                buffer.resize(body + length, 0);
            }
        } else if filled == buffer.len() {
            return Err(io::Error::other("an answer's head is too long"));
        }
    }
}

/// Status, start of the body and its length, once the head is complete.
fn parse_head(bytes: &[u8]) -> io::Result<Option<(u16, usize, usize)>> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let broken = || io::Error::other("an answer is not the HTTP this client reads");
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| broken())?;
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.get(9..12))
        .ok_or_else(broken)?;
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse().ok())
        .filter(|length| *length <= ANSWER_BYTES_MAX)
        .ok_or_else(broken)?;
    Ok(Some((
        status.parse().map_err(|_| broken())?,
        end + 4,
        length,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_when_they_are_whole() {
        let answer = b"HTTP/1.1 503 Busy\r\nContent-Length: 12\r\nx: y\r\n\r\nbody";
        assert_eq!(parse_head(answer).unwrap(), Some((503, 47, 12)));
        assert_eq!(parse_head(&answer[..46]).unwrap(), None);
        assert!(parse_head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
        assert!(parse_head(b"nonsense\r\n\r\n").is_err());
    }
}
