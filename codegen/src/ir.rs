//! What is to be written, free of Erlang's syntax and of Rust's: items, callbacks, conversions.
//!
//! Every name in here is final. Writers print it; they decide nothing.

use std::collections::BTreeSet;

/// A module's generated code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Module {
    /// Erlang name, also the name of the Rust module and file.
    pub(crate) name: String,
    /// Types, the named ones first, in source order.
    pub(crate) items: Vec<Item>,
    /// What a module with `-callback` forms has besides.
    pub(crate) behaviour: Option<Behaviour>,
    /// Every atom that the code names.
    pub(crate) atoms: BTreeSet<String>,
}

/// A Rust type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// Its name.
    pub(crate) name: String,
    /// The Erlang form that it stands for.
    pub(crate) erlang: String,
    /// Type parameters.
    pub(crate) parameters: Vec<String>,
    /// Whether Erlang has no name for it, so that the generator chose one.
    pub(crate) anonymous: bool,
    /// What it is.
    pub(crate) kind: Kind,
    /// `From` implementations, each into one variant. Only enums have them.
    pub(crate) conversions: Vec<Conversion>,
}

/// What a type is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A type written by hand elsewhere, at this path.
    Reexport(String),
    /// Another name for a type.
    Alias(RustType),
    /// A type of its own around another one; of an opaque type nothing shows.
    Newtype { inner: RustType, opaque: bool },
    /// A tuple, with its tag if it has one.
    Tuple {
        tag: Option<String>,
        elements: Vec<Element>,
    },
    /// A map whose keys are atoms.
    Map(Vec<Field>),
    /// A record: a tagged tuple whose elements have names.
    Record { tag: String, fields: Vec<Field> },
    /// A union.
    Enum(Vec<Variant>),
}

/// An element of a tuple.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Element {
    /// The annotation, `NewState`, if there is one.
    pub(crate) name: Option<String>,
    /// Its type.
    pub(crate) ty: RustType,
}

/// A field of a map or record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// Name in Rust.
    pub(crate) name: String,
    /// The atom.
    pub(crate) key: String,
    /// `:=`; always true for records.
    pub(crate) required: bool,
    /// Type, without the `Option` that an optional field has.
    pub(crate) ty: RustType,
    /// The field as Erlang writes it.
    pub(crate) erlang: String,
}

/// A member of a union, or a clause of a callback's result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variant {
    /// Name in Rust.
    pub(crate) name: String,
    /// The member as Erlang writes it.
    pub(crate) erlang: String,
    /// What it looks like.
    pub(crate) shape: Shape,
}

/// What a variant looks like in Erlang.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// An atom.
    Unit(String),
    /// A tuple whose first element is this atom.
    Tagged(String, Vec<Element>),
    /// Another tuple.
    Tuple(Vec<Element>),
    /// Any other term.
    Untagged(RustType),
}

impl Shape {
    /// The types inside, in order.
    pub(crate) fn types(&self) -> Vec<&RustType> {
        match self {
            Shape::Unit(_) => Vec::new(),
            Shape::Tagged(_, elements) | Shape::Tuple(elements) => {
                elements.iter().map(|element| &element.ty).collect()
            }
            Shape::Untagged(ty) => vec![ty],
        }
    }
}

/// A `From` implementation of an enum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversion {
    /// What converts.
    pub(crate) source: Source,
    /// Into which variant.
    pub(crate) variant: usize,
}

/// What converts into a variant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The atom of a unit variant.
    Atom(String),
    /// The Erlang-shaped tuple of a tagged variant: the atom, then the variant's elements. A
    /// dynamic term among them may be any term.
    Tagged(String),
    /// A tuple of exactly the variant's elements.
    Tuple,
    /// The untagged variant's own type.
    Payload,
    /// A type that converts into the untagged variant's type; its path.
    Through(&'static str),
    /// An atom that is one value of the untagged variant's type: the atom, and that value.
    AtomValue(&'static str, &'static str),
}

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RustType {
    /// A type of the run time, e.g. `Pid`.
    Runtime(&'static str, Vec<RustType>),
    /// A type of Rust's prelude, e.g. `Vec`.
    Standard(&'static str, Vec<RustType>),
    /// A type that is always in scope or written with its path: `u64`, `::core::num::NonZeroU64`.
    Primitive(&'static str),
    /// A generated type: module and name.
    Item {
        module: String,
        name: String,
        arguments: Vec<RustType>,
    },
    /// A type written by hand, at a path; `Some(reply)` when it takes the type of the reply.
    Mapped {
        path: String,
        reply: Option<Box<RustType>>,
    },
    /// The unit struct of an atom.
    Atom(String),
    /// A Rust tuple.
    Tuple(Vec<RustType>),
    /// A type parameter.
    Parameter(String),
}

impl RustType {
    /// The dynamic term.
    pub(crate) const TERM: RustType = RustType::Runtime("Term", Vec::new());

    /// Parts of the type.
    pub(crate) fn children(&self) -> Vec<&RustType> {
        match self {
            RustType::Runtime(_, arguments)
            | RustType::Standard(_, arguments)
            | RustType::Item { arguments, .. }
            | RustType::Tuple(arguments) => arguments.iter().collect(),
            RustType::Mapped { reply, .. } => reply.iter().map(|reply| &**reply).collect(),
            RustType::Primitive(_) | RustType::Atom(_) | RustType::Parameter(_) => Vec::new(),
        }
    }

    /// The same type with every part replaced.
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
            RustType::Primitive(_) | RustType::Atom(_) | RustType::Parameter(_) => self.clone(),
        }
    }

    /// Whether the type parameter `name` occurs.
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

/// What a behaviour module has besides types.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Behaviour {
    /// Name of the umbrella trait.
    pub(crate) umbrella: String,
    /// Callbacks in source order.
    pub(crate) callbacks: Vec<Callback>,
    /// Constructor functions of clauses.
    pub(crate) constructors: Vec<Constructor>,
    /// Functions that start a process.
    pub(crate) start: Vec<StartFunction>,
    /// Names that the prelude exports from the module itself.
    pub(crate) prelude: Vec<String>,
    /// Atoms that the prelude exports.
    pub(crate) prelude_atoms: Vec<String>,
}

/// A callback.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Callback {
    /// Name in Erlang.
    pub(crate) function: String,
    /// Number of arguments in Erlang.
    pub(crate) arity: usize,
    /// Whether a module may leave it out.
    pub(crate) optional: bool,
    /// The `-callback` form on one line.
    pub(crate) erlang: String,
    /// Name of its trait in `callback`.
    pub(crate) name: String,
    /// Name of its method.
    pub(crate) method: String,
    /// Arguments in order.
    pub(crate) arguments: Vec<Argument>,
    /// Name of the trait of values that it may return.
    pub(crate) return_trait: String,
    /// What it may return.
    pub(crate) returns: Returns,
    /// Erlang-shaped Rust values that it may return, besides the enum or type itself.
    pub(crate) forms: Vec<Form>,
    /// How the type of the reply is known.
    pub(crate) reply: Reply,
    /// Whether the result holds the state.
    pub(crate) returns_state: bool,
}

