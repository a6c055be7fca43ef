//! Lowers resolved types to IR. Every decision about the Rust form of a type is made here, in one
//! file for each kind of type. Every name is final; overrides are applied where a name is created.

mod behaviour;
mod builtin;
mod callback;
mod callback_names;
mod constructors;
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
mod signature;
mod split;
mod tuple;
mod union;
mod variants;

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Module, Type, TypeName};

use builtin::{bitstring, builtin};
use drafts::{Draft, Drafts};
use fun::fun;
use integer::integer;
use list::{improper_list, list, nonempty_list};
use map::map;
use named::{annotated, named, role_parameter, variable};
use position::Position;
use record::record;
use tuple::tuple;
use union::union;

use crate::catalog::Message;
use crate::facts::growth::Growth;
use crate::facts::recursion::Recursion;
use crate::facts::roles::Roles;
use crate::facts::scope::RunScope;
use crate::facts::type_names::Names;
use crate::facts::world::World;
use crate::functions::FunctionReport;
use crate::ir::function::Function;
use crate::ir::{self, Behaviour, Discriminant, ItemKind, RustType};
use crate::names::Taken;
use crate::options::TypeMap;
use crate::overrides::Matched;
use crate::report::{Diagnostic, Fallback, ModuleReport, OverrideDiagnostic, Reason, Report};
use crate::text;

/// Facts that are known before lowering starts.
pub(crate) struct Facts<'a> {
    pub(crate) world: &'a World<'a>,
    pub(crate) recursion: &'a Recursion,
    pub(crate) growth: &'a Growth,
    pub(crate) names: &'a Names,
    pub(crate) mapped: &'a TypeMap,
    pub(crate) overrides: &'a Matched,
    /// The types that `otp-bridge` has, by module and name.
    pub(crate) provided: &'a BTreeMap<(String, String), String>,
    /// The scope of the run.
    pub(crate) scope: &'a RunScope<'a>,
    /// Whether functions are bound.
    pub(crate) functions: bool,
}

/// All modules of a run, lowered.
pub(crate) struct Lowered {
    /// In order of their names.
    pub(crate) modules: Vec<ir::Module>,
    pub(crate) report: Report,
    /// By module; empty if functions are not bound.
    pub(crate) functions: BTreeMap<String, FunctionReport>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) override_diagnostics: Vec<OverrideDiagnostic>,
}

/// One module, lowered. It still has type parameters that are not used.
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
    let modules_of_world = facts.world.modules.iter();
    for module in modules_of_world.filter(|module| facts.scope.has(&module.name)) {
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
    let is_whole = facts.scope.is_whole(&module.name);
    let mut cx = Context::new(facts, module);
    if !is_whole {
        // The names of types without Erlang names are determined by the whole module.
        definition::definitions(&mut cx, |_| true, |_| true);
        cx = cx.again();
    }
    let has_record = |name: &TypeName| facts.scope.has_record(name);
    definition::definitions(&mut cx, |name| facts.scope.has_type(name), has_record);
    let has_callbacks = is_whole && !module.callbacks.is_empty();
    let behaviour = has_callbacks.then(|| {
        let umbrella = behaviour::umbrella(&mut cx);
        let (callbacks, functions) = callback::lowered(&mut cx);
        behaviour::behaviour(&mut cx, umbrella, callbacks, functions)
    });
    let has_functions = facts.functions && facts.scope.has_functions(&module.name);
    let functions = has_functions.then(|| functions::functions(&mut cx));
    cx.finish(behaviour, functions)
}

/// Returns the Rust type of `ty` in its position.
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

