//! Resolved types to IR: every decision about what a type becomes is made here, one file for each
//! kind of type.

mod behaviour;
mod builtin;
mod callback;
mod clause;
mod constructors;
mod definition;
mod fun;
mod functions;
mod integer;
mod list;
mod map;
mod named;
mod option;
mod parameters;
mod place;
mod record;
mod result;
mod signature;
mod split;
mod tuple;
mod union;
mod variants;
mod visit;

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Module, Type};

pub(crate) use parameters::prune_parameters;
use place::Place;
pub(crate) use visit::for_each_type;

use crate::facts::recursion::Recursion;
use crate::facts::roles::Roles;
use crate::facts::type_names::TypeNames;
use crate::facts::world::World;
use crate::functions::FunctionReport;
use crate::ir::{self, Choice, Item, REPLY, RustType};
use crate::names::Taken;
use crate::options::TypeMap;
use crate::overrides::Matched;
use crate::report::{Diagnostic, Fallback, ModuleReport, Reason};
use crate::text;

/// What all modules of a run share.
pub(crate) struct Shared<'a> {
    pub(crate) world: &'a World<'a>,
    pub(crate) recursion: &'a Recursion,
    pub(crate) names: &'a BTreeMap<String, TypeNames>,
    pub(crate) mapped: &'a TypeMap,
    pub(crate) overrides: &'a Matched<'a>,
    /// Whether functions are bound.
    pub(crate) functions: bool,
}

/// One module, lowered.
pub(crate) struct Lowered {
    pub(crate) module: ir::Module,
    pub(crate) report: ModuleReport,
    /// Only where functions are bound.
    pub(crate) functions: Option<FunctionReport>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Lowers `module`: its types, then its callbacks.
pub(crate) fn module(shared: &Shared<'_>, module: &Module) -> Lowered {
    let mut lowerer = Lowerer::new(shared, module);
    for definition in &module.types {
        lowerer.definition(definition);
    }
    let behaviour = (!module.callbacks.is_empty()).then(|| lowerer.behaviour());
    let (functions, bound) = shared.functions.then(|| lowerer.functions()).unzip();
    Lowered {
        module: ir::Module {
            name: module.name.clone(),
            items: lowerer.items,
            behaviour,
            functions: functions.unwrap_or_default(),
            atoms: lowerer.atoms,
        },
        functions: bound,
        report: lowerer.report,
        diagnostics: lowerer.diagnostics,
    }
}

/// The state of lowering one module.
struct Lowerer<'a> {
    shared: &'a Shared<'a>,
    module: &'a Module,
    roles: Roles<'a>,
    taken: Taken,
    items: Vec<Item>,
    /// Traits of the types that tell a callback's clauses apart.
    choices: Vec<Choice>,
    /// Records that have become items.
    records: BTreeSet<String>,
    atoms: BTreeSet<String>,
    report: ModuleReport,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowerer<'a> {
    fn new(shared: &'a Shared<'a>, module: &'a Module) -> Self {
        let taken = shared
            .names
            .get(&module.name)
            .map(|names| names.taken.clone());
        Lowerer {
            shared,
            module,
            roles: Roles::new(shared.world, module),
            taken: taken.unwrap_or_default(),
            items: Vec::new(),
            choices: Vec::new(),
            records: BTreeSet::new(),
            atoms: BTreeSet::new(),
            report: ModuleReport::default(),
            diagnostics: Vec::new(),
        }
    }

