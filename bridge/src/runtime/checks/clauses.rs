//! Checks of a callback module when it is compiled. The attribute's macro has a message for each
//! mistake, at a span of the user's source. What only the types know, such as a variant's name, is
//! in a message that is made here: those checks panic.

use std::marker::PhantomData;

use crate::runtime::raw::borrowed_argument::Argument;
use crate::runtime::registry::Taken;
use crate::term::{Covers, Shape};

/// A type whose shape is asked for. If it cannot be read from a term, that is another error, and
/// its shape is not known here.
pub struct Known<T>(PhantomData<T>);

impl<T: Argument> Known<T> {
    /// The shape of the type's terms.
    pub const SHAPE: Shape = T::SHAPE;
}

/// What [`Known`] says of every other type.
pub trait Unknown {
    /// Some terms.
    const SHAPE: Shape = Shape::Some(&Shape::Any);
}

impl<T> Unknown for Known<T> {}

/// The length of the longest message in bytes. What is longer is cut.
const LONGEST: usize = 4096;

/// A number of mistakes as a type, for which a trait is implemented if it is 0.
pub type Mistakes<const COUNT: usize> = [(); COUNT];

/// The text of an error, made while the program is compiled.
struct Message {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Message {
    const fn new() -> Self {
        Message {
            bytes: [0; LONGEST],
            length: 0,
        }
    }

    const fn with(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut index = 0;
        while index < text.len() && self.length < LONGEST {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    const fn text(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "a message that is too long",
        }
    }
}

/// Which of these clauses takes all terms of the one below them, or how many there are.
pub const fn first_above(clause: &Taken, above: &[Taken]) -> usize {
    let mut index = 0;
    while index < above.len() && !covers_all(above[index].shapes, clause.shapes) {
        index += 1;
    }
    index
}

/// Refuses a clause some of whose terms a clause above takes: which, only the types know.
#[track_caller]
pub const fn check_variants(clause: &Taken, above: &[Taken], callback: &str, form: &str) {
    if first_above(clause, above) < above.len() {
        return; // That is the error.
    }
    let mut index = 0;
    while index < above.len() {
        let other = &above[index];
        if let Some(name) = first_taken(other.shapes, clause) {
            let message = Message::new().with("`").with(callback);
            let message = message
                .with("` never gives `")
                .with(name)
                .with("` to its clause for `");
            let message = message.with(clause.message).with("`: the clause for `");
            let message = message.with(other.message);
            let message = message.with("` above it takes that\n\n");
            panic!("{}", message.with(form).text());
        }
        index += 1;
    }
}

/// Whether the first of these shapes has all terms of the second.
pub const fn is_covered(above: &Shape, own: &Shape) -> bool {
    matches!(above.covers(own), Covers::Yes)
}

/// Whether each of the shapes covers its counterpart.
const fn covers_all(above: &[Shape], clause: &[Shape]) -> bool {
    let mut index = 0;
    while index < above.len() && index < clause.len() {
        if !matches!(above[index].covers(&clause[index]), Covers::Yes) {
            return false;
        }
        index += 1;
    }
    index > 0
}

/// A member of a union of the clause, as a name, which the one above takes in its place.
const fn first_taken(above: &[Shape], taken: &Taken) -> Option<&'static str> {
    let clause = taken.shapes;
    let mut name = None;
    let mut index = 0;
    while index < above.len() && index < clause.len() {
        let is_discriminant = matches!(taken.discriminant, Some(known) if known == index);
        match member_taken(&above[index], &clause[index]) {
            Some(found) if is_discriminant && !found.is_empty() => return None,
            None => return None,
            Some(found) if found.is_empty() => {}
            Some(found) => name = Some(found),
        }
        index += 1;
    }
    name
}

/// The name of a member that `above` takes; empty if it takes all or the member has no name.
const fn member_taken(above: &Shape, clause: &Shape) -> Option<&'static str> {
    if matches!(above.covers(clause), Covers::Yes) {
        return Some("");
    }
    let Shape::Union(members) = clause else {
        return None;
    };
    let mut index = 0;
    while index < members.len() {
        let taken = matches!(above.covers(&members[index]), Covers::Yes);
        // Without a name it is not a variant, but some of the terms: a clause for them stands above
        // one for all.
        if let (true, false, Some(name)) = (
            taken,
            is_within_another(members, index),
            name(&members[index]),
        ) {
            return Some(name);
        }
        index += 1;
    }
    None
}

