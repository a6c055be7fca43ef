//! The process that writes `dump.rdb`.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use super::Wish;
use crate::rdb;
use crate::server::Server;
use crate::store::now;

/// State of saving the keys.
#[derive(Debug)]
pub struct Saved {
    /// The request to save.
    pub wish: Wish,
    time: AtomicU64,
    is_saving: AtomicBool,
    has_failed: AtomicBool,
}

impl Default for Saved {
    fn default() -> Self {
        Saved {
            wish: Wish::default(),
            time: AtomicU64::new(now() / 1000),
            is_saving: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
        }
    }
}

impl Saved {
    /// Returns the time of the last save, or of the server's start, in seconds since 1970.
    pub fn time(&self) -> u64 {
        self.time.load(Ordering::Relaxed)
    }

    /// Returns whether a save is in progress.
    pub fn is_saving(&self) -> bool {
        self.is_saving.load(Ordering::Relaxed)
    }

    /// Returns whether the last save has failed.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Starts a save. Returns `false` if one is already in progress.
    pub fn begin(&self) -> bool {
        !self.is_saving.swap(true, Ordering::AcqRel)
    }

    /// Records that a save has succeeded.
    pub fn done(&self, time: u64) {
        self.time.store(time, Ordering::Relaxed);
        self.has_failed.store(false, Ordering::Relaxed);
    }

    /// Records that a save has failed.
    pub fn failed(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    fn end(&self) {
        self.is_saving.store(false, Ordering::Release);
    }
}

/// The process that saves the keys on request.
#[derive(Debug, Term)]
pub struct Saver;

#[gen_server]
impl GenServer for Saver {
    type Args = Shared<Server>;

    fn init(server: Shared<Server>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        // The predecessor of this process may have died while it was saving.
        server.saved.end();
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                server.saved.wish.wished().await;
                let done: io::Result<()> = cx.blocking(|| rdb::save(&server)).await;
                server.saved.end();
                if let Err(error) = done {
                    println!("dump.rdb is not written: {error}");
                }
            }
        })
        .linked();
        Ok((ok, Saver))
    }
}
