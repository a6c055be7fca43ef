//! Checks of a callback module at compile time. The attribute's macro reports each mistake at a
//! span of the user's source. If a message needs facts that only the types have, such as a
//! variant's name, a check builds the message and panics with it.

use std::marker::PhantomData;

use crate::runtime::raw::borrowed_argument::Argument;
use crate::runtime::registry::Taken;
use crate::term::{Covers, Shape};

/// A type whose shape is looked up. If the type cannot be read from a term, the compiler reports
/// that separately, and the shape is unknown here.
pub struct Known<T>(PhantomData<T>);

impl<T: Argument> Known<T> {
    /// The shape of the type's terms.
    pub const SHAPE: Shape = T::SHAPE;
}

/// The fallback of [`Known`] for all other types.
pub trait Unknown {
    /// Some terms, without further knowledge.
    const SHAPE: Shape = Shape::Some(&Shape::Any);
}

impl<T> Unknown for Known<T> {}

/// The length limit of a message in bytes. Longer messages are cut.
const LONGEST: usize = 4096;

/// A number of mistakes as a type. A trait that is implemented only for 0 turns the number into an
/// error.
pub type Mistakes<const COUNT: usize> = [(); COUNT];

/// The text of an error, built at compile time.
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

/// Returns the index of the first of these clauses that matches all terms of the clause below them,
/// or their number if none does.
pub const fn first_above(clause: &Taken, above: &[Taken]) -> usize {
    let mut index = 0;
    while index < above.len() && !covers_all(above[index].shapes, clause.shapes) {
        index += 1;
    }
    index
}

/// Rejects a clause if an earlier clause already matches some of its values. Only the types know
/// which values these are.
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

/// Returns whether the first of these shapes contains all terms of the second.
pub const fn is_covered(above: &Shape, own: &Shape) -> bool {
    matches!(above.covers(own), Covers::Yes)
}

/// Returns whether each of the shapes covers its counterpart.
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

/// Returns the name of a member of the clause's union that the clause above already matches.
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

/// Returns the name of a member that `above` matches; empty if it matches all members or the member
/// has no name.
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
        // A member without a name is not a variant but a part of the terms: a clause for this part
        // is above one for all.
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

/// Returns whether another member of the union contains all terms of this one: then this member
/// does not add to the union.
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

/// Returns the name of a member: its atom, or that of a tagged tuple.
const fn name(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Atom(name) => Some(name),
        Shape::Elements([Shape::Atom(tag), ..]) => Some(tag),
        _ => None,
    }
}

/// Returns whether a clause may match this atom.
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

/// Functions named after the values of a type.
pub struct Functions {
    /// The type, as the source spells it.
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

/// Returns whether all values of the type are atoms, and this one is not among them.
pub const fn has_other_atoms(shape: &Shape, name: &str) -> bool {
    are_atoms(shape) && !has_atom(shape, name)
}

/// Rejects a type that has more values than there are functions. Only the type knows which are
/// missing.
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

/// Returns whether all terms of the shape are known atoms.
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

/// Returns the first atom of the shape that is not one of these names.
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
