//! What goes over HTTP (under `/api/v1/async`) and, with the same names, over gfnet.

mod boards;
mod calls;
mod runs;

pub use boards::{BoardAnswer, Row, Standing};
pub use calls::{
    DailyAnswer, ErrorBody, KeyInfo, KeysAnswer, LimitsAnswer, NonceAnswer, TicketAnswer,
    TicketRequest, headers,
};
pub use runs::{Rate, RunInfo, RunList, RunRow, Stored, SubmitAnswer};

/// The path under which all calls live.
pub const BASE_PATH: &str = "/api/v1/async";
