//! The command CLIENT: information about this client and others, and control over them.

use std::sync::Arc;

use super::auth::{NOT_A_NAME, is_name};
use super::{Client, Muted, Next};
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::sessions::Session;
use crate::store::now;

const SYNTAX: &str = "ERR syntax error";

impl Client {
    pub(super) fn client(
        &mut self,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Next {
        let rest = &arguments[1..];
        let first = rest.first().map(|it| it.to_ascii_lowercase());
        let first = first.as_deref().unwrap_or_default();
        self.show(false);
        let done = match self.command.split_once('|').map_or("", |it| it.1) {
            "id" => {
                replies.integer(i64::try_from(self.session.id).unwrap_or(i64::MAX));
                Ok(())
            }
            "getname" => {
                let name = self.session.shown().name.clone();
                replies.maybe(Some(&*name).filter(|it| !it.is_empty()));
                Ok(())
            }
            "setname" if !is_name(rest[0]) => Err(NOT_A_NAME.to_owned()),
            "setname" => {
                self.session.shown().name = rest[0].into();
                replies.ok();
                Ok(())
            }
            "info" => {
                replies.verbatim(format!("{}\n", self.session.line()).as_bytes());
                Ok(())
            }
            "list" => list(server, rest, replies),
            "kill" => return self.kill(server, rest, replies),
            "unblock" => unblock(server, rest, replies),
            "pause" => pause(server, rest, replies),
            "unpause" => {
                server.pause.end();
                replies.ok();
                Ok(())
            }
            "no-evict" if !matches!(first, b"on" | b"off") => Err(SYNTAX.to_owned()),
            "no-evict" => {
                self.stays = first == b"on";
                replies.ok();
                Ok(())
            }
            "reply" => self.mute(first, replies),
            other => {
                not_tracked(other, replies);
                Ok(())
            }
        };
        if let Err(why) = done {
            replies.error(why);
        }
        Next::Stays
    }

    fn mute(&mut self, how: &[u8], replies: &mut Replies) -> Result<(), String> {
        match how {
            b"on" => {
                self.muted = Muted::None;
                replies.ok();
            }
            b"off" => self.muted = Muted::All,
            b"skip" if self.muted == Muted::All => {}
            b"skip" => self.muted = Muted::Next,
            _ => return Err(SYNTAX.to_owned()),
        }
        Ok(())
    }

    fn kill(&self, server: &Server, words: &[&[u8]], replies: &mut Replies) -> Next {
        let wanted = match Filter::read(words, server) {
            Ok(wanted) => wanted,
            Err(why) => {
                replies.error(why);
                return Next::Stays;
            }
        };
        let mut killed = Vec::new();
        for session in server.sessions.list() {
            let is_own = session.id == self.session.id;
            if !(is_own && wanted.skips_own) && wanted.takes(&session) {
                killed.push(session);
            }
        }
        let has_own = killed.iter().any(|it| it.id == self.session.id);
        let others = killed.iter().filter(|it| it.id != self.session.id);
        for session in others {
            server.sessions.remove(session.id);
            session.kill();
        }
        match (wanted.is_old, killed.is_empty()) {
            (true, true) => replies.error("ERR No such client"),
            (true, false) => replies.ok(),
            (false, _) => replies.count(killed.len()),
        }
        // If the client kills itself, it gets the reply first.
        if has_own { Next::Leaves } else { Next::Stays }
    }
}

/// Answers subcommands about tracking, which this server does not support.
fn not_tracked(what: &str, replies: &mut Replies) {
    match what {
        "getredir" => replies.integer(-1),
        "trackinginfo" => {
            replies.map(3);
            replies.bulk(b"flags");
            replies.set(1);
            replies.bulk(b"off");
            replies.bulk(b"redirect");
            replies.integer(-1);
            replies.bulk(b"prefixes");
            replies.array(0);
        }
        _ => crate::commands::help("client", replies),
    }
}

/// The conditions of CLIENT KILL.
#[derive(Default)]
struct Filter {
    is_old: bool,
    skips_own: bool,
    id: Option<u64>,
    kind: Option<String>,
    peer: Option<String>,
    local: Option<String>,
    user: Option<String>,
}

impl Filter {
    fn read(words: &[&[u8]], server: &Server) -> Result<Self, String> {
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        let mut wanted = Filter::default();
        if let [address] = words {
            wanted.is_old = true;
            wanted.peer = Some(text(address));
            return Ok(wanted);
        }
        wanted.skips_own = true;
        for pair in words.chunks(2) {
            let [word, value] = pair else {
                return Err(SYNTAX.to_owned());
            };
            match word.to_ascii_lowercase().as_slice() {
                b"id" => {
                    let id = number(value).and_then(|it| u64::try_from(it).ok());
                    let id = id.filter(|it| *it > 0);
                    wanted.id = Some(id.ok_or("ERR client-id should be greater than 0")?);
                }
                b"type" => wanted.kind = Some(kind(value)?),
                b"addr" => wanted.peer = Some(text(value)),
                b"laddr" => wanted.local = Some(text(value)),
                b"user" => {
                    let name = text(value);
                    if server.users.find(&name).is_none() {
                        return Err(format!("ERR No such user '{name}'"));
                    }
                    wanted.user = Some(name);
                }
                b"skipme" => match value.to_ascii_lowercase().as_slice() {
                    b"yes" => wanted.skips_own = true,
                    b"no" => wanted.skips_own = false,
                    _ => return Err(SYNTAX.to_owned()),
                },
                _ => return Err(SYNTAX.to_owned()),
            }
        }
        Ok(wanted)
    }

