//! The process that owns the boards: it opens the folder, makes all changes, and closes it.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use jungle_trees::error::Error;
use jungle_trees::jungle::Jungle;
use jungle_trees::node::Node;
use jungle_trees::tree::Tree;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{ExitSignal, Upgrade};
use otp_bridge::term::BuildLocal;

use crate::limits::{self, line, text};
use crate::messages::{Answer, BoardError, Change, Changes};
use crate::store::{self, Store, TREE, message};

/// The registered process of the boards.
pub static BOARDS: Server<Boards> = Server::registered();

/// Owns the open folder. A caller gets its answer when its changes are on the disk; changes that
/// arrive in the meantime are written together. For an upgrade of the application, the process
/// closes the folder, and its successor in the new build opens it again.
#[derive(Debug, Term)]
pub struct Boards {
    folder: String,
    /// The open folder; `None` during an upgrade.
    opened: BuildLocal<Opened>,
    /// Requests that arrived during an upgrade.
    waiting: Vec<Waiting>,
}

/// An open folder.
pub struct Opened {
    jungle: Arc<Jungle>,
    tree: Arc<Tree>,
    /// Keeps the shared store alive, in which readers find the tree.
    _store: Arc<Store>,
    is_closed: bool,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} boards", self.tree.read().node.next_position())
    }
}

/// A request that waits for the folder, with its caller.
#[derive(Debug, Term)]
pub enum Waiting {
    One(Change, Caller<Answer>),
    Some(Vec<Change>, Caller<Vec<Answer>>),
}

#[gen_server]
impl GenServer for Boards {
    /// Path of the folder.
    type Args = String;

    async fn init(folder: String, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        cx.trap_exit(true);
        println!(
            "the boards are in {}",
            std::path::absolute(&folder)?.display()
        );
        let mut boards = Boards {
            folder,
            opened: BuildLocal::empty(),
            waiting: Vec::new(),
        };
        boards.open(cx).await?;
        Ok((ok, boards))
    }

    fn handle_call(
        &mut self,
        change: Change,
        caller: Caller<Answer>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        self.asked(Waiting::One(change, caller), cx);
        noreply()
    }

    fn handle_call(
        &mut self,
        Changes(changes): Changes,
        caller: Caller<Vec<Answer>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        self.asked(Waiting::Some(changes, caller), cx);
        noreply()
    }

    /// Closes the folder before an upgrade, because its writer threads run code of the old build.
    async fn handle_info(&mut self, upgrade: Upgrade, cx: &Cx<'_>) -> Result<HandleInfo> {
        match upgrade {
            Upgrade::Begins => self.close(cx).await,
            Upgrade::Ended => self.open(cx).await?,
        }
        noreply()
    }

    fn handle_info(&mut self, exit: ExitSignal) -> Result<HandleInfo> {
        Err(Exit::new(exit.reason))
    }

    async fn terminate(&mut self, _: &Term, cx: &Cx<'_>) {
        self.close(cx).await;
    }
}

impl Boards {
    /// Opens the folder if it is not open, and makes the changes that wait for it.
    async fn open(&mut self, cx: &Cx<'_>) -> Result<()> {
        if self.opened.is_none() {
            let opened = cx.blocking(|| open(Path::new(&self.folder))).await;
            let (jungle, tree) = opened.map_err(|error| Exit::new(error.to_string()))?;
            let store = Store::shared();
            store.set(tree.clone());
            self.opened = BuildLocal::new(Opened {
                jungle,
                tree,
                _store: store,
                is_closed: false,
            });
        }
        for waiting in std::mem::take(&mut self.waiting) {
            self.asked(waiting, cx);
        }
        Ok(())
    }

    async fn close(&mut self, cx: &Cx<'_>) {
        if let Some(mut opened) = self.opened.take() {
            cx.blocking(|| opened.jungle.close()).await;
            opened.is_closed = true;
        }
    }

    fn asked(&mut self, waiting: Waiting, cx: &Cx<'_>) {
        let Some(opened) = &*self.opened else {
            self.waiting.push(waiting);
            return;
        };
        match waiting {
            Waiting::One(change, caller) => opened.change(cx, vec![change], |cx, mut answers| {
                // There is one answer for each change.
                if let Some(answer) = answers.pop() {
                    caller.reply(cx, answer);
                }
            }),
            Waiting::Some(changes, caller) => {
                opened.change(cx, changes, |cx, answers| caller.reply(cx, answers));
            }
        }
    }
}

