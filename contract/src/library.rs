//! The protocol between a library and the generated Erlang module that loads it.
//!
//! `otp-bridge` implements the native functions ([`Native`]) and builds the terms of this protocol.
//! A callback that has not simply returned answers `{'$otp_rs', Step}`. A [`Step`] contains the
//! [`Request`]s that the process performs and the [`Action`]s that it takes. Log entries are
//! [`Report`]s. `otp-codegen` writes the Erlang module, and generates its types and macros for
//! these shapes from this file: `?ALONE(Cell, Request)` is `{alone, Cell, Request}`.
//!
//! | Erlang's module | Rust's crate |
//! |---|---|
//! | `<application>_nif:callback(Id, …)`, a NIF | runs the callback; `{'$otp_rs', Step}` where it waits |
//! | `<application>_nif:continue(Step)` performs the step | |
//! | `resume(Cell, Outcome or answers)`, a NIF | resumes the callback: the next step, or the callback's value |
//! | `resume_tasks(Cell, Answers)`, a NIF | the same for the process's tasks, between two callbacks |
//!
//! Between two callbacks, answers to operations of tasks arrive in the process's own loop as
//! messages: `<application>_nif:took(Message, Cell)` takes them (docs/tasks.md).
//!
//! A message received while other operations are pending is *offered*: it stays in the mailbox
//! while the callback is polled with it, and the action [`Action::Take`] removes it if the callback
//! has taken it.

mod natives;

use std::ffi::CStr;

pub use natives::Native;

/// The folder of an application, beside its `ebin`, with copies of its last builds:
/// `kept/BUILD/NAME/{ebin,priv}`. Isolated children start from the copy of the running build.
pub const KEPT: &str = "kept";

/// The environment variable that a VM of isolated children sets to its own OS process id.
pub const ISOLATED_PROCESS: &str = "OTP_RS_ISOLATED_PROCESS";

/// The first element of a term that is meant only for the generated module: `{'$otp_rs', Step}`.
/// OTP's own messages begin alike (`'$gen_call'`).
pub const MARK: &str = "$otp_rs";

/// The first element of the label of a sequential trace token that carries spans:
/// `{'$otp_rs_spans', [{Name, Fields}]}`, outermost first.
pub const SPANS: &str = "$otp_rs_spans";

/// The key of an application's environment that has the settings of its Tokio run time:
/// `#{workers => 2, blocking_threads => 16, thread_name => <<"shop">>}`, each optional.
pub const TOKIO: &str = "otp_rs_tokio";

/// The message `{'$otp_rs', wake}`, with which a thread of the library wakes a process. It is also
/// the last action of a callback that may still receive such a message.
pub const WAKE: &str = "wake";

/// The message `{'$otp_rs', to, Number, Message}` to a mailbox of the process's tasks. Any process
/// can send it.
pub const TO: &str = "to";

/// The number of the mailbox for work that other processes of the library pass to this one: tasks
/// of a pool.
pub const OF_PROCESSES: u64 = 0;

/// The number of the mailbox for work that threads pass to a process. Greater numbers are mailboxes
/// of tasks.
pub const OF_THREADS: u64 = 1;

/// The message `{'$otp_rs', tasks}`, with which a process returns to its tasks after it has served
/// the messages that came before.
pub const TASKS: &str = "tasks";

/// The outcome `{offer, [Message]}`: a message that is still in the mailbox.
pub const OFFER: &str = "offer";

/// The library's function for all callbacks. It takes the callback's number, then its arguments,
/// and has the arities that [`crate::limits::CALLBACK_ARITY`] allows.
pub const CALLBACK: &CStr = c"callback";

/// The kinds of terms in a message selector: `any`, and one for each guard `is_…` of Erlang.
pub mod kinds {
    /// Every term.
    pub const ANY: &str = "any";
    /// `is_atom/1`
    pub const ATOM: &str = "atom";
    /// `is_integer/1`
    pub const INTEGER: &str = "integer";
    /// `is_float/1`
    pub const FLOAT: &str = "float";
    /// `is_binary/1`
    pub const BINARY: &str = "binary";
    /// `is_bitstring/1`
    pub const BITSTRING: &str = "bitstring";
    /// `[]`
    pub const NIL: &str = "nil";
    /// `is_list/1`, without `[]`
    pub const LIST: &str = "list";
    /// `is_tuple/1`
    pub const TUPLE: &str = "tuple";
    /// `is_map/1`
    pub const MAP: &str = "map";
    /// `is_pid/1`
    pub const PID: &str = "pid";
    /// `is_port/1`
    pub const PORT: &str = "port";
    /// `is_reference/1`
    pub const REFERENCE: &str = "reference";
    /// `is_function/1`
    pub const FUNCTION: &str = "function";
}

