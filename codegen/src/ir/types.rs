//! Types, and values that convert into them.

use std::hash::{Hash, Hasher};

use otp_specs::print;
use otp_specs::types::Constant;

/// A Rust type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) name: String,
    /// The Erlang form that it stands for.
    pub(crate) erlang: String,
    pub(crate) parameters: Vec<String>,
    /// Parameters that may be left out. Their default is any term.
    pub(crate) defaults: Vec<String>,
    /// Whether Erlang has no name for it. The generator has then chosen one.
    pub(crate) anonymous: bool,
    pub(crate) kind: ItemKind,
    /// The derives in its override.
    pub(crate) derives: Derives,
}

/// Decisions of a user about the derives of one type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Derives {
    /// Paths of derives that it always has.
    pub(crate) added: Vec<String>,
    /// Derives of all types that it does not have.
    pub(crate) refused: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ItemKind {
    /// A hand-written type that is defined elsewhere, at this path.
    Reexport(String),
    /// Another name for a type.
    Alias(RustType),
    /// A newtype around another type. If it is opaque, the inner type is not accessible.
    Newtype { inner: RustType, opaque: bool },
    /// A tuple, with its tag if it has one.
    Tuple {
        tag: Option<String>,
        elements: Vec<Element>,
    },
    /// A map with known atoms as keys, and possibly other keys.
    Map {
        fields: Vec<Field>,
        rest: Option<Rest>,
    },
    /// A record: a tagged tuple whose elements have names.
    Record { tag: String, fields: Vec<Field> },
    /// A union.
    Enum(Vec<Variant>),
}

/// An element of a tuple.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Element {
    /// The annotation, `NewState`, if there is one.
    pub(crate) name: Option<String>,
    /// Name in Rust, if all elements beside it have one.
    pub(crate) field: Option<String>,
    pub(crate) ty: RustType,
}

/// Returns the Rust names of a tuple's elements, if they have some.
pub(crate) fn field_names(elements: &[Element]) -> Option<Vec<&str>> {
    let names = elements.iter().map(|element| element.field.as_deref());
    names
        .collect::<Option<Vec<_>>>()
        .filter(|names| !names.is_empty())
}

/// A field of a map or record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    /// Name in Rust.
    pub(crate) name: String,
    /// The atom.
    pub(crate) key: String,
    /// `:=`; always true for records.
    pub(crate) required: bool,
    /// Type, without the `Option` that an optional field has.
    pub(crate) ty: RustType,
    /// The field in Erlang's syntax.
    pub(crate) erlang: String,
    /// The value in Erlang or Elixir if the field is not given.
    pub(crate) default: Option<DefaultValue>,
}

/// A plain term. Two are equal if their Erlang texts are: floats could not be compared in Rust.
#[derive(Debug, Clone)]
pub(crate) struct DefaultValue(pub(crate) Constant);

impl PartialEq for DefaultValue {
    fn eq(&self, other: &Self) -> bool {
        print::constant(&self.0) == print::constant(&other.0)
    }
}

impl Eq for DefaultValue {}

impl Hash for DefaultValue {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        print::constant(&self.0).hash(hasher);
    }
}

/// The part of a map without known keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rest {
    /// Name in Rust.
    pub(crate) name: String,
    /// Type of the keys.
    pub(crate) key: RustType,
    pub(crate) value: RustType,
    /// The associations in Erlang's syntax.
    pub(crate) erlang: String,
}

/// A member of a union, or a clause of a callback's result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Variant {
    /// Name in Rust.
    pub(crate) name: String,
    /// The member in Erlang's syntax.
    pub(crate) erlang: String,
    /// Its shape in Erlang.
    pub(crate) shape: VariantShape,
}

/// The shape of a variant in Erlang.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum VariantShape {
    /// An atom.
    Unit(String),
    /// A tuple whose first element is this atom.
    Tagged(String, Vec<Element>),
    /// Another tuple.
    Tuple(Vec<Element>),
    /// Any other term.
    Untagged(RustType),
}

