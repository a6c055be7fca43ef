//! A panic of the user's code ends the process that ran it, with a reason that says where.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

use super::protocol;
use crate::nif::Thread;
use crate::{ErlangType, Heap, ToTerm};

/// A caught panic. As a term: `{panic, #{message, file, line}}`, and `backtrace` with
/// `RUST_BACKTRACE=1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Panic {
    message: String,
    pub(super) file: String,
    pub(super) line: u32,
    backtrace: Option<String>,
}

thread_local! {
    /// The last panic of this thread: the payload of one that is caught does not say where it was
    /// raised.
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Panics in callbacks are reported by the process that dies of them, and not also on the
/// terminal; others go to the hook that was there before.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LAST.with_borrow_mut(|last| *last = Some(Panic::of(info)));
            if !Thread::current().is_scheduler() {
                previous(info);
            }
        }));
    });
}

impl Panic {
    fn of(info: &PanicHookInfo<'_>) -> Self {
        Panic {
            message: message(info.payload()),
            file: info
                .location()
                .map_or_else(String::new, |place| place.file().to_owned()),
            line: info.location().map_or(0, std::panic::Location::line),
            backtrace: backtrace(),
        }
    }

    /// What it was raised with.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The panic whose payload `catch_unwind` answered.
    pub(crate) fn caught(payload: Box<dyn Any + Send>) -> Self {
        let message = message(&*payload);
        discard(payload);
        // The user's code may have caught the last panic and raised this one without the hook.
        let last = LAST.with_borrow_mut(Option::take);
        last.filter(|last| last.message == message)
            .unwrap_or_else(|| Panic {
                message,
                file: String::new(),
                line: 0,
                backtrace: None,
            })
    }
}

/// Runs what may panic where nobody is left to tell: whatever is raised goes no further.
pub(crate) fn contained(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        discard(payload);
    }
}

/// Drops what a panic was raised with. Its destructor is the user's and may panic again, which
/// must not unwind into the VM; what that panic was raised with is leaked, for it may go on so.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}

/// The Rust stack of a panic, where `RUST_BACKTRACE` asks for it.
fn backtrace() -> Option<String> {
    let backtrace = Backtrace::capture();
    (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string())
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic whose payload is not a text".to_owned()
    }
}

impl ErlangType for Panic {
    fn erlang_type() -> String {
        "{panic, #{message := binary(), file := binary(), line := non_neg_integer(), backtrace => binary()}}".to_owned()
    }
}

impl ToTerm for Panic {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let place = heap.map([
            Some((protocol::message.to_term(heap), self.message.to_term(heap))),
            Some((protocol::file.to_term(heap), self.file.to_term(heap))),
            Some((protocol::line.to_term(heap), self.line.to_term(heap))),
            self.backtrace
                .as_ref()
                .map(|text| (protocol::backtrace.to_term(heap), text.to_term(heap))),
        ]);
        heap.tuple([protocol::panic.to_term(heap), place])
    }
}
