//! Terms of the contract between the library and the generated Erlang modules
//! (`otp_contract::library`), atoms of OTP, and atoms in exit reasons of the run time.
//!
//! The whole run time uses it. It knows nothing about callbacks.

pub(super) mod at_most;
pub(super) mod limits;

use otp_contract::library::{self, Action, Element, Entry, HelperMessage, Report, Request, Step};

use crate::term::StaticAtom;
use crate::{Atom, Heap, Pid, ToTerm};

crate::atoms! {
    "$gen_cast" => gen_cast,
    ok,
    error,
    exit,
    throw,
    badarg,
    postpone,
    stop,
    stop_and_reply,
    bad_return_value,
    bad_term,
    bad_environment,
    environment,
    no_clause,
    bad_request,
    refuse,
    call,
    info,
    internal,
    noreply,
    keep_state_and_data,
    never_woken,
    no_pid,
    panic,
    "module" => module_key,
    cause,
    error_info,
    message,
    file,
    line,
    state,
    debug,
    erlang,
    send,
    gen_server,
    cast,
    reply,
    global,
    via,
    nothing,
    link,
    monitor,
    infinity,
    flush,
    all,
    trap_exit,
    none,
    no_term,
    changed,
    busy,
    secret,
    text,
    unavailable,
    not_open,
    opening,
    open,
    away,
    closed,
    closing,
}

/// `'$otp_rs'`
pub(crate) static MARK: StaticAtom = StaticAtom::new(library::MARK);
/// `wake`
pub(crate) static WAKE: StaticAtom = StaticAtom::new(library::WAKE);
/// `to`
pub(crate) static TO: StaticAtom = StaticAtom::new(library::TO);
/// `tasks`
pub(crate) static TASKS: StaticAtom = StaticAtom::new(library::TASKS);
/// `otp_rs`
pub(crate) static HELPER: StaticAtom = StaticAtom::new(otp_contract::modules::HELPER);
/// `otp_rs_resource`
pub(crate) static RESOURCE: StaticAtom = StaticAtom::new(otp_contract::modules::RESOURCE);
/// `otp_rs_spans`
#[cfg(all(feature = "tokio", feature = "tracing"))]
pub(crate) static SPANS: StaticAtom = StaticAtom::new(otp_contract::modules::SPANS);
/// `give`
#[cfg(all(feature = "tokio", feature = "tracing"))]
pub(crate) static GIVE: StaticAtom = StaticAtom::new("give");
/// `otp_rs_isolated`
pub(crate) static ISOLATED: StaticAtom = StaticAtom::new(otp_contract::modules::ISOLATED);
/// `offer`
pub(crate) static OFFER: StaticAtom = StaticAtom::new(library::OFFER);
/// `label`
static LABEL: StaticAtom = StaticAtom::new(library::LABEL);

/// The atom of a shape. The contract defines how many elements follow the atom.
pub(crate) trait ProtocolAtom: Copy {
    fn atom(self) -> &'static StaticAtom;
}

/// The compiler rejects a list that lacks a shape.
macro_rules! shapes {
    ($($name:ident { $($variant:ident),* })*) => {$(
        impl ProtocolAtom for $name {
            fn atom(self) -> &'static StaticAtom {
                match self {$(
                    $name::$variant => {
                        static ATOM: StaticAtom = StaticAtom::new($name::$variant.as_str());
                        &ATOM
                    }
                )*}
            }
        }
    )*};
}

shapes! {
    Step { Alone, Wait, Poll, DirtyCpu, DirtyIo, Return, Stay, Raise, Tell, Output, Ended, Foreign }
    Request { Call, Apply, Here, Sleep, Receive, Monitor, CancelTimer, SendRequest, Spawn, Within, InProcess }
    Action { Do, Begin, Perform, Cancel, Take }
    Report { LongCallback, Moved, Crowded, Panic, Unanswered, TaskFailed, Callback, BadMessage }
    HelperMessage { Dropped, Handed }
    Entry { Event, Text, Lost }
}

