//! Reads files of any kind, writes several files atomically, and removes folders.

mod atomic;
mod bounded;
mod moved;
mod removal;
mod scratch;
mod transaction;

pub(crate) use atomic::{replace_link, write, write_unless_same};
pub(crate) use bounded::{open_regular, read_bounded, read_regular, read_text};
pub(crate) use moved::move_to;
pub(crate) use removal::{Removed, entries};
pub(crate) use scratch::Scratch;
pub(crate) use transaction::Transaction;
