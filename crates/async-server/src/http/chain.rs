//! A response body of a few parts of known length: shared bytes go out without being copied.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// Three parts, one after the other.
#[derive(Debug)]
pub(super) struct Chain {
    parts: [Bytes; 3],
    next: usize,
}

impl Chain {
    pub(super) fn new(parts: [Bytes; 3]) -> Self {
        Self { parts, next: 0 }
    }

    fn rest(&self) -> &[Bytes] {
        self.parts.get(self.next..).unwrap_or_default()
    }
}

impl Body for Chain {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        while let Some(part) = self.parts.get(self.next).cloned() {
            self.next += 1;
            if !part.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(part))));
            }
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.rest().iter().all(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.rest().iter().map(Bytes::len).sum::<usize>();
        SizeHint::with_exact(u64::try_from(length).unwrap_or(u64::MAX))
    }
}
