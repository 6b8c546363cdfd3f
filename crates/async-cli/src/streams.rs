//! What each stream of a run file costs, for `gf-async inspect`.

use std::sync::Arc;

use async_replay::{ChunkCoding, ChunkSize, Header, InputCosts, Prior, Priors, Run};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::{DIM, Output, Thousands, plain};

/// All chunks of one type.
pub(crate) struct Stream {
    name: &'static str,
    chunks: usize,
    bytes: usize,
    coding: Option<ChunkCoding>,
}

/// The streams of a file.
pub(crate) struct Streams {
    streams: Vec<Stream>,
    /// The share of each input column in what L2 spends, by name: what takes the room.
    columns: Vec<(String, f64)>,
    minutes: f64,
}

impl Streams {
    /// Of a file of these chunks, which play so many minutes; columns are told of a whole `run`,
    /// by the one of `priors` that it starts from.
    pub(crate) fn of(
        chunks: &[ChunkSize],
        minutes: f64,
        run: Option<&Run>,
        priors: &Priors,
    ) -> Self {
        let mut streams: Vec<Stream> = Vec::new();
        for chunk in chunks {
            match streams.iter_mut().find(|stream| stream.name == chunk.name) {
                Some(stream) => {
                    stream.chunks += 1;
                    stream.bytes += chunk.bytes;
                }
                None => streams.push(Stream {
                    name: chunk.name,
                    chunks: 1,
                    bytes: chunk.bytes,
                    coding: chunk.coding,
                }),
            }
        }
        let named = chunks.iter().find_map(|chunk| chunk.coding?.prior);
        let prior = named.and_then(|name| priors.get(&name)).map(Arc::as_ref);
        Self {
            streams,
            columns: run.map(|run| columns(run, prior)).unwrap_or_default(),
            minutes,
        }
    }

    pub(crate) fn object(&self) -> Value {
        let streams = self.streams.iter();
        let streams: Map<String, Value> = streams
            .map(|stream| (stream.name.into(), self.stream_object(stream)))
            .collect();
        streams.into()
    }

    fn stream_object(&self, stream: &Stream) -> Value {
        let mut object = json!({
            "chunks": stream.chunks, "bytes": stream.bytes,
            "bytes_per_minute": self.per_minute(stream.bytes).round(),
        });
        if let Some(coding) = &stream.coding {
            object["model"] = coding.model.into();
        }
        if stream.name == "inputs" {
            object["seekable"] = stream.coding.is_some_and(|coding| !coding.runs_on).into();
            let prior = stream.coding.and_then(|coding| coding.prior);
            object["prior"] = prior.map(|prior| prior.to_string()).into();
            let share = |share: &f64| (share * 1_000.0).round() / 1_000.0;
            let columns = self.columns.iter();
            let columns: Map<String, Value> = columns
                .map(|(name, part)| (name.clone(), share(part).into()))
                .collect();
            object["shares"] = columns.into();
        }
        object
    }

    /// One line for each stream, and below the inputs one for each column.
    pub(crate) fn show(&self, all: usize, output: &mut Output) -> Result<(), Failure> {
        for stream in &self.streams {
            let share = stream.bytes as f64 * 100.0 / all.max(1) as f64;
            let (bytes, per_minute) = (
                Thousands(stream.bytes),
                Thousands(self.per_minute(stream.bytes) as u64),
            );
            let (name, told) = (stream.name, told(stream));
            output.line(format_args!(
                "  {name:<12}{bytes:>9} bytes {share:>5.1} % {per_minute:>8} a minute  \
                 {DIM}{told}{DIM:#}"
            ))?;
            if stream.name == "inputs" {
                self.show_columns(output)?;
            }
        }
        Ok(())
    }

    /// Columns that took anything worth a line.
    fn show_columns(&self, output: &mut Output) -> Result<(), Failure> {
        let worth = |column: &&(String, f64)| column.1 >= 0.000_5;
        for (name, share) in self.columns.iter().filter(worth) {
            let (name, share) = (plain(name), share * 100.0);
            let bar = "▪".repeat((share / 5.0).round() as usize);
            output.line(format_args!(
                "    {DIM}{name:<20}{share:>5.1} % of them {bar}{DIM:#}"
            ))?;
        }
        Ok(())
    }

    fn per_minute(&self, bytes: usize) -> f64 {
        if self.minutes > 0.0 {
            bytes as f64 / self.minutes
        } else {
            0.0
        }
    }
}

fn told(stream: &Stream) -> String {
    let plural = if stream.chunks == 1 {
        "chunk"
    } else {
        "chunks"
    };
    let mut told = format!("{} {plural}", stream.chunks);
    if let Some(coding) = &stream.coding {
        told += &format!(", {}", coding.model);
        if coding.runs_on {
            told += ", cannot be sought";
        }
        if let Some(prior) = coding.prior {
            told += &format!(", prior {prior}");
        }
    }
    told
}

/// Each column's share of what L2 spends on the inputs, with the time of changes first.
fn columns(run: &Run, prior: Option<&Prior>) -> Vec<(String, f64)> {
    let Some(costs) = InputCosts::of(run, prior) else {
        return Vec::new();
    };
    let mut columns = vec![("when".to_owned(), costs.when)];
    columns.push(("buttons".to_owned(), costs.buttons));
    let axes = axis_names(&run.header).into_iter().zip(costs.axes);
    columns.extend(axes);
    let all: u64 = columns.iter().map(|(_, bits)| bits).sum();
    let share = |bits: u64| bits as f64 / all.max(1) as f64;
    columns
        .into_iter()
        .map(|(name, bits)| (name, share(bits)))
        .collect()
}

fn axis_names(header: &Header) -> Vec<String> {
    let schema = header.inputs.as_ref();
    let axes = schema.map(|schema| schema.axes.iter().map(|axis| axis.name.clone()));
    axes.into_iter().flatten().collect()
}
