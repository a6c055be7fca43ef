//! A simulated node: processes of this program in one thread, without a VM.
//!
//! Each process is a future that receives messages and calls callbacks as OTP's own loop does.
//! Signals wait in a channel for each pair of processes until the node delivers them, so any order
//! is possible that keeps the order of each pair, as on a VM. The time is simulated: it passes only
//! when the next timer fires.
//!
//! ```text
//! run ─▶ start ─▶ server, machine, supervisor ─▶ callbacks ─▶ operations ─▶ functions ─▶ own ─▶ core
//! ```

mod callbacks;
mod core;
mod functions;
mod machine;
mod operations;
mod outside;
mod own;
mod run;
mod selector;
mod server;
mod signals;
mod slot;
mod start;
mod start_answer;
mod supervisor;
mod test_body;
mod timers;
mod trace;
mod violation;

pub(super) use self::core::{NodeCore, pid};
pub(super) use outside::{Outside, PerformRequest, unanswered};
pub(super) use run::{Candidate, SimulatedNode};
pub(super) use slot::reason_of_end;
pub(super) use start::FirstProcess;
pub(super) use violation::Violation;

use crate::runtime::protocol;
use crate::{Atom, Term};

/// Returns the placeholder for the state in the arguments of a callback.
fn state() -> Term {
    Term::of(&protocol::state)
}

/// Returns the elements of a tuple.
fn elements(term: &Term) -> &[Term] {
    match term {
        Term::Tuple(elements) => elements,
        _ => &[],
    }
}

fn is(term: &Term, atom: &str) -> bool {
    matches!(term, Term::Atom(name) if name.text() == atom)
}

fn atom_of(text: &str) -> Atom {
    Atom::new(text).unwrap_or_else(|_| unreachable!("it is the text of an atom"))
}
