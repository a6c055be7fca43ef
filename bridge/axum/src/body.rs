//! Bodies of requests, with limits, and of replies, which know when they have ended.

use std::error::Error;
use std::fmt;
use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use http_body_util::Limited;
use hyper::body::{Body as HttpBody, Buf, Bytes, Frame, Incoming, SizeHint};
use tokio::time::Sleep;

use crate::listen::Listen;
use crate::places::UnderWay;
use crate::shutdown::Shutdown;

/// Whether the body of a request arrived too slowly.
pub(crate) struct Late(Option<Arc<AtomicBool>>);

impl Late {
    pub(crate) fn is_late(&self) -> bool {
        self.0.as_ref().is_some_and(|it| it.load(Ordering::Relaxed))
    }
}

/// Wraps a request's body with its limits of size and time.
pub(crate) fn limited(body: Incoming, listen: &Listen) -> (Body, Late) {
    if body.is_end_stream() {
        return (Body::empty(), Late(None));
    }
    let is_late = Arc::<AtomicBool>::default();
    let timed = Timed {
        body,
        patience: listen.patience_time(),
        waits: None,
        is_late: is_late.clone(),
    };
    let most = usize::try_from(listen.body).unwrap_or(usize::MAX);
    (Body::new(Limited::new(timed, most)), Late(Some(is_late)))
}

/// A body with a time limit for each piece.
struct Timed {
    body: Incoming,
    patience: Duration,
    /// The time limit, while the server waits for a piece.
    waits: Option<Pin<Box<Sleep>>>,
    is_late: Arc<AtomicBool>,
}

/// The next piece of a body did not arrive in time.
#[derive(Debug)]
struct TooSlow;

impl fmt::Display for TooSlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request came too slowly")
    }
}

impl Error for TooSlow {}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let timed = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut timed.body).poll_frame(context) {
            timed.waits = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let patience = timed.patience;
        let sleep = || Box::pin(tokio::time::sleep(patience));
        let waits = timed.waits.get_or_insert_with(sleep);
        ready!(waits.as_mut().poll(context));
        timed.is_late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a reply: one of the service, or one of the server itself.
pub(crate) enum Reply<B> {
    OfService(B),
    Own(Body),
}

/// A piece of a reply.
pub(crate) enum Piece<D> {
    OfService(D),
    Own(Bytes),
}

impl<D: Buf> Buf for Piece<D> {
    fn remaining(&self) -> usize {
        match self {
            Piece::OfService(data) => data.remaining(),
            Piece::Own(bytes) => bytes.remaining(),
        }
    }

    fn chunk(&self) -> &[u8] {
        match self {
            Piece::OfService(data) => data.chunk(),
            Piece::Own(bytes) => bytes.chunk(),
        }
    }

    fn advance(&mut self, count: usize) {
        match self {
            Piece::OfService(data) => data.advance(count),
            Piece::Own(bytes) => bytes.advance(count),
        }
    }

    fn chunks_vectored<'s>(&'s self, slices: &mut [IoSlice<'s>]) -> usize {
        match self {
            Piece::OfService(data) => data.chunks_vectored(slices),
            Piece::Own(bytes) => bytes.chunks_vectored(slices),
        }
    }
}

/// The body of a reply. The request counts as outstanding until this is dropped, except for a
/// stream of events: that may last for hours, so its connection counts as idle.
pub(crate) struct Replied<B> {
    reply: Reply<B>,
    _under_way: Option<UnderWay>,
    /// Ends a stream of events when the server stops.
    ends: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<B> Replied<B> {
    pub(crate) fn new(reply: Reply<B>, under_way: UnderWay, ends: Option<Shutdown>) -> Self {
        let under_way = ends.is_none().then_some(under_way);
        let ends = ends.map(|shutdown| {
            let begins = async move { shutdown.begins().await };
            Box::pin(begins) as Pin<Box<dyn Future<Output = ()> + Send>>
        });
        Replied {
            reply,
            _under_way: under_way,
            ends,
        }
    }
}

impl<B> HttpBody for Replied<B>
where
    B: HttpBody<Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    type Data = Piece<B::Data>;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let replied = self.get_mut();
        if let Some(ends) = &mut replied.ends
            && ends.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(None);
        }
        match &mut replied.reply {
            Reply::OfService(body) => {
                let frame = ready!(Pin::new(body).poll_frame(context));
                let frame = frame.map(|it| it.map(|frame| frame.map_data(Piece::OfService)));
                Poll::Ready(frame.map(|it| it.map_err(Into::into)))
            }
            Reply::Own(body) => {
                let frame = ready!(Pin::new(body).poll_frame(context));
                let frame = frame.map(|it| it.map(|frame| frame.map_data(Piece::Own)));
                Poll::Ready(frame.map(|it| it.map_err(Into::into)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.reply {
            Reply::OfService(body) => body.is_end_stream(),
            Reply::Own(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.reply {
            Reply::OfService(body) => body.size_hint(),
            Reply::Own(body) => body.size_hint(),
        }
    }
}
