//! The process that has this node's copies of replicated trees, and talks to those of other nodes.

mod calls;
mod peers;
mod truncated;

use std::path::PathBuf;
use std::time::Duration;

use jungle_merge::store::{Record, Replicas as Trees, Store};
use jungle_merge::{Batch, EditError, MAX_KEY, NodeId, Received, Replica, Request};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{NodeDown, NodeUp};
use otp_bridge::process::Nodes;
use otp_bridge::{Atom, Term};

pub use calls::{Create, Created, Locate, Look, Looked, Make, Question, View};
pub use peers::{Behind, Have, Hello, Operations, PeerState, Refused, Whole};

use super::options::Options;
use peers::Peers;

/// The replicated trees of this node.
pub static REPLICAS: Server<Replicas> = Server::registered();

/// How often it compares what it has with others, and tries to connect to those that were lost.
const INTERVAL: Duration = Duration::from_secs(1);

/// Why something cannot be done with a replicated tree. Nothing has changed, but for `lost`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum ReplicaError {
    /// `{no_tree, Name}`
    NoTree(String),
    /// `{tree_exists, Name}`
    TreeExists(String),
    /// `{storage, Why}`: the disk.
    Storage(String),
    /// `{lost, Node}`: the node that was asked is gone. Whether it has made the edit is not known.
    Lost(Atom),
    /// The edit cannot be made.
    #[term(untagged)]
    Edit(EditError),
}

/// Has the trees and their log.
pub struct Replicas {
    folder: PathBuf,
    /// A log of so many bytes is written anew.
    compact_from: u64,
    /// So many moves are kept for those that are away.
    keep_moves: usize,
    store: Store,
    trees: Trees,
    peers: Peers,
    /// Edits that are written together.
    making: Vec<(Make, Caller<Result<NodeId, ReplicaError>>)>,
}

impl std::fmt::Debug for Replicas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} trees, {:?}", self.trees.len(), self.peers)
    }
}

/// `tick`
#[derive(Debug, Clone, Term)]
pub struct Tick;

/// `write`: the edits so far.
#[derive(Debug, Clone, Term)]
pub struct Write;

#[gen_server(module = "jungle_replicas", bad_messages = "refuse")]
impl GenServer for Replicas {
    type Args = Options;

    async fn init(options: Options, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let folder = PathBuf::from(options.folder);
        let opened = cx.blocking(|| Store::open(&folder)).await;
        let (store, trees) = opened.map_err(|error| Exit::new(storage(&error)))?;
        cx.monitor_nodes(true);
        let peers = Peers::new(cx.node().await?, store.id(), options.copies);
        for node in cx.nodes().await? {
            peers.greet(cx, &node);
        }
        cx.send_after(INTERVAL, Tick);
        let replicas = Replicas {
            folder,
            compact_from: options.compact_from,
            keep_moves: options.keep_moves,
            store,
            trees,
            peers,
            making: Vec::new(),
        };
        Ok((ok, replicas))
    }

    async fn handle_call(&mut self, Create(name): Create, cx: &Cx<'_>) -> HandleCall<Created> {
        if self.trees.contains_key(&name) {
            return reply(Created::Error(ReplicaError::TreeExists(name)));
        }
        if let Err(error) = self.create(&name, cx).await {
            return reply(Created::Error(error));
        }
        self.tell(&name, cx);
        reply(Created::Ok)
    }

    fn handle_call(
        &mut self,
        make: Make,
        caller: Caller<Result<NodeId, ReplicaError>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        // What comes meanwhile is written with it.
        if self.making.is_empty() {
            cx.send_after(Duration::ZERO, Write);
        }
        self.making.push((make, caller));
        noreply()
    }

    fn handle_call(&mut self, look: Look) -> HandleCall<Result<Looked, ReplicaError>> {
        reply(calls::look(&self.trees, &look))
    }

    fn handle_call(&mut self, Locate(name): Locate) -> HandleCall<Vec<Atom>> {
        if self.trees.contains_key(&name) {
            return reply(vec![self.peers.node().clone()]);
        }
        reply(self.peers.locate(&name))
    }

    fn handle_call(&mut self, question: Question) -> HandleCall<Term> {
        reply(match question {
            Question::Trees => Term::of(&self.trees.keys().cloned().collect::<Vec<_>>()),
            Question::Peers => Term::of(&self.peers.states()),
        })
    }

    async fn handle_info(&mut self, _: Write, cx: &Cx<'_>) -> HandleInfo {
        self.write(cx).await;
        noreply()
    }

    async fn handle_info(&mut self, _: Tick, cx: &Cx<'_>) -> HandleInfo {
        self.peers.connect_again(cx);
        self.truncate(cx).await;
        self.trees.keys().for_each(|name| self.tell(name, cx));
        cx.send_after(INTERVAL, Tick);
        noreply()
    }

    fn handle_info(&mut self, NodeUp { node }: NodeUp, cx: &Cx<'_>) -> HandleInfo {
        self.peers.greet(cx, &node);
        noreply()
    }

    fn handle_info(&mut self, NodeDown { node }: NodeDown) -> HandleInfo {
        self.peers.lose(&node);
        noreply()
    }

    fn handle_cast(&mut self, hello: Hello, cx: &Cx<'_>) -> HandleCast {
        if self.peers.meet(hello, cx) {
            self.trees.keys().for_each(|name| self.tell(name, cx));
        }
        noreply()
    }

    fn handle_cast(&mut self, refused: Refused) -> HandleCast {
        self.peers.refuse(refused);
        noreply()
    }

