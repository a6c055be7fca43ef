//! Running scripts (EVAL and its variants), and the commands that scripts call.

use std::ops::Range;

use mlua::{MultiValue, Value};

use super::auth::of_script;
use super::cluster::is_elsewhere;
use super::requested::Requested;
use super::{Client, Next, Queued, select};
use crate::commands::{facts, serve};
use crate::resp::{Replies, number};
use crate::scripting::{Outcome, Script, double, to_lua, to_reply};
use crate::server::Server;
use crate::store::{Bytes, Locked};

const BUSY: &str =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const READ_ONLY: &str = "ERR Write commands are not allowed from read-only scripts.";
const WRITES: &str = "ERR Can not execute a script with write flag using *_ro command.";
const NOT_FOUND: &str = "NOSCRIPT No matching script. Please use EVAL.";

/// Returns whether a command runs a script.
pub(super) fn is_script(name: &str) -> bool {
    matches!(name, "eval" | "eval_ro" | "evalsha" | "evalsha_ro")
}

/// Returns the keys that a request for a script declares, and the other arguments.
#[allow(clippy::type_complexity)]
pub(super) fn declared<'w, 'a>(
    arguments: &'w [&'a [u8]],
) -> Result<(&'w [&'a [u8]], &'w [&'a [u8]]), &'static str> {
    let count = number(arguments[1]).ok_or("ERR value is not an integer or out of range")?;
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
    matches!(command, "migrate" | "replicaof" | "slaveof")
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
    fn has_script(&self) -> bool {
        let mut commands = self.commands.iter();
        commands.any(|(requested, _)| is_script(requested.name()))
    }
}

