//! Read access to the tree. The root's children are the boards, and a board's children are its
//! messages.

use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use arc_swap::ArcSwapOption;
use jungle_trees::change::Change;
use jungle_trees::node::{Key, Node, Value};
use jungle_trees::tree::Tree;
use jungle_trees::watchers::Event;
use tokio::sync::broadcast;

use crate::limits;
use crate::messages::{Board, BoardError, Message, MessagePage};

/// Name of the tree.
pub const TREE: &str = "boards";
/// Number of changes that a viewer may fall behind before it has to reload.
const BEHIND: usize = 256;

/// State that the process of the boards shares with the server. It lives as long as one of the two
/// does: if one is killed, its successor finds it. After an upgrade, both use the store of the new
/// build.
#[derive(Debug)]
pub struct Store {
    tree: ArcSwapOption<Opened>,
    changes: broadcast::Sender<u64>,
}

/// The tree of an open folder.
pub struct Opened(pub Arc<Tree>);

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opened")
    }
}

impl Default for Store {
    fn default() -> Self {
        Store {
            tree: ArcSwapOption::empty(),
            changes: broadcast::Sender::new(BEHIND),
        }
    }
}

impl Store {
    /// Returns this build's store, which the two processes share.
    #[must_use]
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Store>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let store = Arc::default();
            *shared = Arc::downgrade(&store);
            store
        })
    }

    /// Makes readers use this tree.
    pub fn set(&self, tree: Arc<Tree>) {
        let changes = self.changes.clone();
        let watcher = move |event: Event<'_>| {
            // The tree keeps its name, and is never deleted.
            let Event::Changed(_, seen) = event else {
                return true;
            };
            let mut boards: Vec<u64> = seen.iter().filter_map(board_of).collect();
            boards.dedup();
            for board in boards {
                // Sending fails if there are no viewers.
                let _ = changes.send(board);
            }
            true
        };
        tree.watch(Vec::new(), Box::new(watcher));
        self.tree.store(Some(Arc::new(Opened(tree))));
    }

    /// Returns the numbers of the boards that change after this call.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Returns the newest root. A reader can keep it as long as it likes, without blocking any
    /// other process.
    ///
    /// # Errors
    /// `Unavailable`.
    pub fn root(&self) -> Result<Node, BoardError> {
        let tree = self.tree.load();
        let opened = tree.as_ref().ok_or(BoardError::Unavailable)?;
        Ok(opened.0.read().node.clone())
    }

    /// Calls a function with the newest root. The function should be short.
    ///
    /// # Errors
    /// `Unavailable`, or the error of the function.
    pub fn read<T>(
        &self,
        read: impl FnOnce(&Node) -> Result<T, BoardError>,
    ) -> Result<T, BoardError> {
        let tree = self.tree.load();
        let opened = tree.as_ref().ok_or(BoardError::Unavailable)?;
        read(&opened.0.read().node)
    }
}

fn board_of(change: &Change) -> Option<u64> {
    match (change.path(), change) {
        ([board, ..], _) => Some(*board),
        ([], Change::Add(_, position) | Change::Delete(_, position)) => Some(*position),
        _ => None,
    }
}

/// Returns the boards, the newest one first.
#[must_use]
pub fn boards(root: &Node) -> Vec<Board> {
    let boards = root.children_back();
    boards.map(|(id, node)| board_at(id, node)).collect()
}

/// Returns the node of a board.
///
/// # Errors
/// `NoBoard`.
pub fn board(root: &Node, board: u64) -> Result<&Node, BoardError> {
    root.child(board).ok_or(BoardError::NoBoard(board))
}

/// Returns the board that a node describes.
#[must_use]
pub fn board_at(id: u64, node: &Node) -> Board {
    Board {
        id,
        name: text(node, "name"),
        messages: node.size() - 1,
        created: number(node, "created").unwrap_or(0),
    }
}

/// Returns the name in a board's node.
#[must_use]
pub fn name(board: &Node) -> Option<&Value> {
    static NAME: LazyLock<Key> = LazyLock::new(|| "name".into());
    board.attribute(&NAME)
}

/// Returns a page of messages: those with smaller numbers than `before`, or the newest ones.
#[must_use]
pub fn page(id: u64, node: &Node, before: Option<u64>) -> MessagePage {
    let end = before.map_or(node.next_position(), |it| it.min(node.next_position()));
    // Deleted messages leave gaps of any size.
    let mut span = limits::PAGE as u64;
    let mut shown: Vec<(u64, &Node)> = loop {
        let first = end.saturating_sub(span);
        let range = node.children_from(first);
        let shown: Vec<_> = range.take_while(|(position, _)| *position < end).collect();
        if shown.len() >= limits::PAGE || first == 0 {
            break shown;
        }
        span = span.saturating_mul(2);
    };
    shown.drain(..shown.len().saturating_sub(limits::PAGE));
    let oldest = shown.first().map(|(position, _)| *position);
    let first = node.children_from(0).next().map(|(position, _)| position);
    let messages = shown.into_iter().rev();
    MessagePage {
        board: board_at(id, node),
        messages: messages.map(|(id, node)| message_at(id, node)).collect(),
        next: oldest.filter(|oldest| first.is_some_and(|first| first < *oldest)),
    }
}

/// Returns a message of a board.
///
/// # Errors
/// `NoMessage`.
pub fn message(board: &Node, id: u64) -> Result<Message, BoardError> {
    let node = board.child(id).ok_or(BoardError::NoMessage(id))?;
    Ok(message_at(id, node))
}

/// Returns the message that a node describes.
#[must_use]
pub fn message_at(id: u64, node: &Node) -> Message {
    Message {
        id,
        author: text(node, "author"),
        text: text(node, "text"),
        created: number(node, "created").unwrap_or(0),
        edited: number(node, "edited"),
        version: number(node, "version").unwrap_or(0),
    }
}

fn text(node: &Node, key: &str) -> String {
    let value = node.attribute(&key.into());
    value.map_or_else(String::new, |value| {
        String::from_utf8_lossy(value).into_owned()
    })
}

fn number(node: &Node, key: &str) -> Option<u64> {
    text(node, key).parse().ok()
}
