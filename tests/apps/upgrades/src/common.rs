//! The shared resources of this application. Each one writes its events into a journal for the
//! test.
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use otp_bridge::{Env, Exit, Result};

otp_bridge::shared! {
    /// The journal, in which the build records its events.
    pub static JOURNAL: Journal = open_journal, close = close_journal;

    /// Every call of a counter uses this pool.
    pub static POOL: Pool = open_pool, close = close_pool;

    /// An optional resource.
    pub static RATES: u64 = open_rates, retry = true;
}

/// Settings, which the tests change at run time.
#[derive(Debug, Env)]
pub struct Wishes {
    /// Path of the journal. Without it, there is no journal.
    pub journal: Option<String>,
    /// A fault when the second or a later build opens the pool: `fail`, `panic` or `hang`.
    pub pool: Option<String>,
    /// A fault when the first build opens the pool.
    pub pool_of_first: Option<String>,
    /// Path of a file without which there are no rates.
    pub rates: Option<String>,
}

/// A file, if there is one.
pub struct Journal(Option<String>);

impl Journal {
    /// Adds a line.
    pub fn note(&self, text: &str) {
        let Some(path) = &self.0 else { return };
        let file = OpenOptions::new().append(true).create(true).open(path);
        let line = format!("{text} {}\n", crate::BUILD);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the journal can be written");
    }
}

fn open_journal(wishes: Wishes) -> Journal {
    let journal = Journal(wishes.journal);
    journal.note("opened journal");
    journal
}

fn close_journal(journal: Arc<Journal>) {
    journal.note("closed journal");
}

/// A pool. It must not be used after it was closed.
#[derive(Default)]
pub struct Pool {
    is_closed: AtomicBool,
}

async fn open_pool(wishes: Wishes) -> Result<Pool, String> {
    let wish = match crate::BUILD {
        "1" => wishes.pool_of_first,
        _ => wishes.pool,
    };
    match wish.as_deref() {
        Some("fail") => return Err("no connections today".to_owned()),
        Some("panic") => panic!("the pool panics"),
        Some("hang") => {
            JOURNAL
                .get()
                .map_err(|error| error.to_string())?
                .note("waits for the pool");
            std::future::pending::<()>().await;
        }
        _ => tokio::time::sleep(Duration::from_millis(1)).await,
    }
    // The pool is declared after the journal, so it can use it.
    let journal = JOURNAL.get().map_err(|error| error.to_string())?;
    journal.note("opened pool");
    Ok(Pool::default())
}

async fn close_pool(pool: Arc<Pool>) {
    tokio::time::sleep(Duration::from_millis(1)).await;
    pool.is_closed.store(true, Ordering::SeqCst);
    if let Ok(journal) = JOURNAL.get() {
        journal.note("closed pool");
    }
}

fn open_rates(wishes: Wishes) -> std::io::Result<u64> {
    match wishes.rates {
        Some(path) => std::fs::metadata(path).map(|file| file.len()),
        None => Ok(0),
    }
}

/// Returns an error, which ends the calling process, if the pool is closed or missing.
pub fn use_pool() -> Result<()> {
    if POOL.get()?.is_closed.load(Ordering::SeqCst) {
        note("used a closed pool");
        return Err(Exit::new("the pool is closed"));
    }
    Ok(())
}

/// Adds a line to the journal.
pub fn note(text: &str) {
    if let Ok(journal) = JOURNAL.get() {
        journal.note(text);
    }
}
