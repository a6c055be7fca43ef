//! Checks whether a term has a type.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use otp_bridge::Term;
use otp_codegen::type_text;
use otp_specs::types::{Int, MapField, Module, Record, RecordField, Type, TypeDef, TypeName};

use super::builtin::{self, Says};
use crate::sources::{Library, Reporter};

/// Maximum nesting of types. A type that only refers to itself, through other modules, reaches it.
const DEPTH: usize = 300;
/// Maximum number of steps: members of unions may be tried inside each other.
const STEPS: usize = 5_000_000;
/// Progress of a map's keys: less than that of the elements in a map whose keys match.
const KEYS: usize = 1;
/// Maximum length of a term in a message.
const QUOTED: usize = 80;

/// The definitions of types.
pub(crate) struct Definitions<'a> {
    library: &'a Library,
    modules: RefCell<BTreeMap<String, Option<Rc<Module>>>>,
    steps: Cell<usize>,
}

/// The part of a term that does not match its type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// Tuple elements from 1 (`.1`), list elements from 1 (`[1]`), keys of maps (`.key`).
    path: Vec<String>,
    what: String,
    /// How much of the term matched before this part. In a union, the highest number names the
    /// member that was meant.
    progress: usize,
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_slice() {
            [] => formatter.write_str(&self.what),
            path => {
                let path: String = path.iter().rev().map(String::as_str).collect();
                write!(formatter, "{}: {}", path.trim_start_matches('.'), self.what)
            }
        }
    }
}

impl Misfit {
    fn new(ty: &Type, term: &Term) -> Self {
        let got = otp_bridge::term::describe(term, QUOTED);
        Self::of(format!("expected `{}`, got `{got}`", type_text(ty)))
    }

    fn of(what: impl Into<String>) -> Self {
        Misfit {
            path: Vec::new(),
            what: what.into(),
            progress: 0,
        }
    }

    fn at(mut self, part: impl Into<String>) -> Self {
        self.path.push(part.into());
        self.progress += 1;
        self
    }

    fn with_progress(mut self, progress: usize) -> Self {
        self.progress = progress;
        self
    }
}

type Fit = Result<(), Misfit>;

/// The values of type variables.
type Variables = BTreeMap<String, Type>;

