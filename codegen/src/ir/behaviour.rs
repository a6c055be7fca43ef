//! Callbacks, and the parts of a behaviour module beside types.

use otp_contract::behaviour::Role;
use otp_contract::callback::{CallbackFacts, ReplyPosition};
use otp_contract::manifest::Signature;
use std::collections::BTreeMap;

use super::{REPLY, RustType, Variant};

/// The parts of a behaviour module beside types.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Behaviour {
    /// Name of the umbrella trait.
    pub(crate) umbrella: String,
    /// Callbacks in source order.
    pub(crate) callbacks: Vec<Callback>,
    /// Facts about the callbacks' Erlang functions, by name and arity.
    pub(crate) functions: BTreeMap<(String, usize), FunctionFacts>,
    /// Whether its processes have children whose type a module may declare.
    pub(crate) has_children: bool,
    /// The name of the type of the value that the callbacks pass to each other, if there is one: an
    /// associated type of the umbrella.
    pub(crate) chosen: Option<String>,
    /// Results of callbacks that an implementation leaves out, by their methods.
    pub(crate) answers: BTreeMap<String, CallbackAnswer>,
    /// Return values that trigger other callbacks, if they are known.
    pub(crate) effects: Option<Effects>,
    /// Constructor functions of clauses.
    pub(crate) constructors: Vec<Constructor>,
    /// Traits of the types that distinguish clauses.
    pub(crate) discriminants: Vec<Discriminant>,
    /// Functions that start a process.
    pub(crate) start: Vec<StartFunction>,
    /// The state's name as a type parameter: `State`, or the behaviour's name for it (`Data`).
    pub(crate) state: String,
    /// The exports of the prelude.
    pub(crate) prelude: Prelude,
}

/// The exports of a behaviour's prelude.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prelude {
    /// Traits and types of the module itself.
    pub(crate) names: Vec<String>,
    /// Constructors of clauses.
    pub(crate) constructors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Callback {
    /// Its Erlang form.
    pub(crate) form: CallbackForm,
    /// Its names in Rust.
    pub(crate) names: CallbackNames,
    /// Names of the type parameters that all callbacks share.
    pub(crate) parameters: CallbackParameters,
    /// Arguments in order.
    pub(crate) arguments: Vec<CallbackArgument>,
    /// The source of the reply's type.
    pub(crate) reply: Reply,
    /// Its result.
    pub(crate) result: CallbackResult,
}

/// The Erlang form of a callback.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackForm {
    /// Its name.
    pub(crate) function: String,
    /// Number of arguments.
    pub(crate) arity: usize,
    /// Whether a module may leave it out.
    pub(crate) optional: bool,
    /// The `-callback` on one line.
    pub(crate) erlang: String,
    /// Its types, in the most general form that a module may write; type parameters are variables.
    pub(crate) signature: Signature,
}

/// Facts about a callback's function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FunctionFacts {
    /// When it is called, and the meaning of its arguments.
    pub(crate) facts: CallbackFacts,
    /// The first element of `{keeps, State}`, which it may return to leave everything unchanged.
    pub(crate) keeps: Option<String>,
    /// The tuples with a reply that it may return.
    pub(crate) replies: Vec<ReplyPosition>,
}

/// The names of a callback in Rust.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackNames {
    /// Its trait in `callback`.
    pub(crate) callback_trait: String,
    pub(crate) method: String,
    /// The name that implementations write: the method's, except for callbacks that share a name.
    pub(crate) written: String,
    /// Whether it stands for functions of any name, one for each value of the chosen type.
    pub(crate) any_name: bool,
    /// The trait of values that it may return.
    pub(crate) return_trait: String,
}

/// Type parameters that all callbacks of a behaviour share.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackParameters {
    /// The process's state.
    pub(crate) state: String,
    /// The type of the value that the callbacks pass to each other, if the callback has it.
    pub(crate) chosen: Option<String>,
}

