//! Behaviours as data: their callbacks, and the purpose of each. Generated code has a constant for
//! each behaviour.

pub use otp_contract::callback::{CallbackFacts, CallbackKind, ReplyPosition};

use super::signature::Form;

/// A behaviour, as its module's `-callback` and `-spec` forms describe it. Generated.
#[derive(Debug)]
pub struct Behaviour {
    /// Name of the behaviour's module.
    pub name: &'static str,
    /// The name of the state in its forms: `State`, or `Data`.
    pub state: &'static str,
    /// Its callbacks, in source order.
    pub callbacks: &'static [Callback],
    /// Its functions that start a process.
    pub start: &'static [StartFunction],
}

/// One callback of a behaviour.
#[derive(Debug)]
pub struct Callback {
    /// Function name.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// Whether `-optional_callbacks` names it.
    pub optional: bool,
    /// The `-callback` form.
    pub erlang: &'static str,
    /// Its types, for all clauses together.
    pub form: Form,
    /// When it is called, and the meaning of its arguments.
    pub facts: CallbackFacts,
    /// The first element of `{keeps, State}`, which it may return to leave everything unchanged.
    pub keeps: Option<&'static str>,
    /// The tuples with a reply that it may return.
    pub replies: &'static [ReplyPosition<&'static str>],
}

impl Behaviour {
    /// Returns whether its processes keep their tasks between two callbacks. They do if all
    /// messages come to callbacks of one module, which can return a value that leaves everything
    /// unchanged.
    pub(crate) fn keeps_tasks(&self) -> bool {
        let takes_messages = |callback: &Callback| {
            callback.facts.kind == CallbackKind::Info || callback.facts.event_type.is_some()
        };
        !self.start.is_empty() && self.callbacks.iter().any(takes_messages)
    }

    /// Returns the callback with this name and arity.
    ///
    /// # Panics
    /// If the behaviour does not have it.
    #[must_use]
    pub const fn callback(&'static self, name: &str, arity: usize) -> &'static Callback {
        let mut index = 0;
        while index < self.callbacks.len() {
            let callback = &self.callbacks[index];
            if callback.arity == arity && is_same(callback.name, name) {
                return callback;
            }
            index += 1;
        }
        panic!("a callback that its behaviour does not have");
    }
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// A function such as `gen_server:start_link/3`.
#[derive(Debug)]
pub struct StartFunction {
    /// Function name.
    pub name: &'static str,
    /// Argument names; `Module` stands for the callback module.
    pub arguments: &'static [&'static str],
    /// Its types, with `Args` for that of the start argument.
    pub form: Form,
}
