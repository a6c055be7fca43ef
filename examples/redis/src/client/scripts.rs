//! Running scripts (EVAL and its variants) and functions (FCALL).

use std::ops::Range;

use super::called::answer;
use super::requested::Requested;
use super::{Client, Next, Queued};
use crate::commands::{facts, serve};
use crate::resp::{Replies, number};
use crate::scripting::Running;
use crate::server::Server;
use crate::store::{Bytes, Locked};

const NOT_FOUND: &str = "NOSCRIPT No matching script. Please use EVAL.";

/// Returns whether a command runs a script or a function.
pub(super) fn is_script(name: &str) -> bool {
    let of_scripts = matches!(name, "eval" | "eval_ro" | "evalsha" | "evalsha_ro");
    of_scripts || is_call(name)
}

/// Returns whether a command runs a function.
fn is_call(name: &str) -> bool {
    matches!(name, "fcall" | "fcall_ro")
}

/// Returns the keys that a request for a script declares, and the other arguments.
#[allow(clippy::type_complexity)]
pub(super) fn declared<'w, 'a>(
    name: &str,
    arguments: &'w [&'a [u8]],
) -> Result<(&'w [&'a [u8]], &'w [&'a [u8]]), &'static str> {
    let count = number(arguments[1]).ok_or(match is_call(name) {
        true => "ERR Bad number of keys provided",
        false => "ERR value is not an integer or out of range",
    })?;
    if count < 0 {
        return Err("ERR Number of keys can't be negative");
    }
    let rest = &arguments[2..];
    let count = usize::try_from(count).ok().filter(|it| *it <= rest.len());
    let count = count.ok_or("ERR Number of keys can't be greater than number of args")?;
    Ok(rest.split_at(count))
}

/// Returns whether the command must run while no other command does, although it is not a script.
pub(super) fn is_alone(command: &str) -> bool {
    let changes = |what: &str| {
        let is_about_slots = what.ends_with("slots") || what.ends_with("slotsrange");
        is_about_slots && what != "slots" || CHANGES.contains(&what)
    };
    let of_libraries = ["load", "delete", "flush", "restore"];
    let changes_libraries = |what: &str| of_libraries.contains(&what);
    matches!(command, "migrate" | "replicaof" | "slaveof")
        || command
            .strip_prefix("function|")
            .is_some_and(changes_libraries)
        || command.strip_prefix("cluster|").is_some_and(changes)
}

/// Subcommands that change the members of a cluster, and therefore its file.
const CHANGES: [&str; 9] = [
    "bumpepoch",
    "failover",
    "forget",
    "meet",
    "replicate",
    "reset",
    "saveconfig",
    "set-config-epoch",
    "setslot",
];

impl Queued {
    /// Returns whether EXEC has to run alone.
    fn has_script(&self) -> bool {
        let mut names = self.commands.iter().map(|it| it.0.name());
        names.any(|it| is_script(it) || it == "function")
    }
}

impl Client {
    /// Answers requests like [`Client::answer`], while no other client runs a command.
    pub fn answer_alone(
        &mut self,
        server: &Server,
        bytes: &[u8],
        ranges: &mut Vec<Range<usize>>,
        replies: &mut Replies,
    ) -> (usize, Next) {
        self.is_alone = true;
        let answered = self.answer(server, bytes, ranges, replies);
        self.is_alone = false;
        answered
    }

    /// Returns the next action of the connection if the request has to wait for a script, or has to
    /// run alone.
    pub(super) fn alone(
        &mut self,
        server: &Server,
        requested: Requested,
        replies: &mut Replies,
    ) -> Option<Next> {
        let runs_script = match &self.queued {
            // Others must not see these half done.
            None if is_alone(self.command) => true,
            None => is_script(requested.name()),
            Some(queued) => requested.name() == "exec" && queued.has_script(),
        };
        let gate = &server.scripts.gate;
        if !runs_script && !gate.is_closed() {
            return None;
        }
        let is_allowed = facts()
            .find(self.command)
            .is_some_and(|(_, fact)| fact.has("allow_busy"));
        // WATCH would block on the keys that the script has locked.
        if is_allowed && !runs_script && self.command != "watch" {
            return None;
        }
        if gate.is_busy() {
            self.refuse(gate.busy(), replies);
            return Some(Next::Stays);
        }
        Some(if runs_script {
            Next::Alone
        } else {
            Next::Pauses
        })
    }

