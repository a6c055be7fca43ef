//! The process that holds this node's copies of replicated trees, and exchanges operations with the
//! other nodes.

mod calls;
mod exchange;
mod peers;
mod showing;
mod truncated;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use jungle_merge::parts::Transfers;
use jungle_merge::store::{Record, Replicas as Trees, Store};
use jungle_merge::{Batch, EditError, MAX_KEY, NodeId, Replica, Request};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Down, Monitored, NodeDown, NodeUp};
use otp_bridge::process::Nodes;
use otp_bridge::{Atom, Resource, Term};

pub use calls::{
    Create, Created, Events, GetShown, Locate, Look, Looked, Make, Question, Range, Ranged, Select,
    Selected, Subscribe, Unsubscribe, View, WhatIs, WhereIs,
};
pub use peers::{Behind, Have, Hello, Operations, Part, PeerState, Refused};

use super::handle::Handle;
use super::options::Options;
use super::shown::{ShownTrees, Subscriber};
use crate::error::Error;
use crate::node::NodePath;
use peers::Peers;

/// The registered process of this node's replicated trees.
pub static REPLICAS: Server<Replicas> = Server::registered();

/// Interval at which the process compares its trees with other nodes, and reconnects to lost ones.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reasons why an operation on a replicated tree fails. Except after `lost`, the tree is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum ReplicaError {
    /// `{no_tree, Name}`
    NoTree(String),
    /// `{tree_exists, Name}`
    TreeExists(String),
    /// `{storage, Why}`: the disk.
    Storage(String),
    /// `{lost, Node}`: the connection to the node that was asked is lost. The edit may have been
    /// made.
    Lost(Atom),
    /// The read request is invalid.
    #[term(untagged)]
    Read(Error),
    /// The edit is invalid.
    #[term(untagged)]
    Edit(EditError),
}

impl From<Error> for ReplicaError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoTree(name) => ReplicaError::NoTree(name),
            error => ReplicaError::Read(error),
        }
    }
}

/// State of the process: the trees and their log.
pub struct Replicas {
    folder: PathBuf,
    /// A log with at least this many bytes is rewritten.
    compact_from: u64,
    /// Number of moves that are kept for nodes that are away.
    keep_moves: usize,
    store: Store,
    trees: Trees,
    peers: Peers,
    shown: Resource<ShownTrees>,
    transfers: Transfers,
    /// Edits that will be written together, with the callers that wait for them.
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

/// `write`: writes the edits that have been collected.
#[derive(Debug, Clone, Term)]
pub struct Write;

#[gen_server(module = "jungle_replicas", bad_messages = "refuse")]
impl GenServer for Replicas {
    type Args = (Resource<ShownTrees>, Options);

    async fn init(
        (shown, options): (Resource<ShownTrees>, Options),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        let folder = PathBuf::from(options.folder);
        let opened = cx.blocking(|| Store::open(&folder)).await;
        let (store, trees) = opened.map_err(|error| Exit::new(storage(&error)))?;
        cx.monitor_nodes(true);
        let peers = Peers::new(cx.node().await?, store.id(), options.copies);
        for node in cx.nodes().await? {
            peers.greet(cx, &node);
        }
        cx.send_after(INTERVAL, Tick);
        let mut replicas = Replicas {
            folder,
            compact_from: options.compact_from,
            keep_moves: options.keep_moves,
            store,
            trees,
            peers,
            shown,
            transfers: Transfers::default(),
            making: Vec::new(),
        };
        // Monitor the processes that had subscribed to this one's predecessor.
        let subscribers = replicas.shown.subscribers().clone();
        for subscriber in subscribers {
            replicas.watch(&subscriber.process, cx).await;
        }
        replicas.show_all(cx).await;
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
        // Edits that arrive before the message are written together with this one.
        if self.making.is_empty() {
            cx.send_after(Duration::ZERO, Write);
        }
        self.making.push((make, caller));
        noreply()
    }

    fn handle_call(&mut self, look: Look) -> HandleCall<Result<Looked, ReplicaError>> {
        reply(calls::look(&self.trees, &look))
    }

    fn handle_call(
        &mut self,
        select: Select,
        caller: Caller<Result<Selected, ReplicaError>>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let shown = self.shown.clone();
        cx.spawn_process(async move |cx| {
            let selected = showing::select(&shown, select, cx).await;
            caller.reply(cx, selected);
            Ok(())
        });
        noreply()
    }

    async fn handle_call(
        &mut self,
        range: Range,
        cx: &Cx<'_>,
    ) -> HandleCall<Result<Ranged, ReplicaError>> {
        reply(cx.dirty(|| showing::range(&self.shown, &range)).await)
    }

    fn handle_call(
        &mut self,
        WhereIs(tree, node): WhereIs,
    ) -> HandleCall<Result<NodePath, ReplicaError>> {
        let path = self.shown.path(&tree, node);
        let no_node = || ReplicaError::Edit(EditError::NoNode(node));
        reply(self.known(&tree).and_then(|()| path.ok_or_else(no_node)))
    }

    fn handle_call(
        &mut self,
        WhatIs(tree, path): WhatIs,
    ) -> HandleCall<Result<NodeId, ReplicaError>> {
        reply(showing::what_is(&self.shown, &tree, &path))
    }

    fn handle_call(&mut self, _: GetShown) -> HandleCall<Resource<Handle>> {
        reply(self.shown.handle().clone())
    }

    async fn handle_call(
        &mut self,
        subscribe: Subscribe,
        cx: &Cx<'_>,
    ) -> HandleCall<Result<(), ReplicaError>> {
        reply(self.subscribe(subscribe, cx).await)
    }

    fn handle_call(&mut self, Unsubscribe(tree, node, process): Unsubscribe) -> HandleCall<()> {
        let is_it = |it: &Subscriber| it.tree == tree && it.node == node && it.process == process;
        self.shown.subscribers().retain(|it| !is_it(it));
        reply(())
    }

    fn handle_info(&mut self, down: Down) -> HandleInfo {
        if let Monitored::Pid(process) = down.object {
            self.shown.subscribers().retain(|it| it.process != process);
        }
        noreply()
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
        self.transfers.look();
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

    async fn handle_cast(&mut self, part: Part, cx: &Cx<'_>) -> HandleCast {
        self.add(part, cx).await;
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
        self.show(name, cx);
        Ok(())
    }

    /// Applies the collected edits, and replies when they are on the disk.
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
        if written.is_ok() {
            let names: BTreeSet<_> = made.iter().map(|(name, _)| name).collect();
            names.into_iter().for_each(|name| self.show(name, cx));
        }
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

    /// Writes to the disk. If that fails, reads the trees again from the disk.
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
            log::warn!("{}: {worse}", self.folder.display());
        }
        self.show_all(cx).await;
        Err(storage(&error))
    }

    fn known(&self, tree: &str) -> Result<(), ReplicaError> {
        let is_known = self.trees.contains_key(tree);
        is_known
            .then_some(())
            .ok_or_else(|| ReplicaError::NoTree(tree.to_owned()))
    }
}

fn storage(error: &impl std::fmt::Display) -> ReplicaError {
    ReplicaError::Storage(error.to_string())
}
