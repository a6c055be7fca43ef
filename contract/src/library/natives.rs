//! The native functions of a library.

use std::ffi::CStr;

/// Declares enums of native functions: name, arguments' types and result type.
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
    /// The mismatches between an application's environment and the structs that describe it, and
    /// the keys of these structs.
    Environment = c"environment"("atom()", "[{atom(), term()}]")
        -> "{[{binary(), wrong | missing, binary(), binary()}], [atom()]}",
    /// The `Debug` text of a state, or that it is secret; any other term as it is.
    FormatState = c"format_state"("term()") -> "term()",
    /// The state, as a term or as `Debug` text.
    State = c"state"("term()") -> "{ok, term()} | {debug, binary()} | secret | error",
    /// The text of a state, the number of tasks of the process, and whether some of them can run.
    Status = c"status"("cell()") -> "{{text, binary()} | secret | none | busy, non_neg_integer(), boolean()}",
    /// The callbacks of a process that have occupied a normal scheduler for long: the longest time
    /// of each in milliseconds, and how often.
    LongCallbacks = c"long_callbacks"("pid()") -> "[{binary(), non_neg_integer(), pos_integer()}]",
    /// The callbacks that are in progress: of a process, of all that run (0), or of a list of
    /// processes that wait (from 1 until `badarg`). Returns for how many milliseconds they have
    /// run, and where they are.
    Callbacks = c"callbacks"("pid() | non_neg_integer()")
        -> "[{pid(), module(), binary(), non_neg_integer(), running | dirty_cpu | dirty_io | waiting}]",
    /// The text of a panic's Rust stack, by its number in the report.
    Backtrace = c"backtrace"("pos_integer()") -> "binary()",
    /// Sets the spans that a future of Tokio inherits from the message that its process handles.
    Spans = c"spans"("reference()", "[otp_rs:span()]") -> "ok",
    /// Replaces the term of a state.
    ReplaceState = c"replace_state"("term()", "term()") -> "ok | {error, term()}",
    /// Sets how long a callback may occupy a normal scheduler before it is reported, in
    /// milliseconds.
    LongCallback = c"long_callback"("pos_integer() | atom()") -> "ok",
    /// Sets how many bytes the Rust value of a callback's argument may take.
    MessageLimit = c"message_limit"("pos_integer() | atom()") -> "ok",
    /// Sets the threads of the Tokio run time that the library starts when it is first used.
    Tokio = c"tokio"("term()") -> "ok",
    /// Sets whether the process of a callback executes an event of `telemetry` at its end.
    Telemetry = c"telemetry"("boolean()") -> "ok",
    /// Registers the helper process and the level of `logger` with the library. Returns whether the
    /// library logs.
    Follow = c"follow"("pid()", "logger:level() | all | none") -> "boolean()",
    /// Sets the build of this node, and the nodes that run another build of the application.
    Peers = c"peers"("binary()", "[{node(), binary()}]") -> "ok",
    /// Acknowledges that the helper has taken an entry of the library's. Returns how many entries
    /// were dropped since the last call.
    Taken = c"taken"() -> "non_neg_integer()",
    /// Whether this library made the term and it is the state of the calling process.
    Owns = c"owns"("term()") -> "boolean()",
    /// The number of processes that have a state of this library, or are going to run a body of it.
    Users = c"users"() -> "non_neg_integer()",
    /// Stops the threads of `cx.tokio` before the library is unloaded. Returns the names of all
    /// threads that still run in it.
    EndThreads = c"end_threads"() -> "[unicode:unicode_binary()]",
    /// Processes with a state of a module whose behaviour's loop is not one of OTP's own.
    Holders = c"holders"() -> "[{pid(), module()}]",
    /// The module of the calling process's state, which this library made.
    ModuleOf = c"module_of"("term()") -> "module() | none",
    /// The number of a callback.
    Number = c"number"("module()", "atom()", "arity()") -> "non_neg_integer() | none",
    /// The states of its modules, and the older forms that can be converted to them.
    States = c"states"() -> "[otp_rs_upgrade:state_of_module()]",
    /// The state as a term that another version of the application can read, and its form.
    Export = c"export"("cell()") -> "{ok, binary(), term()} | {error, term()}",
    /// A state of a module, from the term of another version, if its form is unchanged.
    Adopt = c"adopt"("module()", "binary()", "term()") -> "{ok, cell()} | changed | {error, term()}",
    /// The modules with clauses that go back to older states, and the forms of these states.
    OlderStates = c"older_states"() -> "[{module(), [binary()]}]",
    /// The term of an older state with this form, which a clause of the module makes from the term
    /// of the module's own state.
    ToOlder = c"to_older"("module()", "binary()", "term()") -> "{ok, term()} | changed | {error, term()}",
    /// Whether a term has the type of the value that the callbacks of a module pass to each other:
    /// a state of a `gen_statem`.
    Fits = c"fits"("module()", "term()") -> "boolean()",
    /// The shared resources, and why each closed one is not open.
    Shared = c"shared"() -> "[{binary(), open | {unavailable, binary(), not_open | opening | {away, binary()} | closed}}]",
    /// Opens the shared resources, and sends `{Tag, ok | {error, Name, Reason}}` to the process
    /// afterwards. If a resource that may be unavailable cannot be opened, it retries: all such
    /// resources, or those with these names.
    OpenShared = c"open_shared"("pid()", "reference()", "[{atom(), [{atom(), term()}]}]", "all | [binary()]") -> "ok",
    /// Closes the shared resources. The caller repeats the call until they are closed.
    CloseShared = c"close_shared"() -> "closed | closing",
    /// Runs the body of a process that does not belong to a behaviour.
    Start = c"start"("closure()") -> "term()",
    /// The body of the test with this name: `#[otp_bridge::test]`.
    Test = c"test"("binary()") -> "closure() | undefined",
    /// Resumes a callback.
    Resume = c"resume"("cell()", "outcome() | [answer()]") -> "term()",
    /// Resumes the tasks of a process in which no callback waits, if it has any.
    ResumeTasks = c"resume_tasks"("cell()", "[answer()]") -> "term()",
    /// Resumes a callback or tasks on a dirty CPU scheduler.
    ResumeDirtyCpu = c"resume_dirty_cpu"("cell()", "outcome() | [answer()]") -> "term()",
    /// Resumes a callback or tasks on a dirty IO scheduler.
    ResumeDirtyIo = c"resume_dirty_io"("cell()", "outcome() | [answer()]") -> "term()",
}

impl Native {
    /// Returns whether other modules call it. Only the module that loads the library calls the
    /// rest.
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
            | Native::Spans
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
            | Native::OlderStates
            | Native::ToOlder
            | Native::Shared
            | Native::OpenShared
            | Native::CloseShared
            | Native::Test => true,
            Native::Start
            | Native::Backtrace
            | Native::MessageLimit
            | Native::Tokio
            | Native::Telemetry
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
