//! What follows from the lowered modules of a run: their derives, what converts into their types,
//! and which Erlang-shaped Rust values their callbacks may return.
//!
//! One impl of the return trait for each form, so that a wrong element is refused by the return
//! trait itself, whose message quotes the callback, and no two impls overlap, because their heads
//! differ. Where a clause would have too many forms, it has one impl for whatever converts, which
//! the compiler is told not to speak of.

mod accepts;
mod aliases;
mod conversions;
mod derives;
pub(crate) mod given;
mod numbers;
mod payload;
mod widened;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) use accepts::{Conversion, Source, Width};
pub(crate) use aliases::Aliases;
use conversions::ByKey;
pub(crate) use conversions::Fingerprints;

pub(crate) use derives::CLONE;

use crate::facts::callbacks::returns_supervisor;
use crate::facts::module_names::ModuleNames;
use crate::ir::{
    Callback, Element, Item, ItemKind, Module, ReturnClause, Returns, RustType, Variant,
    VariantShape,
};
use crate::names::reserved::is_in_prelude;
use crate::names::{camel, without_new};

/// A lowered module, and what follows from it and the others of the run.
pub(crate) struct Complete<'m> {
    pub(crate) module: &'m Module,
    /// Those of all modules.
    pub(crate) aliases: Rc<Aliases>,
    pub(crate) rust_modules: Rc<ModuleNames>,
    /// Every atom that the module's code names.
    pub(crate) atoms: BTreeSet<String>,
    derives: BTreeMap<&'m str, Vec<String>>,
    items: Rc<ByKey<'m, &'m Item>>,
    conversions: Rc<ByKey<'m, Vec<Conversion>>>,
    shapes: BTreeMap<&'m str, Vec<ReturnShape>>,
}

/// What follows from `modules`. `derives` are those for all types that can have them, `provided`
/// the types that may be in `otp-bridge`.
pub(crate) fn complete<'m>(
    modules: &'m [Module],
    derives: &[String],
    provided: &Fingerprints,
) -> Vec<Complete<'m>> {
    let aliases = Rc::new(Aliases::new(modules));
    let names = modules.iter().map(|module| module.name.as_str());
    let rust_modules = Rc::new(ModuleNames::new(names));
    let derives = derives::derives(modules, derives);
    let conversions = Rc::new(conversions::conversions(modules, &aliases, provided));
    let items = Rc::new(conversions::items(modules));
    let none = BTreeMap::new();
    let module = |module: &'m Module| {
        let own = conversions.get(module.name.as_str()).unwrap_or(&none);
        let shapes = shapes(module, &aliases, own);
        let converted = own.values().flatten().filter_map(Conversion::atom);
        let atoms = module.atoms.iter().cloned();
        let of_module = derives.iter().filter(|((of, _), _)| *of == module.name);
        Complete {
            module,
            aliases: Rc::clone(&aliases),
            rust_modules: Rc::clone(&rust_modules),
            atoms: atoms.chain(converted.map(str::to_owned)).collect(),
            derives: of_module
                .map(|((_, item), of_item)| (*item, of_item.clone()))
                .collect(),
            items: Rc::clone(&items),
            conversions: Rc::clone(&conversions),
            shapes,
        }
    };
    modules.iter().map(module).collect()
}

impl<'m> Complete<'m> {
    /// The Rust module of its own.
    pub(crate) fn rust_module(&self) -> String {
        self.rust_modules.of(&self.module.name)
    }

    /// The item of the module that has this name.
    pub(crate) fn item(&self, name: &str) -> Option<&'m Item> {
        self.item_of(&self.module.name, name)
    }

    /// Paths of the derives of `item`, besides those that every type has.
    pub(crate) fn derives(&self, item: &Item) -> &[String] {
        let found = self.derives.get(item.name.as_str());
        found.map_or(&[], Vec::as_slice)
    }

    /// What converts into `item` of this module: only enums and tuples have conversions.
    pub(crate) fn conversions(&self, item: &Item) -> &[Conversion] {
        self.conversions_of(&self.module.name, &item.name)
    }

    /// What converts into the item with this name of any module.
    pub(crate) fn conversions_of(&self, module: &str, item: &str) -> &[Conversion] {
        let found = self.conversions.get(module);
        let found = found.and_then(|made| made.get(item));
        found.map_or(&[], Vec::as_slice)
    }

    /// The item with this name of any module.
    pub(crate) fn item_of(&self, module: &str, item: &str) -> Option<&'m Item> {
        self.items.get(module)?.get(item).copied()
    }

    /// Whether the module's code may name an atom: one of its own, or of another module's type that
    /// is in a union of its own.
    pub(crate) fn names_atoms(&self) -> bool {
        let items = self.module.items.iter();
        let mut conversions = items.flat_map(|item| self.conversions(item));
        !self.atoms.is_empty() || conversions.any(Conversion::is_of_another_item)
    }

    /// Values that `callback` may return, besides its enum or type itself.
    pub(crate) fn shapes(&self, callback: &Callback) -> &[ReturnShape] {
        let found = self.shapes.get(callback.names.return_trait.as_str());
        found.map_or(&[], Vec::as_slice)
    }
}

