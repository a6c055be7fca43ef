//! The process that writes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use jungle_trees::error::Error;
use jungle_trees::jungle::Jungle;
use jungle_trees::node::Node;
use jungle_trees::tree::Tree;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use crate::limits::{self, line, text};
use crate::messages::{BoardError, CreateBoard, CreateMessage, EditMessage};
use crate::store::{Store, TREE, message};

/// The boards of the application.
pub static BOARDS: Server<Boards> = Server::registered();

/// Opens the folder, writes, and closes it. Whoever asks for a change is answered when it is on the
/// disk; the changes that come meanwhile are written together.
pub struct Boards {
    jungle: Arc<Jungle>,
    tree: Arc<Tree>,
}

impl std::fmt::Debug for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} boards", self.tree.read().node.next_position())
    }
}

type Answer = Result<u64, BoardError>;
/// An edit of the root, and the number that it gives.
type Edited = jungle_trees::error::Result<(Node, u64)>;

#[gen_server]
impl GenServer for Boards {
    /// What readers share, and the folder.
    type Args = (Shared<Store>, String);

    async fn init(
        (store, folder): (Shared<Store>, String),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        cx.trap_exit(true);
        let opened = cx.blocking(|| open(Path::new(&folder))).await;
        let (jungle, tree) = opened.map_err(|error| Exit::new(error.to_string()))?;
        store.set(tree.clone());
        Ok((ok, Boards { jungle, tree }))
    }

    fn handle_call(
        &mut self,
        CreateBoard(name): CreateBoard,
        caller: Caller<Answer>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let name = line("name", &name);
        self.change(cx, caller, name, |root, name| {
            let number = root.next_position();
            if number >= limits::BOARDS {
                return Err(Error::TooLarge("boards".to_owned(), limits::BOARDS));
            }
            let root = root.add_child_at(&[])?;
            let root = put(&root, &[number], "name", &name)?;
            Ok((
                put(&root, &[number], "created", &now().to_string())?,
                number,
            ))
        });
        noreply()
    }

    fn handle_call(
        &mut self,
        CreateMessage(board, new): CreateMessage,
        caller: Caller<Answer>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let author = line("author", &new.author);
        let message = author.and_then(|author| Ok((author, text("text", &new.text)?)));
        self.change(cx, caller, message, move |root, (author, text)| {
            let number = root.at(&[board])?.next_position();
            let path = [board, number];
            let root = root.add_child_at(&[board])?;
            let root = put(&root, &path, "author", &author)?;
            let root = put(&root, &path, "text", &text)?;
            Ok((put(&root, &path, "created", &now().to_string())?, number))
        });
        noreply()
    }

    fn handle_call(
        &mut self,
        EditMessage(board, number, edit): EditMessage,
        caller: Caller<Answer>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let text = text("text", &edit.text);
        self.change(cx, caller, text, move |root, text| {
            let path = [board, number];
            let found = message(root.at(&[board])?, number);
            let version = found.map_err(|_| Error::NoNode(path.to_vec()))?.version;
            if version != edit.version {
                return Err(Error::Changed(version));
            }
            let version = version + 1;
            let root = put(root, &path, "text", &text)?;
            let root = put(&root, &path, "edited", &now().to_string())?;
            Ok((put(&root, &path, "version", &version.to_string())?, version))
        });
        noreply()
    }

    async fn terminate(&mut self, _: &Term, cx: &Cx<'_>) {
        cx.blocking(|| self.jungle.close()).await;
    }
}

impl Boards {
    /// Changes the root, and has a task answer when that is on the disk.
    fn change<T: Send + 'static>(
        &self,
        cx: &Cx<'_>,
        caller: Caller<Answer>,
        checked: Result<T, BoardError>,
        edit: impl FnOnce(&Node, T) -> Edited + Send + 'static,
    ) {
        let given = Arc::new(AtomicU64::new(0));
        let gives = given.clone();
        let pending = checked.and_then(|what| {
            let begun = self.tree.begin(move |root| {
                let (root, number) = edit(root, what)?;
                gives.store(number, Ordering::Relaxed);
                Ok(root)
            });
            Ok(begun.map_err(refused)?.1)
        });
        let pending = match pending {
            Ok(pending) => pending,
            Err(error) => return caller.reply(cx, Err(error)),
        };
        cx.spawn_task::<(), _>(async move |cx| {
            let stored = pending.await.map_err(refused);
            caller.reply(cx, stored.map(|()| given.load(Ordering::Relaxed)));
            Ok(())
        });
    }
}

/// Its process may have been killed. The next one waits until the folder is not locked any more.
impl Drop for Boards {
    fn drop(&mut self) {
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

fn put(root: &Node, path: &[u64], key: &str, value: &str) -> jungle_trees::error::Result<Node> {
    root.put_attribute(path, key, value.as_bytes())
}

fn refused(error: Error) -> BoardError {
    match error {
        Error::NoNode(path) => match path[..] {
            [board] => BoardError::NoBoard(board),
            [_, message] => BoardError::NoMessage(message),
            _ => BoardError::Storage(Error::NoNode(path).to_string()),
        },
        Error::TooLarge(what, limit) if what == "boards" => BoardError::TooManyBoards(limit),
        Error::Changed(version) => BoardError::EditedMeanwhile(version),
        other => BoardError::Storage(other.to_string()),
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
