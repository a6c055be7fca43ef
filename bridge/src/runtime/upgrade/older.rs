//! Going back to an older build: a clause of `code_change` makes the state of the older build from
//! that of this build.
//!
//! An older build cannot know the states of later builds, so the newer build converts. It decodes
//! its own state from the term that it has exported, and returns the term of the older state. The
//! older build adopts that term as its own state (`version`).

use std::fmt;
use std::marker::PhantomData;

use crate::nif::{RawTerm, VmEnv, VmHeap, VmTerm};
use crate::runtime::failure::exit::Exit;
use crate::runtime::failure::panics::SECRET_TEXT;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::protocol;
use crate::runtime::registry::arrival::arrived;
use crate::runtime::registry::{Implemented, LibraryModules, Module, OlderEntry};
use crate::{Atom, DecodeError, ErlangType as _, FromTerm, Heap, Term, ToTerm, View};

/// The argument of a clause of `code_change` that goes back: it makes the state of an older build,
/// an `Older`, from the state of this build. OTP's `{down, Vsn}`.
///
/// An upgrade to an older build (`cargo otp upgrade NODE --to previous`) calls the clause in the
/// build that is running. The clause takes `self` by value, and returns `Older`, or a
/// [`Result`](crate::Result) to refuse. If the older build's state has the same type as this one's,
/// no clause is needed.
///
/// ```
/// use otp_bridge::Downgrade;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// # use otp_bridge_novm as _;
///
/// #[derive(Debug, Term)]
/// pub struct Counter {
///     count: u64,
///     step: u64,
/// }
///
/// /// The state of the build before.
/// #[derive(Debug, Term)]
/// pub struct Stepless {
///     count: u64,
/// }
///
/// #[gen_server]
/// impl GenServer for Counter {
///     type Args = ();
///
///     fn init(_: ()) -> impl InitReturn<Self> {
///         (ok, Counter { count: 0, step: 1 })
///     }
///
///     fn code_change(_: Term, old: Stepless, _: Term) -> impl CodeChangeReturn<Self> {
///         (ok, Counter { count: old.count, step: 1 })
///     }
///
///     fn code_change(self, _: Downgrade<Stepless>) -> Stepless {
///         Stepless { count: self.count }
///     }
/// }
/// ```
pub struct Downgrade<Older>(PhantomData<fn() -> Older>);

impl<Older> fmt::Debug for Downgrade<Older> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Downgrade")
    }
}

/// The argument of a clause that goes back: [`Downgrade`].
#[doc(hidden)]
pub trait OlderBuild {
    /// The state of the older build.
    type State: ToTerm;

    fn new() -> Self;
}

impl<Older: ToTerm> OlderBuild for Downgrade<Older> {
    type State = Older;

    fn new() -> Self {
        Downgrade(PhantomData)
    }
}

/// The return value of a clause that goes back with this argument: the older state.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`code_change` with `self` and `{To}` cannot return `{Self}`",
    label = "not the state of the older build",
    note = "write `fn code_change(self, _: Downgrade<Older>) -> Older`, or `-> Result<Older>`; `Older` is a type with `derive(Term)`"
)]
pub trait OlderReturn<To>: Sized {
    /// Returns the term of the older state, or the reason why there is none.
    fn into_term(self, heap: VmHeap<'_>) -> Result<VmTerm<'_>, Exit>;
}

#[diagnostic::do_not_recommend]
impl<Older: ToTerm> OlderReturn<Downgrade<Older>> for Older {
    fn into_term(self, heap: VmHeap<'_>) -> Result<VmTerm<'_>, Exit> {
        Ok(self.to_term(heap))
    }
}

#[diagnostic::do_not_recommend]
impl<Older: ToTerm> OlderReturn<Downgrade<Older>> for Result<Older, Exit> {
    fn into_term(self, heap: VmHeap<'_>) -> Result<VmTerm<'_>, Exit> {
        Ok(self?.to_term(heap))
    }
}

/// A module with a clause that goes back. Implemented by the behaviours' attribute macros.
#[doc(hidden)]
pub trait ToOlder<To>: Sized {
    fn code_change(self, to: To) -> impl OlderReturn<To>;
}

/// Provides an entry for a clause whose argument is not a [`Downgrade`] to a term. The clause's
/// implementation has the error.
#[doc(hidden)]
pub trait OlderStandIn {
    const ENTRY: OlderEntry = OlderEntry {
        form: String::new,
        convert: |_, term| Ok(Ok(term)),
    };
}

impl OlderEntry {
    /// Creates the entry of a clause.
    #[must_use]
    pub const fn new<T: Module + FromTerm + ToOlder<To>, To: OlderBuild>() -> Self {
        OlderEntry {
            form: To::State::erlang_type,
            convert: to_older::<T, To>,
        }
    }
}

fn to_older<'a, T: Module + FromTerm + ToOlder<To>, To: OlderBuild>(
    env: VmEnv<'a>,
    term: VmTerm<'a>,
) -> Result<Result<VmTerm<'a>, Term>, DecodeError> {
    let mut state = T::from_term(term)?;
    arrived(&mut state, env.process());
    let older = state.code_change(To::new()).into_term(env.heap());
    Ok(older.map_err(Exit::into_reason))
}

/// `[{Module, [OlderForm]}]`: the modules that can go back, each with the forms of older states.
pub(in crate::runtime) fn states(env: VmEnv<'_>) -> RawTerm {
    let heap = env.heap();
    let modules = LibraryModules::get().modules().iter();
    let states = modules.filter_map(|module| {
        let older = (module.implements.as_ref()?.version.older)();
        let name = Atom::new(module.name).ok()?.to_term(heap);
        let forms = older.iter().map(|it| (it.form)().to_term(heap));
        let forms: Vec<VmTerm<'_>> = forms.collect();
        (!forms.is_empty()).then(|| heap.tuple([name, heap.list(forms)]))
    });
    let states: Vec<VmTerm<'_>> = states.collect();
    heap.list(states).raw()
}

/// `{ok, OlderTerm} | changed | {error, Reason}`: makes an older state with this form from the term
/// of a state of this module.
pub(in crate::runtime) fn convert(
    env: VmEnv<'_>,
    [module, form, term]: [VmTerm<'_>; 3],
) -> RawTerm {
    let heap = env.heap();
    let name = module.atom();
    let module = name.and_then(|name| LibraryModules::get().module(name.text()));
    let Some(implemented) = module.and_then(|module| module.implements.as_ref()) else {
        return env.badarg();
    };
    let Some(entry) = entry(implemented, form) else {
        return protocol::changed.to_term(heap).raw();
    };
    match leaving_callers_alone(|| (entry.convert)(env, term)) {
        Ok(Ok(older)) => heap.tuple([protocol::ok.to_term(heap), older]).raw(),
        Ok(Err(reason)) => (protocol::error, reason).to_term(heap).raw(),
        Err(error) => {
            let error = match implemented.is_secret {
                true => error.without_got(SECRET_TEXT),
                false => error,
            };
            (protocol::error, (protocol::bad_term, error))
                .to_term(heap)
                .raw()
        }
    }
}

/// Returns the clause that goes back to a state with this form.
fn entry(implemented: &Implemented, form: VmTerm<'_>) -> Option<&'static OlderEntry> {
    let form = form.binary()?;
    let mut older = (implemented.version.older)().iter();
    older.find(|it| (it.form)().as_bytes() == form)
}
