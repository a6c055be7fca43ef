//! References to jungles and nodes that Erlang processes can hold, send and share.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

use arc_swap::{ArcSwapOption, Guard};
use bytes::Bytes;
use otp_bridge::Resource;
use otp_bridge::term::Binary;

use crate::error::{Error, Result};
use crate::jungle::{Jungle, create_jungle};
use crate::node::{Node, Value};
use crate::share::Kept;
use crate::tree::{Tree, Version};

use super::watch::{self, Watch};

/// A jungle. If the process that owns the application's database is restarted, its successor opens
/// the jungle again, and existing handles refer to the new one.
#[derive(Resource)]
#[resource(module = "jungle", name = "jungle")]
pub struct Handle {
    shared: Arc<Shared>,
}

/// State that a watch can keep alive after its handle was dropped.
#[derive(Default)]
pub(crate) struct Shared {
    current: ArcSwapOption<Jungle>,
    watches: Mutex<Vec<Resource<Watch>>>,
}

impl Handle {
    /// Creates a handle without a jungle.
    #[must_use]
    pub fn closed() -> Self {
        Handle {
            shared: Arc::default(),
        }
    }

    /// Creates a handle of a jungle.
    #[must_use]
    pub fn of(jungle: Jungle) -> Self {
        let handle = Handle::closed();
        handle.shared.current.store(Some(Arc::new(jungle)));
        handle
    }

    /// Sets the jungle. Watches of the previous jungle continue with this one.
    pub fn set(&self, jungle: Arc<Jungle>) {
        for watch in self.shared.watches().iter() {
            if let Ok(tree) = jungle.tree(&watch.tree()) {
                watch::begin(watch, &tree);
            }
        }
        self.shared.current.store(Some(jungle));
    }

    /// Returns the jungle for a short time. Unlike [`Handle::jungle`], this writes no memory that
    /// other threads write.
    ///
    /// # Errors
    /// `Closed`, if no jungle was set yet.
    pub fn open(&self) -> Result<Open> {
        let current = self.shared.current.load();
        match current.is_some() {
            true => Ok(Open(current)),
            false => Err(Error::Closed),
        }
    }

    /// Returns the jungle.
    ///
    /// # Errors
    /// `Closed`, if no jungle was set yet.
    pub fn jungle(&self) -> Result<Arc<Jungle>> {
        self.shared.current.load_full().ok_or(Error::Closed)
    }

    /// Returns a tree of the jungle.
    ///
    /// # Errors
    /// `Closed` or `NoTree`.
    pub fn tree(&self, name: &str) -> Result<Arc<Tree>> {
        self.open()?.tree(name)
    }

    /// Returns the newest version of a tree. This writes no memory that other threads write.
    ///
    /// # Errors
    /// `Closed` or `NoTree`.
    pub fn read(&self, name: &str) -> Result<Guard<Arc<Version>>> {
        self.open()?.read(name)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

/// A jungle that is in use for a short time.
pub struct Open(Guard<Option<Arc<Jungle>>>);

impl Deref for Open {
    type Target = Jungle;

    fn deref(&self) -> &Jungle {
        static EMPTY: LazyLock<Jungle> = LazyLock::new(create_jungle);
        self.0.as_deref().unwrap_or(&EMPTY)
    }
}

impl Shared {
    pub(crate) fn watches(&self) -> MutexGuard<'_, Vec<Resource<Watch>>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle")
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(jungle) = self.current.swap(None) {
            later(jungle);
        }
    }
}

/// A node. The reference keeps this version of the node alive.
#[derive(Resource)]
#[resource(module = "jungle", name = "tree_node")]
pub struct TreeNode(Option<Held>);

enum Held {
    Node(Node),
    /// A root. Taking and dropping it writes no memory that other threads write.
    Root(Kept),
}

/// A node with more descendants is dropped on a thread of its own, to keep the scheduler free.
const LARGE: u64 = 1000;

impl TreeNode {
    pub(crate) fn new(node: &Node) -> Resource<Self> {
        Resource::new(TreeNode(Some(Held::Node(node.clone()))))
    }

    /// Creates the root of a version.
    pub(crate) fn root(version: &Version) -> Resource<Self> {
        Resource::new(TreeNode(Some(Held::Root(version.kept()))))
    }

    /// Returns the node.
    #[must_use]
    pub fn node(&self) -> &Node {
        static EMPTY: LazyLock<Node> = LazyLock::new(Node::new);
        self.0.as_deref().unwrap_or(&EMPTY)
    }
}

impl Deref for Held {
    type Target = Node;

    fn deref(&self) -> &Node {
        match self {
            Held::Node(node) => node,
            Held::Root(root) => root,
        }
    }
}

impl Held {
    /// Returns whether the node is dropped with this reference.
    fn is_last(&self) -> bool {
        match self {
            Held::Node(node) => !node.is_shared(),
            Held::Root(root) => root.is_last() && !root.is_shared(),
        }
    }
}

impl Drop for TreeNode {
    fn drop(&mut self) {
        if let Some(node) = self.0.take()
            && node.size() > LARGE
            && node.is_last()
        {
            later(node);
        }
    }
}

/// Drops a large value, or one whose destructor waits for the disk, on a thread of its own.
fn later<T: Send + 'static>(value: T) {
    let thread = thread::Builder::new().name("jungle drop".to_owned());
    let _ = thread.spawn(move || drop(value));
}

/// Returns a value as a binary. A large one is not copied.
#[must_use]
pub fn binary(value: &Value) -> Binary {
    /// The VM copies smaller binaries to the process's heap anyway.
    const SMALL: usize = 512;
    match value.len() {
        0..SMALL => Binary::from(value.to_vec()),
        _ => Binary::from(Bytes::from_owner(value.clone())),
    }
}