    async fn handle_cast(&mut self, have: Have, cx: &Cx<'_>) -> HandleCast {
        self.compare(have, cx).await;
        noreply()
    }

    async fn handle_cast(&mut self, behind: Behind, cx: &Cx<'_>) -> HandleCast {
        self.give(behind, cx).await;
        noreply()
    }

    async fn handle_cast(&mut self, whole: Whole, cx: &Cx<'_>) -> HandleCast {
        self.take(whole, cx).await;
        noreply()
    }

    async fn handle_cast(&mut self, operations: Operations, cx: &Cx<'_>) -> HandleCast {
        self.receive(operations, cx).await;
        noreply()
    }
}

impl Replicas {
    async fn create(&mut self, name: &str, cx: &Cx<'_>) -> Result<(), ReplicaError> {
        if name.len() > MAX_KEY {
            let error = EditError::TooLarge("name".to_owned(), MAX_KEY as u64);
            return Err(ReplicaError::Edit(error));
        }
        self.append(&[Record::Tree(name)], cx).await?;
        let replica = Replica::new(self.store.id());
        self.trees.insert(name.to_owned(), replica);
        Ok(())
    }

    /// Makes the edits that have come together, and answers when they are on the disk.
    async fn write(&mut self, cx: &Cx<'_>) {
        let (mut made, mut answers) = (Vec::new(), Vec::new());
        for (Make(name, request), caller) in std::mem::take(&mut self.making) {
            match self.make(&name, &request) {
                Ok(batch) => {
                    answers.push((caller, Ok(batch.operations[0].stamp)));
                    made.push((name, batch));
                }
                Err(error) => answers.push((caller, Err(error))),
            }
        }
        let records: Vec<_> = made
            .iter()
            .map(|(name, batch)| Record::Batch(name, batch))
            .collect();
        let written = self.append(&records, cx).await;
        for (caller, answer) in answers {
            let stored = written.clone();
            caller.reply(cx, answer.and_then(|stamp| stored.map(|()| stamp)));
        }
        if written.is_ok() {
            for (name, batch) in made {
                self.peers.send(&name, batch, cx);
            }
        }
    }

    fn make(&mut self, name: &str, request: &Request) -> Result<Batch, ReplicaError> {
        let tree = self.trees.get_mut(name);
        let tree = tree.ok_or_else(|| ReplicaError::NoTree(name.to_owned()))?;
        tree.edit(request).map_err(ReplicaError::Edit)
    }

    /// Writes to the disk. If that fails, the trees are what is there.
    async fn append(&mut self, records: &[Record<'_>], cx: &Cx<'_>) -> Result<(), ReplicaError> {
        if records.is_empty() {
            return Ok(());
        }
        let store = &mut self.store;
        let Err(error) = cx.blocking(|| store.append(records)).await else {
            return Ok(());
        };
        let (store, trees) = (&mut self.store, &mut self.trees);
        let again = cx
            .blocking(|| store.read_again().map(|read| *trees = read))
            .await;
        if let Err(worse) = again {
            eprintln!("jungle: {}: {worse}", self.folder.display());
        }
        Err(storage(&error))
    }

    /// Tells those who should have a tree what this node knows of it.
    fn tell(&self, name: &str, cx: &Cx<'_>) {
        if let Some(tree) = self.trees.get(name) {
            self.peers.tell(name, &tree.known(), cx);
        }
    }

    /// Another node has said what it knows of a tree: it gets what it lacks, and is asked for what
    /// this one lacks.
    async fn compare(&mut self, Have(node, name, theirs): Have, cx: &Cx<'_>) {
        if !self.peers.is_known(&node) {
            return;
        }
        if !self.trees.contains_key(&name) && self.create(&name, cx).await.is_err() {
            return;
        }
        let Some(tree) = self.trees.get(&name) else {
            return;
        };
        if tree.is_behind(&theirs) {
            return self.peers.ask(&node, &name, cx);
        }
        let is_ahead = tree.is_ahead_of(&theirs.versions);
        if !is_ahead {
            for batch in tree.missing(&theirs.versions) {
                self.peers.send_to(&node, &name, batch, cx);
            }
        }
        // If it lacks what is folded here, it asks for the whole tree.
        if is_ahead || !tree.includes(&theirs.versions) {
            self.peers.tell_one(&node, &name, tree.known(), cx);
        }
        self.peers.hear(&node, &name, theirs);
    }

    /// Another node has sent operations.
    async fn receive(&mut self, Operations(node, name, batch): Operations, cx: &Cx<'_>) {
        let Some(tree) = self
            .trees
            .get_mut(&name)
            .filter(|_| self.peers.is_known(&node))
        else {
            return;
        };
        if !tree.includes(&batch.base) {
            return self.peers.tell_one(&node, &name, tree.known(), cx);
        }
        if tree.includes(&batch.upto) {
            return;
        }
        match tree.receive(&batch) {
            Err(why) => return self.peers.complain(&node, &why.to_string(), cx),
            // Its sender sees that, and asks for the whole tree.
            Ok(Received::Late) => {
                return self.peers.tell_one(&node, &name, tree.known(), cx);
            }
            Ok(_) => {}
        }
        if let Err(error) = self.append(&[Record::Batch(&name, &batch)], cx).await {
            eprintln!("jungle: {name} is not up to date: {error:?}");
        }
    }
}

fn storage(error: &std::io::Error) -> ReplicaError {
    ReplicaError::Storage(error.to_string())
}