impl VariantShape {
    /// Returns the types inside, in order.
    pub(crate) fn types(&self) -> Vec<&RustType> {
        match self {
            VariantShape::Unit(_) => Vec::new(),
            VariantShape::Tagged(_, elements) | VariantShape::Tuple(elements) => {
                elements.iter().map(|element| &element.ty).collect()
            }
            VariantShape::Untagged(ty) => vec![ty],
        }
    }
}

/// Returns the tagged tuple at the beginning of a tuple, and the tuple's other elements.
pub(crate) fn led(elements: &[Element]) -> Option<(&[RustType], &[Element])> {
    let (first, rest) = elements.split_first()?;
    match &first.ty {
        RustType::Tuple(head) if matches!(head.first(), Some(RustType::Atom(_))) => {
            Some((head, rest))
        }
        _ => None,
    }
}

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum RustType {
    /// A type of the run time, e.g. `Pid`.
    Runtime(&'static str, Vec<RustType>),
    /// A type of Rust's prelude, e.g. `Vec`.
    Standard(&'static str, Vec<RustType>),
    /// A type that is always in scope or written with its path: `u64`, `::core::num::NonZeroU64`.
    Primitive(&'static str),
    /// An integer from the second to the third number, represented by the primitive type.
    Ranged(&'static str, i128, i128),
    /// One integer.
    Literal(i128),
    /// A bitstring whose length is the first number of bits, plus any multiple of the second.
    Bits(u64, u64),
    /// A fun: its arguments, unless they can be any, and its result.
    Fun(Option<Vec<RustType>>, Box<RustType>),
    /// A generated type: module and name.
    Item {
        module: String,
        name: String,
        arguments: Vec<RustType>,
    },
    /// A hand-written type, at a path; `Some(reply)` if its parameter is the type of the reply.
    Mapped {
        path: String,
        reply: Option<Box<RustType>>,
    },
    /// The unit struct of an atom.
    Atom(String),
    Tuple(Vec<RustType>),
    Parameter(String),
}

/// Primitive types from narrow to wide, and the least and greatest integer of each.
pub(crate) const INTEGERS: [(&str, i128, i128); 8] = [
    ("u8", 0, u8::MAX as i128),
    ("u16", 0, u16::MAX as i128),
    ("u32", 0, u32::MAX as i128),
    ("u64", 0, u64::MAX as i128),
    ("i8", i8::MIN as i128, i8::MAX as i128),
    ("i16", i16::MIN as i128, i16::MAX as i128),
    ("i32", i32::MIN as i128, i32::MAX as i128),
    ("i64", i64::MIN as i128, i64::MAX as i128),
];

impl RustType {
    /// The dynamic term.
    pub(crate) const TERM: RustType = RustType::Runtime("Term", Vec::new());

    /// Returns parts of the type.
    pub(crate) fn children(&self) -> Vec<&RustType> {
        match self {
            RustType::Runtime(_, arguments)
            | RustType::Standard(_, arguments)
            | RustType::Item { arguments, .. }
            | RustType::Tuple(arguments) => arguments.iter().collect(),
            RustType::Mapped { reply, .. } => reply.iter().map(|reply| &**reply).collect(),
            RustType::Fun(arguments, result) => {
                let arguments = arguments.iter().flatten();
                arguments.chain([&**result]).collect()
            }
            RustType::Primitive(_)
            | RustType::Ranged(..)
            | RustType::Literal(_)
            | RustType::Bits(..)
            | RustType::Atom(_)
            | RustType::Parameter(_) => Vec::new(),
        }
    }

    /// Returns the type with every part replaced.
    pub(crate) fn map_children(&self, map: &mut impl FnMut(&RustType) -> RustType) -> RustType {
        let mut all = |types: &[RustType]| types.iter().map(&mut *map).collect::<Vec<_>>();
        match self {
            RustType::Runtime(name, arguments) => RustType::Runtime(name, all(arguments)),
            RustType::Standard(name, arguments) => RustType::Standard(name, all(arguments)),
            RustType::Item {
                module,
                name,
                arguments,
            } => RustType::Item {
                module: module.clone(),
                name: name.clone(),
                arguments: all(arguments),
            },
            RustType::Tuple(elements) => RustType::Tuple(all(elements)),
            RustType::Mapped { path, reply } => RustType::Mapped {
                path: path.clone(),
                reply: reply.as_ref().map(|reply| Box::new(map(reply))),
            },
            RustType::Fun(arguments, result) => {
                let arguments = arguments.as_deref().map(&mut all);
                RustType::Fun(arguments, Box::new(map(result)))
            }
            RustType::Primitive(_)
            | RustType::Ranged(..)
            | RustType::Literal(_)
            | RustType::Bits(..)
            | RustType::Atom(_)
            | RustType::Parameter(_) => self.clone(),
        }
    }

    /// Returns whether any type parameter occurs.
    pub(crate) fn has_parameter(&self) -> bool {
        let mut children = self.children().into_iter();
        matches!(self, RustType::Parameter(_)) || children.any(RustType::has_parameter)
    }

    /// Returns whether the type parameter `name` occurs.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        match self {
            RustType::Parameter(parameter) => parameter == name,
            other => other
                .children()
                .into_iter()
                .any(|child| child.mentions(name)),
        }
    }
}

impl ItemKind {
    /// Returns the item's kind with other names of its variants and fields.
    pub(crate) fn with_names(
        self,
        of_variant: &dyn Fn(&str) -> String,
        of_field: &dyn Fn(&str) -> String,
    ) -> Self {
        let field = |field: Field| Field {
            name: of_field(&field.name),
            ..field
        };
        let variant = |variant: Variant| Variant {
            name: of_variant(&variant.name),
            ..variant
        };
        let element = |element: Element| Element {
            field: element.field.as_deref().map(of_field),
            ..element
        };
        match self {
            ItemKind::Enum(variants) => ItemKind::Enum(variants.into_iter().map(variant).collect()),
            ItemKind::Record { tag, fields } => ItemKind::Record {
                tag,
                fields: fields.into_iter().map(field).collect(),
            },
            ItemKind::Map { fields, rest } => ItemKind::Map {
                fields: fields.into_iter().map(field).collect(),
                rest: rest.map(|rest| Rest {
                    name: of_field(&rest.name),
                    ..rest
                }),
            },
            ItemKind::Tuple { tag, elements } => ItemKind::Tuple {
                tag,
                elements: elements.into_iter().map(element).collect(),
            },
            other => other,
        }
    }

    /// Returns the atoms that its Rust uses.
    pub(crate) fn atoms(&self) -> Vec<&str> {
        let mut atoms: Vec<&str> = match self {
            ItemKind::Tuple { tag, .. } => tag.iter().map(String::as_str).collect(),
            ItemKind::Enum(variants) => {
                fn tag(variant: &Variant) -> Option<&str> {
                    match &variant.shape {
                        VariantShape::Unit(tag) | VariantShape::Tagged(tag, _) => Some(tag),
                        VariantShape::Tuple(_) | VariantShape::Untagged(_) => None,
                    }
                }
                variants.iter().filter_map(tag).collect()
            }
            ItemKind::Reexport(_)
            | ItemKind::Alias(_)
            | ItemKind::Newtype { .. }
            | ItemKind::Map { .. }
            | ItemKind::Record { .. } => Vec::new(),
        };
        let mut open = self.types();
        while let Some(ty) = open.pop() {
            if let RustType::Atom(atom) = ty {
                atoms.push(atom);
            }
            open.extend(ty.children());
        }
        atoms
    }

    /// Returns the types inside, in order.
    pub(crate) fn types(&self) -> Vec<&RustType> {
        match self {
            ItemKind::Reexport(_) => Vec::new(),
            ItemKind::Alias(ty) | ItemKind::Newtype { inner: ty, .. } => vec![ty],
            ItemKind::Tuple { elements, .. } => {
                elements.iter().map(|element| &element.ty).collect()
            }
            ItemKind::Map { fields, rest } => {
                let rest = rest.iter().flat_map(|rest| [&rest.key, &rest.value]);
                fields.iter().map(|field| &field.ty).chain(rest).collect()
            }
            ItemKind::Record { fields, .. } => fields.iter().map(|field| &field.ty).collect(),
            ItemKind::Enum(variants) => variants
                .iter()
                .flat_map(|variant| variant.shape.types())
                .collect(),
        }
    }
}
