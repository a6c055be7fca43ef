//! The External Term Format: terms as bytes.
//!
//! [`encode()`] writes the same bytes as `term_to_binary/1` of OTP 25. Every release reads them.
//! Since OTP 26, `term_to_binary/1` itself uses another encoding: use [`encode_as()`] with
//! [`Encoding::Otp26`] for code that compares or hashes the bytes. No function of this module calls
//! the VM: a term has the same bytes everywhere.
//!
//! The entries of a map are in the order of their keys, as with
//! `term_to_binary(Term, [deterministic])`. OTP 25 uses this order without the option, too, for
//! maps of up to 32 keys. For larger maps, and since OTP 26 for all maps with atoms as keys,
//! `term_to_binary/1` uses an order of the VM's own.
//!
//! [`decode()`] reads everything that OTP has written since R13, except compressed terms.

mod decode;
mod encode;
mod error;
mod reader;
mod tags;

pub use decode::decode;
pub(crate) use decode::decode_from_vm;
pub use encode::{Encoding, encode, encode_as};
pub use error::EtfError;