/// A clause has at most so many forms. Beyond it, its unions are given by whatever converts.
const MOST_SHAPES: usize = 12;

/// The shapes of each callback, by the name of its return trait.
fn shapes<'m>(
    module: &'m Module,
    aliases: &Aliases,
    conversions: &BTreeMap<&str, Vec<Conversion>>,
) -> BTreeMap<&'m str, Vec<ReturnShape>> {
    let enums = Enums {
        module,
        aliases,
        conversions,
    };
    let callbacks = module.behaviour.iter();
    let callbacks = callbacks.flat_map(|behaviour| &behaviour.callbacks);
    callbacks
        .map(|callback| (callback.names.return_trait.as_str(), enums.shapes(callback)))
        .collect()
}

/// A Rust value that may be returned for a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReturnShape {
    /// Index of the clause; 0 where the result is one type.
    pub(crate) clause: usize,
    /// How each of the clause's types is given.
    pub(crate) parts: Vec<ShapePart>,
}

/// How a type inside a clause is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapePart {
    /// By a value of that type.
    Exact,
    /// By any value that becomes a term; the name of its type parameter.
    AnyTerm(String),
    /// By what converts into the enum: its name in this module, and which of its conversions.
    Converted { item: String, conversion: usize },
    /// By a reference to a supervisor of this application, which stands for its pid. The name of
    /// the type parameter.
    Supervisor(String),
    /// By anything that converts into the enum, where there are too many types to name. The name of
    /// the type parameter.
    Into(String),
}

struct Enums<'m> {
    module: &'m Module,
    aliases: &'m Aliases,
    conversions: &'m BTreeMap<&'m str, Vec<Conversion>>,
}

/// What keeps forms of different clauses apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Head {
    Atom(String),
    Tagged(String, usize),
    Tuple(usize),
    Type(RustType),
}

