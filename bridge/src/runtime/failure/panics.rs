//! A panic in the user's code ends the process that ran it, with a reason that contains the
//! location.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, Location, PanicHookInfo};
use std::sync::Once;

use otp_contract::library::Report;

use super::backtraces::Captured;
use super::{second_panic, source_location};
use crate::nif::{Thread, discard};
use crate::runtime::protocol;
use crate::runtime::protocol::report;
use crate::runtime::registry::RunningClause;
use crate::{ErlangType, FromTerm, Heap, Term, ToTerm, View};

/// A caught panic. As a term: `{panic, #{message, file, line}}`. Exit reasons are sent to many
/// processes, so the Rust stack (with `RUST_BACKTRACE=1`) is not in the term but in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Panic {
    message: String,
    pub(in crate::runtime) file: String,
    pub(in crate::runtime) line: u32,
    backtrace: Option<Captured>,
}

/// Replaces texts that may contain a part of a secret state.
pub(in crate::runtime) const SECRET_TEXT: &str = "secret";

thread_local! {
    /// The last panics of this thread, at most two, that have not been caught as far as is known.
    /// The latest one is first. This is necessary because the payload of a caught panic does not
    /// contain its location.
    static LAST: RefCell<Vec<Panic>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    /// Whether panics of this thread are not printed, because a report about them follows.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs code whose panics are not printed.
pub(crate) fn quietly<T>(body: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            QUIET.set(self.0);
        }
    }
    let _restore = Restore(QUIET.replace(true));
    body()
}

fn note(info: &PanicHookInfo<'_>) {
    LAST.with_borrow_mut(|last| {
        last.truncate(1);
        last.insert(0, Panic::of(info));
    });
}

/// Installs a panic hook. The process that a panic ends reports it, so the hook does not print
/// panics of callbacks, unless they end the VM. Panics of other threads go to `logger` if the
/// library logs, and otherwise to the hook that was installed before.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if second_panic::ends_the_vm(info) {
                LAST.with_borrow(|last| second_panic::report(last));
            } else {
                note(info);
            }
            if !Thread::current().is_scheduler() && !is_logged(info) {
                previous(info);
            }
        }));
    });
}

/// Logs the panic of a thread of the library. Returns whether there is a logger.
#[cfg(any(feature = "log", feature = "tracing"))]
fn is_logged(info: &PanicHookInfo<'_>) -> bool {
    use crate::runtime::output::{self, Level, LogEvent};

    if output::helper::get().is_none() {
        return false;
    }
    let mut message = format!("a thread panicked: {}", message(info.payload()));
    if let Some(backtrace) = Captured::here() {
        message = format!("{message}\n{}", backtrace.text());
    }
    let file = info.location().map(|it| source_location::shown(it.file()));
    output::log(LogEvent {
        level: Level::Error,
        message,
        fields: Vec::new(),
        target: "otp_bridge::panic",
        module: None,
        file,
        line: info.location().map(Location::line),
        spans: Vec::new(),
    });
    true
}

#[cfg(not(any(feature = "log", feature = "tracing")))]
fn is_logged(_: &PanicHookInfo<'_>) -> bool {
    false
}

/// Installs a panic hook for tests without a VM. It remembers the location of a panic, and then
/// calls the previous hook.
pub(crate) fn note_locations() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            note(info);
            if !QUIET.get() {
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
                .map_or_else(String::new, |location| location.file().to_owned()),
            line: info.location().map_or(0, Location::line),
            backtrace: Captured::here(),
        }
    }

    /// Takes the Rust stack, if `RUST_BACKTRACE` is set.
    pub(in crate::runtime) fn take_backtrace(&mut self) -> Option<Captured> {
        self.backtrace.take()
    }

    /// Builds `#{label, module, function, arity, message, backtrace}`, with the number of the
    /// backtrace.
    pub(in crate::runtime) fn report<H: Heap>(
        &self,
        heap: H,
        clause: &RunningClause,
        backtrace: u64,
    ) -> H::Term {
        let (module, function, arity) = clause.name();
        report!(
            heap,
            Report::Panic {
                module: module,
                function: function,
                arity: arity,
                message: self.message,
                backtrace: backtrace,
            }
        )
    }

    /// Returns the panic in the reason of an exit, if there is one.
    pub(in crate::runtime) fn of_reason(reason: &Term) -> Option<Self> {
        let [tag, details] = reason.tuple::<2>()?;
        if !tag.is_atom(protocol::panic.atom()) {
            return None;
        }
        let text = |key| String::from_term(details.map_get(key)?).ok();
        Some(Panic {
            message: text(protocol::message.atom())?,
            file: text(protocol::file.atom())?,
            line: u32::from_term(details.map_get(protocol::line.atom())?).ok()?,
            backtrace: None,
        })
    }

    /// Removes the message, for a process with a secret state: the message may contain a part of
    /// it.
    #[must_use]
    pub(in crate::runtime) fn without_text(self) -> Self {
        Panic {
            message: SECRET_TEXT.to_owned(),
            ..self
        }
    }

    /// Returns the text of the Rust stack, for a process that survives the panic.
    pub(in crate::runtime) fn backtrace(&self) -> Option<String> {
        self.backtrace.as_ref().map(Captured::text)
    }

    /// Sets the location of the panic to the clause, if Rust's library or this one raised it
    /// because of a value from the clause, such as a float that is not a term.
    #[must_use]
    pub(in crate::runtime) fn of_clause(mut self, clause: &RunningClause) -> Self {
        if source_location::is_foreign(&self.file) {
            let location = source_location::of_user(clause.clause.location, clause);
            location.file().clone_into(&mut self.file);
            self.line = location.line();
        }
        self.file = source_location::shown(&self.file).to_owned();
        self
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the panic with this payload, which `catch_unwind` returned.
    pub(crate) fn caught(payload: Box<dyn Any + Send>) -> Self {
        let message = message(&*payload);
        discard(payload);
        // The user's code may have caught the last panic and raised this one without the hook.
        let last = LAST.take().into_iter().next();
        last.filter(|last| last.message == message)
            .unwrap_or_else(|| Panic {
                message,
                file: String::new(),
                line: 0,
                backtrace: None,
            })
    }
}

/// Words in the panics of Tokio and of sqlx if a future is not polled on a thread of Tokio.
const NO_TOKIO: [&str; 2] = [
    "must be called from the context of a Tokio 1.x runtime",
    "this functionality requires a Tokio context",
];

fn message(payload: &(dyn Any + Send)) -> String {
    let mut message = text(payload);
    if NO_TOKIO.iter().any(|words| message.ends_with(words)) {
        message += ": in a callback, await the future in `cx.tokio(…)`";
    }
    message
}

fn text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic whose payload is not a string".to_owned()
    }
}

impl ErlangType for Panic {
    fn erlang_type() -> String {
        "{panic, #{message := binary(), file := binary(), line := non_neg_integer()}}".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Panic {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        let details = heap.map([
            Some((protocol::message.to_term(heap), self.message.to_term(heap))),
            Some((protocol::file.to_term(heap), self.file.to_term(heap))),
            Some((protocol::line.to_term(heap), self.line.to_term(heap))),
        ]);
        heap.tuple([protocol::panic.to_term(heap), details])
    }
}
