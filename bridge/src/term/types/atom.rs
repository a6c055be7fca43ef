//! `atom()`: atoms that are known at run time.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, OnceLock};

use otp_contract::limits::ATOM_CHARACTERS;

use crate::term::{ErlangType, Heap, StaticAtom, ToTerm, quote_atom};

/// Any atom; also `module()` and `node()`.
///
/// An atom that was read from bytes can become a term of the VM only if the VM already has it,
/// since the VM never frees atoms. Atoms of the program ([`Atom::new`]) and of the VM itself have
/// no such limit.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::{Atom, atom};
///
/// let stop = atom!("stop");                       // the compiler checks the text
/// assert_eq!(stop.text(), "stop");
/// assert_eq!(Atom::new("two words")?.to_string(), "'two words'");
/// # Ok::<(), otp_bridge::term::AtomTooLong>(())
/// ```
#[derive(Clone)]
pub struct Atom(Representation);

#[derive(Clone)]
enum Representation {
    Static(&'static Shared<StaticAtom>),
    /// Created by the program at run time. The VM's word for it is looked up once.
    Program(Arc<Shared<ProgramAtom>>),
    Dynamic {
        text: Arc<str>,
        origin: AtomOrigin,
    },
}

struct ProgramAtom {
    text: Box<str>,
    word: OnceLock<usize>,
}

/// An atom with a cell for its word. Comparisons do not read the cell. This type hides the cell
/// from clippy, which would otherwise warn about atoms as keys of maps.
type Shared<T> = dyn AsRef<T> + Send + Sync + RefUnwindSafe;

impl AsRef<StaticAtom> for StaticAtom {
    fn as_ref(&self) -> &StaticAtom {
        self
    }
}

impl AsRef<ProgramAtom> for ProgramAtom {
    fn as_ref(&self) -> &ProgramAtom {
        self
    }
}

/// The origin of an atom's text. It decides whether the VM may add the atom to its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomOrigin {
    /// The program created the atom.
    Program,
    /// The VM has the atom, with this word.
    Vm(NonZeroUsize),
    /// The atom was read from bytes, which may come from anywhere.
    Bytes,
}

/// A text has more than 255 characters, the limit of an atom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtomTooLong {
    /// The number of characters of the text.
    pub characters: usize,
}

impl fmt::Display for AtomTooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "an atom has at most {ATOM_CHARACTERS} characters, this text has {}",
            self.characters
        )
    }
}

impl std::error::Error for AtomTooLong {}

impl ErlangType for AtomTooLong {
    fn erlang_type() -> String {
        "system_limit".to_owned()
    }
}

/// `system_limit`, as `binary_to_atom/1` raises it.
#[diagnostic::do_not_recommend]
impl ToTerm for AtomTooLong {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        static SYSTEM_LIMIT: StaticAtom = StaticAtom::new("system_limit");
        heap.atom(&SYSTEM_LIMIT)
    }
}

impl Atom {
    /// Returns the atom with this text. Never pass text from outside: the atom may be added to the
    /// VM's atom table for good.
    ///
    /// # Errors
    /// The text has more than 255 characters.
    pub fn new(text: &str) -> Result<Atom, AtomTooLong> {
        Self::with_origin(text, AtomOrigin::Program)
    }

    /// Returns an atom of the program's text, which `atom!` creates.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_program(atom: &'static StaticAtom) -> Atom {
        Atom(Representation::Static(atom))
    }

    pub(crate) fn with_origin(text: &str, origin: AtomOrigin) -> Result<Atom, AtomTooLong> {
        let characters = text.chars().count();
        if characters > ATOM_CHARACTERS {
            return Err(AtomTooLong { characters });
        }
        Ok(Atom(match origin {
            AtomOrigin::Program => Representation::Program(Arc::new(ProgramAtom {
                text: text.into(),
                word: OnceLock::new(),
            })),
            AtomOrigin::Vm(_) | AtomOrigin::Bytes => Representation::Dynamic {
                text: text.into(),
                origin,
            },
        }))
    }

    /// Returns the text of the atom, without quotes.
    pub fn text(&self) -> &str {
        match &self.0 {
            Representation::Static(atom) => atom.as_ref().text(),
            Representation::Program(atom) => &(**atom).as_ref().text,
            Representation::Dynamic { text, .. } => text,
        }
    }

    /// Returns the static atom that this one was made from.
    pub(crate) fn as_static(&self) -> Option<&'static StaticAtom> {
        match self.0 {
            Representation::Static(atom) => Some(atom.as_ref()),
            Representation::Program(_) | Representation::Dynamic { .. } => None,
        }
    }

    /// Returns the VM's word for an atom that the program created. `make` provides it the first
    /// time.
    pub(crate) fn program_word(&self, make: impl FnOnce() -> usize) -> usize {
        match &self.0 {
            Representation::Program(atom) => *(**atom).as_ref().word.get_or_init(make),
            Representation::Static(_) | Representation::Dynamic { .. } => make(),
        }
    }

    pub(crate) fn origin(&self) -> AtomOrigin {
        match self.0 {
            Representation::Static(_) | Representation::Program(_) => AtomOrigin::Program,
            Representation::Dynamic { origin, .. } => origin,
        }
    }
}

/// The atom of an atom type `A`, such as one of [`atoms`](mod@crate::atoms).
#[diagnostic::on_unimplemented(
    message = "`{A}` is not an atom",
    label = "write `atom!(\"name\")`, or `Atom::new(text)` for a text that is known at run time"
)]
pub trait AtomOf<A> {
    /// Returns the atom.
    fn of() -> &'static StaticAtom;
}

impl<A> From<A> for Atom
where
    Atom: AtomOf<A>,
{
    fn from(_: A) -> Self {
        Atom::of_program(<Atom as AtomOf<A>>::of())
    }
}

#[diagnostic::do_not_recommend]
impl From<&'static StaticAtom> for Atom {
    fn from(atom: &'static StaticAtom) -> Self {
        Atom::of_program(atom)
    }
}

impl PartialEq for Atom {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Atom {}

impl PartialEq<str> for Atom {
    fn eq(&self, other: &str) -> bool {
        self.text() == other
    }
}

impl PartialEq<&str> for Atom {
    fn eq(&self, other: &&str) -> bool {
        self.text() == *other
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Atom {
    /// Atoms are ordered by their characters, as in Erlang.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text().cmp(other.text())
    }
}

impl Hash for Atom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&quote_atom(self.text()))
    }
}
