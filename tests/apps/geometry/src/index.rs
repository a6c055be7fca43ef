//! Resources of two types, and functions that share them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use otp_bridge::process::{Monitors, ResourceMonitor};
use otp_bridge::{Cx, Pid, Resource, Sender, Term, module};

/// A message of a resource to the process that created it.
#[derive(Debug, Term)]
pub enum Event {
    /// `dropped`
    Dropped,
    /// `{ended, Pid}`
    Ended(Pid),
}

/// An index of words.
#[module("search")]
pub mod functions {
    use super::*;

    /// Words and how often they were added.
    #[derive(Debug, Resource)]
    pub struct Index {
        words: Mutex<BTreeMap<String, u64>>,
        monitors: Mutex<Vec<ResourceMonitor>>,
        maker: Sender<Event>,
    }

    impl Drop for Index {
        fn drop(&mut self) {
            self.maker.send(Event::Dropped);
        }
    }

    impl Monitors for Index {
        fn down(index: &Resource<Index>, process: &Pid, monitor: &ResourceMonitor) {
            let mut monitors = index.monitors.lock().unwrap();
            let before = monitors.len();
            monitors.retain(|known| known != monitor);
            assert_eq!(monitors.len() + 1, before, "it was one of these");
            index.maker.send(Event::Ended(process.clone()));
        }
    }

    /// An empty index.
    pub fn new(cx: &Cx<'_>) -> Resource<Index> {
        Resource::new(Index {
            words: Mutex::default(),
            monitors: Mutex::default(),
            maker: cx.sender(),
        })
    }

    /// Adds a word. Returns how often it was added.
    pub fn add(index: &Resource<Index>, word: String) -> u64 {
        let mut words = index.words.lock().unwrap();
        let count = words.entry(word).or_default();
        *count += 1;
        *count
    }

    /// The number of words.
    pub fn size(index: &Resource<Index>) -> usize {
        index.words.lock().unwrap().len()
    }

    /// Returns the index that it gets.
    pub fn same(index: Resource<Index>) -> Resource<Index> {
        index
    }

    /// Returns the term, copied through Rust's own memory.
    pub fn echo(term: Term) -> Term {
        term
    }

    /// Adds words on a thread of its own.
    #[dirty(cpu)]
    pub fn add_all(index: &Resource<Index>, words: Vec<String>) -> usize {
        let index = index.clone();
        let adding = std::thread::spawn(move || {
            for word in words {
                add(&index, word);
            }
            size(&index)
        });
        adding.join().unwrap_or(0)
    }

    static KEPT: Mutex<Option<Resource<Index>>> = Mutex::new(None);

    /// Keeps the index beyond the call.
    pub fn keep(index: &Resource<Index>) {
        let before = KEPT.lock().unwrap().replace(index.clone());
        drop(before);
    }

    /// Drops the index that is kept. Returns whether there is one.
    pub fn forget() -> bool {
        let kept = KEPT.lock().unwrap().take();
        kept.is_some()
    }

    /// Notifies the creator of the index when the process ends.
    pub fn watch(index: &Resource<Index>, process: &Pid, cx: &Cx<'_>) -> bool {
        // The lock is held until the monitor is stored.
        let mut monitors = index.monitors.lock().unwrap();
        let monitor = index.monitor(cx, process);
        let is_new = monitor.is_some();
        monitors.extend(monitor);
        is_new
    }

    /// Stops notifying it.
    pub fn unwatch(index: &Resource<Index>, cx: &Cx<'_>) -> bool {
        let monitor = index.monitors.lock().unwrap().pop();
        monitor.is_some_and(|monitor| index.demonitor(cx, &monitor))
    }
}

/// Another resource type of this module. Its destructor panics.
#[derive(Debug, Resource)]
#[resource(module = "search", name = "map")]
pub struct Rude;

impl Drop for Rude {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// Functions with the types of another module.
#[module("rude")]
pub mod rude {
    use super::*;

    /// A resource of another type.
    pub fn new() -> Resource<Rude> {
        Resource::new(Rude)
    }

    /// Returns whether the argument is such a resource.
    pub fn is_rude(_: &Resource<Rude>) -> bool {
        true
    }
}
