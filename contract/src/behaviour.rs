//! The description of a behaviour that generated code passes to the macros.
//!
//! For each behaviour, `otp-codegen` writes a macro `__describe!`. `#[gen_server]` and the other
//! attributes know no behaviour themselves: they expand to a call of that macro, which passes the
//! description on to `otp-bridge-macros`. This module defines the words of a description, in their
//! order:
//!
//! ```text
//! behaviour = gen_server; path = $crate::gen_server; umbrella = GenServer; started = $crate::gen_server::Server;
//! callback handle_call / 3 {
//!     method = handle_call_noreply; written = handle_call; callback_trait = HandleCallNoreply; kind = call; required; call;
//!     arguments = [open Request, caller From, state State];
//!     result = ["HandleCallNoreply", "noreply()"];
//!     erlang = "-callback handle_call(…) -> ….";
//! }
//! ```
//!
//! An entry is `key = value;` ([`Key`]), a flag is `flag;` ([`Flag`]), an argument is its [`Role`]
//! and its name. Several descriptions of one function are its clauses. If a module leaves out a
//! callback such as `gen_statem:callback_mode/0`, its result follows from the methods that the
//! module has; the description lists the possible results ([`AnswerPart`]):
//!
//! ```text
//! answer = { one_of "state_functions" [state_name]; also "state_enter" [state_name_enter]; };
//! ```
//!
//! Values that make the behaviour call another callback are described before the callbacks
//! ([`EffectPart`]):
//!
//! ```text
//! effects = { tuple continue_ / 2; call noreply_with / 1; taken_by handle_continue; atom_taken_by handle_info "timeout"; };
//! ```

use crate::words::words;

/// The behaviours whose Rust is checked in with `otp-bridge`. Each has an attribute of its name.
pub const BRIDGE_BEHAVIOURS: [&str; 6] = [
    "application",
    "gen_event",
    "gen_server",
    "gen_statem",
    "supervisor",
    "supervisor_bridge",
];

/// The associated type of an `impl` block that names the type of the module's children
/// ([`Key::Children`]).
pub const CHILD: &str = "Child";

/// The default of [`CHILD`] for a block that does not name the type, in the Rust module of a
/// behaviour with [`Key::Children`].
pub const ANY_CHILD: &str = "AnyChild";

/// The attribute option `bad_messages = "refuse"`: the process refuses a message that no clause
/// takes, and keeps running.
pub const BAD_MESSAGES: &str = "bad_messages";

/// The value of [`BAD_MESSAGES`].
pub const REFUSE: &str = "refuse";

/// The attribute option `secret`: the state of a process is shown only to its own callbacks.
pub const SECRET: &str = "secret";

