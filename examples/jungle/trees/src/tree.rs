//! A tree: its root, its writers, and its watchers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, Guard};
use otp_bridge::Pid;

use crate::change::{Change, diff, next_root};
use crate::error::{Error, Result};
use crate::index::Indexes;
use crate::log::{Log, Pending};
use crate::names::Names;
use crate::nested;
use crate::node::rebase::leave_traces;
use crate::node::{Node, Position};
use crate::publish::Unpublished;
use crate::queue::Queue;
use crate::share::{Kept, Shares};
use crate::turn::{Take, Turns};
use crate::versions::History;
use crate::watchers::Watchers;

/// An immutable state of a tree.
#[derive(Debug, Clone)]
pub struct Version {
    /// The version's number: how many changes came before it.
    pub number: u64,
    /// Upper bound of the positions of all nodes in this version and those before it.
    pub(crate) highest: Position,
    /// The root.
    pub node: Node,
    /// The tree's indexes.
    pub indexes: Indexes,
    pub(crate) shares: Shares,
}

impl Version {
    /// Returns the root as a value that can be kept. Taking and dropping it writes no memory that
    /// other threads write, unlike a clone of the node.
    #[must_use]
    pub fn kept(&self) -> Kept {
        self.shares.of(&self.node)
    }
}

/// Lists with fewer changes are not prepared beside other writers: that would take longer.
const LONG: usize = 16;

/// Function that makes a new root from the present one.
type Edit = Box<dyn FnOnce(&Node) -> Result<Node> + Send>;

/// A writer's request.
enum Job {
    Edit(Edit),
    Replace(Prepared),
    /// Changes, and the version that they make of an earlier one. The writer keeps the changes as
    /// well, so that it drops them and not the leader.
    Changes(Prepared, Arc<Vec<Change>>),
}

/// A version that can replace the newest one.
pub(crate) struct Prepared {
    pub(crate) before: Arc<Version>,
    pub(crate) version: Arc<Version>,
    pub(crate) changes: Vec<Change>,
    pub(crate) record: Vec<u8>,
}

/// A tree of a jungle. The alignment keeps two trees out of one cache line, and out of two lines
/// that a processor fetches together, because different threads may write them.
#[repr(align(128))]
pub struct Tree {
    pub(crate) published: ArcSwap<Version>,
    writers: Queue<Job, Result<(u64, Pending)>>,
    /// The newest version, which may not be on the disk yet.
    pub(crate) latest: Mutex<Newest>,
    pub(crate) log: Option<(Arc<Log>, u64)>,
    pub(crate) history: Mutex<History>,
    pub(crate) watchers: Mutex<Watchers>,
    /// Versions of the batch that is being collected. Changes only while `latest` is locked.
    pub(crate) unpublished: Mutex<Option<Unpublished>>,
    /// Whether only a `Show` makes versions of the tree.
    is_shown: bool,
    /// The name under which the tree was deleted. Changes only while `latest` is locked.
    pub(crate) deleted: Mutex<Option<String>>,
    turns: Arc<Turns>,
}

/// The newest version, and the names of older ones.
pub(crate) struct Newest {
    pub(crate) version: Arc<Version>,
    pub(crate) names: Names,
}

impl Tree {
    /// Creates a tree that starts with a version. `log` is the log in which it is kept, with its
    /// number there.
    pub(crate) fn new(version: Version, names: Names, log: Option<(Arc<Log>, u64)>) -> Arc<Self> {
        let version = Arc::new(version);
        let history = History::of(names.clone());
        Arc::new(Tree {
            published: ArcSwap::new(version.clone()),
            writers: Queue::new(),
            latest: Mutex::new(Newest { version, names }),
            log,
            history: Mutex::new(history),
            watchers: Mutex::default(),
            unpublished: Mutex::default(),
            is_shown: false,
            deleted: Mutex::default(),
            turns: Arc::default(),
        })
    }

