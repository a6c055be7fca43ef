//! What lowering a module makes step by step, and what every kind of type asks of it.

use std::collections::BTreeSet;

use otp_specs::types::{Module, Type};

use super::drafts::{Draft, Drafts};
use super::position::Position;
use super::{Facts, LoweredModule, overridden};
use crate::catalog::Message;
use crate::facts::roles::Roles;
use crate::functions::FunctionReport;
use crate::ir::function::Function;
use crate::ir::{self, Behaviour, Discriminant, ItemKind, RustType};
use crate::names::Taken;
use crate::report::{Diagnostic, Fallback, ModuleReport, OverrideDiagnostic, Reason};
use crate::text;

/// The lowering of one module.
pub(super) struct Context<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) module: &'a Module,
    pub(super) roles: Roles<'a>,
    /// Items that are done, named ones before those that they hold.
    pub(super) drafts: Drafts,
    /// Traits of the types that tell a callback's clauses apart.
    pub(super) discriminants: Vec<Discriminant>,
    /// Records that have become items.
    pub(super) records: BTreeSet<String>,
    pub(super) override_diagnostics: Vec<OverrideDiagnostic>,
    taken: Taken,
    atoms: BTreeSet<String>,
    report: ModuleReport,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    pub(super) fn new(facts: &'a Facts<'a>, module: &'a Module) -> Self {
        Context {
            facts,
            module,
            roles: Roles::new(facts.world, module),
            drafts: Drafts::default(),
            discriminants: Vec::new(),
            records: BTreeSet::new(),
            override_diagnostics: Vec::new(),
            taken: facts.names.taken(&module.name),
            atoms: BTreeSet::new(),
            report: ModuleReport::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Takes a name at the top of the generated module, or the next that is free.
    pub(super) fn claim(&mut self, name: &str) -> String {
        self.taken.claim(name)
    }

    /// Takes the first of these names that is free.
    pub(super) fn claim_first(&mut self, names: &[String]) -> String {
        self.taken.claim_first(names)
    }

    /// Whether a name at the top of the generated module is in use.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Adds an item.
    pub(super) fn add(&mut self, draft: Draft) {
        let name = self.facts.overrides.name(&self.module.name, &draft.plain);
        self.drafts.add(name.to_owned(), draft);
    }

    /// The item of `module` that has the name `plain` without overrides.
    pub(super) fn reference(
        &self,
        module: &str,
        plain: &str,
        arguments: Vec<RustType>,
    ) -> RustType {
        RustType::Item {
            module: module.to_owned(),
            name: self.facts.overrides.name(module, plain).to_owned(),
            arguments,
        }
    }

    /// An item that Erlang has no name for: an equal one that exists already, or a new one with
    /// the first of `names` that is free.
    pub(super) fn anonymous(
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
                let plain = self.taken.claim_first(names);
                self.add(Draft {
                    plain: plain.clone(),
                    erlang,
                    parameters: parameters.clone(),
                    defaults: Vec::new(),
                    anonymous: true,
                    kind,
                });
                plain
            }
        };
        let arguments = parameters.into_iter().map(RustType::Parameter).collect();
        self.reference(&self.module.name, &plain, arguments)
    }

    /// The item of this module that `ty` is, if it is one that has been lowered.
    pub(super) fn draft(&self, ty: &RustType) -> Option<&Draft> {
        let RustType::Item { module, name, .. } = ty else {
            return None;
        };
        let found = self.drafts.named(name);
        found.filter(|_| *module == self.module.name)
    }

    /// Whether `ty` is a union of this module.
    pub(super) fn is_enum(&self, ty: &RustType) -> bool {
        self.draft(ty)
            .is_some_and(|draft| matches!(draft.kind, ItemKind::Enum(_)))
    }

    /// The unit struct of an atom.
    pub(super) fn atom(&mut self, atom: &str) -> RustType {
        self.atoms.insert(atom.to_owned());
        self.precise(RustType::Atom(atom.to_owned()))
    }

    /// Counts a position that says all that Erlang says.
    pub(super) fn precise(&mut self, ty: RustType) -> RustType {
        self.report.positions += 1;
        ty
    }

    /// Counts a position that does not.
    pub(super) fn fallback(
        &mut self,
        ty: &Type,
        position: &Position<'_>,
        reason: Reason,
    ) -> RustType {
        self.imprecise(ty, position, reason);
        RustType::TERM
    }

    /// Counts a position whose Rust type accepts more than Erlang says.
    pub(super) fn imprecise(&mut self, ty: &Type, position: &Position<'_>, reason: Reason) {
        self.report.positions += 1;
        self.report.fallbacks.push(Fallback {
            position: position.path.join("."),
            erlang: self.qualified(ty),
            reason,
        });
    }

    /// `ty` as Erlang text, with its module if that is another one.
    fn qualified(&self, ty: &Type) -> String {
        match ty {
            Type::Named(name, _) if name.module != self.module.name => {
                format!("{}:{}", text::atom(&name.module), text::quoted(ty))
            }
            _ => text::quoted(ty),
        }
    }

    /// Says what is wrong with `item`.
    pub(super) fn diagnose(&mut self, item: String, message: &Message) {
        let diagnostic = Diagnostic::new(message, &self.module.name, item, &[]);
        self.diagnostics.push(diagnostic);
    }

    /// The finished module with these callbacks and functions.
    pub(super) fn finish(
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
        let drafts = self.drafts.into_all();
        let (items, of_items) = overridden::items(self.facts.overrides, self.module, drafts);
        let module = ir::Module {
            name: self.module.name.clone(),
            items,
            behaviour,
            functions: functions.unwrap_or_default(),
            atoms: self.atoms,
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
