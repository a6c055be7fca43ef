//! Receiving messages by their shape: `{Atoms, Tuples, Kinds}` of `cx.receive`.

use otp_contract::library::kinds;

use super::own::OwnProcess;
use super::signals::reply_reference;
use crate::term::TermMap;
use crate::{Reference, Term, atom};

impl OwnProcess {
    /// Takes the first selected message from the mailbox.
    pub(super) fn take_selected(&self, selector: &Term) -> Option<Term> {
        self.with(|slot| {
            let mut messages = slot.mailbox.iter();
            let index = messages.position(|message| selects(selector, message))?;
            slot.mailbox.remove(index)
        })
    }

    /// Takes the reply to a request, or the reason why there is none.
    pub(super) fn take_reply(&self, monitor: &Reference) -> Option<Result<Term, Term>> {
        self.with(|slot| {
            let mut messages = slot.mailbox.iter();
            let index = messages.position(|message| {
                reply_reference(message) == Some(monitor) || is_down(message, monitor)
            })?;
            match slot.mailbox.remove(index)? {
                Term::Tuple(parts) if parts.len() == 2 => Some(Ok(parts[1].clone())),
                Term::Tuple(parts) => Some(Err(parts[4].clone())),
                _ => None,
            }
        })
    }
}

/// `{'DOWN', Monitor, process, Object, Reason}`
fn is_down(message: &Term, monitor: &Reference) -> bool {
    match message {
        Term::Tuple(parts) => match &**parts {
            [Term::Atom(tag), Term::Reference(it), _, _, _] => {
                tag.text() == "DOWN" && it == monitor
            }
            _ => false,
        },
        _ => false,
    }
}

fn selects(selector: &Term, message: &Term) -> bool {
    let Term::Tuple(parts) = selector else {
        return false;
    };
    let [Term::Map(atoms), Term::Map(tuples), Term::Map(kinds)] = &**parts else {
        return false;
    };
    let is_selected = match message {
        Term::Atom(_) => atoms.get(message).is_some(),
        Term::Tuple(elements) => has_tuple(tuples, elements),
        _ => false,
    };
    let mut names = kinds_of(message).iter();
    is_selected || names.any(|kind| kinds.get(&Term::of(&super::atom_of(kind))).is_some())
}

fn has_tuple(tuples: &TermMap, elements: &[Term]) -> bool {
    let any = Term::of(&atom!("any"));
    match tuples.get(&Term::of(&elements.len())) {
        Some(Term::Map(tags)) => match elements.first().and_then(|tag| tags.get(tag)) {
            Some(Term::Map(seconds)) => {
                let second = elements.get(1);
                second.is_some_and(|second| seconds.get(second).is_some())
            }
            Some(value) => *value == any,
            None => false,
        },
        Some(value) => *value == any,
        None => false,
    }
}

/// Returns the kinds that select a term.
fn kinds_of(term: &Term) -> &'static [&'static str] {
    match term {
        Term::Atom(_) => &[kinds::ANY, kinds::ATOM],
        Term::Integer(_) | Term::BigInteger(_) => &[kinds::ANY, kinds::INTEGER],
        Term::Float(_) => &[kinds::ANY, kinds::FLOAT],
        Term::Binary(_) => &[kinds::ANY, kinds::BINARY, kinds::BITSTRING],
        Term::Bitstring(_) => &[kinds::ANY, kinds::BITSTRING],
        Term::List(elements) if elements.is_empty() => &[kinds::ANY, kinds::NIL],
        Term::List(_) | Term::ImproperList(_) => &[kinds::ANY, kinds::LIST],
        Term::Tuple(_) => &[kinds::ANY, kinds::TUPLE],
        Term::Map(_) => &[kinds::ANY, kinds::MAP],
        Term::Pid(_) => &[kinds::ANY, kinds::PID],
        Term::Port(_) => &[kinds::ANY, kinds::PORT],
        Term::Reference(_) => &[kinds::ANY, kinds::REFERENCE],
        Term::Fun(_) => &[kinds::ANY, kinds::FUNCTION],
    }
}
