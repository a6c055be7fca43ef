//! Reading files that may be anything, and writing several files together or not at all.

mod atomic;
mod bounded;
mod transaction;

pub(crate) use atomic::{write, write_unless_same};
pub(crate) use bounded::{read_bounded, read_regular, read_text};
pub(crate) use transaction::Transaction;
