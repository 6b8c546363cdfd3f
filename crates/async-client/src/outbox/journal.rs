//! The outbox on disk: one append-only key. A record says that a run was added or is done; reading
//! stops at the first damaged record, so a crash between any two writes keeps what came before.
//!
//! A record is its length (u32, little endian), the first eight bytes of the BLAKE3 hash of its
//! payload, and the payload in postcard.

use async_replay::RunId;
use serde::{Deserialize, Serialize};

/// Key of the outbox in the host's store.
pub(crate) const KEY: &str = "outbox";
const CHECK_BYTES: usize = 8;
const HEAD_BYTES: usize = 4 + CHECK_BYTES;

/// One record.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Record<'a> {
    /// A run waits to be sent.
    Added { run: [u8; 16], bytes: &'a [u8] },
    /// A run was accepted or refused.
    Done { run: [u8; 16] },
}

/// What the journal said.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Runs that still wait, oldest first.
    pub(crate) waiting: Vec<(RunId, Vec<u8>)>,
    /// Whether the journal should be written anew: it ends in damage, or is mostly history.
    pub(crate) rewrite: bool,
}

/// Adds the record "a run waits".
pub(crate) fn write_added(out: &mut Vec<u8>, run: RunId, bytes: &[u8]) {
    write(out, &Record::Added { run: run.0, bytes });
}

/// Adds the record "a run is done".
pub(crate) fn write_done(out: &mut Vec<u8>, run: RunId) {
    write(out, &Record::Done { run: run.0 });
}

fn write(out: &mut Vec<u8>, record: &Record<'_>) {
    // Serializing into a Vec cannot fail for these types; an empty payload would read as damage.
    let payload = postcard::to_allocvec(record).unwrap_or_default();
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&check(&payload));
    out.extend_from_slice(&payload);
}

/// Reads a journal as far as it is whole.
pub(crate) fn read(mut bytes: &[u8]) -> Contents {
    let mut contents = Contents::default();
    while let Some((record, rest)) = next(bytes) {
        match record {
            Record::Added { run, bytes } => {
                let run = RunId(run);
                if contents.waiting.iter().all(|(id, _)| *id != run) {
                    contents.waiting.push((run, bytes.to_vec()));
                }
            }
            Record::Done { run } => {
                contents.waiting.retain(|(id, _)| id.0 != run);
                contents.rewrite = true;
            }
        }
        bytes = rest;
    }
    contents.rewrite |= !bytes.is_empty();
    contents
}

fn next(bytes: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD_BYTES)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
    let (payload, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    if head[4..] != check(payload) {
        return None;
    }
    Some((postcard::from_bytes(payload).ok()?, rest))
}

fn check(payload: &[u8]) -> [u8; CHECK_BYTES] {
    let mut out = [0; CHECK_BYTES];
    out.copy_from_slice(&blake3::hash(payload).as_bytes()[..CHECK_BYTES]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Vec<u8> {
        let mut out = Vec::new();
        write_added(&mut out, RunId([1; 16]), b"one");
        write_added(&mut out, RunId([2; 16]), b"two");
        write_done(&mut out, RunId([1; 16]));
        out
    }

    #[test]
    fn what_is_done_no_longer_waits() {
        let contents = read(&journal());
        assert_eq!(contents.waiting, vec![(RunId([2; 16]), b"two".to_vec())]);
        assert!(contents.rewrite);
    }

    #[test]
    fn a_cut_anywhere_keeps_every_whole_record() {
        let journal = journal();
        let mut second = Vec::new();
        write_added(&mut second, RunId([1; 16]), b"one");
        for cut in 0..journal.len() {
            let contents = read(&journal[..cut]);
            assert_eq!(
                contents.waiting.is_empty(),
                cut < second.len(),
                "cut at {cut}"
            );
            assert_eq!(
                contents.rewrite,
                cut != 0 && ![second.len(), 2 * second.len()].contains(&cut)
            );
        }
    }

    #[test]
    fn damage_ends_the_reading() {
        for at in 0..journal().len() {
            let mut damaged = journal();
            damaged[at] ^= 0x40;
            assert!(read(&damaged).rewrite);
        }
    }
}
