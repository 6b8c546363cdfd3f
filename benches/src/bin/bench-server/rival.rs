//! The rival of the reads: axum with one constant answer, on as many threads as the server.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// Where the constant is.
pub(crate) const PATH: &str = "/constant";

// Of the size class of an own rank, so that the rival pays nothing for size.
const ANSWER: &str = r#"{"ok":true,"rank":123456,"position":123456,"score":9007199254740991}"#;

/// A running rival; dropping it stops it.
#[derive(Debug)]
pub(crate) struct Rival {
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Rival {
    /// Starts on a free port of the loopback address.
    ///
    /// # Errors
    /// When no thread or port can be had.
    pub(crate) fn start(threads: usize) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("rival-http")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let answer = get(|| async { ([(CONTENT_TYPE, "application/json")], ANSWER) });
        let router = Router::new().route(PATH, answer);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Rival {
            address,
            runtime: Some(runtime),
        })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
