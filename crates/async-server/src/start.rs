//! Starting and stopping a server, in a program or inside another one.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::accept::{self, Bounds};
use crate::config::Config;
use crate::error::Error;
use crate::gate::Gate;
use crate::service::Service;

/// The HTTP server of runs and boards.
#[derive(Debug)]
pub struct Server;

impl Server {
    /// Binds the address, opens the data file, loads the ranks, and serves. Returns when ready;
    /// until then requests are answered `not_ready`.
    ///
    /// # Errors
    /// When the address, the data file or the kit file cannot be had.
    pub fn start(config: Config) -> Result<Running, Error> {
        config.check()?;
        let listener = bind(config.listen)?;
        let address = listener.local_addr()?;
        let runtime = runtime(&config)?;
        let gate = Arc::new(Gate::new());
        let (stop, stopping) = watch::channel(false);
        let bounds = Bounds {
            header_timeout: Duration::from_millis(config.header_timeout_ms),
            stall_timeout: Duration::from_millis(config.body_timeout_ms),
            connections_max: usize::try_from(config.max_connections).unwrap_or(usize::MAX),
            stop_timeout: Duration::from_millis(config.stop_timeout_ms),
        };
        let entered = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let serving = runtime.spawn(accept::serve(listener, Arc::clone(&gate), bounds, stopping));
        drop(entered);
        let service = Arc::new(Service::open(config)?);
        service.start_late()?;
        tracing::info!(%address, server = service.id, "ready");
        gate.open(crate::http::router(Arc::clone(&service)));
        Ok(Running {
            address,
            stop,
            serving: Some(serving),
            service,
            runtime: Some(runtime),
        })
    }
}

/// A server that runs. Dropping it stops it.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<()>>,
    service: Arc<Service>,
    runtime: Option<Runtime>,
}

impl Running {
    /// The address it listens on, with the port it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no new connection, lets running requests finish within `stop_timeout_ms`, then
    /// finishes queued verifications and closes the data file.
    pub fn stop(mut self) {
        self.finish();
    }

    /// Runs until the process is told to end (SIGTERM, SIGINT), then stops as [`Running::stop`].
    /// `ready` is called once such a signal would be heard.
    ///
    /// # Errors
    /// When the system lets no signal be waited for, or `ready` fails.
    pub fn until_signalled(mut self, ready: impl FnOnce() -> io::Result<()>) -> Result<(), Error> {
        if let Some(runtime) = &self.runtime {
            runtime.block_on(signalled(ready))?;
        }
        self.finish();
        Ok(())
    }

    fn finish(&mut self) {
        let (Some(runtime), Some(serving)) = (self.runtime.take(), self.serving.take()) else {
            return;
        };
        let _ = self.stop.send(true);
        drop(runtime.block_on(serving));
        self.service.stop();
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish();
    }
}

fn bind(address: SocketAddr) -> Result<TcpListener, Error> {
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::AddrInUse => Error::PortInUse(address),
        _ => Error::Listen { address, source },
    };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

fn runtime(config: &Config) -> Result<Runtime, Error> {
    let started = AtomicUsize::new(0);
    let runtime = Builder::new_multi_thread()
        .worker_threads(crate::config::threads(config.http_threads))
        .thread_name_fn(move || format!("gf-http-{}", started.fetch_add(1, Ordering::Relaxed)))
        .enable_all()
        .build()?;
    Ok(runtime)
}

#[cfg(unix)]
async fn signalled(ready: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    ready()?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn signalled(ready: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    ready()?;
    tokio::signal::ctrl_c().await
}
