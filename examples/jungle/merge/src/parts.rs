//! Transfer of snapshots to other nodes in parts. A sender sends the next part only after the
//! receiver confirmed the previous one, so that a large tree does not hold up other messages. If
//! the connection breaks, the transfer resumes later with the part that is missing.

use std::collections::BTreeMap;

use bytes::Bytes;
use otp_bridge::Term;

use crate::replica::Known;
use crate::store::new_id;

/// Maximum size of a part in bytes.
pub const PART: usize = 256 << 10;
/// A transfer is forgotten after this many calls of `look` without a request or a part.
const PATIENCE: u32 = 60;

/// State of a transfer: `{Snapshot, Offset}`, the snapshot and how many bytes have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
#[term(tuple)]
pub struct Progress(pub u64, pub u64);

/// A part of a snapshot of `Total` bytes: `{Snapshot, Total, Offset, Bytes}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[term(tuple)]
pub struct Piece(pub u64, pub u64, pub u64, pub Bytes);

/// Result of adding a part.
#[derive(Debug, PartialEq, Eq)]
pub enum Added {
    /// The part was added. Request the next one.
    More(Progress),
    /// The part was the last one. The bytes are the whole snapshot.
    Whole(Vec<u8>),
    /// The part is not the one that was requested.
    Other,
}

/// Answer to a node's request.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// Send this part.
    Next(Piece),
    /// Send nothing: the node has received the whole snapshot.
    Done,
    /// Start a transfer with a new snapshot.
    Anew,
}

type Key = (String, String);

/// The running transfers in both directions, by the other node and the tree.
#[derive(Debug)]
pub struct Transfers {
    /// Maximum size of a part in bytes.
    part: usize,
    giving: BTreeMap<Key, Giving>,
    taking: BTreeMap<Key, Taking>,
}

#[derive(Debug)]
struct Giving {
    id: u64,
    snapshot: Bytes,
    /// The tree's knowledge when the snapshot was made.
    known: Known,
    idle: u32,
}

#[derive(Debug)]
struct Taking {
    id: u64,
    total: u64,
    bytes: Vec<u8>,
    idle: u32,
}

fn key(node: &str, tree: &str) -> Key {
    (node.to_owned(), tree.to_owned())
}

impl Giving {
    fn piece(&mut self, offset: u64, most: usize) -> Option<Piece> {
        self.idle = 0;
        let from = usize::try_from(offset).ok()?;
        let rest = self.snapshot.len().checked_sub(from)?;
        let part = self.snapshot.slice(from..from + rest.min(most));
        Some(Piece(self.id, self.snapshot.len() as u64, offset, part))
    }
}

impl Default for Transfers {
    fn default() -> Self {
        Transfers::with_parts_of(PART)
    }
}

impl Transfers {
    /// Creates the transfers with this part size.
    #[must_use]
    pub fn with_parts_of(bytes: usize) -> Self {
        Transfers {
            part: bytes,
            giving: BTreeMap::new(),
            taking: BTreeMap::new(),
        }
    }

    /// Starts to send a snapshot of a tree that knew `known`. Returns the first part.
    pub fn begin(
        &mut self,
        node: &str,
        tree: &str,
        known: Known,
        snapshot: Vec<u8>,
    ) -> Option<Piece> {
        let mut giving = Giving {
            id: new_id(),
            snapshot: snapshot.into(),
            known,
            idle: 0,
        };
        let piece = giving.piece(0, self.part);
        self.giving.insert(key(node, tree), giving);
        piece
    }

    /// Handles a node's request for a whole tree, which now knows `known`, or for the next part of
    /// one.
    pub fn ask(
        &mut self,
        node: &str,
        tree: &str,
        progress: Option<Progress>,
        known: &Known,
    ) -> Asked {
        let Some(giving) = self.giving.get_mut(&key(node, tree)) else {
            return Asked::Anew;
        };
        let offset = match progress {
            Some(Progress(id, offset)) if id == giving.id => offset,
            // The first part of this snapshot is on its way to the node.
            Some(_) => 0,
            // The node may have asked twice. Or it has received the whole snapshot but its
            // confirmation was lost; then the tree has changed since, so the snapshot is stale.
            None if giving.known == *known => 0,
            None => return Asked::Anew,
        };
        let is_whole = offset >= giving.snapshot.len() as u64;
        match giving.piece(offset, self.part) {
            Some(piece) if !is_whole => Asked::Next(piece),
            _ => {
                self.giving.remove(&key(node, tree));
                Asked::Done
            }
        }
    }

    /// Returns how much of a tree has arrived from a node.
    pub fn progress(&self, node: &str, tree: &str) -> Option<Progress> {
        let taking = self.taking.get(&key(node, tree))?;
        Some(Progress(taking.id, taking.bytes.len() as u64))
    }

