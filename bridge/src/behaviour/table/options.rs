//! Options for creating a table.

use super::TableKind;
use crate::{Atom, Term, atom};

/// Options for creating a table. By default, the table is `protected`: all processes read it, and
/// only its owner writes.
#[derive(Debug, Clone)]
#[must_use]
pub struct TableOptions {
    access: Atom,
    read_concurrency: bool,
    write_concurrency: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl TableOptions {
    /// A table that only its owner writes.
    pub fn new() -> Self {
        TableOptions {
            access: atom!("protected"),
            read_concurrency: false,
            write_concurrency: false,
        }
    }

    /// All processes read and write it.
    pub fn public(mut self) -> Self {
        self.access = atom!("public");
        self
    }

    /// Only its owner reads and writes it.
    pub fn private(mut self) -> Self {
        self.access = atom!("private");
        self
    }

    /// Optimizes the table for many concurrent readers and few writers.
    pub fn read_concurrency(mut self) -> Self {
        self.read_concurrency = true;
        self
    }

    /// Optimizes the table for concurrent writers.
    pub fn write_concurrency(mut self) -> Self {
        self.write_concurrency = true;
        self
    }

    /// The options of `ets:new/2`.
    pub(super) fn to_list<Kind: TableKind>(&self) -> Vec<Term> {
        vec![
            Term::of(&Kind::name()),
            Term::of(&self.access),
            Term::of(&(atom!("read_concurrency"), self.read_concurrency)),
            Term::of(&(atom!("write_concurrency"), self.write_concurrency)),
        ]
    }
}
