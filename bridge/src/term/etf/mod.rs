//! The External Term Format: terms as bytes
//!
//! [`encode()`] writes what `term_to_binary/1` of OTP 25 writes, byte for byte, with one exception:
//! the entries of a map of more than 32 keys are in the order of the keys, as
//! `term_to_binary(Term, [deterministic])` has them, where `term_to_binary/1` has them in the order
//! of the VM's hash. [`decode()`] reads whatever OTP has written since R13, compressed terms
//! excepted.

mod decode;
mod encode;
mod error;
mod reader;
mod tags;

pub use decode::decode;
pub(crate) use decode::decode_from_vm;
pub use encode::encode;
pub use error::EtfError;
