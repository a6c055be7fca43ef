//! Callbacks, and what a behaviour module has besides types.

use otp_contract::behaviour::Role;
use otp_contract::callback::{CallbackFacts, ReplyPosition};
use otp_contract::manifest::Signature;
use std::collections::BTreeMap;

use super::{REPLY, RustType, Variant};

/// What a behaviour module has besides types.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Behaviour {
    /// Name of the umbrella trait.
    pub(crate) umbrella: String,
    /// Callbacks in source order.
    pub(crate) callbacks: Vec<Callback>,
    /// What the functions that they are in Erlang are to the behaviour, by name and arity.
    pub(crate) functions: BTreeMap<(String, usize), FunctionFacts>,
    /// Whether its processes have children, whose type a module may say.
    pub(crate) has_children: bool,
    /// The name of the type that the callbacks hand to each other, if there is one: an associated
    /// type of the umbrella.
    pub(crate) chosen: Option<String>,
    /// What callbacks return that an implementation leaves out, by their methods.
    pub(crate) answers: BTreeMap<String, CallbackAnswer>,
    /// What callbacks return that has others called, if it is known.
    pub(crate) effects: Option<Effects>,
    /// Constructor functions of clauses.
    pub(crate) constructors: Vec<Constructor>,
    /// Traits of the types that tell clauses apart.
    pub(crate) discriminants: Vec<Discriminant>,
    /// Functions that start a process.
    pub(crate) start: Vec<StartFunction>,
    /// The state's name, as a type parameter: `State`, or what the behaviour calls it (`Data`).
    pub(crate) state: String,
    /// What the prelude exports.
    pub(crate) prelude: Prelude,
}

/// What the prelude of a behaviour exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prelude {
    /// Traits and types of the module itself.
    pub(crate) names: Vec<String>,
    /// Constructors of clauses.
    pub(crate) constructors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Callback {
    /// What Erlang says of it.
    pub(crate) form: CallbackForm,
    /// What it is called in Rust.
    pub(crate) names: CallbackNames,
    /// Names of the type parameters that all callbacks share.
    pub(crate) parameters: CallbackParameters,
    /// Arguments in order.
    pub(crate) arguments: Vec<CallbackArgument>,
    /// How the type of the reply is known.
    pub(crate) reply: Reply,
    /// What it returns.
    pub(crate) result: CallbackResult,
}

/// What Erlang says of a callback.
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
    /// Its types, as any module may write them; type parameters are variables.
    pub(crate) signature: Signature,
}

/// What a function that is a callback is to its behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FunctionFacts {
    /// When it is called, and what its arguments are.
    pub(crate) facts: CallbackFacts,
    /// The first element of `{keeps, State}`, which it may return to change nothing.
    pub(crate) keeps: Option<String>,
    /// The tuples with a reply that it may return.
    pub(crate) replies: Vec<ReplyPosition>,
}

/// What a callback is called in Rust.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackNames {
    /// Its trait in `callback`.
    pub(crate) callback_trait: String,
    pub(crate) method: String,
    /// The name that implementations write: the method's, but for callbacks that share one.
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
    /// The type that the callbacks hand to each other, where the callback has it.
    pub(crate) chosen: Option<String>,
}

/// What a callback returns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallbackResult {
    /// The values.
    pub(crate) returns: Returns,
    /// Whether there is a state in it that the callback made. Other callbacks leave the state where
    /// it is, and it out of what they return.
    pub(crate) makes_state: bool,
    /// Whether the reply is in it.
    pub(crate) has_reply: bool,
    /// Whether the chosen type is in it.
    pub(crate) has_chosen: bool,
    /// What is said besides the form of a value that may not be returned.
    pub(crate) notes: Vec<String>,
    /// When it is this callback, of two for one form: `with an argument …`.
    pub(crate) condition: Option<String>,
}

/// How the type of a callback's reply is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Its result does not hold a reply.
    Absent,
    /// It is the dynamic term: nothing in the arguments says more.
    Dynamic,
    /// It is the reply of the open argument `Request`.
    OfRequest,
}

/// What a callback may return.
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
    /// What it is in Rust: without the state, unless the callback makes it.
    pub(crate) variant: Variant,
    /// What it is in Erlang.
    pub(crate) term: ClauseTerm,
}

/// The term of a clause, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClauseTerm {
    /// The process's state.
    State,
    Atom(String),
    /// A field of the variant, or an element of the tuple in it: indices, the field's first.
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
    /// Its type; for open, args, chosen and state arguments the type parameter.
    pub(crate) ty: RustType,
    /// The trait of what it may be, if it is the open argument that tells clauses apart.
    pub(crate) discriminant: Option<String>,
}

