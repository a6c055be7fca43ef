//! What a library and the generated Erlang module that loads it hand each other.
//!
//! `otp-bridge` has native functions ([`Native`]), and makes terms of these shapes: a callback that
//! has not simply ended answers `{'$otp_rs', Step}`; a [`Step`] holds the [`Request`]s that the
//! process performs and the [`Action`]s that it takes; what is logged is a [`Report`].
//! `otp-codegen` writes the Erlang module, whose types and macros for these shapes come from here:
//! `?ALONE(Cell, Request)` is `{alone, Cell, Request}`.
//!
//! | Erlang's module | Rust's crate |
//! |---|---|
//! | `<application>_nif:callback(Id, …)`, a NIF | runs the callback; `{'$otp_rs', Step}` where it waits |
//! | `<application>_nif:continue(Step)` performs the step | |
//! | `resume(Cell, Outcome or answers)`, a NIF | goes on, with the next step or the callback's value |
//! | `resume_tasks(Cell, Answers)`, a NIF | the same for the process's tasks, between two callbacks |
//!
//! Between two callbacks, answers to operations of tasks come to the process's own loop, as
//! messages: `<application>_nif:took(Message, Cell)` takes them (docs/tasks.md).
//!
//! A message that is received beside other operations is *offered*: it stays in the mailbox while
//! the callback is polled with it, and the action [`Action::Take`] removes it if the callback has
//! taken it.

mod natives;

use std::ffi::CStr;

pub use natives::Native;

/// The folder of an application, beside its `ebin`, that has copies of its last builds:
/// `kept/BUILD/NAME/{ebin,priv}`. Isolated children start from the copy of the build that runs.
pub const KEPT: &str = "kept";

/// The variable of the environment whose value is the OS process of a VM of isolated children, in
/// that VM.
pub const ISOLATED_PROCESS: &str = "OTP_RS_ISOLATED_PROCESS";

/// What a term begins with that is meant for the generated module and nobody else:
/// `{'$otp_rs', Step}`. OTP's own messages begin alike (`'$gen_call'`).
pub const MARK: &str = "$otp_rs";

/// The message `{'$otp_rs', wake}`, by which a thread of the library wakes a process; and the last
/// action of a callback to which such a message may still come.
pub const WAKE: &str = "wake";

/// The message `{'$otp_rs', to, Number, Message}`, for a mailbox of the process's tasks. Any
/// process sends it.
pub const TO: &str = "to";

/// The number of the mailbox of what other processes of the library have this one do: tasks of a
/// pool.
pub const OF_PROCESSES: u64 = 0;

/// The number of the mailbox of what threads have a process do. Greater ones are of mailboxes of
/// tasks.
pub const OF_THREADS: u64 = 1;

/// The message `{'$otp_rs', tasks}`, by which a process comes back to its tasks when it has served
/// what came before.
pub const TASKS: &str = "tasks";

/// The outcome `{offer, [Message]}`: a message that is still in the mailbox.
pub const OFFER: &str = "offer";

/// The library's function for all callbacks: the callback's number, then its arguments. It has as
/// many arities as [`crate::limits::CALLBACK_ARITY`] says.
pub const CALLBACK: &CStr = c"callback";

/// The kinds of terms in a selector of messages: `any`, and one for each guard `is_…` of Erlang.
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
    /// A type that the generated module has, or Erlang's own; `?WAKE` is [`WAKE`].
    pub erlang_type: &'static str,
}

