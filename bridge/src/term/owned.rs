//! Terms that live outside the VM

use super::{DecodeError, ImproperList, OwnedHeap, TermMap, Terms, ToTerm};
use crate::term::types::{Atom, Binary, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

/// Any Erlang term, in Rust's own memory.
///
/// `Display` and `Debug` write Erlang syntax. Two terms are equal if Erlang's `=:=` says so. Their
/// order is Erlang's order of terms; of two terms that Erlang's `==` calls equal (`1` and `1.0`),
/// the integer comes first.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
///
/// let term = Term::of(&("size", vec![1, 2], Some(3.5)));
/// assert_eq!(term.to_string(), "{<<\"size\">>,[1,2],3.5}");
/// let (name, numbers, _): (String, Vec<u8>, Option<f64>) = term.decode()?;
/// assert_eq!((name.as_str(), numbers), ("size", vec![1, 2]));
/// assert_eq!(
///     term.decode::<u64>().unwrap_err().to_string(),
///     "expected non_neg_integer(), got {<<\"size\">>,[1,2],3.5}"
/// );
/// # Ok::<(), otp_bridge::term::DecodeError>(())
/// ```
#[derive(Clone)]
pub enum Term {
    /// An atom
    Atom(Atom),
    /// An integer of 64 bits
    Integer(i64),
    /// An integer of any size
    BigInteger(Integer),
    /// A float
    Float(Float),
    /// A binary
    Binary(Binary),
    /// A bitstring, usually one that does not consist of whole bytes
    Bitstring(Bitstring),
    /// A proper list
    List(Terms),
    /// A list that does not end in `[]`
    ImproperList(ImproperList),
    /// A tuple
    Tuple(Terms),
    /// A map
    Map(TermMap),
    /// A process identifier
    Pid(Pid),
    /// A port identifier
    Port(Port),
    /// A reference
    Reference(Reference),
    /// A fun
    Fun(Fun),
}

impl Term {
    /// The term of a value.
    pub fn of<T: ToTerm + ?Sized>(value: &T) -> Term {
        value.to_term(OwnedHeap)
    }

    /// The empty list, `[]`.
    pub const fn nil() -> Term {
        Term::List(Terms::new())
    }

    /// The value of a term.
    ///
    /// # Errors
    /// The term is not of the type `T`.
    pub fn decode<T: super::FromTerm>(&self) -> Result<T, DecodeError> {
        T::from_term(self)
    }
}
