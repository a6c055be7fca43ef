//! What a module with `-callback` forms has besides its types.

use std::collections::BTreeSet;

use otp_contract::manifest::MODULE_ARGUMENT;
use otp_specs::types::{Builtin, Function, Type};

use super::Lowerer;
use super::constructors::constructors;
use crate::facts::answers::answer;
use crate::facts::clauses::signature;
use crate::facts::type_names::smallest_arities;
use crate::facts::{annotation, bare};
use crate::ir::{
    Answer, Behaviour, Callback, Constructor, Kind, Prelude, REPLY, Returns, RustType, Shape,
    StartFunction,
};
use crate::names::{camel, snake};

/// Functions by which a behaviour starts a process of a callback module.
const START: [&str; 1] = ["start_link"];

/// The constructor that no prelude has: its clauses are shorter as a tuple, `(ok, state)`, and the
/// atom of this name is what one imports.
const OK: &str = "ok";

impl Lowerer<'_> {
    /// Lowers every callback of the module.
    pub(super) fn behaviour(&mut self) -> Behaviour {
        let umbrella = self.taken.claim(&camel(&self.module.name));
        let forms = self.module.callbacks.iter();
        let smallest = smallest_arities(forms.map(|form| (form.name.as_str(), form.arity)));
        let mut seen = BTreeSet::new();
        let mut callbacks = Vec::new();
        for form in &self.module.callbacks {
            if seen.insert((&form.name, form.arity)) {
                callbacks.extend(self.callbacks(form, &smallest));
            } else {
                let item = format!("{}/{}", form.name, form.arity);
                self.diagnose(item, "is declared twice: the first `-callback` counts");
            }
        }
        self.add_answers(&mut callbacks);
        let own = self.roles.state_name();
        let chosen = self.roles.chosen_name();
        let parameters: Vec<String> = [Some(REPLY.to_owned()), chosen.clone(), Some(own.clone())]
            .into_iter()
            .flatten()
            .collect();
        let is_enum = |ty: &RustType| self.is_enum(ty);
        let constructors = constructors(&callbacks, &parameters, &is_enum);
        let prelude = Prelude {
            names: self.prelude(&umbrella, &callbacks),
            constructors: imported(&constructors),
        };
        let start = self
            .module
            .functions
            .iter()
            .filter_map(|function| self.start_function(function))
            .collect();
        Behaviour {
            umbrella,
            callbacks,
            chosen,
            constructors,
            choices: std::mem::take(&mut self.choices),
            start,
            own,
            prelude,
        }
    }

    /// What callbacks return that are left out (see [`crate::facts::answers`]).
    fn add_answers(&self, callbacks: &mut [Callback]) {
        let methods = |function: &str, told_by: Option<&str>| -> Vec<String> {
            let calls = |callback: &&Callback| {
                let suffix = told_by.map(|atom| format!("_{}", snake(atom)));
                let told = suffix.is_none_or(|suffix| callback.method.ends_with(&suffix));
                told && (function.is_empty() || callback.function == function)
            };
            let found = callbacks.iter().filter(calls);
            found.map(|callback| callback.method.clone()).collect()
        };
        let answers: Vec<Option<Answer>> = callbacks
            .iter()
            .map(|callback| {
                let row = answer(&self.module.name, &callback.function)?;
                let one_of = row.one_of.iter();
                let also = row.also.iter();
                Some(Answer {
                    one_of: one_of
                        .map(|(atom, function)| ((*atom).to_owned(), methods(function, None)))
                        .collect(),
                    also: also
                        .map(|(atom, told_by)| ((*atom).to_owned(), methods("", Some(told_by))))
                        .collect(),
                })
            })
            .collect();
        for (callback, answer) in callbacks.iter_mut().zip(answers) {
            callback.answer = answer;
        }
    }

    /// `function`, if it starts a process of the callback module that it is given.
    fn start_function(&self, function: &Function) -> Option<StartFunction> {
        if !function.exported || !START.contains(&function.name.as_str()) {
            return None;
        }
        let arguments = signature(function).arguments;
        let module = |ty: &Type| {
            annotation(ty) == Some(MODULE_ARGUMENT) && *bare(ty) == Type::Builtin(Builtin::Module)
        };
        arguments.iter().any(module).then(|| StartFunction {
            name: function.name.clone(),
            arguments: arguments
                .iter()
                .map(|ty| annotation(ty).unwrap_or("_").to_owned())
                .collect(),
            signature: self.start_signature(function),
        })
    }

    /// Whether `ty` is a union of this module.
    pub(super) fn is_enum(&self, ty: &RustType) -> bool {
        let RustType::Item { module, name, .. } = ty else {
            return false;
        };
        let mut items = self.items.iter();
        *module == self.module.name
            && items.any(|item| item.name == *name && matches!(item.kind, Kind::Enum(_)))
    }

    /// The umbrella, everything that a callback may return, and the named types in there.
    fn prelude(&self, umbrella: &str, callbacks: &[Callback]) -> Vec<String> {
        let mut names = BTreeSet::from([umbrella.to_owned()]);
        for callback in callbacks {
            names.insert(callback.return_trait.clone());
            match &callback.returns {
                Returns::AnyTerm => {}
                Returns::Type(ty) => self.named_types(ty, &mut names),
                Returns::Clauses { name, clauses } => {
                    names.insert(name.clone());
                    let shapes = clauses.iter().map(|clause| &clause.variant.shape);
                    for ty in shapes.flat_map(Shape::types) {
                        self.named_types(ty, &mut names);
                    }
                }
            }
        }
        let handmade = self
            .items
            .iter()
            .filter(|item| matches!(item.kind, Kind::Reexport(_)));
        names.extend(handmade.map(|item| item.name.clone()));
        names.into_iter().collect()
    }

    fn named_types(&self, ty: &RustType, names: &mut BTreeSet<String>) {
        if let RustType::Item { module, name, .. } = ty
            && *module == self.module.name
            && self
                .items
                .iter()
                .any(|item| item.name == *name && !item.anonymous)
        {
            names.insert(name.clone());
        }
        for child in ty.children() {
            self.named_types(child, names);
        }
    }
}

/// The constructors that the prelude has.
fn imported(constructors: &[Constructor]) -> Vec<String> {
    let names = constructors.iter().map(|made| made.function.clone());
    names.filter(|name| name != OK).collect()
}