/// The result of a callback.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackResult {
    /// The values.
    pub(crate) returns: Returns,
    /// Whether it contains a state that the callback made. Other callbacks change the state in
    /// place, and do not return it.
    pub(crate) makes_state: bool,
    /// Whether it contains the reply.
    pub(crate) has_reply: bool,
    /// Whether it contains the chosen type.
    pub(crate) has_chosen: bool,
    /// Notes for the error message about a value that may not be returned, in addition to the form.
    pub(crate) notes: Vec<String>,
    /// The condition under which this callback of two for one form applies: `with an argument …`.
    pub(crate) condition: Option<String>,
}

/// The source of the type of a callback's reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The result does not contain a reply.
    Absent,
    /// The reply is the dynamic term, because the arguments do not determine its type.
    Dynamic,
    /// The reply belongs to the open argument `Request`.
    OfRequest,
}

/// The values that a callback may return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Returns {
    AnyTerm,
    /// A value of one type.
    Type(RustType),
    /// One of several clauses: an enum of this name.
    Clauses {
        name: String,
        clauses: Vec<ReturnClause>,
    },
}

/// A clause of a callback's result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReturnClause {
    /// Its Rust form: without the state, unless the callback makes it.
    pub(crate) variant: Variant,
    /// Its Erlang form.
    pub(crate) term: ClauseTerm,
}

/// The term of a clause, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClauseTerm {
    /// The process's state.
    State,
    Atom(String),
    /// A field of the variant, or an element of the tuple in it, by indices. The field's index is
    /// first.
    Value(Vec<usize>),
    /// A tuple of these.
    Tuple(Vec<ClauseTerm>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackArgument {
    /// Name in the form, in camel case, e.g. `Request`.
    pub(crate) name: String,
    /// Name in Rust, e.g. `request`.
    pub(crate) identifier: String,
    pub(crate) role: Role,
    /// Its type. For open, args, chosen and state arguments, it is the type parameter.
    pub(crate) ty: RustType,
    /// The trait of its possible types, if it is the open argument that distinguishes clauses.
    pub(crate) discriminant: Option<String>,
}

/// A trait of the types that an open argument may have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Discriminant {
    /// Its name, e.g. `EventTypeOf`.
    pub(crate) name: String,
    /// The union that these types are part of.
    pub(crate) union: RustType,
    /// The union in Erlang's syntax.
    pub(crate) erlang: String,
}

/// The result of a callback, determined by the other callbacks of an implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallbackAnswer {
    /// Exactly one of these atoms is returned. Each has the methods that require it.
    pub(crate) one_of: Vec<(String, Vec<String>)>,
    /// Atoms that are returned beside it. Each has the methods that require it.
    pub(crate) also: Vec<(String, Vec<String>)>,
}

/// Return values that trigger another callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Tuples: their first atom and their size.
    pub(crate) tuples: Vec<(String, usize)>,
    /// Functions, and their number of arguments.
    pub(crate) calls: Vec<(String, usize)>,
    /// Methods of the context, and their number of arguments. The last argument is a message to the
    /// process.
    pub(crate) methods: Vec<(String, usize)>,
    /// Methods that make messages arrive later: their number of arguments, and the messages.
    pub(crate) later: Vec<(String, usize, Vec<String>)>,
    /// The method that takes messages.
    pub(crate) message: Option<String>,
    /// Methods of the triggered callbacks.
    pub(crate) taken_by: Vec<String>,
    /// The method that is triggered with an atom.
    pub(crate) atom: Option<(String, String)>,
}