    /// Creates a tree that is kept elsewhere.
    pub(crate) fn shown() -> Arc<Self> {
        let version = Version {
            number: 0,
            highest: 0,
            node: Node::new(),
            indexes: Indexes::default(),
            shares: Shares::default(),
        };
        let mut tree = Tree::new(version, Names::default(), None);
        if let Some(tree) = Arc::get_mut(&mut tree) {
            tree.is_shown = true;
        }
        tree
    }

    /// Returns the newest version that is on the disk. The version stays alive with the guard.
    /// Reading writes no memory that is shared between readers.
    pub fn read(&self) -> Guard<Arc<Version>> {
        self.published.load()
    }

    pub(crate) fn published(&self) -> Arc<Version> {
        self.published.load_full()
    }

    /// Returns the tree's number in this log, if it is kept there.
    pub(crate) fn number_in(&self, log: &Arc<Log>) -> Option<u64> {
        let (own, number) = self.log.as_ref()?;
        Arc::ptr_eq(own, log).then_some(*number)
    }

    /// Changes the root after the writers that came before, and waits until the change is on the
    /// disk. Returns the number of the version.
    ///
    /// # Errors
    /// The error of the function, `Panicked` or `Storage`; `Nested` if the caller is a function
    /// that changes this tree. The tree stays unchanged.
    pub fn update(
        self: &Arc<Self>,
        edit: impl FnOnce(&Node) -> Result<Node> + Send + 'static,
    ) -> Result<u64> {
        let (number, pending) = self.begin(edit)?;
        pending.wait()?;
        Ok(number)
    }

    /// Like [`Tree::update`], but the caller waits for the disk.
    ///
    /// Ignoring the future is a mistake, because the change may fail (`unused_must_use` is denied):
    /// ```compile_fail
    /// # #![deny(unused_must_use)]
    /// # use std::sync::Arc;
    /// # use jungle_trees::{error::Result, tree::Tree};
    /// async fn add(tree: &Arc<Tree>) -> Result<()> {
    ///     tree.begin(|root| root.add_child_at(&[]))?;
    ///     Ok(())
    /// }
    /// ```
    /// ```no_run
    /// # #![deny(unused_must_use)]
    /// # use std::sync::Arc;
    /// # use jungle_trees::{error::Result, tree::Tree};
    /// async fn add(tree: &Arc<Tree>) -> Result<u64> {
    ///     let (number, pending) = tree.begin(|root| root.add_child_at(&[]))?;
    ///     pending.await?;
    ///     Ok(number)
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of [`Tree::update`].
    pub fn begin(
        self: &Arc<Self>,
        edit: impl FnOnce(&Node) -> Result<Node> + Send + 'static,
    ) -> Result<(u64, Pending)> {
        self.run(Job::Edit(Box::new(edit)))
    }

    /// Makes changes, all of them or none, in one version, after the writers that came before. Long
    /// lists are prepared beside other writers, which wait only while the changes are carried over
    /// to their newest version. The caller waits for the disk.
    ///
    /// # Errors
    /// The error of the first change that is impossible; those of [`Tree::update`].
    pub fn begin_changes(self: &Arc<Self>, changes: Vec<Change>) -> Result<(u64, Pending)> {
        let before = self.latest();
        let node = match changes.len() >= LONG && leave_traces(&changes) {
            // If they are impossible now, they may be possible when it is their turn.
            true => Change::apply_all(&changes, &before.node).ok(),
            false => None,
        };
        let Some(node) = node else {
            return self.begin(move |root| Change::apply_all(&changes, root));
        };
        let (prepared, changes) = (self.prepare(before, node), Arc::new(changes));
        self.run(Job::Changes(prepared, changes.clone()))
    }

    /// Makes a new version with this root, if the newest version is still `before`. Other writers
    /// wait only while the version is set, not while the roots are compared. The caller waits for
    /// the disk.
    ///
    /// # Errors
    /// `Changed`, `TooLarge` or `Storage`.
    pub fn replace(self: &Arc<Self>, before: &Arc<Version>, node: Node) -> Result<(u64, Pending)> {
        self.run(Job::Replace(self.prepare(before.clone(), node)))
    }

