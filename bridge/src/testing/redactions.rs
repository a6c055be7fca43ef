//! Terms without the parts that differ from run to run.

use crate::term::{ImproperList, OwnedHeap, Terms, ToTerm, deeper};
use crate::{Atom, Fun, Pid, PidParts, Port, PortParts, Reference, ReferenceParts, Term};

/// Returns the term of a value with stable pids, ports, references and funs, for a snapshot in
/// Erlang's syntax.
///
/// Each of them is numbered in the order of its first appearance, and keeps its number, so a
/// snapshot still shows which ones are equal. Atoms, including the names of nodes, are unchanged.
///
/// ```
/// use otp_bridge::term::Fun;
/// use otp_bridge::{Term, atom, testing};
/// # use otp_bridge_novm as _;
///
/// let caller = testing::caller::<()>();
/// let term = Term::of(&(atom!("asked"), &caller, &caller, Fun::external(atom!("m"), atom!("f"), 1)));
/// let shown = testing::redacted(&term).to_string();
/// assert_eq!(shown, "{asked,{<redacted.1.0>,state},{<redacted.1.0>,state},fun m:f/1}");
/// ```
///
/// With insta, `insta::assert_snapshot!(testing::redacted(&value))`. [`Redactions`] keeps the
/// numbers from one term to the next.
pub fn redacted(value: &(impl ToTerm + ?Sized)) -> Term {
    Redactions::new().redacted(value)
}

/// The numbers of pids, ports, references and local funs, for several terms of one test.
///
/// | term | shown as |
/// |---|---|
/// | a pid | `<redacted.1.0>` |
/// | a port | `#Port<redacted.1>` |
/// | a reference | `#Ref<redacted.1>` |
/// | a local fun | `#Fun<its_module.1.0>`, without what it captured |
///
/// ```
/// use otp_bridge::testing::Redactions;
/// # use otp_bridge_novm as _;
///
/// let mut redactions = Redactions::new();
/// # let (first, second) = (otp_bridge::testing::caller::<()>(), otp_bridge::testing::caller::<()>());
/// assert_eq!(redactions.redacted(&first), redactions.redacted(&second));
/// ```
#[derive(Debug, Default)]
pub struct Redactions {
    pids: Vec<Pid>,
    ports: Vec<Port>,
    references: Vec<Reference>,
    funs: Vec<Fun>,
}

impl Redactions {
    /// Creates an empty set of numbers.
    #[must_use]
    pub fn new() -> Self {
        Redactions::default()
    }

    /// Like [`redacted`], with the numbers that were assigned before.
    pub fn redacted(&mut self, value: &(impl ToTerm + ?Sized)) -> Term {
        self.term(value.to_term(OwnedHeap))
    }

    fn term(&mut self, term: Term) -> Term {
        match term {
            Term::Atom(_)
            | Term::Integer(_)
            | Term::BigInteger(_)
            | Term::Float(_)
            | Term::Binary(_)
            | Term::Bitstring(_) => term,
            Term::List(elements) => Term::List(self.terms(elements)),
            Term::ImproperList(list) => {
                let elements = self.terms(list.elements().iter().cloned());
                ImproperList::term(elements, self.term(list.tail().clone()))
            }
            Term::Tuple(elements) => Term::Tuple(self.terms(elements)),
            Term::Map(entries) => {
                let entries = entries.iter().cloned();
                let redacted = entries.map(|(key, value)| (self.term(key), self.term(value)));
                Term::Map(deeper(|| redacted.collect()))
            }
            Term::Pid(pid) => Term::Pid(redacted_pid(number(&mut self.pids, &pid))),
            Term::Port(port) => Term::Port(redacted_port(number(&mut self.ports, &port))),
            Term::Reference(one) => redacted_reference(number(&mut self.references, &one)),
            Term::Fun(fun @ Fun::External(_)) => Term::Fun(fun),
            Term::Fun(Fun::Local(fun)) => {
                let number = number(&mut self.funs, &Fun::Local(fun.clone()));
                Term::Fun(fun.redacted(number, redacted_pid(0)))
            }
        }
    }

    fn terms(&mut self, terms: impl IntoIterator<Item = Term>) -> Terms {
        deeper(|| terms.into_iter().map(|term| self.term(term)).collect())
    }
}

/// Returns the number of `one` among the known values, from 1.
fn number<T: Clone + PartialEq>(known: &mut Vec<T>, one: &T) -> u32 {
    let found = known.iter().position(|known| known == one);
    let index = found.unwrap_or_else(|| {
        known.push(one.clone());
        known.len() - 1
    });
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Returns the placeholder for the name of a node.
fn node() -> Atom {
    crate::atom!("redacted")
}

fn redacted_pid(number: u32) -> Pid {
    Pid::from_parts(PidParts {
        node: node(),
        id: number,
        serial: 0,
        creation: 0,
    })
}

fn redacted_port(number: u32) -> Port {
    Port::from_parts(PortParts {
        node: node(),
        id: number.into(),
        creation: 0,
    })
}

fn redacted_reference(number: u32) -> Term {
    let parts = ReferenceParts {
        node: node(),
        ids: vec![number],
        creation: 0,
    };
    match Reference::from_parts(parts) {
        Some(reference) => Term::Reference(reference),
        None => unreachable!("a reference may have one word"),
    }
}