/// How the type of a callback's reply is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// There is no reply in its result.
    Absent,
    /// It is the dynamic term: nothing in the arguments says more.
    Dynamic,
    /// It is the reply of the open argument `Request`.
    OfRequest,
}

/// What a callback may return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Returns {
    /// Any term.
    AnyTerm,
    /// A value of one type.
    Type(RustType),
    /// One of several clauses: an enum of this name.
    Clauses {
        name: String,
        variants: Vec<Variant>,
    },
}

/// A Rust value that may be returned for a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    /// Index of the clause; 0 where the result is one type.
    pub(crate) variant: usize,
    /// How each of the clause's types is given.
    pub(crate) parts: Vec<Part>,
}

/// How a type inside a clause is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// By a value of that type.
    Exact,
    /// By any value that becomes a term; the name of its type parameter.
    AnyTerm(String),
    /// By what converts into the enum: its name in this module, and which of its conversions.
    Converted { item: String, conversion: usize },
}

/// An argument of a callback.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Argument {
    /// Name in the form, in camel case, e.g. `Request`.
    pub(crate) name: String,
    /// Name in Rust, e.g. `request`.
    pub(crate) identifier: String,
    /// What it is for.
    pub(crate) role: Role,
    /// Its type; for open, args and state arguments the type parameter.
    pub(crate) ty: RustType,
}

/// What an argument of a callback is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// What the process is started with: an associated type of the behaviour's trait.
    Args,
    /// A message or reason that each implementation chooses the type of.
    Open,
    /// Of the type that the form says.
    Fixed,
    /// The state.
    State,
}

/// A function that makes a clause, for every enum that has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Constructor {
    /// Its name, e.g. `reply_with`.
    pub(crate) function: String,
    /// Name of its trait, e.g. `IsReplyWith`.
    pub(crate) trait_name: String,
    /// The clause as Erlang writes it.
    pub(crate) erlang: String,
    /// The clause's elements, each with the name of its parameter.
    pub(crate) elements: Vec<(String, RustType)>,
    /// Type parameters among them: `Reply`, `State`.
    pub(crate) parameters: Vec<String>,
    /// Enums that have the clause: name, type parameters, variant.
    pub(crate) enums: Vec<(String, Vec<String>, String)>,
}

/// A function of the behaviour module that starts a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartFunction {
    /// Its name.
    pub(crate) name: String,
    /// Its arguments' annotations; `_` without one.
    pub(crate) arguments: Vec<String>,
}

impl Callback {
    /// Type parameters of the return enum and trait, in order.
    pub(crate) fn return_parameters(&self) -> Vec<String> {
        let reply = (self.reply != Reply::Absent).then(|| "Reply".to_owned());
        let state = self.returns_state.then(|| "State".to_owned());
        reply.into_iter().chain(state).collect()
    }

    /// `handle_call/3` with its module.
    pub(crate) fn qualified(&self, module: &str) -> String {
        format!("{module}:{}/{}", self.function, self.arity)
    }

    /// Arguments of these roles.
    pub(crate) fn with_role(&self, roles: &[Role]) -> Vec<&Argument> {
        self.arguments
            .iter()
            .filter(|argument| roles.contains(&argument.role))
            .collect()
    }
}

impl Kind {
    /// The types inside, in order.
    pub(crate) fn types(&self) -> Vec<&RustType> {
        match self {
            Kind::Reexport(_) => Vec::new(),
            Kind::Alias(ty) | Kind::Newtype { inner: ty, .. } => vec![ty],
            Kind::Tuple { elements, .. } => elements.iter().map(|element| &element.ty).collect(),
            Kind::Map(fields) | Kind::Record { fields, .. } => {
                fields.iter().map(|field| &field.ty).collect()
            }
            Kind::Enum(variants) => variants
                .iter()
                .flat_map(|variant| variant.shape.types())
                .collect(),
        }
    }
}