words! {
    /// Keys of a description's entries.
    Key {
        /// The behaviour's Rust module.
        Behaviour = "behaviour",
        /// The path of that module.
        Path = "path",
        /// The trait that users implement.
        Umbrella = "umbrella",
        /// The type of a reference to a process, if the behaviour starts processes of its modules.
        Started = "started",
        /// The trait with the type of a module's children. A block may name it: `type Child = …;`
        /// ([`CHILD`]).
        Children = "children",
        /// The type of a value that the callbacks pass to each other and that the implementation
        /// chooses (`gen_statem:state()`).
        Chosen = "chosen",
        /// Values that make the behaviour call another callback.
        Effects = "effects",
        /// Begins a callback: its function, arity and entries.
        Callback = "callback",
        /// The method of its trait.
        Method = "method",
        /// The name that users write, if it differs from the method's. If several callbacks share a
        /// written name, the number of arguments selects one.
        Written = "written",
        /// Its trait, in the module `callback` of the behaviour.
        CallbackTrait = "callback_trait",
        /// When it is called, as a [`CallbackKind`](crate::callback::CallbackKind).
        Kind = "kind",
        /// Without a value: a module must have the callback.
        Required = "required",
        /// Without a value: `-optional_callbacks` lists the callback.
        Optional = "optional",
        /// Its arguments, in Erlang's order.
        Arguments = "arguments",
        /// The type behind the `->` of a method, and the forms that its body may end with, unless a
        /// method may return nothing.
        Result = "result",
        /// The result of the callback if a module leaves it out.
        Answer = "answer",
        /// The `-callback` form.
        Erlang = "erlang",
    }

    /// Properties of a callback. Each flag is present or absent.
    Flag {
        /// It takes messages from other processes, and may return a value that leaves the process
        /// unchanged.
        Keeps = "keeps",
        /// It takes a call. The request's type determines the reply's.
        Call = "call",
        /// It returns a reply, whose type is determined by the request's.
        Replies = "replies",
        /// It stands for functions of any name (`gen_statem:state_name/3`).
        AnyName = "any_name",
        /// It has the type of the value that the callbacks pass to each other.
        Chosen = "chosen",
    }

    /// The role of a callback's argument.
    Role {
        /// The start argument of the process: an associated type of the umbrella trait.
        Args = "args",
        /// Any term. Each clause declares its type.
        Open = "open",
        /// An open argument that selects the clause.
        Discriminant = "discriminant",
        /// An argument whose type the form fixes.
        Fixed = "fixed",
        /// The state: `self`.
        State = "state",
        /// The value that the callbacks pass to each other: an associated type of the umbrella
        /// trait.
        Chosen = "chosen",
        /// The atom that distinguishes the callback from others of its name. The method does not
        /// take it.
        Literal = "literal",
        /// The caller of a request, typed by its reply.
        Caller = "caller",
        /// The caller of a request whose reply is the method's return value. The method does not
        /// take it.
        Hidden = "hidden",
    }

    /// Parts of the effects of return values. Each part has a name; tuples and calls have `/` and a
    /// number, too.
    EffectPart {
        /// A tuple of this atom and this size may have an effect.
        Tuple = "tuple",
        /// A call of this function with this number of arguments may have an effect.
        Call = "call",
        /// A call of this method with this number of arguments may have an effect. The last
        /// argument is a message to the process.
        Method = "method",
        /// A call of this method with this number of arguments makes these messages arrive later.
        /// They are types of the run time's `messages`.
        Later = "later",
        /// The method that is then called with the content.
        TakenBy = "taken_by",
        /// The method that takes messages to the process.
        MessageTakenBy = "message_taken_by",
        /// The method that is then called with the atom that follows.
        AtomTakenBy = "atom_taken_by",
    }

    /// How an atom can occur in the result of a callback that a module leaves out.
    AnswerPart {
        /// Exactly one of these is returned.
        OneOf = "one_of",
        /// It may be returned beside that one.
        Also = "also",
    }
}

/// The name of the open argument whose type fixes that of the reply (`gen_server:handle_call/3`).
pub const REQUEST: &str = "Request";

impl Role {
    /// Returns whether each clause declares the argument's type.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Role::Open | Role::Discriminant)
    }

    /// Returns whether the Rust method takes the argument, in addition to `self`.
    #[must_use]
    pub fn is_taken(self) -> bool {
        match self {
            Role::Args
            | Role::Open
            | Role::Discriminant
            | Role::Fixed
            | Role::Chosen
            | Role::Caller => true,
            Role::State | Role::Literal | Role::Hidden => false,
        }
    }
}

impl Key {
    /// `key = value;`
    #[must_use]
    pub fn entry(self, value: &str) -> String {
        format!("{} = {value};", self.as_str())
    }

    /// `key;`
    #[must_use]
    pub fn alone(self) -> String {
        format!("{};", self.as_str())
    }
}

impl Flag {
    /// `flag;`
    #[must_use]
    pub fn text(self) -> String {
        format!("{};", self.as_str())
    }
}

impl EffectPart {
    /// `part value;`
    #[must_use]
    pub fn entry(self, value: &str) -> String {
        format!("{} {value};", self.as_str())
    }
}

impl AnswerPart {
    /// `part value;`
    #[must_use]
    pub fn entry(self, value: &str) -> String {
        format!("{} {value};", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_one_thing_each() {
        for key in Key::ALL {
            assert_eq!(Key::from_word(key.as_str()), Some(*key));
        }
        for flag in Flag::ALL {
            assert_eq!(Flag::from_word(flag.as_str()), Some(*flag));
        }
        for role in Role::ALL {
            assert_eq!(Role::from_word(role.as_str()), Some(*role));
        }
        for part in EffectPart::ALL {
            assert_eq!(EffectPart::from_word(part.as_str()), Some(*part));
        }
        for part in AnswerPart::ALL {
            assert_eq!(AnswerPart::from_word(part.as_str()), Some(*part));
        }
        assert_eq!(Role::from_word("anything"), None);
    }
}
