//! Opens and closes all resources of the library, in tasks of Tokio. The task that was spawned last
//! owns the states of all resources: each task first waits for the tasks before it to end.

use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::{Boxed, Environments, Resource, Unavailable, Why, all};
use crate::nif::{ProcessWord, send_from_any_thread};
use crate::runtime::protocol;
use crate::runtime::upgrade::run_time;
use crate::{Atom, Term};

/// The time limits for opening and closing one resource.
const OPENING: Duration = Duration::from_mins(1);
const CLOSING: Duration = Duration::from_secs(10);

/// The pause before the next attempt to open a resource that is away: the first, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(30);

/// Tasks that open resources, or retry.
static OPENERS: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());
static CLOSER: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the applications whose environments the resources read.
pub(in crate::runtime) fn needed_applications() -> Vec<&'static str> {
    let resources = all().into_iter();
    resources.filter_map(Resource::application).collect()
}

/// Returns each resource, and why it is not open.
pub(in crate::runtime) fn statuses() -> Vec<(&'static str, Result<(), Unavailable>)> {
    let resources = all().into_iter();
    resources.map(|it| (it.name(), it.status())).collect()
}

/// A request to open the resources of this library.
pub(in crate::runtime) struct Opening {
    /// The process that gets `{Tag, ok | {error, Name, Reason}}`.
    pub(in crate::runtime) process: ProcessWord,
    pub(in crate::runtime) tag: Term,
    pub(in crate::runtime) environments: Vec<(Atom, Term)>,
    /// The names of the resources that may stay away. `None` allows all.
    pub(in crate::runtime) may_be_away: Option<Vec<String>>,
}

/// Opens all resources, in order.
pub(in crate::runtime) fn open(opening: Opening) {
    let before: Vec<JoinHandle<()>> = take(&mut *locked(&OPENERS));
    let before = before.into_iter().chain(locked(&CLOSER).take()).collect();
    let mut openers = locked(&OPENERS);
    openers.push(run_time::handle().spawn(async move {
        // A task that closes is not aborted: it ends in bounded time.
        end(before).await;
        close_values(Why::NotOpen).await;
        let Opening { process, tag, .. } = &opening;
        match open_all(&opening).await {
            Ok(()) => send_from_any_thread(*process, &(tag, protocol::ok)),
            Err((name, reason)) => {
                close_values(Why::NotOpen).await;
                send_from_any_thread(*process, &(tag, (protocol::error, name, reason)));
            }
        }
    }));
}

async fn open_all(opening: &Opening) -> Result<(), (&'static str, String)> {
    let environments: Environments = opening.environments.clone().into();
    let (resources, mut away) = (all(), Vec::new());
    for resource in &resources {
        resource.set_aside(Why::Opening);
    }
    for resource in resources {
        let name = resource.name();
        let may_be_away = resource.retries()
            && match &opening.may_be_away {
                None => true,
                Some(names) => names.iter().any(|it| it == name),
            };
        match within_limit(resource.open(Arc::clone(&environments))).await {
            Ok(()) => {}
            Err(reason) if may_be_away => {
                warn(&format!(
                    "`{name}` is unavailable, and will be opened again: {reason}"
                ));
                resource.set_aside(Why::Away(reason));
                away.push(resource);
            }
            Err(reason) => return Err((name, reason)),
        }
    }
    for resource in away {
        let retrying = tokio::spawn(retry(resource, Arc::clone(&environments)));
        locked(&OPENERS).push(retrying);
    }
    Ok(())
}

async fn within_limit(opening: Boxed<Result<(), String>>) -> Result<(), String> {
    let limited = timeout(OPENING, opening).await;
    limited.unwrap_or_else(|_| Err(format!("not open after {} s", OPENING.as_secs())))
}

/// Tries to open the resource until it is open, with ever longer pauses.
async fn retry(resource: &'static dyn Resource, environments: Environments) {
    let mut pause = FIRST_PAUSE;
    loop {
        sleep(pause).await;
        match within_limit(resource.open(Arc::clone(&environments))).await {
            Ok(()) => break,
            Err(reason) => drop(resource.set_aside(Why::Away(reason))),
        }
        pause = (pause * 2).min(LAST_PAUSE);
    }
    let name = resource.name();
    warn(&format!("`{name}` is available again"));
}

/// Starts to close all resources. Returns whether they are closed. If not, the caller calls this
/// again.
pub(in crate::runtime) fn close() -> bool {
    let mut closer = locked(&CLOSER);
    if let Some(closing) = &*closer {
        let is_over = closing.is_finished();
        if is_over {
            *closer = None;
        }
        return is_over;
    }
    if locked(&OPENERS).is_empty() {
        // They have never been opened, or are closed.
        return true;
    }
    *closer = Some(run_time::handle().spawn(async {
        loop {
            let openers = take(&mut *locked(&OPENERS));
            if openers.is_empty() {
                break;
            }
            openers.iter().for_each(JoinHandle::abort);
            end(openers).await;
        }
        close_values(Why::Closed).await;
    }));
    false
}

async fn end(tasks: Vec<JoinHandle<()>>) {
    for task in tasks {
        // An error means that the task was aborted, or that it panicked in a destructor.
        let _ended = task.await;
    }
}

/// Closes all values, the one that was opened last first.
async fn close_values(why: Why) {
    for resource in all().into_iter().rev() {
        let Some(closing) = resource.set_aside(why.clone()) else {
            continue;
        };
        let name = resource.name();
        match timeout(CLOSING, closing).await {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => warn(&format!("`{name}` was not closed in order: {reason}")),
            Err(_) => {
                let seconds = CLOSING.as_secs();
                warn(&format!("`{name}` was not closed within {seconds} s"));
            }
        }
    }
}

/// Logs a warning, if the library logs.
#[cfg(any(feature = "log", feature = "tracing"))]
fn warn(message: &str) {
    use crate::runtime::output::{self, Level, LogEvent};

    output::log(LogEvent {
        level: Level::Warn,
        message: message.to_owned(),
        fields: Vec::new(),
        target: "otp_bridge::shared",
        module: None,
        file: None,
        line: None,
        spans: Vec::new(),
    });
}

#[cfg(not(any(feature = "log", feature = "tracing")))]
fn warn(_: &str) {}