/// A running script.
struct Run {
    may_write: bool,
    changed: Vec<Bytes>,
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
            self.refuse(BUSY, replies);
            return Some(Next::Stays);
        }
        Some(if runs_script {
            Next::Alone
        } else {
            Next::Pauses
        })
    }

    /// Runs SCRIPT, or a script outside a transaction.
    pub(super) fn scripts(
        &mut self,
        name: &'static str,
        server: &Server,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        if name == "script" {
            return self.script(server, arguments, replies);
        }
        let keys = match declared(arguments) {
            Ok((keys, _)) => keys,
            Err(why) => return replies.error(why),
        };
        let now = self.now(server);
        let mut locked = server.store.several(self.db, keys.iter().copied(), now);
        let changed = self.eval(name, server, &mut locked, arguments, replies);
        if !changed.is_empty() && server.waiting.count() > 0 {
            let changed: Vec<&[u8]> = changed.iter().map(|it| &**it).collect();
            serve(server, locked, &changed);
        }
    }

    fn script(&self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
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
            "kill" => match scripts.gate.kill() {
                Ok(()) => replies.ok(),
                Err(why) => replies.error(why),
            },
            "help" => crate::commands::help("script", replies),
            _ => replies.error("ERR scripts cannot be debugged here"),
        }
    }

    /// Runs a script with the locked keys. Returns the keys that it has changed.
    pub(super) fn eval(
        &mut self,
        name: &str,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) -> Vec<Bytes> {
        let (db, command, is_resp3) = (self.db, self.command, self.is_resp3);
        if let Err(why) = declared(arguments) {
            replies.error(why);
            return Vec::new();
        }
        let found = match name.starts_with("evalsha") {
            true => server
                .scripts
                .find(arguments[0])
                .ok_or_else(|| NOT_FOUND.to_owned()),
            false => server.scripts.add(arguments[0]),
        };
        let ran = found.and_then(|script| {
            let is_read_only = name.ends_with("_ro");
            if is_read_only && script.has_flags && script.may_write {
                return Err(WRITES.to_owned());
            }
            let mut run = Run {
                may_write: script.may_write && !is_read_only,
                changed: Vec::new(),
            };
            let outcome = self.run_script(server, locked, &script, arguments, &mut run)?;
            answer(&script, &outcome, replies);
            Ok(run.changed)
        });
        self.db = db;
        locked.db = db;
        self.command = command;
        self.is_resp3 = is_resp3;
        ran.unwrap_or_else(|why| {
            replies.error(why);
            Vec::new()
        })
    }

    fn run_script(
        &mut self,
        server: &Server,
        locked: &mut Locked<'_>,
        script: &Script,
        arguments: &[&[u8]],
        run: &mut Run,
    ) -> Result<Outcome, String> {
        let (keys, rest) = declared(arguments)?;
        let scripts = &server.scripts;
        let mut lua = scripts.interpreter();
        let function = scripts.function(&mut lua, script)?;
        let Some(interpreter) = &*lua else {
            return Err("ERR there is no Lua".to_owned());
        };
        scripts.gate.begin();
        let outcome = interpreter.run(&function, keys, rest, |lua, is_resp3, words| {
            let mut replies = Replies::of(is_resp3);
            self.is_resp3 = is_resp3;
            if let Err(why) = self.asked(server, locked, words, run, &mut replies) {
                replies.bytes.clear();
                replies.error(why);
            }
            to_lua(lua, &replies.bytes)
        });
        scripts.gate.end();
        // The hooks that have ended a killed script would end the next one as well.
        if scripts.gate.is_killed() || interpreter.is_used_up() {
            scripts.retire(&mut lua);
        }
        outcome.map_err(|error| format!("ERR {}", first_line(&error.to_string())))
    }

    /// Runs a command that a script calls.
    fn asked(
        &mut self,
        server: &Server,
        locked: &mut Locked<'_>,
        words: MultiValue,
        run: &mut Run,
        replies: &mut Replies,
    ) -> Result<(), String> {
        let words: Option<Vec<Bytes>> = words.iter().map(word).collect();
        let words =
            words.ok_or("ERR Lua redis lib command arguments must be strings or integers")?;
        let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
        let Some((name, arguments)) = words.split_first() else {
            return Err(
                "ERR Please specify at least one argument for this redis lib call".to_owned(),
            );
        };
        let unknown = || "ERR Unknown Redis command called from script".to_owned();
        let requested = Requested::find(name).ok_or_else(unknown)?;
        if !requested.takes(arguments.len()) {
            return Err("ERR Wrong number of args calling Redis command from script".to_owned());
        }
        self.command = requested.full_name(arguments).map_err(|_| unknown())?;
        let (_, fact) = facts().of_request(&words).ok_or_else(unknown)?;
        if fact.has("noscript") {
            return Err("ERR This Redis command is not allowed from script".to_owned());
        }
        self.is_admitted(server, &words)
            .map_err(|why| of_script(&why))?;
        if server.cluster.is_enabled() && is_elsewhere(server, requested, arguments) {
            return Err(
                "ERR Script attempted to access a non local key in a cluster node".to_owned(),
            );
        }
        if fact.has("write") || matches!(fact.name, "publish" | "spublish" | "pfcount") {
            if !run.may_write {
                return Err(READ_ONLY.to_owned());
            }
            if let Some(why) = self.unfit(server) {
                return Err(why.to_owned());
            }
            server.scripts.gate.written();
        }
        self.run_asked(server, locked, requested, arguments, run, replies)
    }

    /// Runs a command of a script after the checks.
    fn run_asked(
        &mut self,
        server: &Server,
        locked: &mut Locked<'_>,
        requested: Requested,
        arguments: &[&[u8]],
        run: &mut Run,
        replies: &mut Replies,
    ) -> Result<(), String> {
        match requested {
            Requested::OfStore(command) => {
                server.allows(command)?;
                if !locked.covers(&command.needs(arguments)) {
                    locked.widen();
                }
                if command.run_locked(server, locked, arguments, replies) {
                    run.changed
                        .extend(command.keys(arguments).into_iter().map(Bytes::from));
                }
            }
            Requested::OfConnection(command) if command.name == "select" => {
                self.db = select(arguments[0])?;
                locked.widen();
                locked.db = self.db;
                replies.ok();
            }
            Requested::OfConnection(command) => {
                let may = matches!(command.name, "ping" | "publish" | "spublish" | "pubsub");
                if !may {
                    return Err("ERR This Redis command is not allowed from script".to_owned());
                }
                self.run(command.name, server, arguments, replies);
            }
        }
        Ok(())
    }
}

fn word(value: &Value) -> Option<Bytes> {
    match value {
        Value::String(text) => Some(Bytes::from(&*text.as_bytes())),
        other => {
            let text = crate::number::text(double(other)?);
            Some(text.into_bytes().into_boxed_slice())
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Writes the reply of a script that has ended.
fn answer(script: &Script, outcome: &Outcome, replies: &mut Replies) {
    let error = match &outcome.value {
        value if outcome.has_returned => return to_reply(value, outcome.resp, replies),
        Value::Table(error) => error,
        // There was no memory for a table with the error.
        Value::String(why) => {
            return replies.error(format_args!("ERR {}", first_line(&why.to_string_lossy())));
        }
        _ => return replies.error("ERR unknown error"),
    };
    let text = |name: &str| error.raw_get::<mlua::String>(name).ok();
    let why = text("err").map_or_else(|| "ERR unknown error".to_owned(), |it| it.to_string_lossy());
    let why = first_line(&why);
    match error.raw_get::<usize>("line") {
        Ok(line) => replies.error(format_args!(
            "{why} script: {}, on @user_script:{line}.",
            script.name
        )),
        Err(_) => replies.error(format_args!("{why} script: {}.", script.name)),
    }
}