/// Whether another member of the union has all terms of this one: then it is not what makes the
/// union.
const fn is_within_another(members: &[Shape], member: usize) -> bool {
    let mut index = 0;
    while index < members.len() {
        let covers = members[index].covers(&members[member]);
        if index != member && matches!(covers, Covers::Yes) {
            return true;
        }
        index += 1;
    }
    false
}

/// What a member is called: its atom, or that of a tagged tuple.
const fn name(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Atom(name) => Some(name),
        Shape::Elements([Shape::Atom(tag), ..]) => Some(tag),
        _ => None,
    }
}

/// Whether a clause may take this atom.
pub const fn takes_atom(clauses: &[Shape], atom: &'static str) -> bool {
    let mut index = 0;
    while index < clauses.len() {
        if !clauses[index].excludes(&Shape::Atom(atom)) {
            return true;
        }
        index += 1;
    }
    false
}

/// Functions that have the names of the values of a type.
pub struct Functions {
    /// The type, as the source has it.
    pub of: &'static str,
    /// Its shape.
    pub shape: Shape,
    /// The functions.
    pub names: &'static [&'static str],
    /// The attribute above them.
    pub attribute: &'static str,
    /// The `-callback` form.
    pub form: &'static str,
}

/// Whether all values of the type are atoms, and this one is not among them.
pub const fn has_other_atoms(shape: &Shape, name: &str) -> bool {
    are_atoms(shape) && !has_atom(shape, name)
}

/// Refuses a type that has more values than there are functions: which, only the type knows.
#[track_caller]
pub const fn check_functions(functions: &Functions) {
    let shape = &functions.shape;
    if !are_atoms(shape) || !are_all_within(functions.names, shape) {
        return; // That is the error.
    }
    if let Some(name) = first_without(shape, functions.names) {
        let message = Message::new().with("`").with(functions.of);
        let message = message
            .with("` has the value `")
            .with(name)
            .with("`, and no function under `#[");
        let message = message.with(functions.attribute);
        let message = message.with("]` has that name\n\n");
        panic!("{}", message.with(functions.form).text());
    }
}

/// Whether all terms of the shape are atoms that are known.
pub const fn are_atoms(shape: &Shape) -> bool {
    let members = match shape {
        Shape::Atom(_) => return true,
        Shape::Union(members) => *members,
        _ => return false,
    };
    let mut index = 0;
    while index < members.len() {
        if !are_atoms(&members[index]) {
            return false;
        }
        index += 1;
    }
    true
}

const fn has_atom(shape: &Shape, name: &str) -> bool {
    match shape {
        Shape::Atom(atom) => is_same(atom, name),
        Shape::Union(members) => {
            let mut index = 0;
            while index < members.len() {
                if has_atom(&members[index], name) {
                    return true;
                }
                index += 1;
            }
            false
        }
        _ => false,
    }
}

const fn are_all_within(names: &[&str], shape: &Shape) -> bool {
    let mut index = 0;
    while index < names.len() {
        if !has_atom(shape, names[index]) {
            return false;
        }
        index += 1;
    }
    true
}

/// The first atom of the shape that is not one of these names.
const fn first_without(shape: &Shape, names: &[&str]) -> Option<&'static str> {
    match shape {
        Shape::Atom(atom) => {
            let mut index = 0;
            while index < names.len() {
                if is_same(names[index], atom) {
                    return None;
                }
                index += 1;
            }
            Some(atom)
        }
        Shape::Union(members) => {
            let mut index = 0;
            while index < members.len() {
                if let Some(name) = first_without(&members[index], names) {
                    return Some(name);
                }
                index += 1;
            }
            None
        }
        _ => None,
    }
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let (mut same, mut index) = (left.len() == right.len(), 0);
    while same && index < left.len() {
        same = left[index] == right[index];
        index += 1;
    }
    same
}