/// Checks that a term has a type.
pub(crate) fn check(term: &Term, ty: &Type, types: &Definitions<'_>) -> Fit {
    types.check(term, ty, DEPTH)
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(library: &'a Library) -> Self {
        Definitions {
            library,
            modules: RefCell::default(),
            steps: Cell::new(STEPS),
        }
    }

    /// Returns a module, which is read when its types are first needed.
    fn module(&self, name: &str) -> Option<Rc<Module>> {
        if let Some(known) = self.modules.borrow().get(name) {
            return known.clone();
        }
        let source = self.library.modules.known(name);
        let read = source.map(|source| self.library.read(source, &Reporter::silent()));
        let module = read.and_then(Result::ok).map(Rc::new);
        let mut modules = self.modules.borrow_mut();
        modules.insert(name.to_owned(), module.clone());
        module
    }

    fn check(&self, term: &Term, ty: &Type, depth: usize) -> Fit {
        let left = self.steps.get().checked_sub(1);
        let (Some(depth), Some(left)) = (depth.checked_sub(1), left) else {
            return Err(Misfit::of("the type is too deep to be checked"));
        };
        self.steps.set(left);
        match ty {
            Type::Any | Type::Var(_) => Ok(()),
            Type::Annotated(_, inner) => self.check(term, inner, depth),
            Type::Named(name, arguments) => self.named(term, name, arguments, depth),
            Type::Union(members) => self.union(term, members, ty, depth),
            Type::Builtin(builtin) => match builtin::of(*builtin, term) {
                Says::Is(is) => fits(is, ty, term),
                Says::SameAs(other) => self.check(term, &other, depth),
            },
            Type::Tuple(types) => self.tuple(term, types, ty, depth),
            Type::List(element) | Type::NonemptyList(element) => {
                self.list(term, element, ty, depth)
            }
            Type::MaybeImproperList(element, tail) | Type::NonemptyImproperList(element, tail) => {
                self.improper(term, (element, tail), ty, depth)
            }
            Type::Map(fields) => self.map(term, fields, ty, depth),
            Type::Record(name, fields) => self.record(term, (name, fields), ty, depth),
            Type::Fun(arguments, _) => fits(is_fun(term, arguments.as_deref()), ty, term),
            Type::None | Type::Invalid => Err(Misfit::new(ty, term)),
            Type::Atom(_)
            | Type::Integer(_)
            | Type::Range(..)
            | Type::Nil
            | Type::Bitstring { .. } => fits(is_plain(term, ty), ty, term),
        }
    }

    fn named(&self, term: &Term, name: &TypeName, arguments: &[Type], depth: usize) -> Fit {
        let module = self.module(&name.module);
        let is_it = |one: &&TypeDef| one.name == name.name && one.params.len() == name.arity;
        let found = module
            .as_ref()
            .and_then(|module| module.types.iter().find(is_it));
        let Some(definition) = found else {
            let what = format!("there is no type `{}:{}`", name.module, name.name);
            return Err(Misfit::of(what));
        };
        let parameters = definition.params.iter().cloned();
        let variables: Variables = parameters.zip(arguments.iter().cloned()).collect();
        self.check(term, &substituted(&definition.body, &variables), depth)
    }

    /// If the term matches no member, the error is that of the member that matched furthest.
    fn union(&self, term: &Term, members: &[Type], ty: &Type, depth: usize) -> Fit {
        let mut nearest: Option<Misfit> = None;
        for member in members {
            match self.check(term, member, depth) {
                Ok(()) => return Ok(()),
                Err(misfit) => {
                    let reached = nearest.as_ref().map_or(0, |nearest| nearest.progress);
                    if misfit.progress > reached {
                        nearest = Some(misfit);
                    }
                }
            }
        }
        Err(nearest.unwrap_or_else(|| Misfit::new(ty, term)))
    }

    fn tuple(&self, term: &Term, types: &[Type], ty: &Type, depth: usize) -> Fit {
        let Term::Tuple(parts) = term else {
            return Err(Misfit::new(ty, term));
        };
        fits(parts.len() == types.len(), ty, term)?;
        for (index, (part, ty)) in parts.iter().zip(types).enumerate() {
            let fit = self.check(part, ty, depth);
            // Another tag means another tuple, so this counts as no progress.
            let is_tag = index == 0 && matches!(ty, Type::Atom(_));
            fit.map_err(|misfit| match is_tag {
                true => Misfit::of(misfit.what),
                false => misfit.at(format!(".{}", index + 1)),
            })?;
        }
        Ok(())
    }

    fn list(&self, term: &Term, element: &Type, ty: &Type, depth: usize) -> Fit {
        let Term::List(parts) = term else {
            return Err(Misfit::new(ty, term));
        };
        let may_be_empty = matches!(ty, Type::List(_));
        fits(may_be_empty || !parts.is_empty(), ty, term)?;
        self.elements(parts, element, depth)
    }

    fn elements(&self, parts: &[Term], element: &Type, depth: usize) -> Fit {
        for (index, part) in parts.iter().enumerate() {
            let fit = self.check(part, element, depth);
            fit.map_err(|misfit| misfit.at(format!("[{}]", index + 1)))?;
        }
        Ok(())
    }

    fn improper(
        &self,
        term: &Term,
        (element, tail): (&Type, &Type),
        ty: &Type,
        depth: usize,
    ) -> Fit {
        let may_be_proper = matches!(ty, Type::MaybeImproperList(..));
        match term {
            Term::List(parts) if parts.is_empty() => fits(may_be_proper, ty, term),
            Term::List(parts) => {
                self.elements(parts, element, depth)?;
                if may_be_proper {
                    return Ok(());
                }
                self.check(&Term::nil(), tail, depth)
            }
            Term::ImproperList(list) => {
                self.elements(list.elements(), element, depth)?;
                let fit = self.check(list.tail(), tail, depth);
                fit.map_err(|misfit| misfit.at(".tail"))
            }
            _ => Err(Misfit::new(ty, term)),
        }
    }

    /// Each key belongs to the leftmost association that it matches, as in OTP.
    fn map(&self, term: &Term, fields: &[MapField], ty: &Type, depth: usize) -> Fit {
        let Term::Map(entries) = term else {
            return Err(Misfit::new(ty, term));
        };
        let mut matched = Vec::new();
        for (key, value) in entries.iter() {
            let fit = |field: &&MapField| self.check(key, &field.key, depth).is_ok();
            let shown = otp_bridge::term::describe(key, QUOTED);
            let Some(field) = fields.iter().find(fit) else {
                let what = format!("`{}` has no key `{shown}`", type_text(ty));
                return Err(Misfit::of(what).with_progress(KEYS));
            };
            matched.push((shown, value, field));
        }
        let is_missing = |field: &&MapField| {
            let is_there = matched.iter().any(|(_, _, one)| std::ptr::eq(*one, *field));
            field.required && !is_there
        };
        if let Some(field) = fields.iter().find(is_missing) {
            let what = format!("the key `{}` is missing", type_text(&field.key));
            return Err(Misfit::of(what).with_progress(KEYS));
        }
        // Another atom means another map, as another tag means another tuple.
        let is_tag = |field: &MapField| matches!(field.value, Type::Atom(_));
        matched.sort_by_key(|(_, _, field)| !is_tag(field));
        for (shown, value, field) in matched {
            let fit = self.check(value, &field.value, depth);
            fit.map_err(|misfit| {
                let progress = match is_tag(field) {
                    true => 0,
                    false => KEYS + 1 + misfit.progress,
                };
                misfit.at(format!(".{shown}")).with_progress(progress)
            })?;
        }
        Ok(())
    }

    /// A record of another module, or inside itself, lists only the fields that it narrows.
    fn record(
        &self,
        term: &Term,
        (name, narrowed): (&TypeName, &[RecordField]),
        ty: &Type,
        depth: usize,
    ) -> Fit {
        let module = self.module(&name.module);
        let is_it = |one: &&Record| one.name == name.name;
        let declared = module
            .as_ref()
            .and_then(|module| module.records.iter().find(is_it));
        let fields = declared.map_or(narrowed, |record| &record.fields);
        let Term::Tuple(parts) = term else {
            return Err(Misfit::new(ty, term));
        };
        let has_tag = matches!(parts.first(), Some(Term::Atom(tag)) if tag.text() == name.name);
        fits(has_tag && parts.len() == fields.len() + 1, ty, term)?;
        for (field, part) in fields.iter().zip(parts.iter().skip(1)) {
            let narrower = narrowed.iter().find(|one| one.name == field.name);
            let fit = self.check(part, &narrower.unwrap_or(field).ty, depth);
            fit.map_err(|misfit| misfit.at(format!(".{}", field.name)))?;
        }
        Ok(())
    }
}