impl Enums<'_> {
    fn shapes(&self, callback: &Callback) -> Vec<ReturnShape> {
        match &callback.result.returns {
            Returns::AnyTerm => Vec::new(),
            Returns::Type(ty) => self.conversions(ty, true).map_or_else(Vec::new, |parts| {
                parts
                    .into_iter()
                    .map(|part| ReturnShape {
                        clause: 0,
                        parts: vec![part],
                    })
                    .collect()
            }),
            Returns::Clauses { clauses, name } => {
                let names = &callback.names;
                let mut declared = callback.return_parameters();
                declared.extend([names.return_trait.clone(), name.clone()]);
                self.clauses(clauses, &declared)
            }
        }
    }

    /// The forms of all clauses. Their type parameters have other names than what is `declared`.
    fn clauses(&self, clauses: &[ReturnClause], declared: &[String]) -> Vec<ReturnShape> {
        let mut seen = BTreeSet::new();
        let mut forms = Vec::new();
        for (index, clause) in clauses.iter().enumerate() {
            if let Some(head) = self.head(&clause.variant)
                && seen.insert(head)
            {
                let parts = self.parts(&clause.variant, declared).into_iter();
                forms.extend(parts.map(|parts| ReturnShape {
                    clause: index,
                    parts,
                }));
            }
        }
        forms
    }

    /// What tells the forms of `variant` from others; `None` where nothing does.
    fn head(&self, variant: &Variant) -> Option<Head> {
        match &variant.shape {
            VariantShape::Unit(atom) => Some(Head::Atom(atom.clone())),
            VariantShape::Tagged(tag, elements) => {
                Some(Head::Tagged(tag.clone(), elements.len() + 1))
            }
            VariantShape::Tuple(elements) => match elements.first().map(|element| &element.ty) {
                Some(RustType::Parameter(_)) => None,
                _ => Some(Head::Tuple(elements.len())),
            },
            VariantShape::Untagged(ty) => match self.aliases.canonical(ty) {
                RustType::Parameter(_) => None,
                RustType::Atom(atom) => Some(Head::Atom(atom)),
                RustType::Tuple(elements) => match elements.first() {
                    Some(RustType::Atom(tag)) => Some(Head::Tagged(tag.clone(), elements.len())),
                    _ => Some(Head::Tuple(elements.len())),
                },
                ty => Some(Head::Type(ty)),
            },
        }
    }

    /// Every way to give the types of `variant`.
    fn parts(&self, variant: &Variant, declared: &[String]) -> Vec<Vec<ShapePart>> {
        let VariantShape::Tagged(_, elements) = &variant.shape else {
            return vec![
                variant
                    .shape
                    .types()
                    .iter()
                    .map(|_| ShapePart::Exact)
                    .collect(),
            ];
        };
        let mut names: BTreeSet<String> = declared.iter().cloned().collect();
        for element in elements {
            add_items(&element.ty, &mut names);
        }
        let choices: Vec<Vec<ShapePart>> = elements
            .iter()
            .map(|element| self.choices(element, &mut names))
            .collect();
        let count = choices
            .iter()
            .try_fold(1_usize, |count, part| count.checked_mul(part.len()));
        let few = count.is_some_and(|count| count <= MOST_SHAPES);
        let mut forms = vec![Vec::new()];
        for (choice, element) in choices.into_iter().zip(elements) {
            let choice = if few || choice.len() == 1 {
                choice
            } else {
                vec![ShapePart::Into(parameter(element, &mut names))]
            };
            let longer = |form: &Vec<ShapePart>| -> Vec<Vec<ShapePart>> {
                let with = |part: &ShapePart| form.iter().cloned().chain([part.clone()]).collect();
                choice.iter().map(with).collect()
            };
            forms = forms.iter().flat_map(longer).collect();
        }
        forms
    }

    fn choices(&self, element: &Element, names: &mut BTreeSet<String>) -> Vec<ShapePart> {
        if self.aliases.is_term(&element.ty) {
            return vec![ShapePart::AnyTerm(parameter(element, names))];
        }
        if element.ty == RustType::Runtime("Pid", Vec::new())
            && returns_supervisor(&self.module.name)
        {
            return vec![ShapePart::Supervisor(claimed("Root", names))];
        }
        let mut choices = vec![ShapePart::Exact];
        choices.extend(self.conversions(&element.ty, false).unwrap_or_default());
        choices
    }

    /// What converts into `ty`, if that is an enum: an unnamed one, or any if `named`.
    fn conversions(&self, ty: &RustType, named: bool) -> Option<Vec<ShapePart>> {
        let RustType::Item {
            module,
            name,
            arguments,
        } = ty
        else {
            return None;
        };
        if *module != self.module.name || !arguments.is_empty() {
            return None;
        }
        let item = self.module.items.iter().find(|item| item.name == *name)?;
        let eligible = (item.anonymous || named) && matches!(item.kind, ItemKind::Enum(_));
        let part = |(conversion, made): (usize, &Conversion)| match made.source {
            // Any term could be meant by it, and its message would quote nothing.
            Source::Payload if self.payload_is_term(item, made.variant) => None,
            _ => Some(ShapePart::Converted {
                item: name.clone(),
                conversion,
            }),
        };
        eligible.then(|| {
            self.conversions
                .get(name.as_str())
                .into_iter()
                .flatten()
                .enumerate()
                .filter_map(part)
                .collect()
        })
    }

    fn payload_is_term(&self, item: &Item, variant: usize) -> bool {
        let ItemKind::Enum(variants) = &item.kind else {
            return false;
        };
        match variants.get(variant).map(|variant| &variant.shape) {
            Some(VariantShape::Untagged(ty)) => self.aliases.is_term(ty),
            _ => false,
        }
    }
}

/// Adds the names of the items in a type.
fn add_items(ty: &RustType, names: &mut BTreeSet<String>) {
    if let RustType::Item { name, .. } = ty {
        names.insert(name.clone());
    }
    for child in ty.children() {
        add_items(child, names);
    }
}

/// A name for the type parameter of an element.
fn parameter(element: &Element, names: &mut BTreeSet<String>) -> String {
    let name = element.name.as_deref().map_or("Value", without_new);
    claimed(&camel(name), names)
}

/// A type parameter that hides neither one of `names` nor a name of Rust's prelude.
fn claimed(name: &str, names: &mut BTreeSet<String>) -> String {
    let mut parameter = name.to_owned();
    while is_in_prelude(&parameter) || !names.insert(parameter.clone()) {
        parameter.push_str("Value");
    }
    parameter
}