/// Enums of shapes: an atom, and the elements that follow it in a tuple.
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

            /// The atom that tells it from others.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// What follows the atom, or what a report's map holds.
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
    /// What a callback that has not simply ended needs of its process.
    Step {
        /// The process performs one operation, which nothing else waits beside.
        Alone = "alone"(Cell: "cell()", Request: "request()"),
        /// The actions are taken, and the process waits for an answer.
        Wait = "wait"(Cell: "cell()", Actions: "[action()]"),
        /// The actions are taken, and the callback goes on when its scheduler has had time for
        /// others. It gets these answers again, and those that have come.
        Poll = "poll"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// … and goes on on a dirty scheduler for work that computes.
        DirtyCpu = "dirty_cpu"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// … and goes on on a dirty scheduler for work that waits.
        DirtyIo = "dirty_io"(Cell: "cell()", Actions: "[action()]", Answers: "[answer()]"),
        /// The callback returns a value, once the actions are taken.
        Return = "return"(Actions: "[action() | ?WAKE]", Value: "term()"),
        /// The callback ends with an exception, whose stack begins like this.
        Raise = "raise"(
            Actions: "[action() | ?WAKE]", Exception: "{error | exit | throw, term()}", Stack: "[tuple(), ...]"
        ),
        /// The same, where tasks of the process go on: the operations that they wait for stay under
        /// way.
        Stay = "stay"(Actions: "[action()]", Value: "term()"),
        /// The report is logged before the answer counts.
        Tell = "tell"(Report: "map()", Answer: "term()"),
        /// What the callback has logged and printed since it last gave its process back is handed
        /// on before the answer counts: through the helper, if some of it went there before.
        Output = "output"(IsBehind: "boolean()", Entries: "[otp_rs:entry()]", Answer: "term()"),
        /// The state is not this library's. If another version of the application has made it, that
        /// one's callback runs. Otherwise the call ends with the reason.
        Foreign = "foreign"(Callback: "{module(), atom(), [term()]}", Cell: "cell()", Reason: "term()"),
    }

    /// An operation that a callback waits for.
    Request {
        /// `gen_server:call/3`
        Call = "call"(Server: "gen_server:server_ref()", Request: "term()", Timeout: "timeout()"),
        /// `erlang:apply/3`
        Apply = "apply"(Module: "module()", Function: "atom()", Arguments: "[term()]"),
        /// `erlang:apply/3` of a function that returns at once, in the process itself whatever else
        /// is under way.
        Here = "here"(Module: "module()", Function: "atom()", Arguments: "[term()]"),
        /// `receive after Milliseconds -> ok end`
        Sleep = "sleep"(Milliseconds: "non_neg_integer()"),
        /// The first message that the selector selects: `[Message]`, or `[]` when the time is over.
        Receive = "receive"(Selector: "selector()", Time: "timeout()"),
        /// `erlang:monitor(process, …)` of a server by any name that a call takes.
        Monitor = "monitor"(Server: "gen_server:server_ref()"),
        /// `erlang:cancel_timer/1`: `[Milliseconds]` that were left, or `[]`. A timeout that has
        /// been sent is removed.
        CancelTimer = "cancel_timer"(Timer: "reference()"),
        /// `gen_server:send_request/2`: the reference in `{[alias | Reference], Reply}`.
        SendRequest = "send_request"(Server: "gen_server:server_ref()", Request: "term()"),
        /// A process that runs a body: its pid, or `{Pid, Monitor}`.
        Spawn = "spawn"(Closure: "closure()", With: "nothing | link | monitor"),
        /// The same, until it has ended. It is linked, and its value is not a term: `ok`.
        InProcess = "in_process"(Closure: "closure()"),
    }

    /// What a process does before it goes on with a step.
    Action {
        /// Performs a request whose result nobody waits for.
        Do = "do"(Request: "request()"),
        /// Begins an operation, whose answer will carry the number.
        Begin = "begin"(Id: "operation_id()", Request: "request()"),
        /// The same of the only operation that the callback itself awaits: a function is called in
        /// the process itself.
        Perform = "perform"(Id: "operation_id()", Request: "request()"),
        /// Forgets an operation.
        Cancel = "cancel"(Id: "operation_id()"),
        /// Removes the message from the mailbox that was offered for this request.
        Take = "take"(Request: "request()"),
    }

    /// What is logged of a callback. Its term is a map: `label => {otp_rs, Report}`, and the
    /// elements by their names.
    Report {
        /// It held a normal scheduler for long.
        LongCallback = "long_callback"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            milliseconds: "non_neg_integer()", worked: "non_neg_integer() | undefined", waited: "non_neg_integer() | undefined",
            suppressed: "non_neg_integer()"
        ),
        /// It is called on a scheduler of another kind from now on, because it was slow.
        Moved = "moved"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            milliseconds: "non_neg_integer()", scheduler: "dirty_cpu | dirty_io"
        ),
        /// It was one of so many clauses that ran on dirty CPU schedulers at once because they are
        /// slow, the most until then.
        Crowded = "crowded"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()", count: "pos_integer()"
        ),
        /// It panicked.
        Panic = "panic"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()",
            backtrace: "binary() | pos_integer()"
        ),
        /// It has dropped a caller without a reply. Whoever logs it ends the caller's call.
        Unanswered = "unanswered"(
            module: "module()", function: "atom()", arity: "arity()", message: "binary()", reply: "binary()",
            file: "binary()", line: "pos_integer()", server: "pid()", caller: "gen_server:from()"
        ),
        /// A task that nobody awaits has failed.
        TaskFailed = "task_failed"(
            module: "module()", task: "binary()", reason: "term()", suppressed: "non_neg_integer()"
        ),
        /// It refuses messages that no clause takes, and has dropped one.
        BadMessage = "bad_message"(
            module: "module()", function: "atom()", arity: "arity()", reason: "term()", suppressed: "non_neg_integer()"
        ),
    }

    /// A message to the process [`HELPER`](crate::modules::HELPER).
    HelperMessage {
        /// A caller was dropped outside its server's callbacks: what is reported when the server
        /// still runs afterwards.
        Dropped = "dropped"(Server: "pid()", Report: "map()"),
        /// Something is logged or printed outside a process's callbacks, or while one runs on a
        /// dirty scheduler.
        Handed = "handed"(Library: "module()", Entry: "entry()"),
    }

    /// What native code gives to Erlang's `logger`, or to a group leader.
    Entry {
        /// An event of `logger`.
        Event = "event"(
            Level: "logger:level()", Message: "unicode:chardata() | logger:report()", Metadata: "logger:metadata()"
        ),
        /// A text for the group leader of a process, or of whoever prints it.
        Text = "text"(Text: "unicode:chardata()", Process: "pid() | undefined"),
        /// So many entries have been dropped, because there were too many.
        Lost = "lost"(Number: "pos_integer()"),
    }
}

/// The key of a report's map beside its elements: `{otp_rs, Report}`, as OTP's reports have it
/// (`logger`, kernel).
pub const LABEL: &str = "label";
