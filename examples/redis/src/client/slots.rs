//! The subcommands CLUSTER ADDSLOTS, SETSLOT and their variants, which assign slots to nodes.

use super::cluster::Done;
use crate::cluster::{Map, Moving, SLOTS, slot_of};
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::DATABASES;

fn slot(text: &[u8]) -> Result<usize, &'static str> {
    let slot = number(text).and_then(|it| usize::try_from(it).ok());
    let why = "ERR Invalid or out of range slot";
    slot.filter(|it| *it < SLOTS).ok_or(why)
}

/// Returns keys of a slot. All of them are in one stripe, which is searched.
pub(super) fn keys_in(server: &Server, slot: usize, most: usize) -> Vec<Box<[u8]>> {
    let mut found = Vec::new();
    let mut locked = server.store.stripe(0, slot, server.now());
    for keys in locked.each() {
        let of_slot = keys.iter().map(|it| it.0).filter(|it| slot_of(it) == slot);
        found.extend(of_slot.take(most - found.len()).map(Box::from));
    }
    found
}

/// Returns whether any database has keys.
pub(super) fn has_keys(server: &Server) -> bool {
    (0..DATABASES).any(|db| server.store.counts(db).0 > 0)
}

/// Runs COUNTKEYSINSLOT, and GETKEYSINSLOT with a maximum.
pub(super) fn keys_of_slot(server: &Server, rest: &[&[u8]], replies: &mut Replies) -> Done {
    let why = "ERR value is not an integer or out of range";
    let numbers = rest.iter().map(|it| number(it).ok_or(why));
    let numbers = numbers.collect::<Result<Vec<i64>, _>>()?;
    let slot = numbers.first().and_then(|it| usize::try_from(*it).ok());
    let slot = slot.filter(|it| *it < SLOTS);
    let Some(most) = numbers.get(1) else {
        let slot = slot.ok_or("ERR Invalid slot")?;
        replies.count(keys_in(server, slot, usize::MAX).len());
        return Ok(());
    };
    let asked = slot.zip(usize::try_from(*most).ok());
    let (slot, most) = asked.ok_or("ERR Invalid slot or number of keys")?;
    let found = keys_in(server, slot, most);
    replies.array(found.len());
    found.iter().for_each(|key| replies.bulk(key));
    Ok(())
}

/// Parses slots, given either one by one or as ranges.
fn named(rest: &[&[u8]], is_ranges: bool) -> Result<Vec<usize>, std::borrow::Cow<'static, str>> {
    if !is_ranges {
        return Ok(rest.iter().map(|it| slot(it)).collect::<Result<_, _>>()?);
    }
    let mut all = Vec::new();
    for pair in rest.chunks(2) {
        let [first, last] = pair else {
            return Err("ERR wrong number of arguments".into());
        };
        let (first, last) = (slot(first)?, slot(last)?);
        if first > last {
            let text =
                format!("ERR start slot number {first} is greater than end slot number {last}");
            return Err(text.into());
        }
        all.extend(first..=last);
    }
    Ok(all)
}

/// Runs ADDSLOTS, DELSLOTS, their variants with RANGE, and FLUSHSLOTS.
pub(super) fn change(map: &mut Map, server: &Server, what: &str, rest: &[&[u8]]) -> Done {
    let is_ranges = what.ends_with("range");
    if is_ranges && rest.len() % 2 == 1 {
        return Err(format!("ERR wrong number of arguments for 'cluster|{what}' command").into());
    }
    let all = match what {
        "flushslots" if has_keys(server) => {
            return Err("ERR DB must be empty to perform CLUSTER FLUSHSLOTS.".into());
        }
        "flushslots" => (0..SLOTS).filter(|it| map.is_mine(*it)).collect(),
        _ => named(rest, is_ranges)?,
    };
    let adds = what.starts_with("add");
    let mut seen = vec![false; SLOTS];
    for slot in &all {
        match map.owner(*slot).is_some() {
            true if adds => return Err(format!("ERR Slot {slot} is already busy").into()),
            false if !adds => return Err(format!("ERR Slot {slot} is already unassigned").into()),
            _ if std::mem::replace(&mut seen[*slot], true) => {
                return Err(format!("ERR Slot {slot} specified multiple times").into());
            }
            _ => {}
        }
    }
    if adds {
        map.take(all);
    } else {
        all.into_iter().for_each(|it| map.give(it, None));
        map.take([]);
    }
    Ok(())
}

pub(super) fn set_slot(map: &mut Map, server: &Server, rest: &[&[u8]]) -> Done {
    const WRONG: &str =
        "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP";
    if map.peers[0].master.is_some() {
        return Err("ERR You can use SETSLOT only with masters.".into());
    }
    let slot = slot(rest[0])?;
    let action = rest.get(1).map(|it| it.to_ascii_lowercase());
    let id = rest
        .get(2)
        .map(|it| String::from_utf8_lossy(it).into_owned());
    let found = id.as_deref().and_then(|id| map.find(id).map(|it| it.0));
    let known =
        |why: &str| found.ok_or_else(|| format!("ERR {why} {}", id.as_deref().unwrap_or("")));
    let other = "I don't know about node";
    match (action.as_deref(), id.clone()) {
        (Some(b"stable"), None) => {
            map.stay(slot);
        }
        (Some(b"migrating"), Some(id)) => {
            if !map.is_mine(slot) {
                return Err(format!("ERR I'm not the owner of hash slot {slot}").into());
            }
            known(other)?;
            map.begin_move(slot, Moving::To(id));
        }
        (Some(b"importing"), Some(id)) => {
            if map.is_mine(slot) {
                return Err(format!("ERR I'm already the owner of hash slot {slot}").into());
            }
            known(other)?;
            map.begin_move(slot, Moving::From(id));
        }
        (Some(b"node"), Some(_)) => match known("Unknown node")? {
            0 => map.take([slot]),
            _ if map.is_mine(slot) && !keys_in(server, slot, 1).is_empty() => {
                return Err(
                    "ERR Can't assign hashslot to a different node while I still hold keys for this hash slot."
                        .into(),
                );
            }
            other => map.give(slot, Some(other)),
        },
        _ => return Err(WRONG.into()),
    }
    Ok(())
}
