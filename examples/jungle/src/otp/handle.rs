//! References to jungles and nodes that Erlang processes can hold, send and share.

use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use otp_bridge::Resource;
use otp_bridge::term::Binary;

use crate::error::{Error, Result};
use crate::jungle::Jungle;
use crate::node::{Node, Value};
use crate::tree::Tree;

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
        self.jungle()?.tree(name)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
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
pub struct TreeNode(pub(crate) Option<Node>);

/// A node with more descendants is dropped on a thread of its own, to keep the scheduler free.
const LARGE: u64 = 1000;

impl TreeNode {
    pub(crate) fn new(node: &Node) -> Resource<Self> {
        Resource::new(TreeNode(Some(node.clone())))
    }

    /// Returns the node.
    #[must_use]
    pub fn node(&self) -> &Node {
        static EMPTY: LazyLock<Node> = LazyLock::new(Node::new);
        self.0.as_ref().unwrap_or(&EMPTY)
    }
}

impl Drop for TreeNode {
    fn drop(&mut self) {
        if let Some(node) = self.0.take()
            && node.size() > LARGE
            && !node.is_shared()
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
