//! The file with a node's knowledge of its cluster. It lets a node keep its name and its slots over
//! a restart, even after `kill -9`.
//!
//! ```text
//! epoch 7 voted 5 met yes
//! node 1c9e… a@127.0.0.1 7000 7 - 0-5460,9000          this one
//! node 83d0… b@127.0.0.1 7001 3 1c9e…                  a replica of it
//! moving 100 to 83d0…
//! ```

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::slots::{read_ranges, write_ranges};
use super::{Map, Moving, Peer, Seen};

/// Returns the path of a node's file.
#[must_use]
pub fn path_of(folder: &str, node: &str) -> PathBuf {
    let is_odd = |it: char| !it.is_ascii_alphanumeric() && !"@.-_".contains(it);
    let name = node.replace(is_odd, "_");
    Path::new(folder).join(format!("nodes-{name}.conf"))
}

impl Map {
    /// Returns the content of the file.
    pub(super) fn text(&self) -> String {
        let met = if self.is_met { "yes" } else { "no" };
        let (epoch, voted) = (self.epoch(), self.ballot.voted);
        let mut text = format!("epoch {epoch} voted {voted} met {met}\n");
        for (at, peer) in self.peers.iter().enumerate() {
            let master = peer.master.as_deref().unwrap_or("-");
            let slots = write_ranges(&self.slots_of(at), ",");
            let (id, node, port, epoch) = (&peer.id, &peer.node, peer.port, peer.epoch);
            text += &format!("node {id} {node} {port} {epoch} {master} {slots}\n");
        }
        for (slot, moving) in &self.moving {
            let (word, id) = match moving {
                Moving::To(id) => ("to", id),
                Moving::From(id) => ("from", id),
            };
            text += &format!("moving {slot} {word} {id}\n");
        }
        text
    }

    /// Parses the content of the file.
    ///
    /// # Errors
    /// The number of the first wrong line.
    pub(super) fn read(text: &str) -> Result<Self, usize> {
        let first: Vec<&str> = text.lines().next().unwrap_or("").split(' ').collect();
        let ["epoch", epoch, "voted", voted, "met", met @ ("yes" | "no")] = first[..] else {
            return Err(1);
        };
        let mut map = Map {
            is_met: met == "yes",
            ..Map::default()
        };
        map.ballot.epoch = epoch.parse().map_err(|_| 1_usize)?;
        map.ballot.voted = voted.parse().map_err(|_| 1_usize)?;
        for (at, line) in text.lines().enumerate().skip(1) {
            map.read_line(line).ok_or(at + 1)?;
        }
        match map.peers.is_empty() {
            true => Err(2),
            false => Ok(map),
        }
    }

    fn read_line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["node", id, node, port, epoch, master, slots] => {
                let place = self.peers.len();
                self.peers.push(Peer {
                    id: id.to_owned(),
                    node: node.to_owned(),
                    port: port.parse().ok()?,
                    epoch: epoch.parse().ok()?,
                    is_connected: false,
                    master: (master != "-").then(|| master.to_owned()),
                    seen: Seen::default(),
                });
                let ranges = match slots {
                    "" => Vec::new(),
                    _ => read_ranges(slots)?,
                };
                let slots = ranges.into_iter().flat_map(|(first, last)| first..=last);
                slots.for_each(|it| self.owners[usize::from(it)] = Some(place));
            }
            ["moving", slot, word @ ("to" | "from"), id] => {
                let slot = slot.parse().ok().filter(|it| *it < self.owners.len())?;
                let id = id.to_owned();
                let moving = match word {
                    "to" => Moving::To(id),
                    _ => Moving::From(id),
                };
                self.moving.insert(slot, moving);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Reads a node's file, if there is one.
///
/// # Errors
/// An error of the operating system, or the number of the first wrong line.
pub fn load(path: &Path) -> io::Result<Option<Map>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let why = |line| {
        let path = path.display();
        io::Error::other(format!(
            "{path}: line {line}: Unrecoverable error: corrupted cluster config file"
        ))
    };
    Map::read(&text).map(Some).map_err(why)
}

/// Replaces the file atomically.
///
/// # Errors
/// An error of the operating system.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = File::create(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut map = Map::new(Peer {
            id: "a".repeat(40),
            node: "a@h".to_owned(),
            port: 7000,
            epoch: 3,
            is_connected: false,
            master: None,
            seen: Seen::default(),
        });
        map.take((0..10).chain([77, 16_383]));
        map.peers.push(Peer {
            id: "b".repeat(40),
            master: Some("a".repeat(40)),
            ..map.peers[0].clone()
        });
        map.moving.insert(5, Moving::To("b".repeat(40)));
        map.moving.insert(50, Moving::From("b".repeat(40)));
        map.meet("b@h");
        let read = Map::read(&map.text()).expect("it is whole");
        assert_eq!(read.text(), map.text());
        assert_eq!(
            (&read.peers, read.slots_of(0)),
            (&map.peers, map.slots_of(0))
        );
    }

    #[test]
    fn a_file_that_is_cut_or_changed_is_refused_by_its_line() {
        let first = "epoch 1 voted 0 met no\n";
        for (rest, line) in [
            ("", 2),
            ("node a b 1 1 -\n", 2),
            ("node a b 1 1 - 0-16384\n", 2),
            ("node a b 1 1 - \nmoving 16384 to a\n", 3),
            ("node a b 1 1 - \nmoving 1 into a\n", 3),
        ] {
            let read = Map::read(&format!("{first}{rest}"));
            assert_eq!(read.err(), Some(line), "{rest}");
        }
        for first in ["", "epoch 1 voted 0 met maybe", "epoch x voted 0 met no"] {
            assert_eq!(Map::read(first).err(), Some(1), "{first}");
        }
    }
}
