//! `-spec` forms of exported functions.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Builtin, Function, Type, TypeKind};

use super::position::Position;
use super::{Context, lower};
use crate::catalog;
use crate::facts::clauses::merged;
use crate::facts::references::all_parts;
use crate::facts::{DEPTH, annotation, bare};
use crate::functions::forms::{BindingForm, forms};
use crate::functions::variables::{Uses, generic, with_generic};
use crate::functions::{FunctionReport, SkipReason, Skipped};
use crate::ir::RustType;
use crate::ir::function::{self, FunctionAnswer, FunctionArgument, Parameter};
use crate::names::functions::{ArgumentNames, argument_names, function_name, is_name, suffixes};
use crate::names::{Taken, camel, snake};
use crate::options::{FunctionOverride, OverrideId, TypeMap};
use crate::report::OverrideDiagnostic;
use crate::text;

/// Maximum number of elements after `ok` that become a Rust tuple.
const OK_ELEMENTS: usize = 4;

/// A function's name and arity.
type Key<'f> = (&'f str, usize);

/// Lowers every exported function that has a `-spec`.
pub(super) fn functions(cx: &mut Context<'_>) -> (Vec<function::Function>, FunctionReport) {
    let mut report = FunctionReport::default();
    let mut usable: Vec<(&Function, Vec<BindingForm>)> = Vec::new();
    let mut seen: BTreeSet<Key<'_>> = BTreeSet::new();
    let module = cx.module;
    for function in module.functions.iter().filter(|form| form.exported) {
        let forms = forms(function);
        let reason = if !is_name(&function.name) {
            Some(SkipReason::Name)
        } else if !seen.insert((&function.name, function.arity)) {
            Some(SkipReason::Twice)
        } else if forms.is_empty() {
            Some(SkipReason::NoClause)
        } else {
            let held = forms.iter().any(|form| holds_mapped(form, cx.facts.mapped));
            held.then_some(SkipReason::Mapped)
        };
        // Functions that are left out influence the names of the others.
        let left_out = skips(cx, function).then_some(SkipReason::LeftOut);
        report
            .skipped
            .extend(left_out.or(reason).map(|reason| Skipped {
                function: format!("{}/{}", text::atom(&function.name), function.arity),
                reason,
            }));
        if reason.is_none() {
            usable.push((function, forms));
        }
    }
    let is_left_out = |(function, _): &&(&Function, _)| skips(cx, function);
    report.bound = usable.len() - usable.iter().filter(is_left_out).count();
    let named = named(&usable);
    let mut written = Vec::new();
    for (plain, function, form) in named {
        if skips(cx, function) {
            cx.hidden(|cx| _ = self::function(cx, plain, function, form));
        } else {
            written.push(self::function(cx, plain, function, form));
        }
    }
    collisions(cx, &written);
    report.written = written.len();
    (written, report)
}

/// Lowers one form. `plain` is the name without overrides.
fn function(
    cx: &mut Context<'_>,
    plain: String,
    function: &Function,
    form: &BindingForm,
) -> function::Function {
    let uses = generic(&form.params, &form.result);
    let parameters = self::parameters(&uses);
    let names = argument_names(&form.params, &form.given);
    let mut arguments = Vec::new();
    for (index, (ty, argument)) in form.params.iter().zip(names).enumerate() {
        let given = form.given.contains(&index);
        arguments.push(match bare(ty) {
            Type::Atom(atom) if given => {
                cx.atom(atom);
                FunctionArgument::Given(atom.clone())
            }
            _ => {
                let top = Position::of_function(&function.name, &plain);
                let mut position = match ty {
                    Type::Annotated(..) => top,
                    _ => top.inside(&argument),
                };
                position.parameters = &parameters;
                position.is_argument = true;
                let ty = if is_time(cx, ty) {
                    cx.precise(RustType::Runtime("Milliseconds", Vec::new()))
                } else {
                    lower(cx, &with_generic(ty, &uses), &position)
                };
                FunctionArgument::Open(argument, ty)
            }
        });
    }
    let mut position = Position::of_function(&function.name, &plain).result();
    position.parameters = &parameters;
    let answer = self::answer(cx, &with_generic(&form.result, &uses), &position);
    function::Function {
        name: name(cx, plain, function, form),
        function: function.name.clone(),
        arity: function.arity,
        erlang: erlang(function, form),
        parameters: bounds(&uses, &parameters),
        arguments,
        answer,
    }
}

