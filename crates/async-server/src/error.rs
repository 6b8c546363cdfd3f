//! Why a server did not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a server did not start. Everything that goes wrong later is an answer to a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration cannot be read or says something that is not allowed.
    #[error("{file}: {message}")]
    Config {
        /// The file, or `configuration`.
        file: String,
        /// What is wrong, and what is allowed.
        message: String,
    },
    /// Another program listens there.
    #[error("cannot listen on {0}: another program does (choose another with --listen)")]
    PortInUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// The data file cannot be opened or made.
    #[error("data file {}: {source}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// The store's reason.
        source: async_store::Error,
    },
    /// Threads or randomness are not to be had from the system.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

impl Error {
    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Config { .. } => "bad_config",
            Self::PortInUse(_) => "port_in_use",
            Self::Listen { .. } => "cannot_listen",
            Self::Data { .. } => "data_unreadable",
            Self::System(_) => "system",
        }
    }

    /// What the program exits with: 2 for what its caller should correct, 1 for the rest.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Config { .. }) {
            2
        } else {
            1
        }
    }
}
