//! Upgrades: the state of a process moves to another version of the application.
//!
//! Each version is a library of its own, and never accesses a value of another one. The library
//! that created a state converts it into a term, and the new library creates its own state from the
//! term, in the same process (`code_change`).

use std::sync::atomic::Ordering;

use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::failure::panics::SECRET_TEXT;
use crate::runtime::failure::unanswered::leaving_callers_alone;
use crate::runtime::protocol;
use crate::runtime::raw::cell::USERS;
use crate::runtime::raw::context::VmCall;
use crate::runtime::raw::idle_cell::{self, IdleCell};
use crate::runtime::registry::{
    CallbackEntry, CallbackKind, LibraryModules, Module, ModuleEntry, VersionOf, holders,
};
use crate::{Atom, DecodeError, Definitions, FromTerm, Heap, Term, ToTerm, View};

impl VersionOf {
    /// Creates the entry of the module of this type.
    #[must_use]
    pub const fn new<T: Module>() -> Self {
        VersionOf {
            form: || T::state_codec().map(|codec| (codec.form)()),
            type_name: std::any::type_name::<T>,
            adopt: adopt_as::<T>,
            older: T::older_states,
            takes_chosen: T::takes_chosen,
        }
    }
}

fn adopt_as<'a, T: Module>(
    env: VmEnv<'a>,
    term: VmTerm<'a>,
) -> Option<Result<VmTerm<'a>, DecodeError>> {
    let codec = T::state_codec()?;
    let state = match (codec.decode)(term, env.process()) {
        Ok(state) => state,
        Err(error) => return Some(Err(error)),
    };
    let state = <T::Moved as crate::runtime::registry::Itself<T>>::of(state);
    Some(Ok(idle_cell::with_state::<T>(env, state)))
}

/// Returns whether the term is the state of the calling process, and belongs to this library.
pub(in crate::runtime) fn owns<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> bool {
    idle_cell::is_own(env, term)
}

/// See [`USERS`].
pub(in crate::runtime) fn users() -> usize {
    USERS.load(Ordering::Relaxed)
}

/// `[{Process, Module}]`: the processes that have a state of a module whose behaviour is not one of
/// OTP's own loops.
pub(in crate::runtime) fn holders(env: VmEnv<'_>) -> RawTerm {
    let heap = env.heap();
    let all = holders::all().into_iter().filter_map(|(process, module)| {
        let module = Atom::new(module).ok()?;
        Some((process.identifier(), module).to_term(heap))
    });
    let all: Vec<VmTerm<'_>> = all.collect();
    heap.list(all).raw()
}

/// Returns the module of such a state of the calling process, or `none`.
pub(in crate::runtime) fn module_of<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> RawTerm {
    let listed = IdleCell::open(env, term).and_then(|mut cell| cell.state().listed());
    match listed.and_then(|module| Atom::new(module).ok()) {
        Some(module) => module.to_term(env.heap()).raw(),
        None => protocol::none.to_term(env.heap()).raw(),
    }
}