    /// Waits for a turn. Turns are given in the order of the calls, and last until the turn is
    /// dropped. Other writers do not need one.
    ///
    /// # Errors
    /// `Nested` if the owner already has the turn: it would wait for itself.
    pub fn turn(&self, owner: Pid) -> Result<Take> {
        Take::new(self.turns.clone(), owner)
    }

    /// Returns the process that has the turn.
    #[must_use]
    pub fn turn_owner(&self) -> Option<Pid> {
        self.turns.owner()
    }

    /// Returns the newest version, which may not be on the disk yet. A function that is passed to
    /// [`Tree::begin`] gets this version.
    #[must_use]
    pub fn latest(&self) -> Arc<Version> {
        nested::edited(self).unwrap_or_else(|| lock(&self.latest).version.clone())
    }

    /// Refuses a change of this tree by a function that is changing it: the change would wait for
    /// itself.
    pub(crate) fn not_nested(&self) -> Result<()> {
        match nested::edited(self) {
            Some(_) => Err(Error::Nested),
            None => Ok(()),
        }
    }

    /// Returns an error if the tree was deleted, also if that is not on the disk yet.
    ///
    /// # Errors
    /// `NoTree`.
    pub fn exists(&self) -> Result<()> {
        let deleted = lock(&self.deleted).clone();
        deleted.map_or(Ok(()), |name| Err(Error::NoTree(name)))
    }

    /// Locks the newest version for a change.
    ///
    /// # Errors
    /// `Replicated`, `Nested` or `NoTree`.
    pub(crate) fn writable(&self) -> Result<MutexGuard<'_, Newest>> {
        if self.is_shown {
            return Err(Error::Replicated);
        }
        self.not_nested()?;
        let latest = lock(&self.latest);
        self.exists()?;
        Ok(latest)
    }

    /// Refuses further changes, because the tree was deleted. The caller has locked `latest`.
    pub(crate) fn refuse_changes(&self, name: &str) {
        *lock(&self.deleted) = Some(name.to_owned());
    }

    fn run(self: &Arc<Self>, job: Job) -> Result<(u64, Pending)> {
        if self.is_shown {
            return Err(Error::Replicated);
        }
        self.not_nested()?;
        let is_short = matches!(job, Job::Changes(..));
        let work = |job| match job {
            Job::Edit(edit) => {
                let mut latest = self.writable()?;
                let edited = nested::while_edited(self, &latest.version, || {
                    catch_unwind(AssertUnwindSafe(|| edit(&latest.version.node)))
                });
                let node = edited.map_err(|panic| Error::Panicked(text(&*panic)))??;
                let prepared = self.prepare(latest.version.clone(), node);
                let (number, pending) = self.commit(&mut latest, prepared)?;
                // This thread has the nodes of the version before in its caches.
                Ok((number, pending.drop_replaced()))
            }
            Job::Replace(prepared) => {
                let mut latest = self.writable()?;
                match Arc::ptr_eq(&latest.version, &prepared.before) {
                    true => self.commit(&mut latest, prepared),
                    false => Err(Error::Changed(latest.version.number)),
                }
            }
            Job::Changes(prepared, changes) => {
                let mut latest = self.writable()?;
                let prepared = match self.rebased(&latest.version, prepared) {
                    Some(prepared) => prepared,
                    None => {
                        let node = Change::apply_all(&changes, &latest.version.node)?;
                        self.prepare(latest.version.clone(), node)
                    }
                };
                self.commit(&mut latest, prepared)
            }
        };
        match is_short {
            true => self.writers.run_short(job, work),
            false => self.writers.run(job, work),
        }
    }

    pub(crate) fn prepare(&self, before: Arc<Version>, mut node: Node) -> Prepared {
        // The `Show` of a shown tree assigns the positions.
        let changes = match self.is_shown {
            true => diff(&before.node, &node),
            false => next_root(&before, &mut node),
        };
        let old = before.node.clone();
        self.prepared(before, node, &old, changes)
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("")
        .to_owned()
}
