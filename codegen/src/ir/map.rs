//! A module with every type in it replaced by another one.

use super::function::{self, Answer, Function};
use super::{
    Argument, Behaviour, Callback, CallbackResult, Clause, Constructed, Constructor, Discriminant,
    Element, Field, Given, Item, Kind, Module, Rest, Returns, RustType, Shape, Variant,
};

/// Gives another type for a whole type.
type Map<'f> = dyn Fn(RustType) -> RustType + 'f;

impl Module {
    /// The module with every type replaced, and with other type parameters of its items.
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

impl Kind {
    fn map(self, map: &Map<'_>) -> Self {
        match self {
            Kind::Reexport(path) => Kind::Reexport(path),
            Kind::Alias(ty) => Kind::Alias(map(ty)),
            Kind::Newtype { inner, opaque } => Kind::Newtype {
                inner: map(inner),
                opaque,
            },
            Kind::Tuple { tag, elements } => Kind::Tuple {
                tag,
                elements: elements_mapped(elements, map),
            },
            Kind::Map { fields, rest } => Kind::Map {
                fields: fields_mapped(fields, map),
                rest: rest.map(|rest| Rest {
                    key: map(rest.key),
                    value: map(rest.value),
                    ..rest
                }),
            },
            Kind::Record { tag, fields } => Kind::Record {
                tag,
                fields: fields_mapped(fields, map),
            },
            Kind::Enum(variants) => {
                let variants = variants.into_iter();
                Kind::Enum(variants.map(|variant| variant.map(map)).collect())
            }
        }
    }
}

impl Variant {
    fn map(self, map: &Map<'_>) -> Self {
        let shape = match self.shape {
            Shape::Unit(atom) => Shape::Unit(atom),
            Shape::Tagged(tag, elements) => Shape::Tagged(tag, elements_mapped(elements, map)),
            Shape::Tuple(elements) => Shape::Tuple(elements_mapped(elements, map)),
            Shape::Untagged(ty) => Shape::Untagged(map(ty)),
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
        let argument = |argument: Argument| Argument {
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
        let clause = |clause: Clause| Clause {
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
        let argument = |argument: function::Argument| match argument {
            function::Argument::Open(name, ty) => function::Argument::Open(name, map(ty)),
            function::Argument::Given(atom) => function::Argument::Given(atom),
        };
        let answer = match self.answer {
            Answer::Plain(ty) => Answer::Plain(map(ty)),
            Answer::OkOrError(error) => Answer::OkOrError(map(error)),
            Answer::OkWith(value, error) => Answer::OkWith(map(value), map(error)),
            Answer::OkElements(values, error) => {
                let values = values.into_iter().map(map).collect();
                Answer::OkElements(values, map(error))
            }
        };
        Function {
            arguments: self.arguments.into_iter().map(argument).collect(),
            answer,
            ..self
        }
    }
}
