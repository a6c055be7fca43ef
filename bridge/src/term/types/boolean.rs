//! `boolean()`

use crate::term::{DecodeError, FromTerm, Heap, Shape, StaticAtom, ToTerm, View};

static TRUE: StaticAtom = StaticAtom::new("true");
static FALSE: StaticAtom = StaticAtom::new("false");

#[diagnostic::do_not_recommend]
impl ToTerm for bool {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        heap.atom(if *self { &TRUE } else { &FALSE })
    }
}

#[diagnostic::do_not_recommend]
impl FromTerm for bool {
    const KIND: Shape = Shape::Union(&[Shape::Atom("true"), Shape::Atom("false")]);

    fn from_term<'a, V: View<'a>>(view: V) -> Result<Self, DecodeError> {
        if view.is_atom(&TRUE) {
            Ok(true)
        } else if view.is_atom(&FALSE) {
            Ok(false)
        } else {
            Err(DecodeError::expected::<Self, V>(view))
        }
    }
}
