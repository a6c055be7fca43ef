//! The process that rewrites the log as a copy of the keys, so that the log does not grow without
//! limit.

use std::future::poll_fn;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::server::Server;
use crate::store::Wants;

/// Number of stripes that are copied before a part is written.
const AT_ONCE: usize = 4;

/// A request that can be made repeatedly, and is fulfilled once.
#[derive(Debug, Default)]
pub struct Wish {
    is_wished: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Wish {
    /// Makes the request.
    pub fn wish(&self) {
        self.is_wished.store(true, Ordering::Release);
        let waker = self
            .waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        waker.into_iter().for_each(Waker::wake);
    }

    /// Waits until the request is made.
    pub async fn wished(&self) {
        poll_fn(|context| {
            let mut waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner);
            *waker = Some(context.waker().clone());
            match self.is_wished.swap(false, Ordering::AcqRel) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}

/// The process that writes a copy of the keys on request.
#[derive(Debug, Term)]
pub struct Rewriter;

#[gen_server]
impl GenServer for Rewriter {
    type Args = Shared<Server>;

    fn init(server: Shared<Server>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        // The predecessor of this process may have died while it was writing.
        abandon(&server);
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                server.rewrite.wished().await;
                let done = rewrite(cx, &server).await;
                if let Err(error) = done {
                    println!("the append-only file is not rewritten: {error}");
                    abandon(&server);
                }
            }
        })
        .linked();
        Ok((ok, Rewriter))
    }
}

fn abandon(server: &Server) {
    server.store.end_snapshot();
    if let Some(files) = server.files().as_mut() {
        files.abandon();
    }
}

async fn rewrite(cx: &Cx<'_>, server: &Server) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_millis(20);
    let begun = cx.blocking(|| {
        let mut files = server.files();
        let files = files.as_mut().ok_or(io::ErrorKind::NotFound)?;
        let number = files.begin()?;
        Ok::<_, io::Error>((number, files.base()?))
    });
    let (number, mut base) = begun.await?;
    server.store.begin_snapshot(number);
    let last = server.store.all_stripes();
    for first in (0..last).step_by(AT_ONCE) {
        let copied = cx.blocking(|| {
            let pieces = server
                .store
                .copy_stripes(first..(first + AT_ONCE).min(last));
            pieces.iter().try_for_each(|piece| base.write_all(piece))
        });
        copied.await?;
    }
    cx.blocking(|| base.sync_all()).await?;
    server.store.log.want(Wants {
        switch: true,
        ..Wants::default()
    });
    while server
        .files()
        .as_ref()
        .is_some_and(super::Files::is_copying)
    {
        if cx.sleep(PATIENCE).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}
