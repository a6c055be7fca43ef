//! Callbacks, and what a behaviour module has besides types.

use super::{RustType, Variant};

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
