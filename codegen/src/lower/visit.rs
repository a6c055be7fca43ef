//! Every type that a module names, for passes that change what was lowered.

use crate::ir::function::Function;
use crate::ir::{Behaviour, Element, Given, Kind, Module, Returns, RustType, Shape, Variant};

/// Changes every type in a module where it stands; parts of types are the caller's.
pub(crate) fn for_each_type(module: &mut Module, change: &mut impl FnMut(&mut RustType)) {
    for item in &mut module.items {
        item.kind.for_each_type(change);
    }
    if let Some(behaviour) = &mut module.behaviour {
        behaviour_types(behaviour, change);
    }
    for ty in module.functions.iter_mut().flat_map(Function::types_mut) {
        change(ty);
    }
}

fn behaviour_types(behaviour: &mut Behaviour, change: &mut impl FnMut(&mut RustType)) {
    for callback in &mut behaviour.callbacks {
        for argument in &mut callback.arguments {
            change(&mut argument.ty);
        }
        callback.returns.for_each_type(change);
    }
    for choice in &mut behaviour.choices {
        change(&mut choice.union);
    }
    for made in &mut behaviour.constructors {
        for (_, given) in &mut made.elements {
            if let Given::Same(ty) = given {
                change(ty);
            }
        }
        for ty in made.enums.iter_mut().flat_map(|made| &mut made.types) {
            change(ty);
        }
    }
}

impl Kind {
    fn for_each_type(&mut self, change: &mut impl FnMut(&mut RustType)) {
        match self {
            Kind::Reexport(_) => {}
            Kind::Alias(ty) | Kind::Newtype { inner: ty, .. } => change(ty),
            Kind::Tuple { elements, .. } => elements_types(elements, change),
            Kind::Map { fields, rest } => {
                fields.iter_mut().for_each(|field| change(&mut field.ty));
                if let Some(rest) = rest {
                    change(&mut rest.key);
                    change(&mut rest.value);
                }
            }
            Kind::Record { fields, .. } => {
                fields.iter_mut().for_each(|field| change(&mut field.ty));
            }
            Kind::Enum(variants) => variants_types(variants.iter_mut(), change),
        }
    }
}

impl Returns {
    fn for_each_type(&mut self, change: &mut impl FnMut(&mut RustType)) {
        match self {
            Returns::AnyTerm => {}
            Returns::Type(ty) => change(ty),
            Returns::Clauses { clauses, .. } => {
                variants_types(clauses.iter_mut().map(|clause| &mut clause.variant), change);
            }
        }
    }
}

fn variants_types<'v>(
    variants: impl Iterator<Item = &'v mut Variant>,
    change: &mut impl FnMut(&mut RustType),
) {
    for variant in variants {
        match &mut variant.shape {
            Shape::Unit(_) => {}
            Shape::Tagged(_, elements) | Shape::Tuple(elements) => {
                elements_types(elements, change);
            }
            Shape::Untagged(ty) => change(ty),
        }
    }
}

fn elements_types(elements: &mut [Element], change: &mut impl FnMut(&mut RustType)) {
    elements
        .iter_mut()
        .for_each(|element| change(&mut element.ty));
}