/// Returns whether an argument is a number of milliseconds: a `timer:time()`, or a `Time` that is
/// not negative.
fn is_time(cx: &Context<'_>, ty: &Type) -> bool {
    match bare(ty) {
        Type::Named(name, _) => {
            name.module == "timer" && name.name == "time" && !cx.facts.overrides.is_replaced(name)
        }
        Type::Builtin(Builtin::NonNegInteger) => annotation(ty) == Some("Time"),
        _ => false,
    }
}

/// Returns whether an override leaves out a function.
fn skips(cx: &Context<'_>, function: &Function) -> bool {
    overridden(cx, &function.name, function.arity).is_some_and(|(_, of_function)| of_function.skip)
}

/// Returns the override of a function.
fn overridden<'c>(
    cx: &'c Context<'_>,
    name: &str,
    arity: usize,
) -> Option<&'c (OverrideId, FunctionOverride)> {
    let overrides = cx.facts.overrides;
    overrides.of_function(&cx.module.name, name, arity)
}

/// Returns the name in the override, followed by the labels that distinguish an overload from the
/// others.
fn name(cx: &Context<'_>, plain: String, function: &Function, form: &BindingForm) -> String {
    let found = overridden(cx, &function.name, function.arity);
    let renamed = found.and_then(|(_, of_function)| of_function.rename.clone());
    match renamed {
        None => plain,
        Some(name) if form.labels.is_empty() => name,
        Some(name) => snake(&format!("{name}_{}", form.labels.join("_"))),
    }
}

/// Reports new names of functions that another function already has.
fn collisions(cx: &mut Context<'_>, functions: &[function::Function]) {
    for function in functions {
        let found = overridden(cx, &function.function, function.arity);
        let Some((id, _)) = found.filter(|(_, of_function)| of_function.rename.is_some()) else {
            continue;
        };
        let same = functions.iter().filter(|other| other.name == function.name);
        if same.count() > 1 {
            let (module, name) = (&cx.module.name, &function.name);
            let message = &catalog::TAKEN_FUNCTION;
            let diagnostic = OverrideDiagnostic::new(message, *id, &[module, name]).at("rename");
            cx.override_diagnostics.push(diagnostic);
        }
    }
}

/// Lowers a result: the union of `ok` and `error` becomes a `Result`, any other type is kept.
fn answer(cx: &mut Context<'_>, result: &Type, position: &Position<'_>) -> FunctionAnswer {
    let Some((values, error)) = ok_or_error(cx, result) else {
        return FunctionAnswer::Plain(plain(cx, result, position));
    };
    let error = lower(cx, &error, &position.inside("error"));
    let mut values: Vec<_> = values
        .iter()
        .map(|value| lower(cx, value, &position.inside("ok")))
        .collect();
    match values.len() {
        0 => FunctionAnswer::OkOrError(error),
        1 => FunctionAnswer::OkWith(values.remove(0), error),
        _ => FunctionAnswer::OkElements(values, error),
    }
}

/// Lowers a result unchanged, except that `true` or `false` alone becomes `bool`.
fn plain(cx: &mut Context<'_>, result: &Type, position: &Position<'_>) -> RustType {
    match bare(result) {
        Type::Atom(atom) if atom == "true" || atom == "false" => {
            lower(cx, &Type::Builtin(Builtin::Boolean), position)
        }
        _ => lower(cx, result, position),
    }
}

/// Returns the values beside `ok`, and the value beside `error`, if a result consists of only these
/// two.
fn ok_or_error(cx: &Context<'_>, result: &Type) -> Option<(Vec<Type>, Type)> {
    let mut result = bare(result);
    for _ in 0..DEPTH {
        let Type::Named(name, arguments) = result else {
            break;
        };
        if cx.facts.overrides.is_replaced(name) {
            return None;
        }
        let definition = cx.facts.world.definition(name)?;
        if !arguments.is_empty() || definition.kind != TypeKind::Transparent {
            return None;
        }
        result = bare(&definition.body);
    }
    let Type::Union(members) = result else {
        return None;
    };
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for member in members {
        match bare(member) {
            Type::Atom(atom) if atom == "ok" => values.push(&[][..]),
            Type::Tuple(elements) => match (bare(elements.first()?), &elements[1..]) {
                (Type::Atom(tag), rest) if tag == "ok" => values.push(rest),
                (Type::Atom(tag), [error]) if tag == "error" => errors.push(error),
                _ => return None,
            },
            _ => return None,
        }
    }
    values.dedup();
    match values.as_slice() {
        [values] if !errors.is_empty() && values.len() <= OK_ELEMENTS => {
            Some((values.to_vec(), merged(&errors)))
        }
        _ => None,
    }
}

