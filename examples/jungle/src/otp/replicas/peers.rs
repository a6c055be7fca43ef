//! The other nodes that have replicated trees: connecting to them, and the messages of the
//! protocol.

use std::collections::{BTreeMap, BTreeSet};

use jungle_merge::parts::{Piece, Progress};
use jungle_merge::{Batch, Known};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::Nodes;
use otp_bridge::{Atom, Term, atom};

use super::Replicas;
use crate::otp::placement::nodes_of;

/// Version of the protocol. Nodes with different versions refuse each other.
const PROTOCOL: u64 = 3;

/// `{hello, Version, Node, Replica, IsAnswer}`: introduces a node. This message must keep its form
/// in all versions.
#[derive(Debug, Clone, Term)]
pub struct Hello(pub u64, pub Atom, pub u64, pub bool);

/// `{refused, Node, Why}`: this node ignores everything that the other one sends.
#[derive(Debug, Clone, Term)]
pub struct Refused(pub Atom, pub String);

/// `{have, Node, Tree, Known}`: reports what a node knows of a tree.
#[derive(Debug, Clone, Term)]
pub struct Have(pub Atom, pub String, pub Known);

/// `{behind, Node, Tree, undefined | {Snapshot, Offset}}`: a node was away until the receiver had
/// folded moves that it lacks. It asks for the whole tree, or for the rest of it.
#[derive(Debug, Clone, Term)]
pub struct Behind(pub Atom, pub String, pub Option<Progress>);

/// `{part, Node, Tree, {Snapshot, Total, Offset, Bytes}}`: a part of a tree, for a node that asked
/// for it.
#[derive(Debug, Clone, Term)]
pub struct Part(pub Atom, pub String, pub Piece);

/// `{operations, Node, Tree, Batch, IsMore}`: sends operations. If `IsMore`, the receiver reports
/// when it has applied them, to get the next ones.
#[derive(Debug, Clone, Term)]
pub struct Operations(pub Atom, pub String, pub Batch, pub bool);

/// State of another node.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum PeerState {
    /// `connected`
    Connected,
    /// `lost`: this node tries to reconnect.
    Lost,
    /// `{refused, Why}`
    Refused(String),
}

/// The other nodes by their names.
#[derive(Debug)]
pub(super) struct Peers {
    node: Atom,
    id: u64,
    copies: usize,
    known: BTreeMap<String, (Atom, PeerState)>,
    /// The knowledge that other nodes have reported, by node and tree.
    heard: BTreeMap<(String, String), Known>,
    /// Nodes that were asked for a whole tree, and the tree.
    asked: BTreeSet<(String, String)>,
}

impl Peers {
    pub(super) fn new(node: Atom, id: u64, copies: usize) -> Self {
        Peers {
            node,
            id,
            copies,
            known: BTreeMap::new(),
            heard: BTreeMap::new(),
            asked: BTreeSet::new(),
        }
    }

    pub(super) fn renumber(&mut self, id: u64) {
        self.id = id;
    }

    pub(super) fn hear(&mut self, node: &Atom, tree: &str, known: Known) {
        self.heard
            .insert((node.to_string(), tree.to_owned()), known);
    }

    /// Returns what the connected nodes with a copy of a tree know, if all of them have reported
    /// it.
    pub(super) fn heard(&self, tree: &str) -> Option<Vec<&Known>> {
        let key = |node: Atom| (node.to_string(), tree.to_owned());
        let copies = self.copies(tree);
        copies.map(|node| self.heard.get(&key(node))).collect()
    }

    /// Asks a node for a whole tree, or for the rest of it.
    pub(super) fn ask(&mut self, node: &Atom, tree: &str, progress: Option<Progress>, cx: &Cx<'_>) {
        self.asked.insert((node.to_string(), tree.to_owned()));
        cx.cast(
            &there(node),
            Behind(self.node.clone(), tree.to_owned(), progress),
        );
    }

    /// Returns whether the node was asked for the tree, and withdraws the requests to all nodes:
    /// snapshots that arrive later would lack the edits that are repeated now.
    pub(super) fn answered(&mut self, node: &Atom, tree: &str) -> bool {
        let is_asked = self.has_asked(node, tree);
        self.asked.retain(|(_, of)| !is_asked || of != tree);
        is_asked
    }

    /// Returns whether a node that asks gets the whole tree. If two nodes ask each other, one of
    /// them does.
    pub(super) fn gives(&self, node: &Atom, tree: &str) -> bool {
        self.is_known(node)
            && (self.node.to_string() > node.to_string() || !self.has_asked(node, tree))
    }

    pub(super) fn has_asked(&self, node: &Atom, tree: &str) -> bool {
        let asked = (node.to_string(), tree.to_owned());
        self.asked.contains(&asked)
    }

    pub(super) fn give(&self, node: &Atom, tree: &str, piece: Piece, cx: &Cx<'_>) {
        let part = Part(self.node.clone(), tree.to_owned(), piece);
        cx.cast(&there(node), part);
    }

