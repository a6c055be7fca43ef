//! Reading a term as a whole: how deep it is, and which members of unions its parts are

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::depth::{self, MAX_DEPTH};
use super::{DecodeError, Misfit};

/// One reading of a term and all its parts.
///
/// Each part knows how deep it lies. What has been found out of a part, all others can look up: so
/// the members of a union can be told apart by reading them, and still no part is read more than a
/// constant number of times.
#[derive(Clone, Copy)]
pub struct Reader<'r> {
    memory: &'r Memory,
    depth: u32,
    /// How many levels below this one a check looks at.
    levels: u32,
}

/// A check with so many levels looks at all of a term.
const ALL_LEVELS: u32 = u32::MAX;

/// The work of copying the smallest part of a term.
const LEAST: usize = 8;

/// A smaller binary is copied: that costs less than one more owner, and keeps nothing larger alive.
pub(crate) const LARGE_BINARY: usize = 512;

/// The work of checking a part of a term.
pub(super) const CHECKED: usize = 16;

/// How many bytes are reserved at most for values that are still to be read: a list may be long,
/// and its first element wrong.
const RESERVED: usize = 64 * 1024;

/// The values of a list or map that has `count` of them.
///
/// # Errors
/// The first one that could not be read.
#[inline]
pub(super) fn values<T>(
    count: usize,
    read: impl Iterator<Item = Result<T, DecodeError>>,
) -> Result<Vec<T>, DecodeError> {
    let reserved = count.min(RESERVED / size_of::<T>().max(1));
    let mut values = Vec::with_capacity(reserved);
    for value in read {
        values.push(value?);
    }
    Ok(values)
}

/// What has been found out of the parts of a term.
struct Memory {
    /// How many bytes the values that are made may still take, and of how many.
    left: Cell<usize>,
    limit: usize,
    /// How much work may still be done before the reader gives way, in bytes that are copied.
    slice: Cell<usize>,
    gave_way: Cell<bool>,
    choices: RefCell<Option<HashMap<UnionAt, UnionMember>>>,
}

/// A union, by the function that checks it, and a part of the term that is being read.
type UnionAt = (usize, usize);

/// Which member of a union a term is.
#[derive(Clone, Copy)]
pub(super) enum UnionMember {
    Member(usize),
    /// None of them. The member that got furthest says most about the reason.
    None {
        best: Option<usize>,
        misfit: Misfit,
    },
}

impl Memory {
    #[inline]
    fn of(limit: usize, slice: usize) -> Self {
        Memory {
            left: Cell::new(limit),
            limit,
            slice: Cell::new(slice),
            gave_way: Cell::new(false),
            choices: RefCell::new(None),
        }
    }
}

