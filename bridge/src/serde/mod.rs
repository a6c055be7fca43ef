//! Any serde type as a term: [`Serde`], and functions for terms and for bytes.
//!
//! A type that derives `Serialize` and `Deserialize` needs no `derive(Term)` to be a message, an
//! argument, a reply or a field: wrap it in [`Serde`]. `docs/serde.md` has the mapping, which
//! depends only on the value.
//!
//! ```
//! # use otp_bridge_novm as _;
//! use otp_bridge::Term;
//! use otp_bridge::serde::{from_term, to_term};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct User {
//!     name: String,
//!     age: Option<u8>,
//!     role: Role,
//! }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! #[serde(rename_all = "snake_case")]
//! enum Role {
//!     Guest,
//!     Member { since: u16 },
//! }
//!
//! let user = User { name: "Ada".into(), age: None, role: Role::Member { since: 1843 } };
//! let term = to_term(&user)?;
//! assert_eq!(
//!     term.to_string(),
//!     "#{age => undefined,name => <<\"Ada\">>,role => {member,#{since => 1843}}}"
//! );
//! assert_eq!(from_term::<User>(&term)?, user);
//!
//! let error = to_term(&("Ada", f64::NAN)).unwrap_err();
//! assert_eq!(error.to_string(), "1: expected a finite float, got NaN");
//! # Ok::<(), otp_bridge::term::DecodeError>(())
//! ```

mod access;
mod compound;
mod error;
mod format;
mod mapping;
mod read;
#[cfg(feature = "serde_rustler")]
mod serde_rustler;
mod variant;
mod wrapper;
mod write;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use format::Format;
pub use mapping::{Elixir, Erlang, Mapping, Nothing, Null, Records, Structs};
#[cfg(feature = "serde_rustler")]
pub use serde_rustler::{SerdeRustler, SerdeTerm};
pub use wrapper::Serde;

use crate::term::{OwnedHeap, etf};
use crate::{DecodeError, Term};

/// Returns the term of a value, in the mapping [`Erlang`].
///
/// # Errors
/// The value has no term: see [`to_term_as`].
pub fn to_term<T: Serialize + ?Sized>(value: &T) -> Result<Term, DecodeError> {
    to_term_as::<Erlang, T>(value)
}

/// Returns the term of a value.
///
/// # Errors
/// A float is infinite or NaN; a value in `Some` has the mapping's term for `None`; a name has more
/// than 255 characters; a field of a record is skipped; or an implementation of `Serialize` fails.
/// The error has the position.
pub fn to_term_as<M: Format, T: Serialize + ?Sized>(value: &T) -> Result<Term, DecodeError> {
    M::write(value, OwnedHeap)
}

/// Returns the value of a term, in the mapping [`Erlang`].
///
/// # Errors
/// The term is not that of such a value. The error has the position.
pub fn from_term<T: DeserializeOwned>(term: &Term) -> Result<T, DecodeError> {
    from_term_as::<Erlang, T>(term)
}

/// Returns the value of a term.
///
/// # Errors
/// The term is not that of such a value. The error has the position.
pub fn from_term_as<M: Format, T: DeserializeOwned>(term: &Term) -> Result<T, DecodeError> {
    M::read(term)
}

/// Returns the value in the External Term Format, in the mapping [`Erlang`]: the bytes that
/// `term_to_binary/1` returns for its term.
///
/// # Errors
/// Like [`to_term_as`].
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, DecodeError> {
    to_term(value).map(|term| etf::encode(&term))
}

/// Returns the value of a term in the External Term Format, in the mapping [`Erlang`]. No atom is
/// created.
///
/// # Errors
/// The bytes are not a term, or not the term of such a value.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let term = etf::decode(bytes).map_err(|error| {
        DecodeError::new("a term in the External Term Format", error.to_string())
    })?;
    from_term(&term)
}
