//! Resolved types to IR: every decision about what a type becomes is made here, one file for each
//! kind of type. Every name is final; what an override says is followed where the name is made.

mod behaviour;
mod builtin;
mod callback;
mod constructors;
mod context;
mod definition;
mod drafts;
mod facts;
mod fun;
mod functions;
mod integer;
mod list;
mod map;
mod members;
mod named;
mod overridden;
mod parameters;
mod position;
mod record;
mod result;
mod signature;
mod split;
mod tuple;
mod union;

use std::collections::BTreeMap;

use otp_specs::types::{Module, Type};

use builtin::{bitstring, builtin};
use context::Context;
use fun::fun;
use integer::integer;
use list::{improper_list, list, nonempty_list};
use map::map;
use named::named;
use position::Position;
use record::record;
use tuple::tuple;
use union::union;

use crate::facts::growth::Growth;
use crate::facts::recursion::Recursion;
use crate::facts::type_names::Names;
use crate::facts::world::World;
use crate::functions::FunctionReport;
use crate::ir::{self, REPLY, RustType};
use crate::options::TypeMap;
use crate::overrides::Matched;
use crate::report::{Diagnostic, ModuleReport, OverrideDiagnostic, Reason, Report};

/// What is known before anything is lowered.
pub(crate) struct Facts<'a> {
    pub(crate) world: &'a World<'a>,
    pub(crate) recursion: &'a Recursion,
    pub(crate) growth: &'a Growth,
    pub(crate) names: &'a Names,
    pub(crate) mapped: &'a TypeMap,
    pub(crate) overrides: &'a Matched,
    /// The types that `otp-bridge` has, by module and name.
    pub(crate) provided: &'a BTreeMap<(String, String), String>,
    /// Whether functions are bound.
    pub(crate) functions: bool,
}

/// All modules of a run, lowered.
pub(crate) struct Lowered {
    /// In order of their names.
    pub(crate) modules: Vec<ir::Module>,
    pub(crate) report: Report,
    /// By module; none where functions are not bound.
    pub(crate) functions: BTreeMap<String, FunctionReport>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) override_diagnostics: Vec<OverrideDiagnostic>,
}

/// One module, lowered. Type parameters that nothing mentions are still there.
struct LoweredModule {
    module: ir::Module,
    report: ModuleReport,
    functions: Option<FunctionReport>,
    diagnostics: Vec<Diagnostic>,
    override_diagnostics: Vec<OverrideDiagnostic>,
}

/// Lowers every module of the run.
pub(crate) fn modules(facts: &Facts<'_>) -> Lowered {
    let mut modules = Vec::new();
    let mut report = Report::default();
    let mut functions = BTreeMap::new();
    let mut diagnostics = Vec::new();
    let mut override_diagnostics = Vec::new();
    for module in &facts.world.modules {
        let lowered = self::module(facts, module);
        report.modules.insert(module.name.clone(), lowered.report);
        functions.extend(lowered.functions.map(|bound| (module.name.clone(), bound)));
        diagnostics.extend(lowered.diagnostics);
        override_diagnostics.extend(lowered.override_diagnostics);
        modules.push(lowered.module);
    }
    Lowered {
        modules: parameters::pruned(modules),
        report,
        functions,
        diagnostics,
        override_diagnostics,
    }
}

/// Lowers `module`: its types, then its callbacks and functions.
fn module(facts: &Facts<'_>, module: &Module) -> LoweredModule {
    let mut cx = Context::new(facts, module);
    for definition in &module.types {
        definition::definition(&mut cx, definition);
    }
    let has_callbacks = !module.callbacks.is_empty();
    let behaviour = has_callbacks.then(|| behaviour::behaviour(&mut cx));
    let functions = facts.functions.then(|| functions::functions(&mut cx));
    cx.finish(behaviour, functions)
}

/// The Rust type of `ty` where it stands.
fn lower(cx: &mut Context<'_>, ty: &Type, position: &Position<'_>) -> RustType {
    let Some(position) = position.deeper() else {
        return cx.fallback(ty, position, Reason::TooDeep);
    };
    match ty {
        Type::Any => cx.precise(RustType::TERM),
        Type::None => cx.precise(RustType::Runtime("Never", Vec::new())),
        Type::Annotated(name, inner) => annotated(cx, ty, name, inner, &position),
        Type::Var(name) => variable(cx, ty, name, &position),
        Type::Named(name, arguments) => match role_parameter(cx, ty, &position) {
            Some(parameter) => parameter,
            None => named(cx, ty, name, arguments, &position),
        },
        Type::Builtin(kind) => builtin(cx, ty, *kind, &position),
        Type::Atom(atom) => cx.atom(atom),
        Type::Integer(number) => integer(cx, ty, number, number, &position),
        Type::Range(low, high) => integer(cx, ty, low, high, &position),
        Type::Union(members) => union(cx, ty, members, &position),
        Type::Tuple(elements) => tuple(cx, ty, elements, &position),
        Type::Nil => cx.precise(RustType::Runtime("Nil", Vec::new())),
        Type::List(element) => list(cx, element, &position),
        Type::NonemptyList(element) => nonempty_list(cx, element, &position),
        Type::MaybeImproperList(element, tail) => {
            improper_list(cx, ty, element, tail, true, &position)
        }
        Type::NonemptyImproperList(element, tail) => {
            improper_list(cx, ty, element, tail, false, &position)
        }
        Type::Map(fields) => map(cx, ty, fields, &position),
        Type::Record(name, fields) => record(cx, ty, name, fields, &position),
        Type::Bitstring { size, unit } => bitstring(cx, *size, *unit),
        Type::Fun(arguments, result) => fun(cx, ty, arguments.as_deref(), result, &position),
        Type::Invalid => cx.fallback(ty, &position, Reason::Invalid),
    }
}

fn annotated(
    cx: &mut Context<'_>,
    ty: &Type,
    name: &str,
    inner: &Type,
    position: &Position<'_>,
) -> RustType {
    match role_parameter(cx, ty, position) {
        Some(parameter) => parameter,
        None => lower(cx, inner, &position.inside(name)),
    }
}

fn variable(cx: &mut Context<'_>, ty: &Type, name: &str, position: &Position<'_>) -> RustType {
    if let Some(parameter) = role_parameter(cx, ty, position) {
        return parameter;
    }
    match position.parameter(name) {
        Some(parameter) => cx.precise(RustType::Parameter(parameter.to_owned())),
        None => cx.fallback(ty, position, Reason::UnboundVariable),
    }
}

/// The type parameter of the reply, the state or the chosen type, where a callback's result has
/// one.
fn role_parameter(cx: &mut Context<'_>, ty: &Type, position: &Position<'_>) -> Option<RustType> {
    if !position.in_clause {
        return None;
    }
    let name = if cx.roles.is_reply(ty) {
        REPLY.to_owned()
    } else if cx.roles.is_state(ty) {
        cx.roles.state_name()
    } else if cx.roles.is_chosen(ty) {
        cx.roles.chosen_name()?
    } else {
        return None;
    };
    Some(cx.precise(RustType::Parameter(name)))
}
