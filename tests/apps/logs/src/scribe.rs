//! A server that logs and prints in every way.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{atom, println};

use crate::gate;

/// Whether the function that runs when the library is loaded was called.
pub static LOADED: AtomicBool = AtomicBool::new(false);

/// Logs when it is dropped.
#[derive(Debug)]
pub struct Scribe {
    name: String,
}

impl Drop for Scribe {
    fn drop(&mut self) {
        log::warn!("{} is dropped", self.name);
    }
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Atom)]
pub enum Write {
    /// `{line, Text}`: logs with `log`.
    Line(String),
    /// `fields`: logs with keys and values of `log`.
    Fields,
    /// `levels`: logs one event of each level.
    Levels,
    /// `spans`: logs with `tracing`, within two spans, across an await.
    Spans,
    /// `metadata`: logs after the process has set its metadata.
    Metadata,
    /// `{around, Count}`: logs before and after operations.
    Around(u64),
    /// `{thread, Count}`: logs from a thread that the library has started.
    Thread(u64),
    /// `task`: logs from a task of Tokio.
    Task,
    /// `print`: prints to the group leader.
    Print,
    /// `panic`: logs and panics.
    Panic,
    /// `open`: opens the gate.
    Open,
    /// `loaded`: returns whether the function that runs at the load was called.
    Loaded,
    /// `level`: returns the most verbose level of `log`.
    Level,
    /// `twice`: panics with a value whose destructor panics, which ends the VM.
    Twice,
}

/// It panics when it is dropped.
struct Nasty;

impl Drop for Nasty {
    fn drop(&mut self) {
        panic!("nasty")
    }
}

/// `{dirty, Number}`: logs on a dirty scheduler.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Dirty(pub u64);

/// `hold`: logs on a dirty scheduler, and then waits for the gate.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Hold;

/// `{number, Number}`: logs on a normal scheduler.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Number(pub u64);

#[gen_server]
impl GenServer for Scribe {
    type Args = String;

    fn init(name: String) -> impl InitReturn<Self> {
        log::info!("{name} begins");
        (ok, Scribe { name })
    }

    /// The attribute keeps the clause on normal schedulers, where its process prints directly. On a
    /// busy machine the clause may be so slow that it would be moved otherwise.
    #[normal]
    async fn handle_call(&mut self, request: Write, cx: &Cx<'_>) -> Result<HandleCall<Atom>> {
        let mut answer = ok.into();
        match request {
            Write::Line(text) => log::info!(target: "own", "{text}"),
            Write::Fields => {
                log::info!(user = 7, ratio = 0.5, name = self.name.as_str(), is_new = true; "came");
            }
            Write::Levels => levels(),
            Write::Spans => spans(cx).await?,
            Write::Metadata => {
                let metadata = otp_bridge::Term::of(&Request { request: 77 });
                let set = cx.apply("logger", "set_process_metadata", (metadata,));
                let _: Atom = set.await?;
                log::info!("with metadata");
            }
            Write::Around(count) => {
                for number in 0..count {
                    log::info!("{number}");
                    cx.sleep(Duration::from_millis(1)).await?;
                }
            }
            Write::Thread(count) => thread(count),
            Write::Task => {
                let task = cx.tokio(async {
                    log::info!("a task begins");
                    tokio_sleep().await;
                    log::info!("a task ends");
                });
                task.await?;
            }
            Write::Print => {
                println!("printed by {}", self.name);
                log::info!("after printing");
            }
            Write::Panic => {
                log::error!("it will panic");
                panic!("told to");
            }
            Write::Open => gate::open(),
            Write::Loaded if LOADED.load(Ordering::Relaxed) => answer = atom!("loaded"),
            Write::Loaded => {}
            Write::Level => answer = level(),
            Write::Twice => {
                let _nasty = Nasty;
                panic!("told to twice");
            }
        }
        reply(answer)
    }

    #[dirty(cpu)]
    fn handle_call(&mut self, Dirty(number): Dirty) -> HandleCall<Atom> {
        log::info!("{number}");
        reply(ok.into())
    }

    #[dirty(io)]
    fn handle_call(&mut self, Hold: Hold) -> HandleCall<bool> {
        log::info!("it holds");
        println!("held by {}", self.name);
        reply(gate::hold())
    }

    fn handle_call(&mut self, Number(number): Number) -> HandleCall<Atom> {
        log::info!("{number}");
        reply(ok.into())
    }
}

/// `#{request => 77}`
#[derive(Debug, Term)]
struct Request {
    request: u64,
}

fn levels() {
    log::error!("error");
    log::warn!("warn");
    log::info!("info");
    log::debug!("debug");
    log::trace!("trace");
}

#[tracing::instrument(skip(cx))]
async fn spans(cx: &Cx<'_>) -> Result<()> {
    let inner = tracing::info_span!("inner", id = 5, done = tracing::field::Empty);
    tracing::info!(parent: &inner, size = 2_u64, what = ?Some(1), "within");
    cx.sleep(Duration::from_millis(1)).await?;
    inner.record("done", true);
    tracing::warn!(parent: &inner, "after");
    Ok(())
}

fn thread(count: u64) {
    let write = move || (0..count).for_each(|number| log::info!("{number}"));
    let started = std::thread::Builder::new()
        .name("writer".into())
        .spawn(write);
    let _ = started.expect("a thread can be started").join();
}

/// Another thread of Tokio may continue with the task.
async fn tokio_sleep() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

fn level() -> Atom {
    match log::max_level() {
        log::LevelFilter::Off => atom!("off"),
        log::LevelFilter::Error => atom!("error"),
        log::LevelFilter::Warn => atom!("warn"),
        log::LevelFilter::Info => atom!("info"),
        log::LevelFilter::Debug => atom!("debug"),
        log::LevelFilter::Trace => atom!("trace"),
    }
}
