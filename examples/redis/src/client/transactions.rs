//! Transactions: MULTI, EXEC and WATCH.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::scripts::{declared, is_script};
use super::{Client, Queued, Requested};
use crate::commands::serve;
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::{DATABASES, Locked, Needs, micros};

const RULES_CHANGED: &str = "NOPERM ACLs rules changed between the moment the transaction was \
    accumulated and the EXEC call. This";

impl Client {
    pub(super) fn transaction(
        &mut self,
        name: &str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        match name {
            "multi" if self.queued.is_some() => replies.error("ERR MULTI calls can not be nested"),
            "multi" => {
                self.queued = Some(Queued::default());
                replies.ok();
            }
            "exec" => self.exec(server, replies),
            "discard" if self.queued.is_none() => replies.error("ERR DISCARD without MULTI"),
            "discard" => {
                self.queued = None;
                self.unwatch(server);
                replies.ok();
            }
            "watch" if self.queued.is_some() => {
                replies.error("ERR WATCH inside MULTI is not allowed")
            }
            "watch" => {
                self.watch(server, arguments);
                replies.ok();
            }
            _ => {
                self.unwatch(server);
                replies.ok();
            }
        }
    }

    fn watch(&mut self, server: &Server, keys: &[&[u8]]) {
        for key in keys {
            let mut locked = server.store.one(self.db, key, server.now());
            locked.keys(key).watch(key).add(&self.has_changed);
            self.watched.push((self.db, (*key).into()));
        }
    }

    pub(super) fn unwatch(&mut self, server: &Server) {
        // Replacing the flag drops this client's reference, so that the keys forget it.
        self.has_changed = Arc::default();
        for (db, key) in self.watched.drain(..) {
            server.store.unwatch(db, &key);
        }
    }

    /// Runs the queued commands while all their stripes are locked.
    fn exec(&mut self, server: &Server, replies: &mut Replies) {
        let Some(queued) = self.queued.take() else {
            replies.error("ERR EXEC without MULTI");
            return;
        };
        if queued.is_broken {
            self.unwatch(server);
            replies.error("EXECABORT Transaction discarded because of previous errors.");
            return;
        }
        let mut locked = self.locked(server, &queued);
        // A watched key that has expired since WATCH is removed, which is a change.
        for (db, key) in &self.watched {
            locked.keys_in(*db, key);
        }
        if self.has_changed.load(Ordering::Acquire) {
            drop(locked);
            self.unwatch(server);
            replies.nil_array();
            return;
        }
        let mut changed: Vec<Box<[u8]>> = Vec::new();
        replies.array(queued.commands.len());
        for (requested, words) in &queued.commands {
            let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
            // The rules of the user may have changed since the command was queued.
            if let Err(why) = self.is_admitted(server, &words) {
                replies.error(why.replacen("NOPERM this", RULES_CHANGED, 1));
                continue;
            }
            self.monitored(server, &words);
            let begin = micros();
            changed.extend(self.exec_one(server, &mut locked, requested, &words[1..], replies));
            self.log_slow(server, begin, micros(), &words);
        }
        self.command = "exec";
        let changed: Vec<&[u8]> = changed.iter().map(|key| &**key).collect();
        serve(server, locked, &changed);
        self.unwatch(server);
    }

    /// Runs one queued command. Returns the keys that it has changed.
    fn exec_one(
        &mut self,
        server: &Server,
        locked: &mut Locked<'_>,
        requested: &Requested,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Vec<Box<[u8]>> {
        match requested {
            Requested::OfStore(command) => {
                match command.run_locked(server, locked, arguments, replies) {
                    true => command.keys(arguments).into_iter().map(Box::from).collect(),
                    false => Vec::new(),
                }
            }
            Requested::OfConnection(command) if command.name == "unwatch" => {
                replies.ok();
                Vec::new()
            }
            Requested::OfConnection(command) if is_script(command.name) => {
                self.command = command.name;
                self.eval(command.name, server, locked, arguments, replies)
            }
            Requested::OfConnection(command) if command.name == "function" => {
                self.command = requested.full_name(arguments).unwrap_or(command.name);
                self.function_locked(server, locked, arguments, replies);
                Vec::new()
            }
            // Other commands about the connection that can be queued do not lock the store.
            Requested::OfConnection(command) => {
                // The name was checked when the command was queued.
                self.command = requested.full_name(arguments).unwrap_or(command.name);
                self.is_executing = true;
                self.run(command.name, server, arguments, replies);
                self.is_executing = false;
                locked.db = self.db;
                Vec::new()
            }
        }
    }

    /// Locks the stripes of all commands and of the watched keys, so that no watched key can change
    /// between the check and the commands.
    fn locked<'s>(&self, server: &'s Server, queued: &Queued) -> Locked<'s> {
        let (store, now) = (&server.store, self.now(server));
        let mut keys: Vec<Box<[u8]>> = Vec::new();
        let mut is_whole = false;
        for (requested, words) in &queued.commands {
            let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
            let arguments = &words[1..];
            match requested {
                Requested::OfConnection(command) if command.name == "select" => {
                    if select(arguments[0]).is_ok_and(|db| db != self.db) {
                        return store.everything(self.db, now);
                    }
                }
                Requested::OfConnection(command) if is_script(command.name) => {
                    let more = declared(command.name, arguments).map_or(&[][..], |it| it.0);
                    keys.extend(more.iter().copied().map(Into::into));
                }
                // This locks the libraries as well.
                Requested::OfConnection(command) if command.name == "function" => {
                    return store.everything(self.db, now);
                }
                Requested::OfConnection(_) => {}
                Requested::OfStore(command) => match command.needs(arguments) {
                    Needs::Databases => return store.everything(self.db, now),
                    Needs::Database => is_whole = true,
                    Needs::Keys(more) => keys.extend(more.into_iter().map(Into::into)),
                },
            }
        }
        if self.watched.iter().any(|(db, _)| *db != self.db) {
            return store.everything(self.db, now);
        }
        if is_whole {
            return store.all(self.db, now);
        }
        keys.extend(self.watched.iter().map(|(_, key)| key.clone()));
        store.several(self.db, keys.iter().map(|key| &**key), now)
    }
}

/// Parses the number of a database.
pub(super) fn select(text: &[u8]) -> Result<usize, &'static str> {
    let number = number(text).ok_or("ERR value is not an integer or out of range")?;
    let db = usize::try_from(number).ok().filter(|db| *db < DATABASES);
    db.ok_or("ERR DB index is out of range")
}
