//! The nodes of a network, as a controller knows them: their devices, whether they answer, and when
//! to read them again. This module knows no sockets.
//!
//! Limits bound the memory, whatever nodes send: on nodes, on objects of a node, and on the bytes
//! of its values.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use crate::frame::Eoj;
use crate::known::Known;
use crate::messages::Device;

/// Maximum number of known nodes. Further nodes are found after one of these has left.
pub const NODES: usize = 256;
/// Maximum number of objects in an instance list.
pub const OBJECTS: usize = 84;
/// Maximum number of bytes of values of a node.
pub const BYTES: usize = 256 << 10;
/// A node that does not announce itself is read again after this time.
pub const STALE: Duration = Duration::from_mins(5);
/// A node that has been silent for this many rounds is shown as one that does not answer.
const SILENT: u32 = 2;
/// A node that has been silent for this many rounds is forgotten.
const GONE: u32 = 10;

/// A device: the address of its node, and its object.
pub type Key = (Ipv4Addr, Eoj);

/// Parses a device in the form of messages.
#[must_use]
pub fn key(address: &str, object: &str) -> Option<Key> {
    Some((address.parse().ok()?, Eoj::parse(object)?))
}

/// All known nodes.
#[derive(Debug, Default)]
pub struct Nodes(BTreeMap<Ipv4Addr, KnownNode>);

#[derive(Debug)]
struct KnownNode {
    devices: BTreeMap<Eoj, Known>,
    /// Time when all its devices were last read.
    read: Option<Instant>,
    /// Number of rounds in which the node was silent.
    missed: u32,
}

/// Returns the objects of an instance list, without duplicates.
#[must_use]
pub fn listed(list: &[u8]) -> Vec<Eoj> {
    let eojs = list.get(1..).unwrap_or_default().as_chunks().0.iter();
    let mut eojs: Vec<Eoj> = eojs.map(|it| Eoj::from(*it)).take(OBJECTS).collect();
    eojs.sort_unstable();
    eojs.dedup();
    eojs
}

impl Nodes {
    /// Records that a node has sent something. Returns whether it was silent before.
    pub fn heard(&mut self, address: Ipv4Addr) -> bool {
        self.0.get_mut(&address).is_some_and(|node| {
            let was_silent = node.missed >= SILENT;
            node.missed = 0;
            was_silent
        })
    }

    /// Returns whether the controller should read a node with these objects, because it is new, its
    /// objects have changed, or it was read long ago.
    #[must_use]
    pub fn is_due(&self, address: Ipv4Addr, eojs: &[Eoj], now: Instant) -> bool {
        self.0.get(&address).is_none_or(|node| {
            let is_fresh = node.read.is_some_and(|read| now - read < STALE);
            !is_fresh || !node.devices.keys().eq(eojs)
        })
    }

    /// Adds a device that was read. Returns whether there is room for it.
    pub fn add(&mut self, (address, eoj): Key, known: Known) -> bool {
        if self.0.len() >= NODES && !self.0.contains_key(&address) {
            return false;
        }
        let node = self.0.entry(address).or_insert_with(|| KnownNode {
            devices: BTreeMap::new(),
            read: None,
            missed: 0,
        });
        let before = node.devices.remove(&eoj);
        let fits = node.devices.len() < OBJECTS && node.size() + known.size() <= BYTES;
        if let Some(kept) = Some(known).filter(|_| fits).or(before) {
            node.devices.insert(eoj, kept);
        }
        fits
    }

    /// Records that all devices of a node were read, and that these are its objects. Returns the
    /// devices that the node no longer has.
    pub fn complete(&mut self, address: Ipv4Addr, eojs: &[Eoj], now: Instant) -> Vec<Key> {
        let Some(node) = self.0.get_mut(&address) else {
            return Vec::new();
        };
        node.read = Some(now);
        let gone = node.devices.extract_if(.., |eoj, _| !eojs.contains(eoj));
        gone.map(|(eoj, _)| (address, eoj)).collect()
    }

    /// Ends a round in which these nodes have answered. Returns the devices of nodes that have
    /// become silent, and those of nodes that are forgotten.
    pub fn end_round(&mut self, answered: &[Ipv4Addr]) -> (Vec<Key>, Vec<Key>) {
        let (mut silent, mut gone) = (Vec::new(), Vec::new());
        for (address, node) in &mut self.0 {
            if answered.contains(address) {
                continue;
            }
            node.missed += 1;
            let keys = node.devices.keys().map(|eoj| (*address, *eoj));
            match node.missed {
                SILENT => silent.extend(keys),
                GONE => gone.extend(keys),
                _ => {}
            }
        }
        self.0.retain(|_, node| node.missed < GONE);
        (silent, gone)
    }

    /// Records values of a known device. Returns whether a value has changed.
    pub fn see(&mut self, (address, eoj): Key, properties: &[(u8, Vec<u8>)]) -> bool {
        let Some(node) = self.0.get_mut(&address) else {
            return false;
        };
        let others = node.size();
        let Some(known) = node.devices.get_mut(&eoj) else {
            return false;
        };
        let most = BYTES.saturating_sub(others - known.size());
        known.see(properties.iter().cloned(), most)
    }

    /// Returns the devices of a node.
    #[must_use]
    pub fn keys(&self, address: Ipv4Addr) -> Vec<Key> {
        let devices = self.0.get(&address).map(|node| node.devices.keys());
        devices
            .into_iter()
            .flatten()
            .map(|eoj| (address, *eoj))
            .collect()
    }

