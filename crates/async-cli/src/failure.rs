//! Why a command could not do what it was asked, and how it exits.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// How a command ends. A [`Failure`] exits with 2 as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Fine,
    /// Something was refused.
    Refused,
    /// Something could not be done, and was told of where it happened.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Refused => Self::from(1),
            Exit::Failed => Self::from(2),
        }
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{msg}")]
pub(crate) struct Failure {
    /// The stable code.
    pub(crate) code: Cow<'static, str>,
    /// One line for a person.
    pub(crate) msg: String,
}

impl Failure {
    pub(crate) fn new(code: impl Into<Cow<'static, str>>, msg: impl fmt::Display) -> Self {
        Self {
            code: code.into(),
            msg: msg.to_string(),
        }
    }

    /// Names the file that the failure is about.
    pub(crate) fn about(mut self, path: &Path) -> Self {
        self.msg = format!("{}: {}", path.display(), self.msg);
        self
    }

    /// The failure of a file, named by its path.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::NotFound => "file_not_found",
            io::ErrorKind::PermissionDenied => "file_not_allowed",
            _ => "file_unreadable",
        };
        Self::new(code, error).about(path)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let broken = error.kind() == io::ErrorKind::BrokenPipe;
        Self::new(if broken { "broken_pipe" } else { "io" }, error)
    }
}

impl From<async_replay::Error> for Failure {
    fn from(error: async_replay::Error) -> Self {
        Self::new(error.code(), error)
    }
}

impl From<async_client::Error> for Failure {
    fn from(error: async_client::Error) -> Self {
        Self::new(error.code().to_owned(), error)
    }
}