    /// Adds a part that arrived from a node which was asked for it.
    pub fn add(&mut self, node: &str, tree: &str, piece: Piece) -> Added {
        let Piece(id, total, offset, bytes) = piece;
        let key = key(node, tree);
        if offset == 0 && self.taking.get(&key).is_none_or(|taking| taking.id != id) {
            let taking = Taking {
                id,
                total,
                bytes: Vec::new(),
                idle: 0,
            };
            self.taking.insert(key.clone(), taking);
        }
        let known = self.taking.get_mut(&key);
        let Some(taking) = known.filter(|it| (it.id, it.total) == (id, total)) else {
            return Added::Other;
        };
        let end = offset.saturating_add(bytes.len() as u64);
        let is_next = taking.bytes.len() as u64 == offset && end <= total;
        if !is_next || bytes.is_empty() || bytes.len() > self.part {
            return Added::Other;
        }
        taking.idle = 0;
        taking.bytes.extend_from_slice(&bytes);
        if end < total {
            return Added::More(Progress(id, end));
        }
        let taken = self.taking.remove(&key);
        taken.map_or(Added::Other, |taken| Added::Whole(taken.bytes))
    }

    /// Forgets the transfers of a tree after a snapshot of it was taken.
    pub fn forget(&mut self, tree: &str) {
        self.taking.retain(|(_, of), _| of != tree);
    }

    /// Ages the transfers. The caller calls this at regular intervals.
    pub fn look(&mut self) {
        self.giving.retain(|_, giving| {
            giving.idle += 1;
            giving.idle < PATIENCE
        });
        self.taking.retain(|_, taking| {
            taking.idle += 1;
            taking.idle < PATIENCE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        crate::Replica::new(1).known()
    }

    fn next(from: &mut Transfers, at: Option<Progress>) -> Piece {
        match from.ask("there", "a", at, &known()) {
            Asked::Next(piece) => piece,
            other => panic!("{other:?}"),
        }
    }

    /// Sends a snapshot of `size` bytes. Each part is lost `lost` times, and then arrives twice.
    fn sent(size: usize, lost: usize) -> (Vec<u8>, Vec<u8>) {
        let snapshot: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
        let (mut here, mut there) = (Transfers::default(), Transfers::default());
        let begun = here.begin("there", "a", known(), snapshot.clone());
        let mut piece = begun.unwrap();
        loop {
            for _ in 0..lost {
                // The connection breaks. The receiver knows where to resume.
                piece = next(&mut here, there.progress("here", "a"));
            }
            assert!(piece.3.len() <= PART);
            match there.add("here", "a", piece.clone()) {
                Added::Whole(bytes) => {
                    let end = Some(Progress(piece.0, size as u64));
                    assert_eq!(here.ask("there", "a", end, &known()), Asked::Done);
                    assert_eq!(here.ask("there", "a", end, &known()), Asked::Anew);
                    return (snapshot, bytes);
                }
                Added::More(at) => {
                    assert_eq!(there.add("here", "a", piece), Added::Other);
                    piece = next(&mut here, Some(at));
                }
                Added::Other => panic!("it is the next one"),
            }
        }
    }

    #[test]
    fn a_snapshot_comes_as_a_whole_wherever_the_connection_breaks() {
        for size in [1, PART - 1, PART, PART + 1, 3 * PART, 3 * PART + 7] {
            for lost in 0..3 {
                let (given, taken) = sent(size, lost);
                assert!(given == taken, "{size} bytes, lost {lost} times");
            }
        }
    }

    #[test]
    fn a_node_that_asks_twice_gets_one_snapshot_and_no_old_one() {
        let (mut here, mut there) = (Transfers::default(), Transfers::default());
        let first = here.begin("there", "a", known(), vec![7; 2 * PART]);
        let first = first.unwrap();
        let at = Progress(first.0, PART as u64);
        assert_eq!(there.add("here", "a", first), Added::More(at));
        let again = next(&mut here, None);
        assert_eq!(there.add("here", "a", again), Added::Other);
        let rest = next(&mut here, Some(at));
        let whole = Added::Whole(vec![7; 2 * PART]);
        assert_eq!(there.add("here", "a", rest), whole);
        // The final confirmation was lost, and the tree has changed since.
        let mut later = known();
        later.clock += 1;
        assert_eq!(here.ask("there", "a", None, &later), Asked::Anew);
    }

    #[test]
    fn what_was_not_asked_for_is_not_used() {
        let mut transfers = Transfers::default();
        let piece = |id, total, offset, size: usize| Piece(id, total, offset, vec![0; size].into());
        let other = [
            piece(1, 10, 5, 5),
            piece(1, 10, 0, 0),
            piece(1, 10, 0, 11),
            piece(2, PART as u64 + 1, 0, PART + 1),
        ];
        for wrong in other {
            assert_eq!(transfers.add("a", "t", wrong), Added::Other);
        }
        // Another snapshot restarts the transfer.
        let first = piece(3, 10, 0, 4);
        assert_eq!(transfers.add("a", "t", first), Added::More(Progress(3, 4)));
        let wrong = [
            piece(3, 11, 4, 2),
            piece(4, 10, 4, 2),
            piece(3, 10, 4, 7),
            piece(3, 10, u64::MAX, 1),
        ];
        for wrong in wrong {
            assert_eq!(transfers.add("a", "t", wrong), Added::Other);
        }
        let again = piece(5, 9, 0, 4);
        assert_eq!(transfers.add("a", "t", again), Added::More(Progress(5, 4)));
        (0..PATIENCE).for_each(|_| transfers.look());
        assert_eq!(transfers.progress("a", "t"), None);
    }
}
