//! Finding nodes, and reading their devices.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use otp_bridge::task::Tasks;
use otp_bridge::{Cx, join_all};

use super::Controller;
use crate::frame::{Eoj, Esv, NODE_PROFILE};
use crate::nodes::{self, Nodes};
use crate::station::{Failure, Request};

/// Maximum number of nodes that are read at once. The others wait for the next round.
const AT_ONCE: usize = 64;
/// Minimum time between two readings of a node that announces itself repeatedly.
const PAUSE: Duration = Duration::from_secs(2);

/// A node, and the objects that it lists.
type Listing = (Ipv4Addr, Vec<Eoj>);

impl Controller {
    /// Searches for nodes. Returns how many have answered, and those that are new, have changed, or
    /// were read long ago.
    pub(super) async fn search(&self, cx: &Cx<'_>) -> (u64, Vec<Listing>) {
        let request = Request {
            eoj: NODE_PROFILE,
            esv: Esv::Get,
            properties: &[(0xD6, &[])],
            second: &[],
        };
        // If too many requests are waiting, the next round comes soon.
        let Ok(all) = self.requester.ask_all(cx, request).await else {
            return (0, Vec::new());
        };
        let answered: Vec<Ipv4Addr> = all.iter().map(|heard| heard.address).collect();
        let (silent, gone) = self.nodes.with(|nodes| nodes.end_round(&answered));
        self.tell_all(cx, &silent);
        self.forget(cx, &gone);
        let now = Instant::now();
        let lists = all.iter().filter_map(|heard| {
            self.hear(cx, heard.address);
            let eojs = nodes::listed(heard.value(0xD6)?);
            let is_due = |nodes: &mut Nodes| nodes.is_due(heard.address, &eojs, now);
            self.nodes.with(is_due).then_some((heard.address, eojs))
        });
        (all.len() as u64, lists.collect())
    }

    /// Reads nodes, each one independently of the others.
    pub(super) async fn read_nodes(&self, cx: &Cx<'_>, lists: Vec<Listing>) {
        let readings = lists.into_iter();
        join_all(readings.map(|(address, eojs)| self.read_node(cx, address, eojs))).await;
    }

    /// Reads a node, and reads it again if it announces itself during the reading.
    async fn read_node(&self, cx: &Cx<'_>, address: Ipv4Addr, mut eojs: Vec<Eoj>) {
        let begins = self.being_read.with(|all| {
            if let Some(next) = all.get_mut(&address) {
                *next = Some(std::mem::take(&mut eojs));
                return false;
            }
            let has_room = all.len() < AT_ONCE;
            if has_room {
                all.insert(address, None);
            }
            has_room
        });
        if !begins {
            return;
        }
        loop {
            // The next round asks a node that does not answer again.
            let _given_up = self.read_devices(cx, address, &eojs).await;
            let next =
                |all: &mut HashMap<_, Option<_>>| all.get_mut(&address).and_then(Option::take);
            let Some(next) = self.being_read.with(next) else {
                break;
            };
            eojs = next;
            if cx.sleep(PAUSE).await.is_err() {
                break;
            }
        }
        self.being_read.with(|all| all.remove(&address));
    }

    /// Reads these devices of a node, up to the first one that does not answer.
    async fn read_devices(
        &self,
        cx: &Cx<'_>,
        address: Ipv4Addr,
        eojs: &[Eoj],
    ) -> Result<(), Failure> {
        for eoj in eojs {
            let known = self.requester.read_device(cx, address, *eoj).await?;
            self.hear(cx, address);
            if self.nodes.with(|nodes| nodes.add((address, *eoj), known)) {
                self.tell(cx, (address, *eoj));
            }
        }
        let gone = self
            .nodes
            .with(|nodes| nodes.complete(address, eojs, Instant::now()));
        self.forget(cx, &gone);
        Ok(())
    }

    /// Reads a node that has announced itself, in a task, so that other announcements do not wait.
    pub(super) fn welcome(&self, cx: &Cx<'_>, address: Ipv4Addr, eojs: Vec<Eoj>) {
        let is_full = |all: &mut HashMap<_, _>| all.len() >= AT_ONCE && !all.contains_key(&address);
        if self.being_read.with(is_full) {
            return;
        }
        let controller = self.share();
        cx.spawn_task(async move |cx| {
            controller.read_node(cx, address, eojs).await;
            Ok(())
        });
    }
}
