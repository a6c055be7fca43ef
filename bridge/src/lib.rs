//! The runtime of OTP applications written in Rust: typed terms, behaviours, processes.
//!
//! ```text
//! your callbacks ── behaviour ── process ── runtime ── nif ── the Erlang VM
//!                                              └────────┴── term ── External Term Format
//! ```
//!
//! A value that is passed between Erlang and Rust implements [`ToTerm`] and [`FromTerm`], mostly by
//! `#[derive(Term)]`. A process is a type with an `impl` block of its behaviour, under the
//! behaviour's attribute ([`gen_server`], [`supervisor`]). The types of its callbacks' return
//! values are generated from OTP's own `-callback` forms.
//!
//! ```
//! use otp_bridge::atoms::ok;
//! use otp_bridge::gen_server::prelude::*;
//! # use otp_bridge_novm as _;
//!
//! /// The server's state.
//! #[derive(Debug)]
//! pub struct Counter {
//!     count: u64,
//! }
//!
//! /// `{add, By}`: adds, and replies with the new count.
//! #[derive(Debug, Term)]
//! #[reply(u64)]
//! pub struct Add(pub u64);
//!
//! #[gen_server]
//! impl GenServer for Counter {
//!     type Args = u64;
//!
//!     fn init(start: u64) -> impl InitReturn<Self> {
//!         (ok, Counter { count: start })
//!     }
//!
//!     fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
//!         self.count += by;
//!         reply(self.count)
//!     }
//! }
//! ```
//!
//! | for | see |
//! |---|---|
//! | processes | [`gen_server`], [`gen_statem`], [`gen_event`], [`supervisor`], [`supervisor_bridge`], [`application`](mod@application), [`macro@behaviour`] |
//! | functions for Erlang and Elixir | [`macro@module`] |
//! | the operations of a callback | [`Cx`] |
//! | messages that OTP sends | [`messages`] |
//! | how a process ends | [`Exit`], [`Result`] |
//! | terms | [`mod@term`], [`macro@Term`] |
//! | JSON | `json`, with the feature of this name |
//! | values that processes and threads share | `shared!`, with the feature `tokio` |
//! | tests without a VM | [`testing`] |

// Derived and generated code refers to this crate by its name, also inside the crate.
extern crate self as otp_bridge;

#[cfg(test)]
use otp_bridge_novm as _;

#[cfg(panic = "abort")]
compile_error!(
    "panics have to unwind, otherwise a panic stops the VM instead of its process: set `panic = \"unwind\"` in the profile"
);

#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "output")]
pub mod logging;
pub mod messages;
#[cfg(feature = "net")]
pub mod net;
pub mod process;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "tokio")]
pub mod shared;
pub mod task;
pub mod term;
pub mod testing;
pub mod time;

mod behaviour;
mod generated;
mod nif;
mod runtime;
#[cfg(feature = "nifs")]
mod rustler;
mod stack;
mod sync;
mod tasks;

#[cfg(feature = "nifs")]
pub use crate::rustler::Rustler;
pub use behaviour::{
    application, gen_event, gen_server, gen_statem, pg, prelude, registry, start, supervisor,
    supervisor_bridge, table,
};
pub use futures_util::future::{join_all, try_join_all};
pub use generated::atoms;
pub use nif::VmAllocator;
pub use otp_bridge_macros::{Env, Resource, Term, ToTerm, behaviour, module, test};
pub use process::{Name, OrExit, Sender, race};
pub use registry::Registry;
pub use runtime::{Caller, Cx, Downgrade, Env, Exit, Result};
pub use table::Table;
pub use task::Client;
pub use term::{
    Atom, Binary, FromTerm, Integer, Pid, Reference, Request, Resource, Term, Timeout, ToTerm,
};

/// The calls of clauses, for libraries that measure them (feature `calls`), such as
/// otp-bridge-metrics.
#[cfg(feature = "calls")]
pub mod calls {
    pub use crate::runtime::{CallObserver, CallOutcome, Observation, ObservedCall};
}

/// The trait of callback modules, for code that works with any of them.
pub mod module {
    pub use crate::runtime::{
        Accepts, Answers, Behaviour, Callback, Form, Isolated, Module, Returned, Signature,
        StartFunction, Started,
    };
}

// Names that only this crate's own code has at the root.
pub(crate) use runtime::Class;
pub(crate) use term::*;