/// A function that creates a clause, for every enum that has the clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Constructor {
    /// Its name, e.g. `reply_with`.
    pub(crate) function: String,
    /// Name of its trait, e.g. `IsReplyWith`.
    pub(crate) trait_name: String,
    /// The clause in Erlang's syntax.
    pub(crate) erlang: String,
    /// The clause's elements, each with the name of its parameter.
    pub(crate) elements: Vec<(String, Given)>,
    /// Type parameters among them: `Reply`, `State`, and those of converted types.
    pub(crate) parameters: Vec<String>,
    /// Enums that have the clause.
    pub(crate) enums: Vec<Constructed>,
}

/// The parameter type of a constructor for an element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Given {
    /// A value of the type that the element has in every enum.
    Same(RustType),
    /// Any type that converts into the element's type in one enum or the other; the name of the
    /// type parameter.
    Converted(String),
}

/// An enum that has a constructor's clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Constructed {
    /// Its name.
    pub(crate) enumeration: String,
    /// Its type parameters.
    pub(crate) parameters: Vec<String>,
    pub(crate) variant: String,
    /// The types of the clause's elements in this enum.
    pub(crate) types: Vec<RustType>,
    /// The form of its callback, and when that callback is used.
    pub(crate) notes: Vec<String>,
}

/// A function of the behaviour module that starts a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartFunction {
    pub(crate) name: String,
    /// Its arguments' annotations; `_` for an argument without one.
    pub(crate) arguments: Vec<String>,
    /// Its types in Erlang. `Args` is a variable.
    pub(crate) signature: Signature,
}

impl Callback {
    /// Returns type parameters of the return enum and trait, in order.
    pub(crate) fn return_parameters(&self) -> Vec<String> {
        let reply = self.result.has_reply.then(|| REPLY.to_owned());
        let chosen = self
            .parameters
            .chosen
            .clone()
            .filter(|_| self.result.has_chosen);
        let state = self
            .result
            .makes_state
            .then(|| self.parameters.state.clone());
        reply.into_iter().chain(chosen).chain(state).collect()
    }

    /// Returns `handle_call/3` with its module.
    pub(crate) fn qualified(&self, module: &str) -> String {
        format!("{module}:{}/{}", self.form.function, self.form.arity)
    }

    /// Returns the arguments that a method takes besides the state and the context.
    pub(crate) fn plain_arguments(&self) -> Vec<&CallbackArgument> {
        self.with_role(&[Role::Args, Role::Open, Role::Fixed, Role::Chosen])
    }

    /// Returns whether it consumes the state: its result is ignored.
    pub(crate) fn ends(&self) -> bool {
        self.state_position().is_some() && self.result.returns == Returns::AnyTerm
    }

    /// Returns the position of the state.
    pub(crate) fn state_position(&self) -> Option<usize> {
        let is_state = |argument: &CallbackArgument| argument.role == Role::State;
        self.arguments.iter().position(is_state)
    }

    /// Returns whether it answers a request whose caller waits for the request's reply.
    pub(crate) fn answers_call(&self) -> bool {
        self.reply == Reply::OfRequest && self.arguments.iter().any(CallbackArgument::is_caller)
    }

    /// Returns whether its method takes the caller of a request, whose type determines the reply's.
    pub(crate) fn takes_caller(&self) -> bool {
        let mut taken = self.plain_arguments().into_iter();
        self.reply == Reply::OfRequest && taken.any(CallbackArgument::is_caller)
    }

    /// Returns whether its trait has the type of the reply to the request.
    pub(crate) fn has_reply_type(&self) -> bool {
        self.reply == Reply::OfRequest && !self.takes_caller()
    }

    /// Returns arguments with these roles.
    pub(crate) fn with_role(&self, roles: &[Role]) -> Vec<&CallbackArgument> {
        self.arguments
            .iter()
            .filter(|argument| roles.contains(&argument.role))
            .collect()
    }
}

impl CallbackArgument {
    /// Returns whether it is the caller that waits for a reply: a hand-written type with the
    /// reply's type as its parameter.
    pub(crate) fn is_caller(&self) -> bool {
        matches!(self.ty, RustType::Mapped { reply: Some(_), .. })
    }
}