    /// Returns a device in the form for clients.
    #[must_use]
    pub fn device(&self, key: Key) -> Option<Device> {
        let node = self.0.get(&key.0)?;
        let known = node.devices.get(&key.1)?;
        Some(known.device(key, node.missed < SILENT))
    }

    /// Returns at most `count` devices after this one, in order.
    #[must_use]
    pub fn after(&self, key: Option<Key>, count: usize) -> Vec<Device> {
        let first = key.map_or(Ipv4Addr::UNSPECIFIED, |(address, _)| address);
        let nodes = self.0.range(first..);
        let keys = nodes.flat_map(|(address, node)| {
            let eojs = node.devices.keys();
            eojs.map(|eoj| (*address, *eoj))
        });
        let behind = keys.filter(|it| key.is_none_or(|key| *it > key));
        behind
            .take(count)
            .filter_map(|it| self.device(it))
            .collect()
    }
}

impl KnownNode {
    fn size(&self) -> usize {
        self.devices.values().map(Known::size).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
    const LIGHT: Eoj = Eoj(2, 0x90, 1);

    fn known(bytes: usize) -> Known {
        let mut known = Known::default();
        let values = (0..bytes.div_ceil(255)).map(|epc| (epc as u8, vec![0; 255]));
        known.see(values, BYTES);
        known
    }

    fn list(count: u8, class: u8) -> Vec<u8> {
        let eojs = (1..=count).flat_map(|number| [2, class, number]);
        [count].into_iter().chain(eojs).collect()
    }

    #[test]
    fn a_node_that_lists_ever_new_objects_has_only_the_last_ones() {
        let mut nodes = Nodes::default();
        for class in 0..200 {
            let eojs = listed(&list(84, class));
            assert_eq!(eojs.len(), OBJECTS);
            for eoj in &eojs {
                nodes.add((NODE, *eoj), Known::default());
            }
            nodes.complete(NODE, &eojs, Instant::now());
            assert!(nodes.after(None, 1000).len() <= OBJECTS);
        }
        let eojs = listed(&list(3, 7));
        nodes.complete(NODE, &eojs, Instant::now());
        for eoj in &eojs {
            assert!(nodes.add((NODE, *eoj), Known::default()));
        }
        assert_eq!(nodes.after(None, 1000).len(), 3);
    }

    #[test]
    fn nodes_and_bytes_are_bounded() {
        let mut nodes = Nodes::default();
        let address = |number: usize| Ipv4Addr::from(0x7F00_0000 + number as u32);
        let added = (0..2 * NODES).filter(|it| nodes.add((address(*it), LIGHT), known(0)));
        assert_eq!(added.count(), NODES);
        let number = |at: u8| Eoj(2, 0x90, at);
        let large = (0..80).filter(|at| nodes.add((address(0), number(*at)), known(20_000)));
        assert!(large.count() * 20_000 < BYTES);
        // Announcements cannot exceed the limit either.
        let key = (address(0), number(0));
        for epc in 0..=255 {
            nodes.see(key, &[(epc, vec![1; 255])]);
        }
        assert!(nodes.0[&address(0)].size() <= BYTES + OBJECTS * 64);
    }

    #[test]
    fn a_node_is_read_again_when_it_has_changed_or_after_a_while() {
        let mut nodes = Nodes::default();
        let now = Instant::now();
        assert!(nodes.is_due(NODE, &[LIGHT], now));
        nodes.add((NODE, LIGHT), Known::default());
        // The node is due until it was read completely.
        assert!(nodes.is_due(NODE, &[LIGHT], now));
        nodes.complete(NODE, &[LIGHT], now);
        assert!(!nodes.is_due(NODE, &[LIGHT], now));
        assert!(nodes.is_due(NODE, &[LIGHT, Eoj(2, 0x90, 2)], now));
        assert!(nodes.is_due(NODE, &[LIGHT], now + STALE));
    }

    #[test]
    fn a_node_that_does_not_answer_is_marked_and_then_forgotten() {
        let mut nodes = Nodes::default();
        let key = (NODE, LIGHT);
        nodes.add(key, Known::default());
        let answers = |nodes: &Nodes| nodes.device(key).map(|it| it.answers);
        assert_eq!(nodes.end_round(&[]), (vec![], vec![]));
        assert_eq!(answers(&nodes), Some(true));
        assert_eq!(nodes.end_round(&[]), (vec![key], vec![]));
        assert_eq!(answers(&nodes), Some(false));
        assert!(nodes.heard(NODE) && !nodes.heard(NODE));
        assert_eq!(answers(&nodes), Some(true));
        let mut rounds = (1..).map(|round| (round, nodes.end_round(&[]).1));
        let forgotten = rounds.find(|(_, gone)| !gone.is_empty());
        assert_eq!(forgotten, Some((GONE, vec![key])));
        assert_eq!(answers(&nodes), None);
    }

    #[test]
    fn devices_come_in_pieces() {
        let mut nodes = Nodes::default();
        let keys: Vec<Key> = (1..=7)
            .flat_map(|node| [1, 2, 3].map(|number| (Ipv4Addr::new(127, 0, 0, node), number)))
            .map(|(address, number)| (address, Eoj(2, 0x90, number)))
            .collect();
        for key in &keys {
            nodes.add(*key, Known::default());
        }
        let (mut last, mut count) = (None, 0);
        loop {
            let piece = nodes.after(last, 4);
            let Some(device) = piece.last() else { break };
            count += piece.len();
            last = key(&device.address, &device.object);
        }
        assert_eq!(count, keys.len());
    }
}