/// A trait of the types that an open argument may have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Discriminant {
    /// Its name, e.g. `EventTypeOf`.
    pub(crate) name: String,
    /// The union that these types are part of.
    pub(crate) union: RustType,
    /// The union as Erlang writes it.
    pub(crate) erlang: String,
}

/// What a callback returns, which follows from the other callbacks of an implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallbackAnswer {
    /// Atoms of which exactly one is returned, each with the methods that call for it.
    pub(crate) one_of: Vec<(String, Vec<String>)>,
    /// Atoms that are returned beside it, each with the methods that call for it.
    pub(crate) also: Vec<(String, Vec<String>)>,
}

/// What callbacks return that has another callback called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Tuples: their first atom and their size.
    pub(crate) tuples: Vec<(String, usize)>,
    /// Functions, and how many arguments they take.
    pub(crate) calls: Vec<(String, usize)>,
    /// Methods of the context, and how many arguments they take: the last one is a message to the
    /// process.
    pub(crate) methods: Vec<(String, usize)>,
    /// Methods after which messages come: how many arguments they take, and the messages.
    pub(crate) later: Vec<(String, usize, Vec<String>)>,
    /// The method that takes messages.
    pub(crate) message: Option<String>,
    /// Methods of the callbacks that are called.
    pub(crate) taken_by: Vec<String>,
    /// The method that is called with an atom.
    pub(crate) atom: Option<(String, String)>,
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
    pub(crate) elements: Vec<(String, Given)>,
    /// Type parameters among them: `Reply`, `State`, and those of what converts.
    pub(crate) parameters: Vec<String>,
    /// Enums that have the clause.
    pub(crate) enums: Vec<Constructed>,
}

/// What a constructor takes for an element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Given {
    /// A value of the type that it is in every enum.
    Same(RustType),
    /// What converts into the type that it is in the one enum or the other; the name of the type
    /// parameter.
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
    /// The types of the clause's elements in it.
    pub(crate) types: Vec<RustType>,
    /// The form of its callback, and when the callback returns it.
    pub(crate) notes: Vec<String>,
}

/// A function of the behaviour module that starts a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartFunction {
    pub(crate) name: String,
    /// Its arguments' annotations; `_` without one.
    pub(crate) arguments: Vec<String>,
    /// Its types in Erlang, `Args` being a variable.
    pub(crate) signature: Signature,
}

impl Callback {
    /// Type parameters of the return enum and trait, in order.
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

    /// `handle_call/3` with its module.
    pub(crate) fn qualified(&self, module: &str) -> String {
        format!("{module}:{}/{}", self.form.function, self.form.arity)
    }

    /// The arguments that a method takes besides the state and the context.
    pub(crate) fn plain_arguments(&self) -> Vec<&CallbackArgument> {
        self.with_role(&[Role::Args, Role::Open, Role::Fixed, Role::Chosen])
    }

    /// Whether it takes the state for good: nobody reads what it returns.
    pub(crate) fn ends(&self) -> bool {
        self.state_position().is_some() && self.result.returns == Returns::AnyTerm
    }

    /// Which argument is the state.
    pub(crate) fn state_position(&self) -> Option<usize> {
        let is_state = |argument: &CallbackArgument| argument.role == Role::State;
        self.arguments.iter().position(is_state)
    }

    /// Whether it answers a request whose caller waits for the reply that the request names.
    pub(crate) fn answers_call(&self) -> bool {
        self.reply == Reply::OfRequest && self.arguments.iter().any(CallbackArgument::is_caller)
    }

    /// Whether its method takes the caller of a request, whose type says the reply's.
    pub(crate) fn takes_caller(&self) -> bool {
        let mut taken = self.plain_arguments().into_iter();
        self.reply == Reply::OfRequest && taken.any(CallbackArgument::is_caller)
    }

    /// Whether its trait has the type of the reply to the request.
    pub(crate) fn has_reply_type(&self) -> bool {
        self.reply == Reply::OfRequest && !self.takes_caller()
    }

    /// Arguments of these roles.
    pub(crate) fn with_role(&self, roles: &[Role]) -> Vec<&CallbackArgument> {
        self.arguments
            .iter()
            .filter(|argument| roles.contains(&argument.role))
            .collect()
    }
}

impl CallbackArgument {
    /// Whether it is who waits for a reply: the type written by hand that takes the reply's.
    pub(crate) fn is_caller(&self) -> bool {
        matches!(self.ty, RustType::Mapped { reply: Some(_), .. })
    }
}
