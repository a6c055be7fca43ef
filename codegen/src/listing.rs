//! A list of every generated name and the Erlang that it stands for. Tests of the naming rules use
//! it.

use std::collections::BTreeSet;

use crate::complete::Complete;
use crate::ir::function::{Function, FunctionArgument};
use crate::ir::{Behaviour, Element, Item, ItemKind, Returns, Variant, VariantShape};
use crate::names::atom_identifier;

/// The kinds of named things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// A Rust module.
    Module,
    /// A struct, enum or alias that Erlang has a name for.
    Type,
    /// A struct or enum that Erlang has no name for.
    Anonymous,
    /// A variant of an enum.
    Variant,
    /// A field of a struct or of a variant.
    Field,
    /// A type parameter.
    Parameter,
    /// A function that calls Erlang's.
    Function,
    /// An argument of such a function.
    Argument,
    /// A trait of a behaviour.
    Trait,
    /// A method of a behaviour.
    Method,
    /// A function that creates a clause of a callback's result.
    Constructor,
    /// The unit struct of an atom.
    Atom,
}

/// A name that the generator made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GeneratedName {
    /// The Erlang module. Atoms are those of all modules.
    pub module: String,
    /// The kind of thing that has the name.
    pub kind: NameKind,
    /// The containing item: the type of a variant, the function of an argument.
    pub within: String,
    /// The name in Rust.
    pub rust: String,
    /// The Erlang that it stands for: a form, the member of a union and its tag, `name/arity` of a
    /// function and its arguments.
    pub erlang: String,
}

/// Returns the names of `modules`, in order of the modules, and without duplicates.
pub(crate) fn listing(modules: &[Complete<'_>]) -> Vec<GeneratedName> {
    let mut all = Vec::new();
    for complete in modules {
        let module = complete.module;
        let mut names = Names {
            module: &module.name,
            all: &mut all,
        };
        names.push(NameKind::Module, "", &complete.rust_module(), &module.name);
        module.items.iter().for_each(|item| names.item(item));
        if let Some(behaviour) = &module.behaviour {
            names.behaviour(behaviour);
        }
        module
            .functions
            .iter()
            .for_each(|function| names.function(function));
    }
    let atoms: BTreeSet<&String> = modules
        .iter()
        .flat_map(|complete| &complete.atoms)
        .collect();
    let mut names = Names {
        module: "",
        all: &mut all,
    };
    for atom in atoms {
        names.push(NameKind::Atom, "", &atom_identifier(atom), atom);
    }
    all
}

/// The names of one module.
struct Names<'n> {
    module: &'n str,
    all: &'n mut Vec<GeneratedName>,
}

impl Names<'_> {
    fn push(&mut self, kind: NameKind, within: &str, rust: &str, erlang: &str) {
        self.all.push(GeneratedName {
            module: self.module.to_owned(),
            kind,
            within: within.to_owned(),
            rust: rust.to_owned(),
            erlang: erlang.to_owned(),
        });
    }

    fn item(&mut self, item: &Item) {
        let kind = if item.anonymous {
            NameKind::Anonymous
        } else {
            NameKind::Type
        };
        self.push(kind, "", &item.name, &item.erlang);
        for parameter in &item.parameters {
            self.push(NameKind::Parameter, &item.name, parameter, parameter);
        }
        match &item.kind {
            ItemKind::Reexport(_) | ItemKind::Alias(_) | ItemKind::Newtype { .. } => {}
            ItemKind::Tuple { elements, .. } => self.elements(&item.name, elements),
            ItemKind::Map { fields, .. } | ItemKind::Record { fields, .. } => {
                for field in fields {
                    self.push(NameKind::Field, &item.name, &field.name, &field.key);
                }
            }
            ItemKind::Enum(variants) => {
                for variant in variants {
                    self.variant(&item.name, variant);
                }
            }
        }
    }

    fn variant(&mut self, within: &str, variant: &Variant) {
        let tag = match &variant.shape {
            VariantShape::Tagged(tag, _) => tag.as_str(),
            _ => "",
        };
        let erlang = format!("{} {tag}", variant.erlang);
        self.push(NameKind::Variant, within, &variant.name, erlang.trim());
        match &variant.shape {
            VariantShape::Tagged(_, elements) | VariantShape::Tuple(elements) => {
                self.elements(&format!("{within}::{}", variant.name), elements);
            }
            VariantShape::Unit(_) | VariantShape::Untagged(_) => {}
        }
    }

    fn elements(&mut self, within: &str, elements: &[Element]) {
        for element in elements {
            if let (Some(field), Some(name)) = (&element.field, &element.name) {
                self.push(NameKind::Field, within, field, name);
            }
        }
    }

    fn behaviour(&mut self, behaviour: &Behaviour) {
        let module = self.module.to_owned();
        self.push(NameKind::Trait, "", &behaviour.umbrella, &module);
        for callback in &behaviour.callbacks {
            let erlang = callback.qualified(&module);
            let names = &callback.names;
            self.push(NameKind::Trait, "", &names.callback_trait, &erlang);
            self.push(NameKind::Trait, "", &names.return_trait, &erlang);
            self.push(NameKind::Method, "", &names.method, &erlang);
            for argument in &callback.arguments {
                let (within, rust) = (&names.method, &argument.identifier);
                self.push(NameKind::Argument, within, rust, &argument.name);
            }
            if let Returns::Clauses { name, clauses } = &callback.result.returns {
                self.push(NameKind::Anonymous, "", name, &callback.form.erlang);
                for clause in clauses {
                    self.variant(name, &clause.variant);
                }
            }
        }
        for discriminant in &behaviour.discriminants {
            let (rust, erlang) = (&discriminant.name, &discriminant.erlang);
            self.push(NameKind::Trait, "", rust, erlang);
        }
        for constructor in &behaviour.constructors {
            let (rust, erlang) = (&constructor.function, &constructor.erlang);
            self.push(NameKind::Constructor, "", rust, erlang);
        }
    }

    fn function(&mut self, function: &Function) {
        let arguments = function.arguments.iter().map(|argument| match argument {
            FunctionArgument::Open(name, _) => name.as_str(),
            FunctionArgument::Given(atom) => atom.as_str(),
        });
        let arguments: Vec<&str> = arguments.collect();
        let (name, arity) = (&function.function, function.arity);
        let erlang = format!("{name}/{arity} {}", arguments.join(" "));
        self.push(NameKind::Function, "", &function.name, erlang.trim());
        for parameter in &function.parameters {
            let (within, rust) = (&function.name, &parameter.name);
            self.push(NameKind::Parameter, within, rust, rust);
        }
        for argument in &function.arguments {
            if let FunctionArgument::Open(name, _) = argument {
                self.push(NameKind::Argument, &function.name, name, name);
            }
        }
    }
}
