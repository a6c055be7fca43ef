//! The permissions of a script or a function, and the commands that it calls.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mlua::{Function, MultiValue, Value};

use super::Client;
use super::auth::of_script;
use super::cluster::{is_elsewhere, slot_of_request};
use super::requested::Requested;
use super::transactions::select;
use crate::cluster::slot_of;
use crate::commands::{Fact, facts};
use crate::resp::Replies;
use crate::scripting::{Interpreter, Outcome, Question, double, to_lua, to_reply};
use crate::server::{NO_MEMORY, Server};
use crate::store::{Bytes, Locked, ScriptFlags, micros};

const READ_ONLY: &str = "ERR Write commands are not allowed from read-only scripts.";
const WRITES: &str = "ERR Can not execute a script with write flag using *_ro command.";
const ON_REPLICA: &str = "READONLY You can not run script with write flag on readonly replica.";
const NO_CLUSTER: &str = "ERR Can not run script on cluster, 'no-cluster' flag is set.";
const ELSEWHERE: &str = "ERR Script attempted to access a non local key in a cluster node";
const OTHER_SLOT: &str = "ERR Script attempted to access keys that do not hash to the same slot";

/// The address of a script in the log of slow commands.
const NO_PEER: &str = "?:0";

/// A running script or function.
pub(super) struct Run {
    may_write: bool,
    /// Whether it may write although there is no memory left.
    may_grow: bool,
    /// Whether its keys may be in several slots.
    may_cross: bool,
    /// The slot of its keys.
    slot: Option<usize>,
    /// The keys that it has changed.
    pub changed: Vec<Bytes>,
}

impl Run {
    /// Checks that this node has the keys of a command, in a cluster.
    fn check_slot(
        &mut self,
        server: &Server,
        requested: Requested,
        arguments: &[&[u8]],
    ) -> Result<(), &'static str> {
        if is_elsewhere(server, requested, arguments) {
            return Err(ELSEWHERE);
        }
        if let Some(slot) = slot_of_request(requested, arguments)
            && !self.may_cross
            && *self.slot.get_or_insert(slot) != slot
        {
            return Err(OTHER_SLOT);
        }
        Ok(())
    }
}

impl Client {
    /// Checks that a script with these flags may run. A script without any may do everything.
    pub(super) fn prepare(
        &self,
        server: &Server,
        flags: Option<ScriptFlags>,
        is_read_only: bool,
        keys: &[&[u8]],
    ) -> Result<Run, String> {
        let has = |flag| flags.is_some_and(|it| it.has(flag));
        let run = Run {
            may_write: !is_read_only && !has("no-writes"),
            may_grow: has("allow-oom"),
            may_cross: flags.is_none() || has("allow-cross-slot-keys"),
            slot: keys.first().map(|key| slot_of(key)),
            changed: Vec::new(),
        };
        if flags.is_none() {
            return Ok(run);
        }
        if has("no-cluster") && server.cluster.is_enabled() {
            return Err(NO_CLUSTER.to_owned());
        }
        if !has("no-writes") {
            if self.is_short_of_memory && !has("allow-oom") {
                return Err(NO_MEMORY.to_owned());
            }
            if server.store.follows() {
                return Err(ON_REPLICA.to_owned());
            }
            server.has_disk()?;
            if is_read_only {
                return Err(WRITES.to_owned());
            }
        }
        Ok(run)
    }

    /// Runs a function of an interpreter, and replaces the interpreter if it must not be used
    /// again.
    pub(super) fn run_lua(
        &mut self,
        server: &Server,
        locked: &mut Locked<'_>,
        (lua, function): (&mut Option<Interpreter>, &Function),
        (keys, rest): (&[&[u8]], &[&[u8]]),
        run: &mut Run,
    ) -> Result<Outcome, String> {
        let scripts = &server.scripts;
        let Some(interpreter) = &*lua else {
            return Err("ERR there is no Lua".to_owned());
        };
        let outcome = interpreter.run(function, keys, rest, |lua, question, words| {
            let Question::Call { is_resp3 } = question else {
                return match self.user_may(&words) {
                    Ok(may) => Ok(Value::Boolean(may)),
                    Err(why) => to_lua(lua, format!("-{why}\r\n").as_bytes()),
                };
            };
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
            scripts.retire(lua);
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
        let is_forbidden = !server.may_call_all.load(Ordering::Relaxed);
        if fact.has("noscript") && is_forbidden {
            return Err("ERR This Redis command is not allowed from script".to_owned());
        }
        if matches!(fact.name, "xread" | "xreadgroup") && waits(&words) {
            let name = String::from_utf8_lossy(words[0]);
            return Err(format!(
                "ERR {name} command is not allowed with BLOCK option from scripts"
            ));
        }
        self.is_admitted(server, &words)
            .map_err(|why| of_script(&why))?;
        if server.cluster.is_enabled() {
            run.check_slot(server, requested, arguments)?;
        }
        if fact.has("write") || matches!(fact.name, "publish" | "spublish" | "pfcount") {
            self.may_write(server, run, fact)?;
        }
        self.monitored_in_script(server, fact, &words);
        let begin = micros();
        let done = self.run_asked(server, locked, requested, arguments, run, replies);
        let took = micros().saturating_sub(begin);
        if server.slow.takes(took) {
            server
                .slow
                .add(begin, took, &words, NO_PEER.to_owned(), Arc::default());
        }
        done
    }

    /// Checks that a script may write, and records that it has written.
    fn may_write(&self, server: &Server, run: &Run, fact: &Fact) -> Result<(), &'static str> {
        if !run.may_write {
            return Err(READ_ONLY);
        }
        if let Some(why) = self.unfit(server) {
            return Err(why);
        }
        if fact.has("write") {
            server.has_disk()?;
        }
        let gate = &server.scripts.gate;
        let is_short = self.is_short_of_memory && !run.may_grow;
        if fact.has("denyoom") && is_short && !gate.has_written() {
            return Err(NO_MEMORY);
        }
        gate.written();
        Ok(())
    }

    /// Returns whether the user may run a command (`redis.acl_check_cmd`).
    fn user_may(&self, words: &MultiValue) -> Result<bool, &'static str> {
        const UNKNOWN: &str = "ERR Invalid command passed to redis.acl_check_cmd()";
        let words: Option<Vec<Bytes>> = words.iter().map(word).collect();
        let words =
            words.ok_or("ERR Lua redis lib command arguments must be strings or integers")?;
        let words: Vec<&[u8]> = words.iter().map(|it| &**it).collect();
        let (at, fact) = facts().of_request(&words).ok_or(UNKNOWN)?;
        let user = self.user.as_ref();
        Ok(self.may_all || user.is_some_and(|it| it.may(at, fact, &words).is_ok()))
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

/// Returns whether XREAD or XREADGROUP has the option BLOCK.
fn waits(words: &[&[u8]]) -> bool {
    let is_streams = |it: &&&[u8]| it.eq_ignore_ascii_case(b"streams");
    let mut options = words.iter().take_while(|it| !is_streams(it));
    options.any(|it| it.eq_ignore_ascii_case(b"block"))
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
pub(super) fn answer((name, source): (&[u8], &str), outcome: &Outcome, replies: &mut Replies) {
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
    let name = String::from_utf8_lossy(name);
    match error.raw_get::<usize>("line") {
        Ok(line) => replies.error(format_args!("{why} script: {name}, on {source}:{line}.")),
        Err(_) => replies.error(format_args!("{why} script: {name}.")),
    }
}
