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

/// When the keys were saved.
#[derive(Debug)]
pub struct Saved {
    /// That somebody wants it.
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
    /// When last, or since when the server runs, in seconds since 1970.
    pub fn time(&self) -> u64 {
        self.time.load(Ordering::Relaxed)
    }

    /// Whether it is being done.
    pub fn is_saving(&self) -> bool {
        self.is_saving.load(Ordering::Relaxed)
    }

    /// Whether it has failed last.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// It begins. `false` if it has begun already.
    pub fn begin(&self) -> bool {
        !self.is_saving.swap(true, Ordering::AcqRel)
    }

    /// It is done.
    pub fn done(&self, time: u64) {
        self.time.store(time, Ordering::Relaxed);
        self.has_failed.store(false, Ordering::Relaxed);
    }

    /// It is not.
    pub fn failed(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    fn end(&self) {
        self.is_saving.store(false, Ordering::Release);
    }
}

/// Saves the keys when somebody wants it.
#[derive(Debug, Term)]
pub struct Saver;

#[gen_server]
impl GenServer for Saver {
    type Args = Shared<Server>;

    fn init(server: Shared<Server>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        // Another one may have ended in the middle.
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