fn fits(fits: bool, ty: &Type, term: &Term) -> Fit {
    fits.then_some(()).ok_or_else(|| Misfit::new(ty, term))
}

/// Returns whether a term has a type without parts.
fn is_plain(term: &Term, ty: &Type) -> bool {
    match (ty, term) {
        (Type::Atom(name), Term::Atom(atom)) => atom.text() == name,
        (Type::Nil, Term::List(parts)) => parts.is_empty(),
        (Type::Integer(value), Term::Integer(_) | Term::BigInteger(_)) => *term == integer(value),
        (Type::Range(low, high), Term::Integer(_) | Term::BigInteger(_)) => {
            (integer(low)..=integer(high)).contains(term)
        }
        (Type::Bitstring { size, unit }, _) => builtin::bits(term).is_some_and(|bits| {
            let bits = bits as u64;
            let more = bits.checked_sub(*size);
            more.is_some_and(|more| more == 0 || *unit > 0 && more.is_multiple_of(*unit))
        }),
        _ => false,
    }
}

fn is_fun(term: &Term, arguments: Option<&[Type]>) -> bool {
    let Term::Fun(fun) = term else { return false };
    arguments.is_none_or(|arguments| arguments.len() == usize::from(fun.arity()))
}

fn integer(value: &Int) -> Term {
    let text = match value {
        Int::Small(value) => value.to_string(),
        Int::Big(text) => text.clone(),
    };
    text.parse().unwrap_or_else(|_| Term::nil())
}

/// Returns a type whose variables are replaced. Unbound variables become any term.
fn substituted(ty: &Type, variables: &Variables) -> Type {
    let one = |ty: &Type| Box::new(substituted(ty, variables));
    let all = |types: &[Type]| types.iter().map(|ty| substituted(ty, variables)).collect();
    match ty {
        Type::Var(name) => variables.get(name).cloned().unwrap_or(Type::Any),
        Type::Annotated(_, inner) => substituted(inner, variables),
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(types) => Type::Tuple(all(types)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => Type::Map(
            fields
                .iter()
                .map(|field| MapField {
                    key: substituted(&field.key, variables),
                    value: substituted(&field.value, variables),
                    required: field.required,
                })
                .collect(),
        ),
        Type::Record(name, fields) => {
            let field = |field: &RecordField| RecordField {
                name: field.name.clone(),
                ty: substituted(&field.ty, variables),
            };
            Type::Record(name.clone(), fields.iter().map(field).collect())
        }
        Type::Fun(arguments, result) => Type::Fun(arguments.as_deref().map(all), one(result)),
        Type::Any
        | Type::None
        | Type::Builtin(_)
        | Type::Atom(_)
        | Type::Integer(_)
        | Type::Range(..)
        | Type::Nil
        | Type::Bitstring { .. }
        | Type::Invalid => ty.clone(),
    }
}
