//! Synchronisation: nodes tell each other what they know of a tree, and send what the other one
//! lacks.

use jungle_merge::Received;
use jungle_merge::store::Record;
use otp_bridge::gen_server::prelude::*;

use super::Replicas;
use super::peers::{Have, Operations};

/// Maximum number of bytes of operations, though at least one batch, that are sent before the other
/// node confirms them.
const AT_ONCE: usize = 1 << 20;

impl Replicas {
    /// Tells the nodes that should have a tree what this node knows of it.
    pub(super) fn tell(&self, name: &str, cx: &Cx<'_>) {
        if let Some(tree) = self.trees.get(name) {
            self.peers.tell(name, &tree.known(), cx);
        }
    }

    /// Handles a node's report of what it knows of a tree: sends what it lacks, and asks for what
    /// this node lacks.
    pub(super) async fn compare(&mut self, Have(node, name, theirs): Have, cx: &Cx<'_>) {
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
            let progress = self.transfers.progress(&node.to_string(), &name);
            return self.peers.ask(&node, &name, progress, cx);
        }
        let is_ahead = tree.is_ahead_of(&theirs.versions);
        if !is_ahead {
            // The other node reports again after receiving them, and then gets the next ones.
            let (batches, is_more) = tree.missing_some(&theirs.versions, AT_ONCE);
            for batch in batches {
                self.peers.send_to(&node, &name, batch, is_more, cx);
            }
        }
        // If the other node lacks operations that are folded here, it will ask for the whole tree.
        if is_ahead || !tree.includes(&theirs.versions) {
            self.peers.tell_one(&node, &name, tree.known(), cx);
        }
        self.peers.hear(&node, &name, theirs);
    }

    /// Handles operations that another node has sent.
    pub(super) async fn receive(
        &mut self,
        Operations(node, name, batch, is_more): Operations,
        cx: &Cx<'_>,
    ) {
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
            // The sender learns from this report that it has to ask for the whole tree.
            Ok(Received::Late) => {
                return self.peers.tell_one(&node, &name, tree.known(), cx);
            }
            Ok(_) => {}
        }
        match self.append(&[Record::Batch(&name, &batch)], cx).await {
            Ok(()) => {
                self.show(&name, cx);
                if let Some(tree) = self.trees.get(&name).filter(|_| is_more) {
                    self.peers.tell_one(&node, &name, tree.known(), cx);
                }
            }
            Err(error) => log::warn!("{name} is not up to date: {error:?}"),
        }
    }
}
