//! The run time of OTP applications written in Rust: typed terms, behaviours, processes.
//!
//! ```text
//! your callbacks ── behaviour ── process ── vm ── the Erlang VM
//!                        └── types ── term ── External Term Format
//! ```
//!
//! A value that crosses the border implements [`ToTerm`] and [`FromTerm`], mostly by
//! `#[derive(Term)]`. A process is a type with an `impl` block of its behaviour, under the
//! behaviour's attribute ([`gen_server`], [`supervisor`]); what its callbacks may return is
//! generated from OTP's own `-callback` forms.

// Derived and generated code names this crate by its name, inside it too.
extern crate self as otp_bridge;

#[cfg(test)]
use otp_bridge_novm as _;

#[cfg(panic = "abort")]
compile_error!(
    "a panic ends one process, and not the VM, by unwinding: set `panic = \"unwind\"` in the profile"
);

#[cfg(feature = "json")]
pub mod json;
pub mod otp;
pub mod term;
pub mod testing;
pub mod types;

mod behaviour;
mod generated;
mod process;
mod protocol;
mod registry;
mod signature;
mod vm;

pub use behaviour::{
    Keeping, application, gen_event, gen_server, gen_statem, supervisor, supervisor_bridge,
};
pub use generated::atoms;
pub use otp_bridge_macros::{Term, ToTerm, behaviour};
pub use process::{Arguments, Await, Class, Cx, Exit, Operation, Result};
pub use registry::{Accepts, Behaviour, Callback, Module, StartFunction, Started};
pub use signature::{Form, Signature};
pub use term::{
    DecodeError, Definition, Definitions, ErlangType, FromTerm, Heap, Term, ToTerm, View,
    erlang_definitions,
};
pub use types::*;

/// What code made by the macros and by `otp-rs gen-types` may name. No part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use rustler::sys::ErlNifEntry;

    pub use otp_bridge_macros::implement;

    pub use crate::behaviour::Keeping;
    pub use crate::behaviour::gen_server::From;
    pub use crate::otp::functions;
    pub use crate::process::{Cx, Exit, Outcome, TermReturn};
    pub use crate::registry::{
        Accepts, Behaviour, Callback, CallbackEntry, Clause, Module, ModuleEntry, StartFunction,
        Started, arguments_text,
    };
    pub use crate::signature::{Form, Sign, Signature, type_of_state};
    pub use crate::term::*;
    pub use crate::types::*;
    pub use crate::vm::{Encoded, Invocation, StateRef, VmHeap, VmTerm, entry};
    pub use crate::{atoms, term};
}

/// Makes the crate the library of an OTP application: once, in its `lib.rs`.
///
/// The modules in it are those whose types carry a behaviour's attribute.
#[macro_export]
macro_rules! application {
    () => {
        /// Called by the Erlang VM when it loads this library.
        #[doc(hidden)]
        #[unsafe(no_mangle)]
        pub extern "C" fn nif_init() -> *const $crate::__private::ErlNifEntry {
            const MODULE: &::core::ffi::CStr = match ::core::ffi::CStr::from_bytes_with_nul(
                ::core::concat!(::core::env!("CARGO_CRATE_NAME"), "_nif\0").as_bytes(),
            ) {
                Ok(name) => name,
                Err(_) => ::core::panic!("a crate's name holds no NUL"),
            };
            $crate::__private::entry(MODULE)
        }
    };
}

/// An [`Atom`] of the program's own text, whose length the compiler checks: `atom!("counter")`.
#[macro_export]
macro_rules! atom {
    ($text:literal) => {{
        static ATOM: $crate::term::StaticAtom = $crate::term::StaticAtom::new($text);
        $crate::Atom::from(&ATOM)
    }};
}

/// The JSON view in derived code: there with the feature `json`.
#[cfg(feature = "json")]
#[doc(hidden)]
#[macro_export]
macro_rules! __json {
    ($($item:tt)*) => { $($item)* };
}

/// The JSON view in derived code: nothing without the feature `json`.
#[cfg(not(feature = "json"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json {
    ($($item:tt)*) => {};
}