impl Opened {
    /// Applies all changes as one version of the tree. A task answers when that version is on the
    /// disk.
    fn change(
        &self,
        cx: &Cx<'_>,
        changes: Vec<Change>,
        answer: impl FnOnce(&Cx<'_>, Vec<Answer>) + Send + 'static,
    ) {
        let count = changes.len();
        let (gives, given) = mpsc::channel();
        let begun = self.tree.begin(move |root| {
            let (root, answers) = apply_all(root, &changes);
            // The receiver below lives longer, so sending cannot fail.
            let _ = gives.send(answers);
            Ok(root)
        });
        cx.spawn_task::<(), _>(async move |cx| {
            let stored = match begun {
                Ok((_, pending)) => pending.await,
                Err(error) => Err(error),
            };
            let answers = match stored {
                Ok(()) => given.try_recv().unwrap_or_default(),
                Err(error) => vec![Err(error.into()); count],
            };
            answer(cx, answers);
            Ok(())
        });
    }
}

/// Closes the folder even if the process was killed. Its successor waits until the folder is
/// unlocked.
impl Drop for Opened {
    fn drop(&mut self) {
        if self.is_closed {
            return;
        }
        let jungle = self.jungle.clone();
        let thread = thread::Builder::new().name("board close".to_owned());
        let _ = thread.spawn(move || jungle.close());
    }
}

fn open(folder: &Path) -> jungle_trees::error::Result<(Arc<Jungle>, Arc<Tree>)> {
    let jungle = Arc::new(Jungle::open(folder)?);
    match jungle.create_tree(TREE) {
        Ok(()) | Err(Error::TreeExists(_)) => {}
        Err(error) => return Err(error),
    }
    let tree = jungle.tree(TREE)?;
    Ok((jungle, tree))
}

/// Applies all changes that are possible. Returns the new root, and an answer for each change.
fn apply_all(root: &Node, changes: &[Change]) -> (Node, Vec<Answer>) {
    let (mut root, mut answers) = (root.clone(), Vec::with_capacity(changes.len()));
    for change in changes {
        let applied = apply(&root, change);
        answers.push(applied.map(|(changed, number)| {
            root = changed;
            number
        }));
    }
    (root, answers)
}

/// Applies a change. Returns the new root, and the number to answer with.
fn apply(root: &Node, change: &Change) -> Result<(Node, u64), BoardError> {
    let now = now().to_string();
    match change {
        Change::CreateBoard(name) => {
            let name = line("name", name)?;
            if root.num_of_child(&[])? as u64 >= limits::BOARDS {
                return Err(BoardError::TooManyBoards(limits::BOARDS));
            }
            let number = root.next_position();
            let node = with(&Node::new(), &[("name", &name), ("created", &now)])?;
            Ok((root.put_child_at(&[], number, node)?, number))
        }
        Change::CreateMessage(board, new) => {
            let (author, text) = (line("author", &new.author)?, text("text", &new.text)?);
            let number = root.at(&[*board])?.next_position();
            let attributes = [("author", &*author), ("text", &text), ("created", &now)];
            let node = with(&Node::new(), &attributes)?;
            Ok((root.put_child_at(&[*board], number, node)?, number))
        }
        Change::EditMessage(board, number, edit) => {
            let text = text("text", &edit.text)?;
            let version = message(root.at(&[*board])?, *number)?.version;
            if version != edit.version {
                return Err(BoardError::EditedMeanwhile(version));
            }
            let version = version + 1;
            let next = version.to_string();
            let attributes = [("text", &*text), ("edited", &now), ("version", &next)];
            let node = with(root.at(&[*board, *number])?, &attributes)?;
            Ok((root.put_child_at(&[*board], *number, node)?, version))
        }
        Change::DeleteBoard(board) => {
            store::board(root, *board)?;
            Ok((root.delete_child_at(&[], *board)?, *board))
        }
        Change::DeleteMessage(board, number) => {
            message(store::board(root, *board)?, *number)?;
            Ok((root.delete_child_at(&[*board], *number)?, *number))
        }
    }
}

fn with(node: &Node, attributes: &[(&str, &str)]) -> jungle_trees::error::Result<Node> {
    let mut attributes = attributes.iter();
    attributes.try_fold(node.clone(), |node, (key, value)| {
        node.put_attribute(&[], key, value.as_bytes())
    })
}

impl From<Error> for BoardError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoNode(path) if path.len() == 1 => BoardError::NoBoard(path[0]),
            other => BoardError::Storage(other.to_string()),
        }
    }
}

/// Returns the time in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
