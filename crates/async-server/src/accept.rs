//! The accept loop. `axum::serve` has no header timeout, so this is hyper's connection with one,
//! a bound on connections, and a graceful stop that drains within a bound.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::gate::Gate;
use crate::http::cors;
use crate::stall::Stall;

/// A request head larger than this is answered 431 by hyper.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Pause after the system refuses an accept (out of file handles), so that it is no busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What the loop allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Longest wait for a head, an idle connection's next one included.
    pub(crate) header_timeout: Duration,
    /// Longest wait for a peer that takes nothing of its answers.
    pub(crate) stall_timeout: Duration,
    /// Open connections at a time.
    pub(crate) connections_max: usize,
    /// Longest wait for running requests at a stop.
    pub(crate) stop_timeout: Duration,
}

/// Serves until `stop` turns true (or its sender is gone), then drains.
pub(crate) async fn serve(
    listener: TcpListener,
    gate: Arc<Gate>,
    bounds: Bounds,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(bounds.connections_max));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            biased;
            _ = stop.wait_for(|stopping| *stopping) => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        let Some((stream, permit)) = accepted else {
            continue;
        };
        let connection = graceful.watcher().watch(connection(stream, &gate, bounds));
        tokio::spawn(async move {
            // What goes wrong with one peer's connection concerns nobody else.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(permit);
        });
    }
    // The port is free for the next server while the last answers go out.
    drop(listener);
    if tokio::time::timeout(bounds.stop_timeout, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("stopped with requests still running: stop_timeout_ms has passed");
    }
}

type Permit = tokio::sync::OwnedSemaphorePermit;

/// A connection, once there is room for one.
async fn accept(listener: &TcpListener, permits: &Arc<Semaphore>) -> Option<(TcpStream, Permit)> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are written whole: waiting for more to send would only add delay.
            drop(stream.set_nodelay(true));
            Some((stream, permit))
        }
        Err(error) => {
            tracing::warn!(%error, "cannot accept a connection");
            tokio::time::sleep(ACCEPT_PAUSE).await;
            None
        }
    }
}

fn connection(
    stream: TcpStream,
    gate: &Arc<Gate>,
    bounds: Bounds,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    let gate = Arc::clone(gate);
    let stream = Stall::new(stream, bounds.stall_timeout);
    let service = service_fn(move |request| answer(gate.router(), request));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.header_timeout)
        .max_buf_size(HEAD_BYTES_MAX.max(64 * 1024))
        .serve_connection(TokioIo::new(stream), service)
}

async fn answer(router: Router, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    if let Some(preflight) = cors::preflight(&request) {
        return Ok(preflight);
    }
    let mut response = tower::ServiceExt::oneshot(router, request.map(Body::new)).await?;
    cors::open(response.headers_mut());
    Ok(response)
}
