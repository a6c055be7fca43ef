//! What a callback is to its behaviour: when it is called, and what its arguments are.
//!
//! `otp-codegen` finds it out from the `-callback` form, and from a table of what a form cannot say
//! (`codegen/src/facts/callbacks.rs`). It goes into the generated behaviours, from there into the
//! library's registry, and from that into the manifest. Whoever must know asks here; nobody else
//! knows a callback by its name.

use crate::json::{ToJson, json_objects};
use crate::words::words;

words! {
    /// When a behaviour calls a callback.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
    CallbackKind {
        /// At the beginning, with what the process is started with.
        Init = "init",
        /// After that, before any message.
        Start = "start",
        /// For a message whose sender waits for a reply.
        Call = "call",
        /// For a request whose sender does not wait.
        Cast = "cast",
        /// For any other message.
        Info = "info",
        /// For an event, which may be one of several types ([`CallbackFacts::event_type`]).
        Event = "event",
        /// For what another callback has returned, so that this one is called next.
        Continue = "continue",
        /// Later, without a state: for each phase of the start of an application.
        Phase = "phase",
        /// For a state that another version of the module has made.
        Change = "change",
        /// When somebody looks at the state.
        Status = "status",
        /// To learn which of its other callbacks a module has.
        Mode = "mode",
        /// At the end. Nobody reads what it returns.
        End = "end",
        /// The form does not say it.
        Other = "other",
    }
}

/// What a callback is to its behaviour. Positions are of its arguments in Erlang, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default))]
pub struct CallbackFacts {
    /// When it is called.
    pub kind: CallbackKind,
    /// The message: what its clauses are told apart by.
    pub message: Option<usize>,
    /// The type of the event, beside which the message is its content.
    pub event_type: Option<usize>,
    /// Who waits for a reply. With an event type, the caller is in that: `{call, From}`.
    pub caller: Option<usize>,
    /// The state; the old one, if the kind is [`CallbackKind::Change`].
    pub state: Option<usize>,
    /// What the callbacks hand to each other beside the state: `gen_statem:state()`.
    pub chosen: Option<usize>,
    /// Whether it may return `{error, Reason}`.
    pub has_error: bool,
}

/// A tuple that a callback returns, and where the reply is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct ReplyPosition<Text = String> {
    /// The tuple's first element.
    pub tag: Text,
    /// The number of its elements.
    pub size: usize,
    /// Which of them is the reply, from 0.
    pub index: usize,
}

/// Those of a function that nobody calls back.
impl Default for CallbackFacts {
    fn default() -> Self {
        Self::of(CallbackKind::Other)
    }
}

impl CallbackFacts {
    /// Those of a callback that is called then, and has no argument with a meaning.
    #[must_use]
    pub const fn of(kind: CallbackKind) -> Self {
        CallbackFacts {
            kind,
            message: None,
            event_type: None,
            caller: None,
            state: None,
            chosen: None,
            has_error: false,
        }
    }

    /// Whether it takes what other processes send.
    #[must_use]
    pub const fn takes_messages(&self) -> bool {
        use CallbackKind::{Call, Cast, Event, Info};
        matches!(self.kind, Call | Cast | Info | Event)
    }

    /// Whether it is called at the end of a process.
    #[must_use]
    pub const fn ends(&self) -> bool {
        matches!(self.kind, CallbackKind::End)
    }
}

impl ReplyPosition<&str> {
    /// The same with a text of its own.
    #[must_use]
    pub fn to_owned(&self) -> ReplyPosition {
        ReplyPosition {
            tag: self.tag.to_owned(),
            size: self.size,
            index: self.index,
        }
    }
}

json_objects! {
    CallbackFacts { kind, message, event_type, caller, state, chosen, has_error }
    ReplyPosition { tag, size, index }
}

impl ToJson for CallbackKind {
    fn to_json(&self) -> String {
        self.as_str().to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_one_kind_each() {
        for kind in CallbackKind::ALL {
            assert_eq!(CallbackKind::from_word(kind.as_str()), Some(*kind));
        }
    }
}
