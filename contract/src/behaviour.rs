//! A behaviour, as generated code describes it to the macros.
//!
//! `otp-codegen` writes a macro `__describe!` for each behaviour, and `#[gen_server]` and its like,
//! which know no behaviour, call it: it hands a description to `otp-bridge-macros`. Its words stand
//! here, in the order of the description:
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
//! and its name. Several descriptions of one function are clauses of it. What a callback returns
//! that is left out (`gen_statem:callback_mode/0`) is told by the methods that there are
//! ([`AnswerPart`]):
//!
//! ```text
//! answer = { one_of "state_functions" [state_name]; also "state_enter" [state_name_enter]; };
//! ```
//!
//! What callbacks return that has another callback called is told before the callbacks
//! ([`EffectPart`]):
//!
//! ```text
//! effects = { tuple continue_ / 2; call noreply_with / 1; taken_by handle_continue; atom_taken_by handle_info "timeout"; };
//! ```

use crate::words::words;

/// The associated type of a block that says of which type the module's children are
/// ([`Key::Children`]).
pub const CHILD: &str = "Child";

/// In the Rust module of a behaviour with [`Key::Children`]: what stands for [`CHILD`] where a
/// block does not say it.
pub const ANY_CHILD: &str = "AnyChild";

/// The option of an attribute, `bad_messages = "refuse"`, by which a process refuses messages that
/// no clause takes and goes on.
pub const BAD_MESSAGES: &str = "bad_messages";

/// The value of [`BAD_MESSAGES`].
pub const REFUSE: &str = "refuse";

/// The option of an attribute, `secret`, by which nothing outside of a process's callbacks shows
/// its state.
pub const SECRET: &str = "secret";

words! {
    /// What an entry tells.
    Key {
        /// The behaviour's Rust module.
        Behaviour = "behaviour",
        /// The path of that module.
        Path = "path",
        /// The trait that users implement.
        Umbrella = "umbrella",
        /// The behaviour starts processes of its modules: the type of a reference to one.
        Started = "started",
        /// The trait that has the type of a module's children. A block may say it:
        /// `type Child = …;` ([`CHILD`]).
        Children = "children",
        /// The type that the callbacks hand to each other and the implementation chooses
        /// (`gen_statem:state()`).
        Chosen = "chosen",
        /// What callbacks return that has another callback called.
        Effects = "effects",
        /// Begins a callback: its function, arity and entries.
        Callback = "callback",
        /// The method of its trait.
        Method = "method",
        /// The name that users write, where it is not the method's. Among callbacks of one written
        /// name the number of arguments decides.
        Written = "written",
        /// Its trait, in the module `callback` of the behaviour.
        CallbackTrait = "callback_trait",
        /// When it is called, as a [`CallbackKind`](crate::callback::CallbackKind).
        Kind = "kind",
        /// Alone: the module must have it.
        Required = "required",
        /// Alone: `-optional_callbacks` has it.
        Optional = "optional",
        /// Its arguments, in Erlang's order.
        Arguments = "arguments",
        /// What stands behind the `->` of a method, and how its body may end, unless a method may
        /// return nothing.
        Result = "result",
        /// What it returns when it is left out.
        Answer = "answer",
        /// The `-callback` form.
        Erlang = "erlang",
    }

    /// What a callback does beyond others. A flag is there or not.
    Flag {
        /// It takes messages of others, and may return a value that leaves everything as it was.
        Keeps = "keeps",
        /// It takes a call, whose reply the request's type fixes.
        Call = "call",
        /// It returns a reply, whose type the request's type fixes.
        Replies = "replies",
        /// It stands for functions of any name (`gen_statem:state_name/3`).
        AnyName = "any_name",
        /// It has the type that the callbacks hand to each other.
        Chosen = "chosen",
    }

    /// What an argument of a callback is for.
    Role {
        /// What the process is started with: an associated type of the umbrella trait.
        Args = "args",
        /// Any term, of which each clause says the type.
        Open = "open",
        /// An open argument by which clauses are told apart.
        Discriminant = "discriminant",
        /// Of the type that the form says.
        Fixed = "fixed",
        /// The state: `self`.
        State = "state",
        /// Of the type that the callbacks hand to each other: an associated type of the umbrella
        /// trait.
        Chosen = "chosen",
        /// The atom that tells the callback from others of its name. The method does not take it.
        Literal = "literal",
        /// The caller of a request, typed by its reply.
        Caller = "caller",
        /// The caller of a request that is replied to by what the method returns. The method does
        /// not take it.
        Hidden = "hidden",
    }

    /// What stands in the effects of what callbacks return: each part with a name, and tuples
    /// and calls with `/` and a number.
    EffectPart {
        /// A tuple of this atom and this size may have an effect.
        Tuple = "tuple",
        /// So may a call of this function with as many arguments.
        Call = "call",
        /// So may a call of this method with as many arguments. The last one is a message to the
        /// process.
        Method = "method",
        /// After a call of this method with as many arguments, these messages come: types of the
        /// run time's `messages`.
        Later = "later",
        /// The method that is called then, with the content.
        TakenBy = "taken_by",
        /// The method that takes messages to the process.
        MessageTakenBy = "message_taken_by",
        /// The method that is called then, with the atom that follows.
        AtomTakenBy = "atom_taken_by",
    }

    /// What an atom is to the answer of a callback that is left out.
    AnswerPart {
        /// Exactly one of these is returned.
        OneOf = "one_of",
        /// It is returned beside that one.
        Also = "also",
    }
}

/// The name of the open argument whose type fixes that of the reply (`gen_server:handle_call/3`).
pub const REQUEST: &str = "Request";

impl Role {
    /// Whether each clause says the argument's type.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Role::Open | Role::Discriminant)
    }

    /// Whether the Rust method takes the argument, beside `self`.
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
