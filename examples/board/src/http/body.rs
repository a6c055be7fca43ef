//! Bodies of replies: either a page, whose text all visitors share in memory, or the reply of the
//! router.

use std::io::IoSlice;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Buf, Bytes, Frame, SizeHint};

use super::cookies::Token;

/// A text with the visitor's token in the middle. The text is not copied.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    before: Bytes,
    token: Option<Token>,
    after: Bytes,
    /// Up to eight bytes after the text.
    end: ([u8; 8], usize),
    /// Number of bytes that have been sent.
    done: usize,
}

impl Sent {
    pub(super) fn new(before: Bytes, token: Option<Token>, after: Bytes) -> Self {
        Sent {
            before,
            token,
            after,
            ..Sent::default()
        }
    }

    /// Appends these bytes.
    pub(super) fn ending(self, end: [u8; 8]) -> Self {
        let end = (end, 8);
        Sent { end, ..self }
    }

    fn parts(&self) -> [&[u8]; 4] {
        let token = self.token.as_ref().map_or(&[][..], |token| token.text());
        let (end, length) = &self.end;
        [&self.before, token, &self.after, &end[..*length]]
    }

    /// Returns the parts that have not been sent.
    fn rest(&self) -> impl Iterator<Item = &[u8]> {
        let mut done = self.done;
        self.parts().into_iter().filter_map(move |part| {
            let skipped = done.min(part.len());
            done -= skipped;
            (skipped < part.len()).then(|| &part[skipped..])
        })
    }
}

impl Buf for Sent {
    fn remaining(&self) -> usize {
        self.rest().map(<[u8]>::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.rest().next().unwrap_or_default()
    }

    fn advance(&mut self, count: usize) {
        self.done += count;
    }

    fn chunks_vectored<'s>(&'s self, slices: &mut [IoSlice<'s>]) -> usize {
        let slots = slices.iter_mut().zip(self.rest());
        slots.map(|(slot, part)| *slot = IoSlice::new(part)).count()
    }
}

/// The body of a reply.
pub enum Reply {
    Page(Option<Sent>),
    Routed(axum::body::Body),
}

impl Body for Reply {
    type Data = Sent;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Sent>, axum::Error>>> {
        match self.get_mut() {
            Reply::Page(sent) => Poll::Ready(sent.take().map(|sent| Ok(Frame::data(sent)))),
            Reply::Routed(body) => {
                let frame = Pin::new(body).poll_frame(context);
                let whole = |bytes| Sent::new(bytes, None, Bytes::new());
                frame.map_ok(|frame| frame.map_data(whole))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Reply::Page(sent) => sent.is_none(),
            Reply::Routed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Reply::Page(sent) => {
                let length = sent.as_ref().map_or(0, Buf::remaining);
                SizeHint::with_exact(length as u64)
            }
            Reply::Routed(body) => body.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_sent_however_few_bytes_are_taken_at_once() {
        let token = Token::read(&[b'7'; 32]);
        let page = Sent::new(Bytes::from("ab"), token, Bytes::from("cde"));
        let text = format!("ab{}cde", "7".repeat(32));
        for step in 1..text.len() {
            let (mut page, mut sent) = (page.clone(), Vec::new());
            while page.has_remaining() {
                let mut slices = [IoSlice::new(&[]); 8];
                let filled = page.chunks_vectored(&mut slices);
                let all: Vec<u8> = slices[..filled].iter().flat_map(|it| it.to_vec()).collect();
                assert_eq!(
                    (all.len(), all.get(..page.chunk().len())),
                    (page.remaining(), Some(page.chunk()))
                );
                let taken = step.min(all.len());
                sent.extend_from_slice(&all[..taken]);
                page.advance(taken);
            }
            assert_eq!(sent, text.as_bytes(), "{step}");
        }
    }
}
