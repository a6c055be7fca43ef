//! References to a root that many threads take and drop without slowing each other down.
//!
//! A reference count is memory that all its users write. So each thread has a count of its own: a
//! version keeps one [`Kept`] root for each of a few threads, which all refer to the one root.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;

use crate::node::Node;

/// A root that stays alive while this value does. Cloning and dropping it writes only memory of the
/// thread that called [`crate::jungle::Root::kept`].
#[derive(Clone)]
pub struct Kept(Arc<Counted>);

/// The alignment keeps the counts of two threads out of one cache line, and out of two lines that a
/// processor fetches together.
#[repr(align(128))]
struct Counted(Node);

/// The roots of a version, by thread. They are created when they are needed.
#[derive(Default)]
pub(crate) struct Shares(OnceLock<Box<[OnceLock<Kept>]>>);

/// How many threads have a count of their own. If there are more, some of them share one.
static THREADS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

thread_local! {
    static THREAD: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Returns the number of this thread. Threads are numbered when they first call this.
fn thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    THREAD.get().unwrap_or_else(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        THREAD.set(Some(number));
        number
    })
}

impl Shares {
    /// Returns this thread's reference to the root.
    pub(crate) fn of(&self, root: &Node) -> Kept {
        let new = || (0..*THREADS).map(|_| OnceLock::new()).collect();
        let all = self.0.get_or_init(new);
        let own = &all[thread() % all.len()];
        own.get_or_init(|| Kept(Arc::new(Counted(root.clone()))))
            .clone()
    }
}

impl Kept {
    /// Returns whether this is the last reference.
    #[must_use]
    pub fn is_last(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

impl Deref for Kept {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.0.0
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Debug for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shares")
    }
}

/// The copy of a version has another root soon, so it does not copy these.
impl Clone for Shares {
    fn clone(&self) -> Self {
        Shares::default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::jungle::create_jungle;

    /// Returns the address of the count that a thread uses.
    fn count(kept: &Kept) -> usize {
        Arc::as_ptr(&kept.0).addr()
    }

    #[test]
    fn threads_count_references_to_a_root_apart() {
        let jungle = create_jungle();
        jungle.create_tree("a").expect("it is new");
        let root = || jungle.get_root_node("a").expect("it exists");
        let threads = *THREADS;
        let before = Arc::strong_count(&root().kept().0);
        let counts: BTreeSet<usize> = thread::scope(|scope| {
            let counts =
                (0..4 * threads).map(|_| scope.spawn(|| (count(&root().kept()), root().kept())));
            let counts: Vec<_> = counts.collect();
            counts
                .into_iter()
                .map(|it| it.join().expect("it does not panic").0)
                .collect()
        });
        assert_eq!(
            counts.len(),
            threads,
            "each thread up to this number has a count"
        );
        let lines: BTreeSet<usize> = counts.iter().map(|count| count / 128).collect();
        assert_eq!(lines.len(), threads);
        let own = root().kept();
        assert_eq!(Arc::strong_count(&own.0), before);
        let other = own.clone();
        jungle
            .update_root_node_with("a", |root| root.add_child_at(&[]))
            .expect("it exists");
        assert_eq!(
            (own.size(), root().kept().size()),
            (1, 2),
            "a kept root does not change"
        );
        assert!(!own.is_last());
        drop(other);
        assert!(
            own.is_last(),
            "the version is dropped, the kept root is not"
        );
    }
}