    /// Runs a script or a function outside a transaction.
    pub(super) fn run_script(
        &mut self,
        name: &'static str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        let keys = declared(name, arguments).map_or(&[][..], |it| it.0);
        let now = self.now(server);
        let mut locked = server.store.several(self.db, keys.iter().copied(), now);
        let changed = self.eval(name, server, &mut locked, arguments, replies);
        if !changed.is_empty() && server.waiting.count() > 0 {
            let changed: Vec<&[u8]> = changed.iter().map(|it| &**it).collect();
            serve(server, locked, &changed);
        }
    }

    pub(super) fn script(&self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        let scripts = &server.scripts;
        match self.command.split_once('|').map_or("", |it| it.1) {
            "load" => match scripts.add(arguments[1]) {
                Ok(script) => replies.bulk(script.name.as_bytes()),
                Err(why) => replies.error(why),
            },
            "exists" => {
                replies.array(arguments.len() - 1);
                for name in &arguments[1..] {
                    replies.integer(i64::from(scripts.find(name).is_some()));
                }
            }
            "flush" => {
                let is_way = |it: &[u8]| {
                    it.eq_ignore_ascii_case(b"sync") || it.eq_ignore_ascii_case(b"async")
                };
                if arguments.len() > 2 || arguments.get(1).is_some_and(|it| !is_way(it)) {
                    replies.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
                    return;
                }
                scripts.clear();
                replies.ok();
            }
            "kill" => match scripts.gate.kill(false) {
                Ok(()) => replies.ok(),
                Err(why) => replies.error(why),
            },
            "help" => crate::commands::help("script", replies),
            _ => replies.error("ERR scripts cannot be debugged here"),
        }
    }

    /// Runs a script or a function with the locked keys. Returns the keys that it has changed.
    pub(super) fn eval(
        &mut self,
        name: &str,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Vec<Bytes> {
        let (db, command, is_resp3) = (self.db, self.command, self.is_resp3);
        let ran = match is_call(name) {
            true => self.call(name, server, locked, arguments, replies),
            false => self.eval_text(name, server, locked, arguments, replies),
        };
        self.db = db;
        locked.db = db;
        self.command = command;
        self.is_resp3 = is_resp3;
        ran.unwrap_or_else(|why| {
            replies.error(why);
            Vec::new()
        })
    }

    fn eval_text(
        &mut self,
        name: &str,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Result<Vec<Bytes>, String> {
        let (keys, rest) = declared(name, arguments)?;
        let scripts = &server.scripts;
        let script = match name.starts_with("evalsha") {
            true => scripts.find(arguments[0]).ok_or(NOT_FOUND)?,
            false => scripts.add(arguments[0])?,
        };
        let mut run = self.prepare(server, script.flags, name.ends_with("_ro"), keys)?;
        let mut lua = scripts.interpreter();
        let function = scripts.function(&mut lua, &script)?;
        scripts.gate.begin(Running {
            name: script.name.as_bytes().into(),
            words: Vec::new(),
            is_function: false,
        });
        let outcome = self.run_lua(
            server,
            locked,
            (&mut lua, &function),
            (keys, rest),
            &mut run,
        )?;
        answer((script.name.as_bytes(), "@user_script"), &outcome, replies);
        Ok(run.changed)
    }

    fn call(
        &mut self,
        name: &str,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Result<Vec<Bytes>, String> {
        let found = server.store.libraries().find(arguments[0]);
        let (library, at) = found.ok_or("ERR Function not found")?;
        let function = &library.functions[at];
        let (keys, rest) = declared(name, arguments)?;
        let flags = Some(function.flags);
        let mut run = self.prepare(server, flags, name.ends_with("_ro"), keys)?;
        let scripts = &server.scripts;
        let mut lua = scripts.functions();
        let callback = scripts.library_function(&mut lua, &library, at)?;
        scripts.gate.begin(Running {
            name: function.name.clone(),
            words: [&[name.as_bytes()], arguments]
                .concat()
                .into_iter()
                .map(Bytes::from)
                .collect(),
            is_function: true,
        });
        let outcome = self.run_lua(
            server,
            locked,
            (&mut lua, &callback),
            (keys, rest),
            &mut run,
        )?;
        answer((&function.name, "@user_function"), &outcome, replies);
        Ok(run.changed)
    }
}
