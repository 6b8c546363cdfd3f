use thiserror::Error;

/// Why a configuration was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A key that no setting has.
    #[error("{kit}: unknown setting {key:?}{}", nearest_hint(.nearest))]
    Unknown {
        /// The kit.
        kit: &'static str,
        /// The key, with its path (`rules.minFrame`).
        key: String,
        /// The nearest known key, if one is near.
        nearest: Option<String>,
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
    #[error("unknown kit {kit:?}{}", nearest_hint(.nearest))]
    UnknownKit {
        /// The kit.
        kit: String,
        /// The nearest known kit, if one is near.
        nearest: Option<String>,
    },
}

impl SettingsError {
    /// The stable code, listed in [`crate::codes::REGISTRY`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown_setting",
            Self::Bad { .. } => "bad_setting",
            Self::UnknownKit { .. } => "unknown_kit",
        }
    }
}

fn nearest_hint(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!(", did you mean {nearest:?}?"),
        None => String::new(),
    }
}