    fn takes(&self, session: &Session) -> bool {
        let user = session.shown().user.clone();
        let user = user.as_deref().unwrap_or(crate::acl::DEFAULT);
        self.id.is_none_or(|id| id == session.id)
            && self.kind.as_ref().is_none_or(|it| it == session.kind())
            && self.peer.as_ref().is_none_or(|it| *it == session.peer())
            && self.local.as_ref().is_none_or(|it| *it == session.local())
            && self.user.as_ref().is_none_or(|it| it == user)
    }
}

fn kind(text: &[u8]) -> Result<String, String> {
    let word = String::from_utf8_lossy(text).to_ascii_lowercase();
    match word.as_str() {
        "normal" | "pubsub" | "master" | "replica" | "slave" => Ok(word),
        _ => Err(format!(
            "ERR Unknown client type '{}'",
            String::from_utf8_lossy(text)
        )),
    }
}

fn list(server: &Server, words: &[&[u8]], replies: &mut Replies) -> Result<(), String> {
    let mut sessions: Vec<Arc<Session>> = server.sessions.list();
    match words {
        [] => {}
        [word, text] if word.eq_ignore_ascii_case(b"type") => {
            let kind = kind(text)?;
            sessions.retain(|it| it.kind() == kind);
        }
        [word, ids @ ..] if word.eq_ignore_ascii_case(b"id") && !ids.is_empty() => {
            let id = |it: &&[u8]| number(it).and_then(|it| u64::try_from(it).ok());
            let ids: Option<Vec<u64>> = ids.iter().map(id).collect();
            let ids = ids.ok_or("ERR Invalid client ID")?;
            sessions.retain(|it| ids.contains(&it.id));
        }
        _ => return Err(SYNTAX.to_owned()),
    }
    let lines: String = sessions.iter().map(|it| it.line() + "\n").collect();
    replies.verbatim(lines.as_bytes());
    Ok(())
}

fn unblock(server: &Server, words: &[&[u8]], replies: &mut Replies) -> Result<(), String> {
    let id = number(words[0]).ok_or("ERR value is not an integer or out of range")?;
    let error = match words.get(1).map(|it| it.to_ascii_lowercase()).as_deref() {
        None | Some(b"timeout") => None,
        Some(b"error") => Some("UNBLOCKED client unblocked via CLIENT UNBLOCK"),
        Some(_) => return Err("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR".to_owned()),
    };
    let session = u64::try_from(id)
        .ok()
        .and_then(|id| server.sessions.find(id));
    let waiter = session.and_then(|it| it.shown().waiter.upgrade());
    let is_done = waiter.is_some_and(|it| it.unblock(error));
    replies.integer(i64::from(is_done));
    Ok(())
}

fn pause(server: &Server, words: &[&[u8]], replies: &mut Replies) -> Result<(), String> {
    let time = number(words[0]).ok_or("ERR timeout is not an integer or out of range")?;
    let time = u64::try_from(time).map_err(|_| "ERR timeout is negative")?;
    let is_whole = match words.get(1).map(|it| it.to_ascii_lowercase()).as_deref() {
        None | Some(b"all") => true,
        Some(b"write") => false,
        Some(_) => return Err("ERR CLIENT PAUSE mode must be WRITE or ALL".to_owned()),
    };
    let end = now()
        .checked_add(time)
        .filter(|it| i64::try_from(*it).is_ok());
    let end = end.ok_or("ERR timeout is out of range")?;
    server.pause.begin(end, is_whole);
    replies.ok();
    Ok(())
}
