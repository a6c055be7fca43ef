//! The External Term Format: terms as bytes
//!
//! [`encode()`] writes what `term_to_binary/1` of OTP 25 writes, byte for byte. Every release reads
//! that. OTP 26 changed what `term_to_binary/1` itself writes: [`encode_as()`] with [`Form::Otp26`]
//! writes that, for whoever compares or hashes the bytes. No function here asks the VM: the same
//! term has the same bytes wherever it is.
//!
//! The entries of a map are in the order of their keys, as `term_to_binary(Term, [deterministic])`
//! has them. OTP 25 has them so without this option, too, in maps of up to 32 keys. In larger maps,
//! and from OTP 26 on in all maps with atoms as keys, `term_to_binary/1` has an order of the VM's own.
//!
//! [`decode()`] reads whatever OTP has written since R13, compressed terms excepted.

mod decode;
mod encode;
mod error;
mod reader;
mod tags;

pub use decode::decode;
pub(crate) use decode::decode_from_vm;
pub use encode::{Form, encode, encode_as};
pub use error::EtfError;