/// An element of a shape: its name, and its type as Erlang text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// A variable of Erlang.
    pub name: &'static str,
    /// A type that the generated module defines, or a type of Erlang; `?WAKE` is [`WAKE`].
    pub erlang_type: &'static str,
}

/// Declares enums of shapes: an atom, and the elements that follow it in a tuple.
macro_rules! shapes {
    ($(
        $(#[$doc:meta])*
        $name:ident {$(
            $(#[$variant_doc:meta])*
            $variant:ident = $word:literal($($element:ident: $ty:literal),*),
        )*}
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The atom that identifies the shape.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// The elements after the atom, or the keys of a report's map.
            #[must_use]
            pub const fn elements(self) -> &'static [Element] {
                match self {
                    $($name::$variant => &[$(
                        Element { name: stringify!($element), erlang_type: $ty },
                    )*],)*
                }
            }
        }
    )*};
}

shapes! {
    /// Instructions for the process of a callback that has not simply returned.
    Step {
        /// Perform one operation, which is the only one that the callback waits for.
        Alone = "alone"(Cell: "cell()", Request: "request()"),
        /// Take the actions, then wait for an answer.
        Wait = "wait"(Cell: "cell()", Actions: "[action()]"),
        /// Take the actions, then resume the callback after its scheduler has had time for other
        /// processes, with these answers again and those that have arrived since.
        Poll = "poll"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// Like `Poll`, but resume on a dirty CPU scheduler.
        DirtyCpu = "dirty_cpu"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// Like `Poll`, but resume on a dirty IO scheduler.
        DirtyIo = "dirty_io"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// Take the actions, then return the callback's value.
        Return = "return"(Actions: "[action() | ?WAKE]", Value: "term()"),
        /// Take the actions, then raise an exception whose stack begins with this one.
        Raise = "raise"(
            Actions: "[action() | ?WAKE]", Exception: "{error | exit | throw, term()}", Stack: "[tuple(), ...]"
        ),
        /// Like `Return`, but tasks of the process keep running: the operations that they wait for
        /// stay pending.
        Stay = "stay"(Actions: "[action()]", Value: "term()"),
        /// Log the report, then handle the answer.
        Tell = "tell"(Report: "map()", Answer: "term()"),
        /// Hand on what the callback has logged and printed since it last yielded its process, then
        /// handle the answer. The output goes through the helper if an earlier part of it went
        /// there.
        Output = "output"(IsBehind: "boolean()", Entries: "[otp_rs:entry()]", Answer: "term()"),
        /// Execute an event of `telemetry` for a callback that has ended, then handle the answer.
        Ended = "ended"(Report: "map()", Answer: "term()"),
        /// The state does not belong to this library. If another version of the application made
        /// it, run that version's callback. Otherwise raise the reason.
        Foreign = "foreign"(Callback: "{module(), atom(), [term()]}", Cell: "cell()", Reason: "term()"),
    }

    /// An operation that a callback waits for.
    Request {
        /// `gen_server:call/3`
        Call = "call"(Server: "gen_server:server_ref()", Request: "term()", Timeout: "timeout()"),
        /// `erlang:apply/3`
        Apply = "apply"(Module: "module()", Function: "atom()", Arguments: "[term()]"),
        /// `erlang:apply/3` of a function that returns at once. It always runs in the process
        /// itself, even if other operations are pending.
        Here = "here"(Module: "module()", Function: "atom()", Arguments: "[term()]"),
        /// `receive after Milliseconds -> ok end`
        Sleep = "sleep"(Milliseconds: "non_neg_integer()"),
        /// The first message that the selector selects: `[Message]`, or `[]` after the timeout.
        Receive = "receive"(Selector: "selector()", Time: "timeout()"),
        /// `erlang:monitor(process, …)` of a server, by any name that a call accepts.
        Monitor = "monitor"(Server: "gen_server:server_ref()"),
        /// `erlang:cancel_timer/1`: `[Milliseconds]` that were left, or `[]`. A timeout that was
        /// already sent is removed.
        CancelTimer = "cancel_timer"(Timer: "reference()"),
        /// `gen_server:send_request/2`: the reference in `{[alias | Reference], Reply}`.
        SendRequest = "send_request"(Server: "gen_server:server_ref()", Request: "term()"),
        /// Spawns a process that runs a body. The result is its pid, or `{Pid, Monitor}`.
        Spawn = "spawn"(Closure: "closure()", With: "nothing | link | monitor"),
        /// Another request, under these spans: messages that the request sends carry them.
        Within = "within"(Spans: "[otp_rs:span()]", Request: "request()"),
        /// Spawns a linked process that runs a body, and waits until it has ended. The body's value
        /// is not a term: the result is `ok`.
        InProcess = "in_process"(Closure: "closure()"),
    }

    /// Actions of a process before it continues with a step.
    Action {
        /// Performs a request and discards the result.
        Do = "do"(Request: "request()"),
        /// Starts an operation. Its answer will carry the number.
        Begin = "begin"(Id: "operation_id()", Request: "request()"),
        /// Starts the only operation that the callback itself awaits. If it is a function, it is
        /// called in the process itself.
        Perform = "perform"(Id: "operation_id()", Request: "request()"),
        /// Cancels an operation.
        Cancel = "cancel"(Id: "operation_id()"),
        /// Removes the message that was offered for this request from the mailbox.
        Take = "take"(Request: "request()"),
    }

    /// Log reports about a callback. Each becomes a map: `label => {otp_rs, Report}`, and the
    /// elements by their names.
    Report {
        /// It occupied a normal scheduler for a long time.
        LongCallback = "long_callback"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            milliseconds: "non_neg_integer()", worked: "non_neg_integer() | undefined", waited: "non_neg_integer() | undefined",
            suppressed: "non_neg_integer()"
        ),
        /// From now on it runs on a scheduler of another kind, because it was slow.
        Moved = "moved"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            milliseconds: "non_neg_integer()", scheduler: "dirty_cpu | dirty_io"
        ),
        /// A new maximum of slow clauses ran on dirty CPU schedulers at once; it was one of these
        /// clauses.
        Crowded = "crowded"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()", count: "pos_integer()"
        ),
        /// It panicked.
        Panic = "panic"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            backtrace: "binary() | pos_integer()"
        ),
        /// It dropped a caller without a reply. The process that logs the report makes the caller's
        /// call fail.
        Unanswered = "unanswered"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()", reply: "binary()",
            file: "binary()", line: "pos_integer()", server: "pid()", caller: "gen_server:from()"
        ),
        /// A task whose result is not awaited failed.
        TaskFailed = "task_failed"(
            module: "module()", task: "binary()", reason: "term()", suppressed: "non_neg_integer()"
        ),
        /// It has ended, which `telemetry` gets instead of the log.
        Callback = "callback"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()", nanoseconds: "non_neg_integer()"
        ),
        /// It refuses messages that no clause takes, and dropped one.
        BadMessage = "bad_message"(
            module: "module()", function: "atom()", arity: "arity()", reason: "term()", suppressed: "non_neg_integer()"
        ),
    }

    /// A message to the process [`HELPER`](crate::modules::HELPER).
    HelperMessage {
        /// A caller was dropped outside its server's callbacks. The report is logged if the server
        /// is still running afterwards.
        Dropped = "dropped"(Server: "pid()", Report: "map()"),
        /// Something is logged or printed outside a process's callbacks, or while one runs on a
        /// dirty scheduler.
        Handed = "handed"(Library: "module()", Entry: "entry()"),
    }

    /// Output of native code for Erlang's `logger` or for a group leader.
    Entry {
        /// An event of `logger`.
        Event = "event"(
            Level: "logger:level()", Message: "unicode:chardata() | logger:report()", Metadata: "logger:metadata()"
        ),
        /// A text for the group leader of `Process`, or of the process that prints it.
        Text = "text"(Text: "unicode:chardata()", Process: "pid() | undefined"),
        /// This number of entries was dropped because too many were waiting.
        Lost = "lost"(Number: "pos_integer()"),
    }
}

/// The key of a report's map beside its elements: `{otp_rs, Report}`, the convention of OTP's
/// reports (`logger`, kernel).
pub const LABEL: &str = "label";
