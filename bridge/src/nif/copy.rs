//! Copies of the VM's terms that live outside it.
#![allow(unsafe_code)]

use std::num::NonZeroUsize;
use std::sync::Arc;

use rustler::sys::{enif_alloc_env, enif_free_env};

use super::external::to_external;
use super::{VmTerm, atom};
use crate::term::types::PidParts;
use crate::term::{Binary, DecodeError, ImproperList, Reader, Term, TermKind, View};

impl VmTerm<'_> {
    /// Returns an owned copy of the term.
    pub(super) fn copied(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        reader.take(size_of::<Term>())?;
        match self.kind() {
            TermKind::List => reader.deeper(|reader| self.copied_list(reader)),
            TermKind::Tuple => reader.deeper(|reader| self.copied_tuple(reader)),
            TermKind::Map => reader.deeper(|reader| self.copied_map(reader)),
            _ => self
                .copied_leaf(reader)?
                .ok_or_else(|| DecodeError::new("term()", "a term that cannot be copied")),
        }
    }

    #[inline(never)]
    fn copied_list(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        let mut elements = Vec::new();
        let mut rest = self;
        while let Some((head, tail)) = rest.list_cell() {
            elements.push(head.copied(reader)?);
            rest = tail;
        }
        if rest.is_empty_list() {
            return Ok(Term::List(elements.into()));
        }
        Ok(ImproperList::term(elements, rest.copied(reader)?))
    }

    #[inline(never)]
    fn copied_tuple(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        let elements = self.elements().unwrap_or_default();
        let mut copies = Vec::with_capacity(elements.len());
        for element in elements {
            copies.push(self.part(*element).copied(reader)?);
        }
        Ok(Term::Tuple(copies.into()))
    }

    #[inline(never)]
    fn copied_map(self, reader: Reader<'_>) -> Result<Term, DecodeError> {
        let mut copies = Vec::new();
        for (key, value) in self.map_entries().into_iter().flatten() {
            copies.push((key.copied(reader)?, value.copied(reader)?));
        }
        Ok(Term::Map(copies.into_iter().collect()))
    }

    fn copied_integer(self) -> Option<Term> {
        match View::integer(self) {
            Some(value) => Some(Term::Integer(value)),
            None => self.external(),
        }
    }

    #[inline(never)]
    fn copied_leaf(self, reader: Reader<'_>) -> Result<Option<Term>, DecodeError> {
        Ok(match self.kind() {
            TermKind::Atom => View::atom(self).map(Term::Atom),
            TermKind::Integer => self.copied_integer(),
            TermKind::Float => View::float(self).map(Term::Float),
            TermKind::Bitstring => match View::binary(self) {
                Some(bytes) => {
                    reader.share(bytes.len())?;
                    View::shared_binary(self).map(|bytes| Term::Binary(Binary::from(bytes)))
                }
                None => self.external(),
            },
            TermKind::Pid => View::pid(self).map(Term::Pid),
            TermKind::Reference => View::reference(self).map(Term::Reference),
            _ => self.external(),
        })
    }

    /// Copies a term that the NIF interface cannot read, through its external format, which is
    /// slow.
    pub(super) fn external(self) -> Option<Term> {
        // SAFETY: the term is of the environment, see `new`.
        unsafe { to_external(self.env(), self.raw()) }
    }
}

/// Requests the parts of a local process's identifier from the VM.
pub(crate) fn local_pid_parts(word: NonZeroUsize) -> PidParts {
    // SAFETY: only the VM creates local identifiers, so there is a VM. The environment is new, used
    // by this thread only, and freed once. The word is an immediate.
    let term = unsafe {
        let env = enif_alloc_env();
        let term = to_external(env, atom::term(word.get()));
        enif_free_env(env);
        term
    };
    match term {
        Some(Term::Pid(pid)) => Arc::unwrap_or_clone(pid.parts()),
        _ => unreachable!("the external format of a process identifier has its parts"),
    }
}
