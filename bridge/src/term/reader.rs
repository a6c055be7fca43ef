//! Reading a term as a whole, with knowledge of its depth, and of the members of unions that its
//! parts are.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::depth::{self, MAX_DEPTH};
use super::{DecodeError, Misfit};

/// One reading of a term and all its parts.
///
/// Each part knows its depth. Results about a part are available to all other parts. So the members
/// of a union can be distinguished by reading them, and still no part is read more than a constant
/// number of times.
#[derive(Clone, Copy)]
pub struct Reader<'r> {
    memory: &'r Memory,
    depth: u32,
    /// The number of levels below this one that a check examines.
    levels: u32,
}

/// The number of levels for a check of the whole term.
const ALL_LEVELS: u32 = u32::MAX;

/// The work of copying the smallest part of a term.
const LEAST: usize = 8;

/// A binary that is smaller than this is copied, which costs less than another owner, and does not
/// keep a larger binary alive.
pub(crate) const LARGE_BINARY: usize = 512;

/// The work of checking a part of a term.
pub(super) const CHECKED: usize = 16;

/// The largest number of bytes that are reserved for values before they are read: a list may be
/// long, and its first element wrong.
const RESERVED: usize = 64 * 1024;

/// Collects the `count` values of a list or map.
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

/// The results and limits of one reading.
struct Memory {
    /// The number of bytes that the created values may still take, and the limit.
    left: Cell<usize>,
    limit: usize,
    /// The work that may still be done before the reader yields, in copied bytes.
    slice: Cell<usize>,
    gave_way: Cell<bool>,
    choices: RefCell<Option<HashMap<UnionAt, UnionMember>>>,
}

/// A union, by the function that checks it, and a part of the term that is being read.
type UnionAt = (usize, usize);

/// The member of a union that a term is.
#[derive(Clone, Copy)]
pub(super) enum UnionMember {
    Member(usize),
    /// None of them. The member whose check got furthest gives the best reason.
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

    /// Reads a whole term whose value may take `limit` bytes, and yields when about `slice` bytes
    /// have been read.
    ///
    /// # Errors
    /// The errors of `read`, or the error of a reader that has to yield
    /// ([`DecodeError::gives_way`]).
    #[inline(always)]
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
        // A check that was interrupted may have chosen the wrong member of a union.
        if memory.gave_way.get() {
            Err(DecodeError::of_giving_way().into())
        } else {
            result
        }
    }

    /// Returns a reader of the parts of a tuple, list or map.
    ///
    /// # Errors
    /// The parts are nested too deep.
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
    /// The errors of `read`, or the parts are nested too deep.
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
    /// The limit is exceeded, or the reader has to yield.
    #[inline]
    pub(crate) fn take(self, bytes: usize) -> Result<(), DecodeError> {
        self.spend(bytes, bytes.max(LEAST))
    }

    /// Counts the bytes of a binary that may have several owners. A large one is not copied, so
    /// only the bytes of its owner count.
    ///
    /// # Errors
    /// Like [`Reader::take`].
    #[inline]
    pub(crate) fn share(self, bytes: usize) -> Result<(), DecodeError> {
        let copied = if bytes < LARGE_BINARY {
            bytes
        } else {
            size_of::<bytes::Bytes>()
        };
        self.spend(copied, bytes.clamp(LEAST, LARGE_BINARY))
    }

    /// Counts values that are about to be created.
    #[inline]
    pub(super) fn take_values<T>(self, count: usize) -> Result<(), DecodeError> {
        let work = count.saturating_mul(size_of::<T>().max(LEAST));
        self.spend(count.saturating_mul(size_of::<T>()), work)
    }

    /// Counts work that creates no value, as the number of bytes that can be copied in the same
    /// time.
    ///
    /// # Errors
    /// The reader has to yield.
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

    /// Counts work, as the number of bytes that can be copied in the same time. Returns whether the
    /// reader continues. If not, its results are discarded.
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

    /// Returns a reader that checks the parts of a tuple, list or map. `None` if the check does not
    /// examine them.
    #[inline]
    pub fn parts(self) -> Option<Reader<'r>> {
        // Parts that are nested too deep are reported when they are read. A check that fails for
        // the same reason would only hide that error.
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

    /// Returns a reader for the parts of a list or map, which may be many. `None` if the check does
    /// not examine the whole term.
    #[inline]
    pub fn all_parts(self) -> Option<Reader<'r>> {
        self.parts().filter(|_| self.looks_at_all())
    }

    #[inline]
    pub(super) fn looks_at_all(self) -> bool {
        self.levels == ALL_LEVELS
    }

    /// Returns a reader that checks the term and the kinds of its parts.
    pub(super) fn outer(self) -> Reader<'r> {
        Reader { levels: 1, ..self }
    }

    /// Returns a reader that checks the whole term.
    pub(super) fn whole(self) -> Reader<'r> {
        Reader {
            levels: ALL_LEVELS,
            ..self
        }
    }

    /// Returns the known result for the union with this check: `part` is the term's
    /// [`super::View::identity`].
    #[inline]
    pub(super) fn recall(self, check: usize, part: usize) -> Option<UnionMember> {
        let choices = self.memory.choices.borrow();
        choices.as_ref()?.get(&(check, part)).copied()
    }

    /// Returns the known result for a type that is not a union.
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
