//! `gf-async recode`: the same run, written another way.

use async_replay::{Encoding, Level, Limits, Run, Seek};
use serde_json::json;

use crate::args::RecodeArgs;
use crate::failure::{Exit, Failure};
use crate::files;
use crate::output::{DIM, GOOD, Output, Thousands};

pub(crate) fn run(args: &RecodeArgs, output: &mut Output) -> Result<Exit, Failure> {
    let priors = files::read_priors(&args.known)?;
    let bytes = files::read_run(&args.path)?;
    let run = Run::open_with(&bytes, &Limits::LOCAL, &priors)
        .map_err(|error| Failure::from(error).about(&args.path))?;
    let prior = args.prior.as_deref().map(files::read_prior).transpose()?;
    let level = match args.level.as_str() {
        "l0" => Level::L0,
        "l1" => Level::L1,
        "l2" => Level::L2,
        // Only L2 uses a prior, so whoever names one wants it used.
        _ if prior.is_some() => Level::L2,
        _ => Level::Auto,
    };
    let seek = if args.no_seek { Seek::None } else { Seek::Head };
    let encoding = Encoding {
        level,
        seek,
        prior: prior.as_ref(),
    };
    let written = run.encode_with(&encoding)?;
    files::write(&args.output, &written)?;
    let path = args.output.display().to_string();
    output.object(&json!({
        "ok": true, "file": path, "id": run.id().to_string(),
        "bytes_before": bytes.len(), "bytes": written.len(),
    }))?;
    let (before, after) = (Thousands(bytes.len()), Thousands(written.len()));
    output.line(format_args!(
        "{GOOD}written{GOOD:#}  {path}  {DIM}{after} bytes, {before} before; \
         the same run {}{DIM:#}",
        run.id()
    ))?;
    Ok(Exit::Fine)
}
