use thiserror::Error;

/// Why a configuration was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A key that no setting has.
    #[error("{kit}: unknown setting {key:?}, the nearest known one is {nearest:?}")]
    Unknown {
        /// The kit.
        kit: &'static str,
        /// The key, with its path (`rules.minFrame`).
        key: String,
        /// The nearest known key.
        nearest: String,
    },
    /// A configuration that is no object.
    #[error("{kit}: the configuration is {value}, allowed is an object")]
    NotAnObject {
        /// The kit.
        kit: &'static str,
        /// The value as JSON, cut to a printable length.
        value: String,
    },
    /// A value that its setting does not allow.
    #[error("{kit}: {key} is {value}, allowed is {allowed}")]
    Bad {
        /// The kit.
        kit: &'static str,
        /// The key, with its path.
        key: String,
        /// The value as JSON, cut to a printable length.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A kit that this build does not know.
    #[error("unknown kit {kit:?}, the nearest known one is {nearest:?}")]
    UnknownKit {
        /// The kit.
        kit: String,
        /// The nearest known kit.
        nearest: String,
    },
}

impl SettingsError {
    /// The stable code, listed in [`crate::codes::REGISTRY`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown_setting",
            Self::Bad { .. } | Self::NotAnObject { .. } => "bad_setting",
            Self::UnknownKit { .. } => "unknown_kit",
        }
    }
}