/// `shape!(heap, Step::Alone, cell, request)` builds `{alone, Cell, Request}`; a tuple of another
/// size than the contract's does not compile.
macro_rules! shape {
    ($heap:expr, $name:ident::$variant:ident $(, $element:expr)+ $(,)?) => {{
        use $crate::runtime::protocol::ProtocolAtom as _;
        const {
            let given = [$(stringify!($element)),+].len();
            assert!($name::$variant.elements().len() == given);
        }
        let heap = $heap;
        heap.tuple([heap.atom($name::$variant.atom()), $($element),+])
    }};
}
pub(crate) use shape;

/// Builds `{apply, Module, Function, Arguments}`, where the arguments are a list.
pub(crate) fn apply<H: Heap>(
    heap: H,
    module: H::Term,
    function: H::Term,
    arguments: H::Term,
) -> H::Term {
    shape!(heap, Request::Apply, module, function, arguments)
}

/// Builds a request to send a message to the process again that the process has taken from its
/// mailbox.
pub(crate) fn send_again<H: Heap>(heap: H, process: &Pid, sent: H::Term) -> H::Term {
    let arguments = heap.list([heap.pid(process), sent]);
    apply(heap, erlang.to_term(heap), send.to_term(heap), arguments)
}

/// Builds `{here, Module, Function, Arguments}`, where the arguments are a list.
pub(crate) fn here<H: Heap>(
    heap: H,
    module: H::Term,
    function: H::Term,
    arguments: H::Term,
) -> H::Term {
    shape!(heap, Request::Here, module, function, arguments)
}

/// `report!(heap, Report::Panic { module: term, … })` builds
/// `#{label => {otp_rs, panic}, module => Module, …}`; other keys than the contract's do not
/// compile.
macro_rules! report {
    ($heap:expr, $name:ident::$variant:ident { $($key:ident: $value:expr),+ $(,)? }) => {{
        use $crate::runtime::protocol;
        use $crate::term::StaticAtom;
        const {
            let keys = &[$(stringify!($key)),+];
            assert!(protocol::are_named($name::$variant.elements(), keys));
        }
        let heap = $heap;
        let [label, value] = protocol::label(heap, $name::$variant);
        heap.map([Some((label, value)), $({
            static KEY: StaticAtom = StaticAtom::new(stringify!($key));
            Some((heap.atom(&KEY), $value.to_term(heap)))
        }),+])
    }};
}
pub(crate) use report;

/// `label` and `{otp_rs, Report}`
pub(crate) fn label<H: Heap>(heap: H, report: Report) -> [H::Term; 2] {
    let value = heap.tuple([heap.atom(&HELPER), heap.atom(report.atom())]);
    [heap.atom(&LABEL), value]
}

/// Returns whether the elements have these names, at compile time.
pub(crate) const fn are_named(elements: &[Element], names: &[&str]) -> bool {
    if elements.len() != names.len() {
        return false;
    }
    let mut index = 0;
    while index < names.len() {
        let (one, other) = (elements[index].name.as_bytes(), names[index].as_bytes());
        if one.len() != other.len() {
            return false;
        }
        let mut byte = 0;
        while byte < one.len() {
            if one[byte] != other[byte] {
                return false;
            }
            byte += 1;
        }
        index += 1;
    }
    true
}

/// `{'$otp_rs', wake}`
pub(crate) fn wake() -> impl ToTerm {
    (Atom::of_program(&MARK), Atom::of_program(&WAKE))
}

/// `{'$otp_rs', to, Number, Message}`
pub(crate) fn to(number: u64, sent: &impl ToTerm) -> impl ToTerm {
    (Atom::of_program(&MARK), Atom::of_program(&TO), number, sent)
}

/// `{'$otp_rs', tasks}`
pub(crate) fn tasks() -> impl ToTerm {
    (Atom::of_program(&MARK), Atom::of_program(&TASKS))
}

/// `{dropped, Server, Report}`
pub(crate) fn dropped(server: impl ToTerm, report: impl ToTerm) -> impl ToTerm {
    const { assert!(HelperMessage::Dropped.elements().len() == 2) };
    let word = Atom::of_program(HelperMessage::Dropped.atom());
    (word, server, report)
}