/// Returns the number of a callback, or `none`.
pub(in crate::runtime) fn number(
    env: VmEnv<'_>,
    [module, function, arity]: [VmTerm<'_>; 3],
) -> RawTerm {
    let names = module.atom().zip(function.atom());
    let arity = arity.unsigned().and_then(|it| usize::try_from(it).ok());
    let number = names.zip(arity).and_then(|((module, function), arity)| {
        LibraryModules::get().number(module.text(), function.text(), arity)
    });
    match number {
        Some(number) => number.to_term(env.heap()).raw(),
        None => protocol::none.to_term(env.heap()).raw(),
    }
}

/// `[{Module, Behaviour, Form | none, RustType, [OldForm]}]`: the modules that implement a
/// behaviour.
pub(in crate::runtime) fn states(env: VmEnv<'_>) -> RawTerm {
    let heap = env.heap();
    let modules = LibraryModules::get().modules().iter();
    let states = modules.filter_map(|module| {
        let implemented = module.implements.as_ref()?;
        let (version, behaviour) = (&implemented.version, implemented.behaviour.name);
        let form = match (version.form)() {
            Some(form) => form.to_term(heap),
            None => protocol::none.to_term(heap),
        };
        let name = Atom::new(module.name).ok()?.to_term(heap);
        let behaviour = Atom::new(behaviour).ok()?.to_term(heap);
        let old: Vec<VmTerm<'_>> = old_forms(module).map(|it| it.to_term(heap)).collect();
        let rust_type = (version.type_name)().to_term(heap);
        Some(heap.tuple([name, behaviour, form, rust_type, heap.list(old)]))
    });
    let states: Vec<VmTerm<'_>> = states.collect();
    heap.list(states).raw()
}

/// Returns the types of states that the clauses of `code_change` accept.
fn old_forms(module: &ModuleEntry) -> impl Iterator<Item = String> {
    let callbacks = module.callbacks.iter();
    let conversions = callbacks.filter(|callback| callback.facts.kind == CallbackKind::Change);
    conversions.flat_map(|callback: &CallbackEntry| {
        let index = callback.facts.state;
        callback.clauses.iter().filter_map(move |clause| {
            let signature = (clause.signature)(&mut Definitions::in_full());
            signature.arguments.into_iter().nth(index?)
        })
    })
}

/// `{ok, Form, Term} | {error, busy | {no_term, RustType} | badarg}`, on a dirty scheduler and
/// while the cell is held.
pub(in crate::runtime) fn export<'a>(env: VmEnv<'a>, term: VmTerm<'a>) -> RawTerm {
    let heap = env.heap();
    let error = |reason: VmTerm<'_>| heap.tuple([protocol::error.to_term(heap), reason]).raw();
    if !idle_cell::is_own(env, term) {
        return error(protocol::badarg.to_term(heap));
    }
    let idle = IdleCell::open(env, term).filter(|cell| !has_tasks(cell.call()));
    let Some(mut cell) = idle else {
        return error(protocol::busy.to_term(heap));
    };
    let state = cell.state();
    let exported = leaving_callers_alone(|| state.encode(heap));
    match (exported, state.form()) {
        (Some(exported), Some(form)) => heap
            .tuple([protocol::ok.to_term(heap), form.to_term(heap), exported])
            .raw(),
        _ => error((protocol::no_term, state.type_name()).to_term(heap)),
    }
}

/// Returns whether there are tasks that have not ended.
fn has_tasks(call: &VmCall) -> bool {
    let Some(tasks) = call.tasks() else {
        return false;
    };
    tasks.enter();
    let has = call.has_live_tasks();
    tasks.leave();
    has
}

/// Returns whether a term has the type that the module's callbacks pass to each other, such as a
/// state of a `gen_statem`.
pub(in crate::runtime) fn fits(env: VmEnv<'_>, module: VmTerm<'_>, term: VmTerm<'_>) -> RawTerm {
    let name = module.atom();
    let module = name.and_then(|name| LibraryModules::get().module(name.text()));
    let Some(implemented) = module.and_then(|module| module.implements.as_ref()) else {
        return env.badarg();
    };
    let fits = Term::from_term(term).and_then(|term| (implemented.version.takes_chosen)(&term));
    fits.is_ok().to_term(env.heap()).raw()
}

/// `{ok, Cell} | changed | {error, Reason}`: creates a state of the module from the term of a state
/// with this form.
pub(in crate::runtime) fn adopt(env: VmEnv<'_>, [module, form, term]: [VmTerm<'_>; 3]) -> RawTerm {
    let heap = env.heap();
    let name = module.atom();
    let module = name.and_then(|name| LibraryModules::get().module(name.text()));
    let Some(implemented) = module.and_then(|module| module.implements.as_ref()) else {
        return env.badarg();
    };
    let version = &implemented.version;
    let form = form.binary().map(<[u8]>::to_vec);
    if (version.form)().map(String::into_bytes) != form {
        return protocol::changed.to_term(heap).raw();
    }
    let adopted = leaving_callers_alone(|| (version.adopt)(env, term));
    match adopted {
        Some(Ok(cell)) => heap.tuple([protocol::ok.to_term(heap), cell]).raw(),
        Some(Err(error)) => {
            let error = match implemented.is_secret {
                true => error.without_got(SECRET_TEXT),
                false => error,
            };
            (protocol::error, (protocol::bad_term, error))
                .to_term(heap)
                .raw()
        }
        None => protocol::changed.to_term(heap).raw(),
    }
}
