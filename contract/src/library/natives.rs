//! The native functions of a library.

use std::ffi::CStr;

/// Enums of native functions: name, arguments' types and result type.
macro_rules! natives {
    ($($(#[$doc:meta])* $variant:ident = $name:literal($($ty:literal),*) -> $returns:literal,)*) => {
        /// A native function of every library (`erl_nif`), beside [`CALLBACK`](super::CALLBACK).
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Native {
            $($(#[$doc])* $variant,)*
        }

        impl Native {
            /// All of them.
            pub const ALL: &'static [Native] = &[$(Native::$variant),*];

            /// Its name in Erlang.
            #[must_use]
            pub const fn name(self) -> &'static CStr {
                match self {
                    $(Native::$variant => $name,)*
                }
            }

            /// The Erlang types of its arguments.
            #[must_use]
            pub const fn arguments(self) -> &'static [&'static str] {
                match self {
                    $(Native::$variant => &[$($ty),*],)*
                }
            }

            /// The Erlang type of its result.
            #[must_use]
            pub const fn returns(self) -> &'static str {
                match self {
                    $(Native::$variant => $returns,)*
                }
            }
        }
    };
}

natives! {
    /// The library's [`crate::manifest::Manifest`], as JSON.
    Manifest = c"manifest"() -> "binary()",
    /// What in an application's environment does not fit the structs that describe it, and the keys
    /// of these.
    Environment = c"environment"("atom()", "[{atom(), term()}]")
        -> "{[{binary(), wrong | missing, binary(), binary()}], [atom()]}",
    /// The `Debug` text of a state, or that it is secret; any other term as it is.
    FormatState = c"format_state"("term()") -> "term()",
    /// A state, as a term or as `Debug` text.
    State = c"state"("term()") -> "{ok, term()} | {debug, binary()} | secret | error",
    /// The text of a state, how many tasks the process has, and whether some of them can go on.
    Status = c"status"("cell()") -> "{{text, binary()} | secret | none | busy, non_neg_integer(), boolean()}",
    /// The callbacks of a process that have held a normal scheduler for long: the longest time of
    /// each in milliseconds, and how often.
    LongCallbacks = c"long_callbacks"("pid()") -> "[{binary(), non_neg_integer(), pos_integer()}]",
    /// The callbacks that are under way: of a process, of all that run (0), or those of a list of
    /// processes that wait (from 1 until `badarg`). For how many milliseconds, and where.
    Callbacks = c"callbacks"("pid() | non_neg_integer()")
        -> "[{pid(), module(), binary(), non_neg_integer(), running | dirty_cpu | dirty_io | waiting}]",
    /// The text of a panic's Rust stack, by the number that its report has.
    Backtrace = c"backtrace"("pos_integer()") -> "binary()",
    /// Puts a term in the place of a state.
    ReplaceState = c"replace_state"("term()", "term()") -> "ok | {error, term()}",
    /// How long a callback may hold a normal scheduler before it is reported, in milliseconds.
    LongCallback = c"long_callback"("pos_integer() | atom()") -> "ok",
    /// The most bytes that the Rust value of an argument of a callback may take.
    MessageLimit = c"message_limit"("pos_integer() | atom()") -> "ok",
    /// Tells the library of the helper process, and of the level of `logger`. Whether the library
    /// logs.
    Follow = c"follow"("pid()", "logger:level() | all | none") -> "boolean()",
    /// What this node runs, and the nodes that run another build of the application.
    Peers = c"peers"("binary()", "[{node(), binary()}]") -> "ok",
    /// The helper has taken an entry of the library's. How many have been dropped since it last
    /// asked.
    Taken = c"taken"() -> "non_neg_integer()",
    /// Whether the term is the state of the calling process, made by this library.
    Owns = c"owns"("term()") -> "boolean()",
    /// How many processes have a state of this library, or are to run a body of it.
    Users = c"users"() -> "non_neg_integer()",
    /// Has the threads of `cx.tokio` end, as the library is to leave. Returns the names of all that
    /// still run in it.
    EndThreads = c"end_threads"() -> "[unicode:unicode_binary()]",
    /// Processes that have a state of a module whose behaviour is not one of OTP's own loops.
    Holders = c"holders"() -> "[{pid(), module()}]",
    /// The module of such a state of the calling process, made by this library.
    ModuleOf = c"module_of"("term()") -> "module() | none",
    /// The number of a callback.
    Number = c"number"("module()", "atom()", "arity()") -> "non_neg_integer() | none",
    /// The states of its modules, and the older forms that these can be made from.
    States = c"states"() -> "[otp_rs_upgrade:state_of_module()]",
    /// The state as a term that another version of the application can read, and its form.
    Export = c"export"("cell()") -> "{ok, binary(), term()} | {error, term()}",
    /// A state of a module from the term of another version's, if it has the same form.
    Adopt = c"adopt"("module()", "binary()", "term()") -> "{ok, cell()} | changed | {error, term()}",
    /// Whether a term is of the type that the callbacks of a module hand to each other: a state of
    /// a `gen_statem`.
    Fits = c"fits"("module()", "term()") -> "boolean()",
    /// The shared resources, and why one is not open.
    Shared = c"shared"() -> "[{binary(), open | {unavailable, binary(), not_open | opening | {away, binary()} | closed}}]",
    /// Opens the shared resources, and sends `{Tag, ok | {error, Name, Reason}}` to the process
    /// when it is done. Of those that may be away, all or these names, it tries again to open one
    /// that could not be opened.
    OpenShared = c"open_shared"("pid()", "reference()", "[{atom(), [{atom(), term()}]}]", "all | [binary()]") -> "ok",
    /// Closes them. It is called until they are closed.
    CloseShared = c"close_shared"() -> "closed | closing",
    /// Runs the body of a process that is not a behaviour's.
    Start = c"start"("closure()") -> "term()",
    /// The body of the test with this name: `#[otp_bridge::test]`.
    Test = c"test"("binary()") -> "closure() | undefined",
    /// Goes on with a callback.
    Resume = c"resume"("cell()", "outcome() | [answer()]") -> "term()",
    /// Goes on with the tasks of a process in which no callback waits, if it has any.
    ResumeTasks = c"resume_tasks"("cell()", "[answer()]") -> "term()",
    /// Goes on with either on a dirty scheduler for work that computes.
    ResumeDirtyCpu = c"resume_dirty_cpu"("cell()", "outcome() | [answer()]") -> "term()",
    /// … on a dirty scheduler for work that waits.
    ResumeDirtyIo = c"resume_dirty_io"("cell()", "outcome() | [answer()]") -> "term()",
}

impl Native {
    /// Whether other modules call it; the rest only the module that loads the library does.
    #[must_use]
    pub fn is_exported(self) -> bool {
        match self {
            Native::Manifest
            | Native::Environment
            | Native::FormatState
            | Native::State
            | Native::Status
            | Native::LongCallbacks
            | Native::Callbacks
            | Native::ReplaceState
            | Native::LongCallback
            | Native::Follow
            | Native::Peers
            | Native::Taken
            | Native::Owns
            | Native::Users
            | Native::EndThreads
            | Native::Holders
            | Native::ModuleOf
            | Native::States
            | Native::Export
            | Native::Shared
            | Native::OpenShared
            | Native::CloseShared
            | Native::Test => true,
            Native::Start
            | Native::Backtrace
            | Native::MessageLimit
            | Native::Number
            | Native::Adopt
            | Native::Fits
            | Native::ResumeTasks
            | Native::Resume
            | Native::ResumeDirtyCpu
            | Native::ResumeDirtyIo => false,
        }
    }
}
