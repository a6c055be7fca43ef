//! Selects messages for a `receive` by the shape of their type.

use std::collections::{BTreeMap, BTreeSet};

use otp_contract::library::kinds;

use crate::term::Shape;
use crate::{Atom, Heap, Nil, Reference, ToTerm};

/// The patterns that the generated module compares messages with.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Selector {
    /// Messages that are these atoms.
    atoms: BTreeSet<&'static str>,
    /// Tuples, by their number of elements.
    tuples: BTreeMap<usize, Tuples>,
    /// All messages of these kinds.
    kinds: BTreeSet<&'static str>,
}

/// The tuples of one size.
#[derive(Debug, PartialEq)]
enum Tuples {
    All,
    Tagged(BTreeSet<&'static str>),
}

impl Selector {
    /// Selects the messages of a shape: by the atom, by a tuple's size and tag, or else by their
    /// kind.
    pub(super) fn of(shape: &'static Shape) -> Self {
        let mut selector = Selector::default();
        selector.add(shape);
        selector
    }

    fn add(&mut self, shape: &'static Shape) {
        let kind = match shape {
            Shape::Union(members) => return members.iter().for_each(|member| self.add(member)),
            Shape::Some(all) => return self.add(all),
            Shape::Elements(elements) => return self.add_tuples(elements),
            Shape::Tuples(size) => {
                self.tuples.insert(*size, Tuples::All);
                return;
            }
            Shape::Atom(name) => {
                self.atoms.insert(name);
                return;
            }
            Shape::Any => kinds::ANY,
            Shape::Atoms => kinds::ATOM,
            Shape::Integers(..) => kinds::INTEGER,
            Shape::Floats => kinds::FLOAT,
            Shape::Binaries => kinds::BINARY,
            Shape::Bitstrings => kinds::BITSTRING,
            Shape::EmptyList => kinds::NIL,
            Shape::NonemptyLists => kinds::LIST,
            Shape::AllTuples => kinds::TUPLE,
            Shape::ListsOf(_) => {
                self.kinds.insert(kinds::NIL);
                kinds::LIST
            }
            Shape::EmptyMap | Shape::Maps | Shape::MapsOf(..) | Shape::Keys { .. } => kinds::MAP,
            Shape::Pids => kinds::PID,
            Shape::Ports => kinds::PORT,
            Shape::References => kinds::REFERENCE,
            Shape::Funs => kinds::FUNCTION,
        };
        self.kinds.insert(kind);
    }

    fn add_tuples(&mut self, elements: &'static [Shape]) {
        let mut tags = BTreeSet::new();
        let is_tagged = elements.first().is_some_and(|tag| add_tags(tag, &mut tags));
        match self.tuples.get_mut(&elements.len()) {
            Some(Tuples::All) => {}
            Some(Tuples::Tagged(others)) if is_tagged => others.append(&mut tags),
            _ if is_tagged => {
                self.tuples.insert(elements.len(), Tuples::Tagged(tags));
            }
            _ => {
                self.tuples.insert(elements.len(), Tuples::All);
            }
        }
    }

    /// `{Atoms, Tuples, Kinds}`. With `second`, it selects only tagged tuples that have this second
    /// element.
    pub(super) fn to_term<H: Heap>(&self, heap: H, second: Option<&Reference>) -> H::Term {
        let set = |texts: &BTreeSet<&'static str>| {
            let entries = texts.iter().map(|text| (atom(heap, text), nil(heap)));
            heap.map_from(entries)
        };
        let tuples = self.tuples.iter().map(|(size, tuples)| {
            let value = match tuples {
                Tuples::All => atom(heap, kinds::ANY),
                Tuples::Tagged(tags) => {
                    let tags = tags.iter().map(|tag| {
                        let values = match second {
                            None => atom(heap, kinds::ANY),
                            Some(second) => heap.map([Some((heap.reference(second), nil(heap)))]),
                        };
                        (atom(heap, tag), values)
                    });
                    heap.map_from(tags)
                }
            };
            (size.to_term(heap), value)
        });
        let tuples = heap.map_from(tuples);
        heap.tuple([set(&self.atoms), tuples, set(&self.kinds)])
    }
}

/// Adds the atoms of a tuple's first element. Returns whether it is always one of them.
fn add_tags(shape: &'static Shape, tags: &mut BTreeSet<&'static str>) -> bool {
    match shape {
        Shape::Atom(name) => {
            tags.insert(name);
            true
        }
        Shape::Union(members) => {
            !members.is_empty() && members.iter().all(|member| add_tags(member, tags))
        }
        Shape::Some(all) => add_tags(all, tags),
        _ => false,
    }
}

/// An atom of the program's text.
fn atom<H: Heap>(heap: H, text: &'static str) -> H::Term {
    match Atom::new(text) {
        Ok(atom) => heap.dynamic_atom(&atom),
        Err(error) => unreachable!("derived types have atoms that the compiler checked: {error}"),
    }
}

fn nil<H: Heap>(heap: H) -> H::Term {
    Nil.to_term(heap)
}

#[cfg(test)]
mod tests {
    use crate::messages::{Down, TcpClosed};
    use crate::{Binary, FromTerm, Term};

    use super::*;

    fn selected<M: FromTerm>() -> String {
        let selector = Selector::of(const { &M::SHAPE });
        selector.to_term(crate::term::OwnedHeap, None).to_string()
    }

    #[derive(Debug, Term)]
    enum Event {
        Stop,
        Move(u8, u8),
        #[term(untagged)]
        Closed(TcpClosed),
        #[term(untagged)]
        Bytes(Binary),
    }

    #[test]
    fn messages_are_selected_by_their_outer_shape() {
        assert_eq!(selected::<Down>(), "{#{},#{5 => #{'DOWN' => any}},#{}}");
        assert_eq!(
            selected::<Event>(),
            "{#{stop => []},#{2 => #{tcp_closed => any},3 => #{move => any}},#{binary => []}}"
        );
        assert_eq!(selected::<(u8, u8)>(), "{#{},#{2 => any},#{}}");
        assert_eq!(selected::<bool>(), "{#{false => [],true => []},#{},#{}}");
        assert_eq!(selected::<Term>(), "{#{},#{},#{any => []}}");
    }
}
