//! Reading files that nobody vouches for, and writing them all or nothing.

mod atomic;
mod bounded;
mod transaction;

pub(crate) use atomic::{write, write_unless_same};
pub(crate) use bounded::{read_bounded, read_regular};
pub(crate) use transaction::Transaction;
