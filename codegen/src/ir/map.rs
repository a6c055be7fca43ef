//! Replaces every type in a module.

use super::function::{self, Function, FunctionAnswer};
use super::{
    Behaviour, Callback, CallbackArgument, CallbackResult, Constructed, Constructor, Discriminant,
    Element, Field, Given, Item, ItemKind, Module, Rest, ReturnClause, Returns, RustType, Variant,
    VariantShape,
};

/// Returns the replacement for a whole type.
type Map<'f> = dyn Fn(RustType) -> RustType + 'f;

impl Module {
    /// Replaces every type of the module, and the type parameters of its items.
    pub(crate) fn map(self, parameters: &dyn Fn(&Item) -> Vec<String>, map: &Map<'_>) -> Self {
        let item = |item: Item| Item {
            parameters: parameters(&item),
            kind: item.kind.map(map),
            ..item
        };
        let functions = self.functions.into_iter();
        Module {
            items: self.items.into_iter().map(item).collect(),
            behaviour: self.behaviour.map(|behaviour| behaviour.map(map)),
            functions: functions.map(|function| function.map(map)).collect(),
            ..self
        }
    }
}

impl ItemKind {
    fn map(self, map: &Map<'_>) -> Self {
        match self {
            ItemKind::Reexport(path) => ItemKind::Reexport(path),
            ItemKind::Alias(ty) => ItemKind::Alias(map(ty)),
            ItemKind::Newtype { inner, opaque } => ItemKind::Newtype {
                inner: map(inner),
                opaque,
            },
            ItemKind::Tuple { tag, elements } => ItemKind::Tuple {
                tag,
                elements: elements_mapped(elements, map),
            },
            ItemKind::Map { fields, rest } => ItemKind::Map {
                fields: fields_mapped(fields, map),
                rest: rest.map(|rest| Rest {
                    key: map(rest.key),
                    value: map(rest.value),
                    ..rest
                }),
            },
            ItemKind::Record { tag, fields } => ItemKind::Record {
                tag,
                fields: fields_mapped(fields, map),
            },
            ItemKind::Enum(variants) => {
                let variants = variants.into_iter();
                ItemKind::Enum(variants.map(|variant| variant.map(map)).collect())
            }
        }
    }
}

impl Variant {
    fn map(self, map: &Map<'_>) -> Self {
        let shape = match self.shape {
            VariantShape::Unit(atom) => VariantShape::Unit(atom),
            VariantShape::Tagged(tag, elements) => {
                VariantShape::Tagged(tag, elements_mapped(elements, map))
            }
            VariantShape::Tuple(elements) => VariantShape::Tuple(elements_mapped(elements, map)),
            VariantShape::Untagged(ty) => VariantShape::Untagged(map(ty)),
        };
        Variant { shape, ..self }
    }
}

fn elements_mapped(elements: Vec<Element>, map: &Map<'_>) -> Vec<Element> {
    let element = |element: Element| Element {
        ty: map(element.ty),
        ..element
    };
    elements.into_iter().map(element).collect()
}

fn fields_mapped(fields: Vec<Field>, map: &Map<'_>) -> Vec<Field> {
    let field = |field: Field| Field {
        ty: map(field.ty),
        ..field
    };
    fields.into_iter().map(field).collect()
}

impl Behaviour {
    fn map(self, map: &Map<'_>) -> Self {
        let callbacks = self.callbacks.into_iter();
        let constructors = self.constructors.into_iter();
        let discriminant = |discriminant: Discriminant| Discriminant {
            union: map(discriminant.union),
            ..discriminant
        };
        Behaviour {
            callbacks: callbacks.map(|callback| callback.map(map)).collect(),
            constructors: constructors.map(|made| made.map(map)).collect(),
            discriminants: self.discriminants.into_iter().map(discriminant).collect(),
            ..self
        }
    }
}

impl Callback {
    fn map(self, map: &Map<'_>) -> Self {
        let argument = |argument: CallbackArgument| CallbackArgument {
            ty: map(argument.ty),
            ..argument
        };
        Callback {
            arguments: self.arguments.into_iter().map(argument).collect(),
            result: CallbackResult {
                returns: self.result.returns.map(map),
                ..self.result
            },
            ..self
        }
    }
}

impl Returns {
    fn map(self, map: &Map<'_>) -> Self {
        let clause = |clause: ReturnClause| ReturnClause {
            variant: clause.variant.map(map),
            ..clause
        };
        match self {
            Returns::AnyTerm => Returns::AnyTerm,
            Returns::Type(ty) => Returns::Type(map(ty)),
            Returns::Clauses { name, clauses } => Returns::Clauses {
                name,
                clauses: clauses.into_iter().map(clause).collect(),
            },
        }
    }
}

impl Constructor {
    fn map(self, map: &Map<'_>) -> Self {
        let given = |given: Given| match given {
            Given::Same(ty) => Given::Same(map(ty)),
            Given::Converted(parameter) => Given::Converted(parameter),
        };
        let elements = self.elements.into_iter();
        let constructed = |made: Constructed| Constructed {
            types: made.types.into_iter().map(map).collect(),
            ..made
        };
        Constructor {
            elements: elements.map(|(name, ty)| (name, given(ty))).collect(),
            enums: self.enums.into_iter().map(constructed).collect(),
            ..self
        }
    }
}

impl Function {
    fn map(self, map: &Map<'_>) -> Self {
        let argument = |argument: function::FunctionArgument| match argument {
            function::FunctionArgument::Open(name, ty) => {
                function::FunctionArgument::Open(name, map(ty))
            }
            function::FunctionArgument::Given(atom) => function::FunctionArgument::Given(atom),
        };
        let answer = match self.answer {
            FunctionAnswer::Plain(ty) => FunctionAnswer::Plain(map(ty)),
            FunctionAnswer::OkOrError(error) => FunctionAnswer::OkOrError(map(error)),
            FunctionAnswer::OkWith(value, error) => FunctionAnswer::OkWith(map(value), map(error)),
            FunctionAnswer::OkElements(values, error) => {
                let values = values.into_iter().map(map).collect();
                FunctionAnswer::OkElements(values, map(error))
            }
        };
        Function {
            arguments: self.arguments.into_iter().map(argument).collect(),
            answer,
            ..self
        }
    }
}