/// The state of lowering one module.
struct Context<'a> {
    facts: &'a Facts<'a>,
    module: &'a Module,
    roles: Roles<'a>,
    /// Completed items, named ones before those that they contain.
    drafts: Drafts,
    /// Items of the whole module, if only some of its types are generated.
    of_whole: Drafts,
    /// Traits of the types that distinguish a callback's clauses.
    discriminants: Vec<Discriminant>,
    /// Records that have become items.
    records: BTreeSet<String>,
    /// Types without a form of their own that an override replaces, by their names.
    replaced: BTreeSet<String>,
    override_diagnostics: Vec<OverrideDiagnostic>,
    taken: Taken,
    atoms: BTreeSet<String>,
    report: ModuleReport,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    fn new(facts: &'a Facts<'a>, module: &'a Module) -> Self {
        Context {
            facts,
            module,
            roles: Roles::new(facts.world, module),
            drafts: Drafts::default(),
            of_whole: Drafts::default(),
            discriminants: Vec::new(),
            records: BTreeSet::new(),
            replaced: BTreeSet::new(),
            override_diagnostics: Vec::new(),
            taken: facts.names.taken(&module.name),
            atoms: BTreeSet::new(),
            report: ModuleReport::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Starts again, with the names of the first pass.
    fn again(self) -> Self {
        Context {
            of_whole: self.drafts,
            taken: self.taken,
            ..Context::new(self.facts, self.module)
        }
    }

    /// Claims a name at the top of the generated module, or the next free one.
    fn claim(&mut self, name: &str) -> String {
        self.taken.claim(name)
    }

    /// Claims the first of these names that is free.
    fn claim_first(&mut self, names: &[String]) -> String {
        self.taken.claim_first(names)
    }

    /// Returns whether a name at the top of the generated module is in use.
    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Adds an item.
    fn add(&mut self, draft: Draft) {
        let name = self.facts.overrides.name(&self.module.name, &draft.plain);
        self.drafts.add(name.to_owned(), draft);
    }

    /// Returns a reference to the item of `module` that has the name `plain` without overrides.
    fn reference(&mut self, module: &str, plain: &str, arguments: Vec<RustType>) -> RustType {
        let name = self.facts.overrides.name(module, plain).to_owned();
        if *module == self.module.name {
            self.drafts.refer_to(&name, module);
        }
        RustType::Item {
            module: module.to_owned(),
            name,
            arguments,
        }
    }

    /// Returns an item without an Erlang name: an existing equal one, or a new one with the first
    /// free name of `names`.
    fn anonymous(
        &mut self,
        names: &[String],
        erlang: String,
        kind: ItemKind,
        position: &Position<'_>,
    ) -> RustType {
        let types = kind.types();
        let mentioned = |name: &&String| types.iter().any(|ty| ty.mentions(name));
        let of_owner = position.parameters.iter().map(|(_, rust)| rust);
        let parameters: Vec<String> = of_owner.filter(mentioned).cloned().collect();
        let plain = match self.drafts.anonymous(&kind) {
            Some(draft) => draft.plain.clone(),
            None => {
                let plain = match self.of_whole.anonymous(&kind) {
                    Some(draft) => draft.plain.clone(),
                    None => self.taken.claim_first(names),
                };
                let draft = Draft {
                    plain: plain.clone(),
                    erlang: erlang.clone(),
                    parameters: parameters.clone(),
                    defaults: Vec::new(),
                    anonymous: true,
                    kind,
                };
                if self.replaced(&plain, &erlang, position).is_some() {
                    self.hidden(|cx| cx.add(draft));
                } else {
                    self.add(draft);
                }
                plain
            }
        };
        if let Some(other) = self.replaced(&plain, &erlang, position) {
            return other;
        }
        let arguments = parameters.into_iter().map(RustType::Parameter).collect();
        self.reference(&self.module.name, &plain, arguments)
    }

    /// Returns the unit struct of an atom.
    fn atom(&mut self, atom: &str) -> RustType {
        self.atoms.insert(atom.to_owned());
        self.precise(RustType::Atom(atom.to_owned()))
    }

    /// Counts a position that is as precise as the Erlang type.
    fn precise(&mut self, ty: RustType) -> RustType {
        self.report.positions += 1;
        ty
    }

    /// Counts a position that fell back to the dynamic term.
    fn fallback(&mut self, ty: &Type, position: &Position<'_>, reason: Reason) -> RustType {
        self.imprecise(ty, position, reason);
        RustType::TERM
    }

    /// Counts a position whose Rust type accepts more than the Erlang type.
    fn imprecise(&mut self, ty: &Type, position: &Position<'_>, reason: Reason) {
        self.report.positions += 1;
        self.report.fallbacks.push(Fallback {
            position: position.path.join("."),
            erlang: self.qualified(ty),
            reason,
        });
    }

    /// Returns `ty` as Erlang text, with its module if that is another one.
    fn qualified(&self, ty: &Type) -> String {
        match ty {
            Type::Named(name, _) if name.module != self.module.name => {
                format!("{}:{}", text::atom(&name.module), text::quoted(ty))
            }
            _ => text::quoted(ty),
        }
    }

    /// Reports a problem of `item`.
    fn diagnose(&mut self, item: String, message: &Message) {
        let diagnostic = Diagnostic::new(message, &self.module.name, item, &[]);
        self.diagnostics.push(diagnostic);
    }

    /// Returns the finished module with these callbacks and functions.
    fn finish(
        self,
        behaviour: Option<Behaviour>,
        functions: Option<(Vec<Function>, FunctionReport)>,
    ) -> LoweredModule {
        let (functions, bound) = functions.unzip();
        let plain: BTreeSet<String> = self
            .drafts
            .iter()
            .map(|draft| draft.plain.clone())
            .collect();
        let of_drafts = self.drafts.iter().flat_map(|draft| draft.kind.atoms());
        let mut atoms = self.atoms;
        atoms.extend(of_drafts.map(str::to_owned));
        let drafts = self.drafts.into_all();
        let (items, of_items) = overridden::items(self.facts, self.module, drafts, &self.replaced);
        let module = ir::Module {
            name: self.module.name.clone(),
            items,
            behaviour,
            functions: functions.unwrap_or_default(),
            atoms,
            names_of_whole: self.facts.names.at_top(self.module),
        };
        let collisions = overridden::collisions(self.facts.overrides, &module, &plain);
        let mut override_diagnostics = self.override_diagnostics;
        override_diagnostics.extend(of_items.into_iter().chain(collisions));
        LoweredModule {
            module,
            report: self.report,
            functions: bound,
            diagnostics: self.diagnostics,
            override_diagnostics,
        }
    }
}