    pub(super) fn node(&self) -> &Atom {
        &self.node
    }

    pub(super) fn states(&self) -> Vec<(Atom, PeerState)> {
        self.known.values().cloned().collect()
    }

    pub(super) fn is_known(&self, node: &Atom) -> bool {
        let known = self.known.get(&node.to_string());
        known.is_some_and(|(_, state)| *state == PeerState::Connected)
    }

    fn set(&mut self, node: &Atom, state: PeerState) {
        self.known.insert(node.to_string(), (node.clone(), state));
    }

    pub(super) fn greet(&self, cx: &Cx<'_>, node: &Atom) {
        self.introduce(cx, node, false);
    }

    fn introduce(&self, cx: &Cx<'_>, node: &Atom, is_answer: bool) {
        let hello = Hello(PROTOCOL, self.node.clone(), self.id, is_answer);
        cx.cast(&there(node), hello);
    }

    /// Handles a node's introduction. Returns whether the node is new.
    pub(super) fn meet(&mut self, Hello(version, node, id, is_answer): Hello, cx: &Cx<'_>) -> bool {
        let is_new = !self.is_known(&node);
        let why = match (version, id) {
            (PROTOCOL, id) if id != self.id => {
                self.set(&node, PeerState::Connected);
                // The other process may have been restarted, and know no other nodes.
                if !is_answer {
                    self.introduce(cx, &node, true);
                }
                return is_new;
            }
            (PROTOCOL, _) => format!("its folder is a copy of that of {}", self.node),
            _ => format!("it speaks version {version} of the protocol, and this one {PROTOCOL}"),
        };
        self.complain(&node, &why, cx);
        false
    }

    /// Refuses a node until it reconnects, and tells it why.
    pub(super) fn complain(&mut self, node: &Atom, why: &str, cx: &Cx<'_>) {
        log::warn!("{node} is refused: {why}");
        self.set(node, PeerState::Refused(why.to_owned()));
        cx.cast(&there(node), Refused(self.node.clone(), why.to_owned()));
    }

    pub(super) fn refuse(&mut self, Refused(node, why): Refused) {
        log::warn!("{node} refuses this node: {why}");
        self.set(&node, PeerState::Refused(why));
    }

    pub(super) fn lose(&mut self, node: &Atom) {
        let name = node.to_string();
        self.heard.retain(|(of, _), _| *of != name);
        self.asked.retain(|(of, _)| *of != name);
        if let Some((_, state)) = self.known.get_mut(&node.to_string()) {
            *state = PeerState::Lost;
        }
    }

    /// Starts one process per lost node, because connecting may take long.
    pub(super) fn connect_again(&self, cx: &Cx<'_>) {
        let lost = self
            .known
            .values()
            .filter(|(_, state)| *state == PeerState::Lost);
        for (node, _) in lost {
            let node = node.clone();
            cx.spawn_process(async move |cx| cx.connect(node).await.map(|_| ()));
        }
    }

    /// Returns the nodes with copies of a tree, the first choice first.
    pub(super) fn locate(&self, tree: &str) -> Vec<Atom> {
        let own = (self.node.to_string(), &self.node);
        let others = self
            .known
            .iter()
            .filter(|(_, (_, state))| *state == PeerState::Connected);
        let others = others.map(|(name, (node, _))| (name.clone(), node));
        let all: BTreeMap<String, &Atom> = others.chain([own]).collect();
        let placed = nodes_of(tree, all.keys().map(String::as_str), self.copies);
        placed.into_iter().map(|name| all[name].clone()).collect()
    }

    fn copies(&self, tree: &str) -> impl Iterator<Item = Atom> {
        self.locate(tree)
            .into_iter()
            .filter(|node| *node != self.node)
    }

    /// Sends an edit of this node to all nodes with a copy of the tree.
    pub(super) fn send(&self, tree: &str, batch: Batch, cx: &Cx<'_>) {
        for node in self.copies(tree) {
            self.send_to(&node, tree, batch.clone(), false, cx);
        }
    }

    pub(super) fn send_to(
        &self,
        node: &Atom,
        tree: &str,
        batch: Batch,
        is_more: bool,
        cx: &Cx<'_>,
    ) {
        let operations = Operations(self.node.clone(), tree.to_owned(), batch, is_more);
        cx.cast(&there(node), operations);
    }

    pub(super) fn tell(&self, tree: &str, known: &Known, cx: &Cx<'_>) {
        for node in self.copies(tree) {
            self.tell_one(&node, tree, known.clone(), cx);
        }
    }

    pub(super) fn tell_one(&self, node: &Atom, tree: &str, known: Known, cx: &Cx<'_>) {
        let have = Have(self.node.clone(), tree.to_owned(), known);
        cx.cast(&there(node), have);
    }
}

/// Returns the process on another node.
fn there(node: &Atom) -> Server<Replicas> {
    Server::on_node(atom!("jungle_replicas"), node.clone())
}