/// Returns whether a hand-written type is part of another type: it may lack properties that parts
/// of generated types must have.
fn holds_mapped(form: &BindingForm, mapped: &TypeMap) -> bool {
    let mut types = form.params.iter().chain([&form.result]);
    types.any(|ty| {
        let mut open = match bare(ty) {
            Type::Named(name, _) if mapped.0.contains_key(&**name) => Vec::new(),
            other => vec![other],
        };
        while let Some(ty) = open.pop() {
            if matches!(ty, Type::Named(name, _) if mapped.0.contains_key(&**name)) {
                return true;
            }
            open.extend(all_parts(ty));
        }
        false
    })
}

/// Returns every form with its name, in source order. The smallest arities are named first.
fn named<'f>(
    usable: &'f [(&'f Function, Vec<BindingForm>)],
) -> Vec<(String, &'f Function, &'f BindingForm)> {
    let mut arities: BTreeMap<&str, BTreeMap<usize, ArgumentNames>> = BTreeMap::new();
    for (function, forms) in usable {
        let names = forms.first().map(|form| {
            let names = argument_names(&form.params, &form.given);
            let told = form.told_by.iter().filter_map(|index| names.get(*index));
            ArgumentNames {
                told: told.cloned().collect(),
                all: names,
            }
        });
        let of_name = arities.entry(&function.name).or_default();
        of_name.insert(function.arity, names.unwrap_or_default());
    }
    let suffixes: BTreeMap<&str, BTreeMap<usize, String>> = arities
        .iter()
        .map(|(name, arities)| (*name, suffixes(name, arities)))
        .collect();
    let suffix = |function: &Function| {
        let suffixes = suffixes.get(function.name.as_str());
        suffixes
            .and_then(|of_name| of_name.get(&function.arity))
            .map_or("", String::as_str)
    };
    let mut taken = Taken::default();
    let mut names: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for smallest in [true, false] {
        for (index, (function, forms)) in usable.iter().enumerate() {
            let suffix = suffix(function);
            for (number, form) in forms.iter().enumerate() {
                if suffix.is_empty() == smallest {
                    let name = function_name(&function.name, suffix, &form.labels, &mut taken);
                    names.insert((index, number), name);
                }
            }
        }
    }
    let all = usable
        .iter()
        .enumerate()
        .flat_map(|(index, (function, forms))| {
            let forms = forms.iter().enumerate();
            forms.map(move |(number, form)| ((index, number), *function, form))
        });
    all.filter_map(|(key, function, form)| Some((names.remove(&key)?, function, form)))
        .collect()
}

/// Returns names of the generic variables, in Erlang and in Rust.
fn parameters(uses: &BTreeMap<String, Uses>) -> Vec<(String, String)> {
    let mut taken = Taken::default();
    for name in ["Box", "From", "Into", "Option", "Result", "Vec"] {
        taken.claim(name);
    }
    let mut names = Vec::new();
    for name in uses.keys() {
        let plain = camel(name);
        let longer = format!("{plain}Type");
        names.push((name.clone(), taken.claim_first(&[plain, longer])));
    }
    names
}

fn bounds(uses: &BTreeMap<String, Uses>, names: &[(String, String)]) -> Vec<Parameter> {
    let parameter = |(uses, (_, name)): (&Uses, &(String, String))| Parameter {
        name: name.clone(),
        sent: uses.arguments > 0,
        received: uses.result > 0,
    };
    uses.values().zip(names).map(parameter).collect()
}

/// Returns the whole form if it is one function, otherwise the clause.
fn erlang(function: &Function, form: &BindingForm) -> String {
    if form.labels.is_empty() {
        return function.erlang.clone();
    }
    let argument = |ty: &Type| match ty {
        Type::Annotated(name, inner) => format!("{name} :: {}", text::erlang(inner)),
        other => text::erlang(other),
    };
    let arguments: Vec<String> = form.params.iter().map(argument).collect();
    let name = text::atom(&function.name);
    let result = text::erlang(bare(&form.result));
    format!("-spec {name}({}) -> {result}.", arguments.join(", "))
}