impl<'r> Reader<'r> {
    /// Reads a whole term.
    #[inline]
    pub fn start<T>(read: impl FnOnce(Reader<'_>) -> T) -> T {
        read(Reader {
            memory: &Memory::of(usize::MAX, usize::MAX),
            depth: 0,
            levels: ALL_LEVELS,
        })
    }

    /// Reads a whole term whose value may take `limit` bytes, and gives way when about `slice`
    /// bytes have been read.
    ///
    /// # Errors
    /// Those of `read`, or one that [`DecodeError::gives_way`].
    #[inline]
    pub(crate) fn within<T, E: From<DecodeError>>(
        limit: usize,
        slice: usize,
        read: impl FnOnce(Reader<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let memory = Memory::of(limit, slice);
        let result = read(Reader {
            memory: &memory,
            depth: 0,
            levels: ALL_LEVELS,
        });
        // A check that was broken off may have chosen the wrong member of a union.
        if memory.gave_way.get() {
            Err(DecodeError::of_giving_way().into())
        } else {
            result
        }
    }

    /// Reads the parts of a tuple, list or map.
    ///
    /// # Errors
    /// They lie too deep.
    #[inline]
    pub fn inner(self) -> Result<Reader<'r>, DecodeError> {
        if self.depth as usize >= MAX_DEPTH {
            return Err(depth::too_deep());
        }
        Ok(Reader {
            depth: self.depth + 1,
            ..self
        })
    }

    /// Reads the parts of a tuple, list or map that may contain such a term again.
    ///
    /// # Errors
    /// Those of `read`, or the parts lie too deep.
    pub(crate) fn deeper<T>(
        self,
        read: impl FnOnce(Reader<'r>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let inner = self.inner()?;
        depth::on_any_stack(|| read(inner))
    }

    /// Counts bytes that are about to be copied.
    ///
    /// # Errors
    /// They are more than may be, or enough to give way.
    #[inline]
    pub(crate) fn take(self, bytes: usize) -> Result<(), DecodeError> {
        self.spend(bytes, bytes.max(LEAST))
    }

    /// Counts the bytes of a binary that several may own. A large one is not copied, so that only
    /// the bytes of its owner count.
    ///
    /// # Errors
    /// As [`Reader::take`].
    #[inline]
    pub(crate) fn share(self, bytes: usize) -> Result<(), DecodeError> {
        let copied = if bytes < LARGE_BINARY {
            bytes
        } else {
            size_of::<bytes::Bytes>()
        };
        self.spend(copied, bytes.clamp(LEAST, LARGE_BINARY))
    }

    /// Counts values that are about to be made.
    #[inline]
    pub(super) fn take_values<T>(self, count: usize) -> Result<(), DecodeError> {
        let work = count.saturating_mul(size_of::<T>().max(LEAST));
        self.spend(count.saturating_mul(size_of::<T>()), work)
    }

    /// Counts work that makes no value, in bytes whose copying takes as long.
    ///
    /// # Errors
    /// It is enough to give way.
    #[inline]
    pub(super) fn work(self, bytes: usize) -> Result<(), DecodeError> {
        if self.goes_on(bytes) {
            Ok(())
        } else {
            Err(DecodeError::of_giving_way())
        }
    }

    #[inline]
    fn spend(self, bytes: usize, work: usize) -> Result<(), DecodeError> {
        match self.memory.left.get().checked_sub(bytes) {
            Some(left) => self.memory.left.set(left),
            None => return Err(self.too_large()),
        }
        self.work(work)
    }

    /// Counts work, in bytes whose copying takes as long. Whether the reader goes on: if not,
    /// nothing of what it finds counts.
    #[inline]
    pub(super) fn goes_on(self, work: usize) -> bool {
        match self.memory.slice.get().checked_sub(work) {
            Some(left) => {
                self.memory.slice.set(left);
                true
            }
            None => {
                self.memory.gave_way.set(true);
                false
            }
        }
    }

    #[cold]
    fn too_large(self) -> DecodeError {
        DecodeError::limit(
            format!(
                "a message of at most {} bytes (message_limit)",
                self.memory.limit
            ),
            "a larger one",
        )
    }

    /// Checks the parts of a tuple, list or map. `None`: the check does not look at them.
    #[inline]
    pub fn parts(self) -> Option<Reader<'r>> {
        // Whoever reads parts that lie too deep says so. A check that fails for the same reason
        // would only hide it.
        if self.levels == 0 || self.depth as usize >= MAX_DEPTH || !self.goes_on(CHECKED) {
            return None;
        }
        let levels = match self.levels {
            ALL_LEVELS => ALL_LEVELS,
            levels => levels - 1,
        };
        Some(Reader {
            depth: self.depth + 1,
            levels,
            ..self
        })
    }

    /// The parts of a list or map, which may be many. It is `None` if the check does not look at
    /// all of the term.
    #[inline]
    pub fn all_parts(self) -> Option<Reader<'r>> {
        self.parts().filter(|_| self.looks_at_all())
    }

    #[inline]
    pub(super) fn looks_at_all(self) -> bool {
        self.levels == ALL_LEVELS
    }

    /// A check of the term and of the kinds of its parts.
    pub(super) fn outer(self) -> Reader<'r> {
        Reader { levels: 1, ..self }
    }

    /// A check of all of the term.
    pub(super) fn whole(self) -> Reader<'r> {
        Reader {
            levels: ALL_LEVELS,
            ..self
        }
    }

    /// What has been found out of the union with this check: `part` is the term's
    /// [`super::View::identity`].
    #[inline]
    pub(super) fn recall(self, check: usize, part: usize) -> Option<UnionMember> {
        let choices = self.memory.choices.borrow();
        choices.as_ref()?.get(&(check, part)).copied()
    }

    /// What has been found out of another type than a union.
    #[inline]
    pub(super) fn recall_check(self, check: usize, part: usize) -> Option<Result<(), Misfit>> {
        Some(match self.recall(check, part)? {
            UnionMember::Member(_) => Ok(()),
            UnionMember::None { misfit, .. } => Err(misfit),
        })
    }

    #[inline]
    pub(super) fn remember_check(self, check: usize, part: usize, found: Result<(), Misfit>) {
        let choice = match found {
            Ok(()) => UnionMember::Member(0),
            Err(misfit) => UnionMember::None { best: None, misfit },
        };
        self.remember(check, part, choice);
    }

    #[inline]
    pub(super) fn remember(self, check: usize, part: usize, choice: UnionMember) {
        let mut choices = self.memory.choices.borrow_mut();
        let choices = choices.get_or_insert_default();
        choices.insert((check, part), choice);
    }
}
