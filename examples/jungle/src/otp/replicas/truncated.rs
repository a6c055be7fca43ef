//! Limiting the history: folding moves that all copies have, rewriting the log, and sending the
//! whole tree to a node that was away for too long.

use jungle_merge::parts::{Added, Asked, Piece, Progress};
use jungle_merge::store::{Record, new_id};
use otp_bridge::Atom;
use otp_bridge::gen_server::prelude::*;

use super::Replicas;
use super::peers::{Behind, Part};

impl Replicas {
    /// Folds moves that all connected nodes have, and rewrites the log if it has grown.
    pub(super) async fn truncate(&mut self, cx: &Cx<'_>) {
        let keep = self.keep_moves;
        for (name, tree) in &mut self.trees {
            // Folding starts at twice the limit, so that each time folds half of the moves.
            if tree.move_count() > 2 * keep
                && let Some(others) = self.peers.heard(name)
            {
                tree.fold(others.into_iter(), keep);
            }
        }
        if self.store.has_grown(self.compact_from) {
            let (store, trees) = (&mut self.store, &self.trees);
            let written = cx.blocking(|| store.shrink(trees)).await;
            if let Err(error) = written {
                log::warn!("{}: {error}", self.folder.display());
            }
        }
    }

    /// Handles a request for a whole tree, or for the next part of it.
    pub(super) async fn give(&mut self, Behind(node, name, progress): Behind, cx: &Cx<'_>) {
        let to = node.to_string();
        let Some(tree) = self.trees.get(&name).filter(|_| self.peers.is_known(&node)) else {
            return;
        };
        let known = tree.known();
        let piece = match self.transfers.ask(&to, &name, progress, &known) {
            Asked::Next(piece) => Some(piece),
            Asked::Anew if self.peers.gives(&node, &name) => {
                let snapshot = cx.dirty(|| tree.snapshot()).await;
                self.peers.answered(&node, &name);
                self.transfers.begin(&to, &name, known, snapshot)
            }
            Asked::Anew | Asked::Done => None,
        };
        if let Some(piece) = piece {
            self.peers.give(&node, &name, piece, cx);
        }
    }

    /// Handles a part of a tree.
    pub(super) async fn add(&mut self, Part(node, name, piece): Part, cx: &Cx<'_>) {
        let is_asked = self.peers.is_known(&node) && self.peers.has_asked(&node, &name);
        if !is_asked || !self.trees.contains_key(&name) {
            return;
        }
        let Piece(id, total, ..) = piece;
        match self.transfers.add(&node.to_string(), &name, piece) {
            Added::Other => {}
            Added::More(at) => self.peers.ask(&node, &name, Some(at), cx),
            Added::Whole(snapshot) => {
                // The other node can forget the snapshot.
                self.peers.ask(&node, &name, Some(Progress(id, total)), cx);
                self.take(&node, &name, &snapshot, cx).await;
            }
        }
    }

    /// Takes a whole tree from another node, and repeats this node's own edits that it lacks.
    async fn take(&mut self, node: &Atom, name: &str, snapshot: &[u8], cx: &Cx<'_>) {
        self.peers.answered(node, name);
        self.transfers.forget(name);
        let Some(tree) = self.trees.get(name) else {
            return;
        };
        let taken = match cx.dirty(|| tree.take(snapshot, new_id)).await {
            Ok(taken) => taken,
            Err(why) => return self.peers.complain(node, &why.to_string(), cx),
        };
        let record = Record::Taken(name, snapshot, &taken);
        if let Err(error) = self.append(&[record], cx).await {
            log::warn!("{name} is not up to date: {error:?}");
            return;
        }
        log::warn!(
            "{name}: this node was away for longer than the moves reach that {node} keeps; \
             it has taken the tree from there, and made {} edits again",
            taken.renamed.len()
        );
        let id = taken.replica.id();
        self.trees.insert(name.to_owned(), taken.replica);
        self.show_anew(name, cx).await;
        self.trees.values_mut().for_each(|tree| tree.renumber(id));
        self.store.renumber(id);
        self.peers.renumber(id);
        for batch in taken.after {
            self.peers.send(name, batch, cx);
        }
        self.tell(name, cx);
    }
}
