//! A tree: its root, its writers, and its watchers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, Guard};
use otp_bridge::Pid;

use crate::change::{Change, diff, next_root};
use crate::error::{Error, Result};
use crate::index::Indexes;
use crate::log::{Log, Pending, record};
use crate::names::Names;
use crate::nested;
use crate::node::{Node, NodePath, Position};
use crate::queue::Queue;
use crate::turn::{Take, Turns};
use crate::versions::History;

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
}

/// Function that makes a new root from the present one.
type Edit = Box<dyn FnOnce(&Node) -> Result<Node> + Send>;
/// Callback of a watcher: gets the number of a new version and its changes. It stays registered
/// while it returns `true`. It must not change the tree.
pub type Watcher = Box<dyn FnMut(u64, &[Change]) -> bool + Send>;

/// A writer's request.
enum Job {
    Edit(Edit),
    Replace(Prepared),
}

/// A version that can replace the newest one.
pub(crate) struct Prepared {
    before: Arc<Version>,
    version: Arc<Version>,
    changes: Vec<Change>,
    record: Vec<u8>,
}

/// A tree of a jungle.
pub struct Tree {
    published: ArcSwap<Version>,
    writers: Queue<Job, Result<(u64, Pending)>>,
    /// The newest version, which may not be on the disk yet.
    pub(crate) latest: Mutex<Newest>,
    pub(crate) log: Option<(Arc<Log>, u64)>,
    pub(crate) history: Mutex<History>,
    watchers: Mutex<Watchers>,
    /// Whether only a `Show` makes versions of the tree.
    is_shown: bool,
    turns: Arc<Turns>,
}

/// The newest version, and the names of older ones.
pub(crate) struct Newest {
    pub(crate) version: Arc<Version>,
    pub(crate) names: Names,
}

#[derive(Default)]
struct Watchers {
    last: u64,
    all: Vec<(u64, NodePath, Watcher)>,
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
            is_shown: false,
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

    fn run(self: &Arc<Self>, job: Job) -> Result<(u64, Pending)> {
        if self.is_shown {
            return Err(Error::Replicated);
        }
        self.not_nested()?;
        self.writers.run(job, |job| match job {
            Job::Edit(edit) => {
                let mut latest = lock(&self.latest);
                let edited = nested::while_edited(self, &latest.version, || {
                    catch_unwind(AssertUnwindSafe(|| edit(&latest.version.node)))
                });
                let node = edited.map_err(|panic| Error::Panicked(text(&*panic)))??;
                let prepared = self.prepare(latest.version.clone(), node);
                self.commit(&mut latest, prepared)
            }
            Job::Replace(prepared) => {
                let mut latest = lock(&self.latest);
                match Arc::ptr_eq(&latest.version, &prepared.before) {
                    true => self.commit(&mut latest, prepared),
                    false => Err(Error::Changed(latest.version.number)),
                }
            }
        })
    }

    pub(crate) fn prepare(&self, before: Arc<Version>, mut node: Node) -> Prepared {
        // The `Show` of a shown tree assigns the positions.
        let changes = match self.is_shown {
            true => diff(&before.node, &node),
            false => next_root(&before, &mut node),
        };
        let mut indexes = before.indexes.clone();
        for change in &changes {
            indexes.change(&before.node, change);
        }
        let number = before.number + 1;
        let mut record = Vec::new();
        if let Some((_, tree)) = &self.log {
            record::version(&mut record, *tree, number, &changes);
        }
        let version = Arc::new(Version {
            number,
            highest: before.highest.max(node.highest()),
            node,
            indexes,
        });
        Prepared {
            before,
            version,
            changes,
            record,
        }
    }

    pub(crate) fn commit(
        self: &Arc<Self>,
        latest: &mut Newest,
        prepared: Prepared,
    ) -> Result<(u64, Pending)> {
        let Prepared {
            version,
            changes,
            record,
            ..
        } = prepared;
        if changes.is_empty() {
            // The caller may have seen a version that is not on the disk yet.
            let log = self.log.as_ref();
            let pending = log.map_or_else(Pending::none, |(log, _)| log.pending());
            return Ok((latest.version.number, pending));
        }
        let pending = match &self.log {
            None => {
                self.publish(version.clone(), &changes);
                Pending::none()
            }
            Some((log, _)) => {
                let (this, version) = (self.clone(), version.clone());
                let outcome = move |is_written| match is_written {
                    true => this.publish(version, &changes),
                    false => this.take_back(),
                };
                log.add(&record, Box::new(outcome))?
            }
        };
        let number = version.number;
        latest.version = version;
        Ok((number, pending))
    }

    /// Makes a version with the present root and other indexes.
    pub(crate) fn index(&self, latest: &mut Newest, indexes: Indexes) {
        let version = Version {
            indexes,
            ..Version::clone(&latest.version)
        };
        latest.version = Arc::new(version);
        self.published.store(latest.version.clone());
    }

    /// Rolls back to the newest version that is on the disk.
    pub(crate) fn take_back(&self) {
        let mut latest = lock(&self.latest);
        *latest = self.stored();
    }

    fn publish(&self, version: Arc<Version>, changes: &[Change]) {
        self.published.store(version.clone());
        lock(&self.history).add(version.clone());
        lock(&self.watchers).all.retain_mut(|(_, path, watcher)| {
            let below = changes.iter().filter(|change| change.is_below(path));
            let seen: Vec<Change> = below.cloned().collect();
            // A watcher that panics is removed.
            seen.is_empty()
                || catch_unwind(AssertUnwindSafe(|| watcher(version.number, &seen)))
                    .unwrap_or(false)
        });
    }

    /// Calls `watcher` for all further changes at and below a node, in order, on a thread that must
    /// not be blocked for long. Returns the number to pass to `unwatch`.
    ///
    /// The watcher runs on other threads, so it sends its results:
    /// ```compile_fail
    /// # use jungle_trees::tree::Tree;
    /// fn count(tree: &Tree) {
    ///     let count = std::rc::Rc::new(std::cell::Cell::new(0));
    ///     tree.watch(vec![], Box::new(move |_, changes| {
    ///         count.set(count.get() + changes.len());
    ///         true
    ///     }));
    /// }
    /// ```
    /// ```no_run
    /// # use jungle_trees::tree::Tree;
    /// fn count(tree: &Tree, count: std::sync::mpsc::Sender<usize>) {
    ///     tree.watch(vec![], Box::new(move |_, changes| count.send(changes.len()).is_ok()));
    /// }
    /// ```
    /// Its result decides whether it is called again:
    /// ```compile_fail
    /// # use jungle_trees::tree::Tree;
    /// fn print(tree: &Tree) {
    ///     tree.watch(vec![], Box::new(|number, _| println!("{number}")));
    /// }
    /// ```
    /// ```no_run
    /// # use jungle_trees::tree::Tree;
    /// fn print(tree: &Tree) {
    ///     tree.watch(vec![], Box::new(|number, _| { println!("{number}"); true }));
    /// }
    /// ```
    pub fn watch(&self, path: NodePath, watcher: Watcher) -> u64 {
        let mut watchers = lock(&self.watchers);
        watchers.last += 1;
        let number = watchers.last;
        watchers.all.push((number, path, watcher));
        number
    }

    /// Removes a watcher.
    pub fn unwatch(&self, number: u64) {
        let mut watchers = lock(&self.watchers);
        let found = watchers.all.iter().position(|(of, ..)| *of == number);
        let watcher = found.map(|at| watchers.all.remove(at));
        drop(watchers);
        drop(watcher);
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