/// Names for code from the macros and from `otp-rs gen-types`. Not part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use core::future::Future;

    pub use futures_util::future;
    pub use inventory;

    pub use otp_contract::library_module_suffix;
    pub use otp_contract::package::package_mark;

    pub use otp_bridge_macros::{
        Construct, Decided, Returned, constructors, functions as bindings, implement, nothing,
    };

    #[cfg(feature = "output")]
    pub use crate::logging::{install, print, print_line};
    pub use crate::nif::{Encoded, LibraryEntry, VmHeap, VmTerm};
    pub use crate::process::functions::{self, OkElements, OkOrError, OkWith};
    pub use crate::process::{Named, NoProcess, OnNode, RootSupervisor};
    pub use crate::runtime::*;

    /// Does nothing: without `log`, `tracing` and `output` there is nothing to install when the
    /// library is loaded.
    #[cfg(not(feature = "output"))]
    pub fn install() {}

    pub use crate::term::types::*;
    pub use crate::term::*;
    pub use crate::{atoms, term};
}

/// Makes the crate the library of an OTP application. Write it once, in the crate's `lib.rs`.
///
/// The library's callback modules are the types whose `impl` blocks carry a behaviour's attribute.
///
/// `application!(load = prepare)` calls `fn prepare()` when the VM loads the library, before any
/// other code of the library runs. Use it to install your own logger or subscriber
/// (`docs/logs.md`). If it panics, the library is not loaded.
///
/// A library may contain the Rust code of several applications: its own application, and those that
/// this one uses as dependencies in its Cargo.toml (`docs/application.md`).
#[macro_export]
macro_rules! application {
    () => {
        $crate::application!(load = || {});
    };
    (load = $load:expr) => {
        const _: () = {
            const __OTP_MODULE: &::core::ffi::CStr = match ::core::ffi::CStr::from_bytes_with_nul(
                ::core::concat!(
                    ::core::env!("CARGO_CRATE_NAME"),
                    $crate::__private::library_module_suffix!(),
                    "\0"
                )
                .as_bytes(),
            ) {
                ::core::result::Result::Ok(__otp_name) => __otp_name,
                ::core::result::Result::Err(_) => {
                    ::core::panic!("a crate's name does not hold a NUL")
                }
            };
            fn __otp_load() {
                let __otp_prepare: fn() = $load;
                __otp_prepare();
                $crate::__private::install();
            }
            $crate::__private::inventory::submit! {
                $crate::__private::Application {
                    module: __OTP_MODULE,
                    prepare: __otp_load,
                    mark: $crate::__private::package_mark(::core::env!("CARGO_MANIFEST_DIR")),
                    nif_mark: $crate::__private::OWN_NIF_MARK,
                }
            }
        };
    };
}

/// Makes the functions under `#[rustler::nif]` functions of an Erlang module:
/// `nifs!("Elixir.Plane")`. It replaces `rustler::init!`, with the same arguments, beside
/// [`application!`](macro@application) (feature `nifs`, docs/from_rustler.md).
///
/// `nifs!("Elixir.Plane", load = load)` calls
/// `fn load(env: rustler::Env, info: rustler::Term) -> bool` when the VM loads the library.
/// Resource types are registered before the call.
#[cfg(feature = "nifs")]
#[macro_export]
macro_rules! nifs {
    ($module:literal) => {
        $crate::nifs!(@ $module, ::core::option::Option::None);
    };
    ($module:literal, load = $load:expr) => {
        $crate::nifs!(@ $module, ::core::option::Option::Some($load));
    };
    (@ $module:literal, $load:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::NativeModule {
                name: $module,
                rust_path: ::core::module_path!(),
                location: ::core::panic::Location::caller(),
                load: $load,
            }
        }
    };
}

/// An [`Atom`] written in the program's text, whose length the compiler checks: `atom!("counter")`.
#[macro_export]
macro_rules! atom {
    ($text:literal) => {{
        static __OTP_ATOM: $crate::term::StaticAtom = $crate::term::StaticAtom::new($text);
        $crate::Atom::of_program(&__OTP_ATOM)
    }};
}

/// A list whose elements may be any values that convert into the element's type. It is an array,
/// and every argument that is a list accepts arrays.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::gen_statem::Action;
/// use otp_bridge::atoms::{postpone, state_timeout};
/// use otp_bridge::list;
/// use std::time::Duration;
///
/// let actions: [Action; 2] = list![postpone, (state_timeout, Duration::from_secs(1), "late")];
/// ```
#[macro_export]
macro_rules! list {
    ($($element:expr),* $(,)?) => {
        [$(::core::convert::Into::into($element)),*]
    };
}

/// The JSON representation in derived code. With the feature `json`, it is kept.
#[cfg(feature = "json")]
#[doc(hidden)]
#[macro_export]
macro_rules! __json {
    ($($item:tt)*) => { $($item)* };
}

/// The JSON representation in derived code. Without the feature `json`, it is removed.
#[cfg(not(feature = "json"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json {
    ($($item:tt)*) => {};
}
