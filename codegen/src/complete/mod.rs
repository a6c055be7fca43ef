//! Facts derived from the lowered modules of a run: the derives of their types, the conversions
//! into their types, and the Erlang-shaped Rust values that their callbacks may return.
//!
//! Each form of a return value has one impl of the return trait. The return trait itself therefore
//! rejects a wrong element, with a message that quotes the callback. No two impls overlap, because
//! their heads differ. A clause with too many forms has one generic impl for all types that
//! convert, which the compiler's messages do not list.

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

/// A lowered module, and the facts derived from it and from the other modules of the run.
pub(crate) struct Complete<'m> {
    pub(crate) module: &'m Module,
    /// The aliases of all modules.
    pub(crate) aliases: Rc<Aliases>,
    pub(crate) rust_modules: Rc<ModuleNames>,
    /// Every atom that the module's code uses.
    pub(crate) atoms: BTreeSet<String>,
    derives: BTreeMap<&'m str, Vec<String>>,
    items: Rc<ByKey<'m, &'m Item>>,
    conversions: Rc<ByKey<'m, Vec<Conversion>>>,
    shapes: BTreeMap<&'m str, Vec<ReturnShape>>,
}

/// Derives the facts from `modules`. `derives` are those for all types that support them,
/// `provided` the types that may be in `otp-bridge`.
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
    /// Returns the name of its Rust module.
    pub(crate) fn rust_module(&self) -> String {
        self.rust_modules.of(&self.module.name)
    }

    /// Returns the item of the module with this name.
    pub(crate) fn item(&self, name: &str) -> Option<&'m Item> {
        self.item_of(&self.module.name, name)
    }

    /// Returns paths of the derives of `item`, in addition to those that every type has.
    pub(crate) fn derives(&self, item: &Item) -> &[String] {
        let found = self.derives.get(item.name.as_str());
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns the conversions into `item` of this module: only enums and tuples have some.
    pub(crate) fn conversions(&self, item: &Item) -> &[Conversion] {
        self.conversions_of(&self.module.name, &item.name)
    }

    /// Returns the conversions into the item with this name in any module.
    pub(crate) fn conversions_of(&self, module: &str, item: &str) -> &[Conversion] {
        let found = self.conversions.get(module);
        let found = found.and_then(|made| made.get(item));
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns the item with this name in any module.
    pub(crate) fn item_of(&self, module: &str, item: &str) -> Option<&'m Item> {
        self.items.get(module)?.get(item).copied()
    }

    /// Returns whether the module's code may use an atom, either one of its own, or one of another
    /// module's type inside a union of its own.
    pub(crate) fn names_atoms(&self) -> bool {
        let items = self.module.items.iter();
        let mut conversions = items.flat_map(|item| self.conversions(item));
        !self.atoms.is_empty() || conversions.any(Conversion::is_of_another_item)
    }

    /// Returns the values that `callback` may return, in addition to its enum or type itself.
    pub(crate) fn shapes(&self, callback: &Callback) -> &[ReturnShape] {
        let found = self.shapes.get(callback.names.return_trait.as_str());
        found.map_or(&[], Vec::as_slice)
    }
}

/// Maximum number of forms of a clause. If there are more, its unions accept all types that
/// convert.
const MOST_SHAPES: usize = 12;

/// Returns the shapes of each callback, by the name of its return trait.
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

/// A Rust value that may be returned as a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReturnShape {
    /// Index of the clause; 0 if the result is a single type.
    pub(crate) clause: usize,
    /// The form of each of the clause's types.
    pub(crate) parts: Vec<ShapePart>,
}

/// The form of a type inside a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapePart {
    /// A value of that type.
    Exact,
    /// Any value that becomes a term; the name of its type parameter.
    AnyTerm(String),
    /// A type that converts into the enum: the enum's name in this module, and the index of its
    /// conversion.
    Converted { item: String, conversion: usize },
    /// A reference to a supervisor of this application, in place of its pid; the name of the type
    /// parameter.
    Supervisor(String),
    /// Any type that converts into the enum, if there are too many types to name; the name of the
    /// type parameter.
    Into(String),
}

struct Enums<'m> {
    module: &'m Module,
    aliases: &'m Aliases,
    conversions: &'m BTreeMap<&'m str, Vec<Conversion>>,
}

/// The head of a form, which distinguishes forms of different clauses.
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

    /// Returns the forms of all clauses. The names of their type parameters differ from `declared`.
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

    /// Returns the head that distinguishes the forms of `variant` from others; `None` if there is
    /// none.
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

    /// Returns every combination of forms for the types of `variant`.
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

    /// Returns the conversions into `ty`, if that is an enum: an unnamed one, or any if `named`.
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
            // Any term would match it, and its message would quote nothing.
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

/// Returns a name for the type parameter of an element.
fn parameter(element: &Element, names: &mut BTreeSet<String>) -> String {
    let name = element.name.as_deref().map_or("Value", without_new);
    claimed(&camel(name), names)
}

/// Returns a type parameter that shadows neither one of `names` nor a name of Rust's prelude.
fn claimed(name: &str, names: &mut BTreeSet<String>) -> String {
    let mut parameter = name.to_owned();
    while is_in_prelude(&parameter) || !names.insert(parameter.clone()) {
        parameter.push_str("Value");
    }
    parameter
}
