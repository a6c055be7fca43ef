//! NIFs that an upgrade uses.

use super::held;
use crate::ToTerm;
use crate::nif::{self, RawTerm, VmEnv, VmTerm};
use crate::runtime::upgrade::{older, version};

/// `owns(Term) -> boolean()`
pub(super) fn owns<'a>(env: VmEnv<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    version::owns(env, term).to_term(env.heap()).raw()
}

/// `users() -> non_neg_integer()`
pub(super) fn users(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    version::users().to_term(env.heap()).raw()
}

/// `end_threads() -> [unicode:unicode_binary()]`
pub(super) fn end_threads(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    #[cfg(feature = "tokio")]
    crate::runtime::upgrade::run_time::end();
    nif::threads().to_term(env.heap()).raw()
}

/// `holders() -> [{Process, Module}]`
pub(super) fn holders(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    version::holders(env)
}

/// `module_of(Term) -> Module | none`
pub(super) fn module_of<'a>(env: VmEnv<'a>, [term]: [VmTerm<'a>; 1]) -> RawTerm {
    version::module_of(env, term)
}

/// `number(Module, Function, Arity) -> non_neg_integer() | none`
pub(super) fn number<'a>(env: VmEnv<'a>, arguments: [VmTerm<'a>; 3]) -> RawTerm {
    version::number(env, arguments)
}

/// `states() -> [{Module, Behaviour, Form | none, RustType, [OldForm]}]`
pub(super) fn states(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    version::states(env)
}

/// `export(Cell) -> {ok, Form, Term} | {error, Reason}`
pub(super) fn export<'a>(env: VmEnv<'a>, [cell]: [VmTerm<'a>; 1]) -> RawTerm {
    held(env, cell, version::export)
}

/// `fits(Module, Term) -> boolean()`
pub(super) fn fits<'a>(env: VmEnv<'a>, [module, term]: [VmTerm<'a>; 2]) -> RawTerm {
    version::fits(env, module, term)
}

/// `adopt(Module, Form, Term) -> {ok, Cell} | changed | {error, Reason}`
pub(super) fn adopt<'a>(env: VmEnv<'a>, arguments: [VmTerm<'a>; 3]) -> RawTerm {
    version::adopt(env, arguments)
}

/// `older_states() -> [{Module, [OlderForm]}]`
pub(super) fn older_states(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    older::states(env)
}

/// `to_older(Module, OlderForm, Term) -> {ok, OlderTerm} | changed | {error, Reason}`
pub(super) fn to_older<'a>(env: VmEnv<'a>, arguments: [VmTerm<'a>; 3]) -> RawTerm {
    older::convert(env, arguments)
}