    /// The Rust type of `ty` where it stands.
    fn lower(&mut self, ty: &Type, place: &Place<'_>) -> RustType {
        let Some(place) = place.deeper() else {
            return self.fallback(ty, place, Reason::TooDeep);
        };
        match ty {
            Type::Any => self.precise(RustType::TERM),
            Type::None => self.precise(RustType::Runtime("Never", Vec::new())),
            Type::Annotated(name, inner) => self.annotated(ty, name, inner, &place),
            Type::Var(name) => self.variable(ty, name, &place),
            Type::Named(name, arguments) => match self.role_parameter(ty, &place) {
                Some(parameter) => parameter,
                None => self.named(ty, name, arguments, &place),
            },
            Type::Builtin(builtin) => self.builtin(ty, *builtin, &place),
            Type::Atom(atom) => self.atom_type(atom),
            Type::Integer(number) => self.integer(ty, number, number, &place),
            Type::Range(low, high) => self.integer(ty, low, high, &place),
            Type::Union(members) => self.union(ty, members, &place),
            Type::Tuple(elements) => self.tuple(ty, elements, &place),
            Type::Nil => self.precise(RustType::Runtime("Nil", Vec::new())),
            Type::List(element) => self.list(element, &place),
            Type::NonemptyList(element) => self.nonempty_list(element, &place),
            Type::MaybeImproperList(element, tail) => {
                self.improper_list(ty, element, tail, true, &place)
            }
            Type::NonemptyImproperList(element, tail) => {
                self.improper_list(ty, element, tail, false, &place)
            }
            Type::Map(fields) => self.map(ty, fields, &place),
            Type::Record(name, fields) => self.record(ty, name, fields, &place),
            Type::Bitstring { size, unit } => self.bitstring(*size, *unit),
            Type::Fun(arguments, result) => self.fun(ty, arguments.as_deref(), result, &place),
            Type::Invalid => self.fallback(ty, &place, Reason::Invalid),
        }
    }

    fn annotated(&mut self, ty: &Type, name: &str, inner: &Type, place: &Place<'_>) -> RustType {
        match self.role_parameter(ty, place) {
            Some(parameter) => parameter,
            None => self.lower(inner, &place.inside(name)),
        }
    }

    fn variable(&mut self, ty: &Type, name: &str, place: &Place<'_>) -> RustType {
        if let Some(parameter) = self.role_parameter(ty, place) {
            return parameter;
        }
        match place.parameter(name) {
            Some(parameter) => self.precise(RustType::Parameter(parameter.to_owned())),
            None => self.fallback(ty, place, Reason::UnboundVariable),
        }
    }

    /// The type parameter of the reply, the state or the chosen type, where a callback's result has
    /// one.
    fn role_parameter(&mut self, ty: &Type, place: &Place<'_>) -> Option<RustType> {
        if !place.in_clause {
            return None;
        }
        let name = if self.roles.is_reply(ty) {
            REPLY.to_owned()
        } else if self.roles.is_state(ty) {
            self.roles.state_name()
        } else if self.roles.is_chosen(ty) {
            self.roles.chosen_name()?
        } else {
            return None;
        };
        Some(self.precise(RustType::Parameter(name)))
    }

    fn atom_type(&mut self, atom: &str) -> RustType {
        self.atoms.insert(atom.to_owned());
        self.precise(RustType::Atom(atom.to_owned()))
    }

    /// Counts a position that says all that Erlang says.
    fn precise(&mut self, ty: RustType) -> RustType {
        self.report.positions += 1;
        ty
    }

    /// Counts a position that does not.
    fn fallback(&mut self, ty: &Type, place: &Place<'_>, reason: Reason) -> RustType {
        self.imprecise(ty, place, reason);
        RustType::TERM
    }

    /// Counts a position whose Rust type accepts more than Erlang says.
    fn imprecise(&mut self, ty: &Type, place: &Place<'_>, reason: Reason) {
        self.report.positions += 1;
        self.report.fallbacks.push(Fallback {
            position: place.path.join("."),
            erlang: self.qualified(ty),
            reason,
        });
    }

    /// `ty` as Erlang text, with its module if that is another one.
    fn qualified(&self, ty: &Type) -> String {
        match ty {
            Type::Named(name, _) if name.module != self.module.name => {
                format!("{}:{}", text::atom(&name.module), text::erlang(ty))
            }
            _ => text::erlang(ty),
        }
    }

    fn diagnose(&mut self, item: String, message: impl Into<String>) {
        let module = self.module.name.clone();
        self.diagnostics.push(Diagnostic {
            module,
            item,
            message: message.into(),
        });
    }
}
