//! Information about commands and the server: COMMAND, SLOWLOG, LATENCY, MEMORY, MODULE.

use std::sync::atomic::Ordering;

use super::KeysOf::{None as NoKeys, Second};
use super::{Call, Command, Fact, NOT_AN_INTEGER, Refusal, SYNTAX, command, facts, takes};
use crate::acl::{CATEGORIES, commands_like};
use crate::latency;
use crate::resp::{Replies, number};

pub(super) const COMMANDS: &[Command] = &[
    command("command", -1, NoKeys, commands).with_subcommands(),
    command("slowlog", -2, NoKeys, slow).with_subcommands(),
    command("latency", -2, NoKeys, latencies).with_subcommands(),
    command("memory", -2, Second, memory).with_subcommands(),
    command("module", -2, NoKeys, module).with_subcommands(),
];

/// Replies with a list of the subcommands, for people.
pub fn help(name: &str, replies: &mut Replies) {
    let Some((_, fact)) = facts().find(name) else {
        replies.array(0);
        return;
    };
    let subcommands = &facts().all[fact.subcommands.clone()];
    replies.array(subcommands.len() + 1);
    replies.simple(&format!(
        "{} has these subcommands:",
        name.to_ascii_uppercase()
    ));
    for fact in subcommands {
        let word = fact.name.split_once('|').map_or("", |it| it.1);
        let words = i64::from(fact.arity.unsigned_abs()) - 2;
        let least = if fact.arity < 0 { "at least " } else { "" };
        let text = format!(
            "{} with {least}{words} arguments",
            word.to_ascii_uppercase()
        );
        replies.simple(&text);
    }
}

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).to_ascii_lowercase()
}

fn commands(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let Some((what, words)) = call.arguments.split_first() else {
        return info(call, &[]);
    };
    match text(what).as_str() {
        "count" => call.replies.count(facts().commands().count()),
        "info" => return info(call, words),
        "docs" => {
            let named = words.iter().filter_map(|it| facts().find(&text(it)));
            let named: Vec<&Fact> = match words {
                [] => facts().commands().collect(),
                _ => named.map(|it| it.1).collect(),
            };
            call.replies.map(named.len());
            named.iter().for_each(|it| it.document(call.replies));
        }
        "list" => return list(call, words),
        "getkeys" => return keys(call, words, false),
        "getkeysandflags" => return keys(call, words, true),
        _ => help("command", call.replies),
    }
    Ok(())
}

fn info(call: &mut Call<'_, '_>, names: &[&[u8]]) -> Result<(), Refusal> {
    if names.is_empty() {
        call.replies.array(facts().commands().count());
        facts().commands().for_each(|it| it.describe(call.replies));
        return Ok(());
    }
    call.replies.array(names.len());
    for name in names {
        match facts().find(&text(name)) {
            Some((_, fact)) => fact.describe(call.replies),
            None => call.replies.nil(),
        }
    }
    Ok(())
}

fn list(call: &mut Call<'_, '_>, words: &[&[u8]]) -> Result<(), Refusal> {
    let names = match words {
        [] => commands_like(None, b"*"),
        [by, kind, value] if by.eq_ignore_ascii_case(b"filterby") => match text(kind).as_str() {
            "pattern" => commands_like(None, value.to_ascii_lowercase().as_slice()),
            "aclcat" if CATEGORIES.contains(&&*text(value)) => {
                commands_like(Some(&text(value)), b"*")
            }
            // There are no modules, and no other categories.
            "aclcat" | "module" => Vec::new(),
            _ => return Err(SYNTAX),
        },
        _ => return Err(SYNTAX),
    };
    call.replies.array(names.len());
    names.iter().for_each(|it| call.replies.bulk(it.as_bytes()));
    Ok(())
}

fn keys(call: &mut Call<'_, '_>, words: &[&[u8]], has_flags: bool) -> Result<(), Refusal> {
    const NONE: Refusal = Refusal("ERR The command has no key arguments");
    let found = facts().of_request(words);
    let (_, fact) = found.ok_or(Refusal("ERR Invalid command specified"))?;
    if !takes(fact.arity, words.len() - 1) {
        return Err(Refusal(
            "ERR Invalid number of arguments specified for command",
        ));
    }
    let used = fact.used_keys(words);
    if used.is_empty() && !fact.has("no_mandatory_keys") {
        return Err(NONE);
    }
    if has_flags {
        call.replies.array(used.len());
        for it in used {
            call.replies.array(2);
            call.replies.bulk(it.key);
            call.replies.set(it.flags.len());
            it.flags.iter().for_each(|it| call.replies.simple(it));
        }
        return Ok(());
    }
    call.replies.array(used.len());
    used.iter().for_each(|it| call.replies.bulk(it.key));
    Ok(())
}

fn slow(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let log = &call.server.slow;
    match text(call.arguments[0]).as_str() {
        "len" => call.replies.count(log.entries().len()),
        "reset" => {
            log.entries().clear();
            call.replies.ok();
        }
        "get" => {
            let why = Refusal("ERR count should be greater than or equal to -1");
            let most = match call.arguments.get(1) {
                None => 10,
                Some(text) => number(text).filter(|it| *it >= -1).ok_or(why)?,
            };
            let entries = log.entries();
            let most = usize::try_from(most)
                .unwrap_or(usize::MAX)
                .min(entries.len());
            call.replies.array(most);
            for entry in entries.iter().take(most) {
                call.replies.array(6);
                for number in [entry.id, entry.time, entry.took] {
                    call.replies
                        .integer(i64::try_from(number).unwrap_or(i64::MAX));
                }
                call.replies.array(entry.words.len());
                entry.words.iter().for_each(|it| call.replies.bulk(it));
                call.replies.bulk(entry.peer.as_bytes());
                call.replies.bulk(&entry.name);
            }
        }
        _ => help("slowlog", call.replies),
    }
    Ok(())
}

fn latencies(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let monitor = &call.server.latency;
    let words = call.arguments[1..].iter();
    let words: Vec<String> = words
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .collect();
    let integer = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
    match text(call.arguments[0]).as_str() {
        "latest" => {
            let events = monitor.events();
            call.replies.array(events.len());
            for (name, event) in events.iter() {
                let (time, took) = event.samples.back().copied().unwrap_or_default();
                call.replies.array(4);
                call.replies.bulk(name.as_bytes());
                for number in [time, took, event.highest] {
                    call.replies.integer(integer(number));
                }
            }
        }
        "history" => {
            let event = monitor
                .events()
                .get(&*words[0])
                .cloned()
                .unwrap_or_default();
            call.replies.array(event.samples.len());
            for (time, took) in event.samples {
                call.replies.array(2);
                call.replies.integer(integer(time));
                call.replies.integer(integer(took));
            }
        }
        "reset" => call.replies.count(monitor.reset(&words)),
        "doctor" => call.replies.verbatim(latency::doctor(monitor).as_bytes()),
        "graph" => match monitor.events().get(&*words[0]) {
            Some(event) => call
                .replies
                .verbatim(latency::graph(&words[0], event).as_bytes()),
            None => {
                let why = format!("ERR No samples available for event '{}'", words[0]);
                call.replies.error(why);
            }
        },
        // The durations of commands are not counted.
        "histogram" => call.replies.map(0),
        _ => help("latency", call.replies),
    }
    Ok(())
}

/// Answers MODULE. There are no modules.
fn module(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match text(call.arguments[0]).as_str() {
        "list" => call.replies.array(0),
        "help" => help("module", call.replies),
        _ => {
            return Err(Refusal(
                "ERR MODULE command not allowed. If the enable-module-command option is set to \"local\", you can run it from a \
                 local connection, otherwise you need to set this option in the configuration file, and then restart the server.",
            ));
        }
    }
    Ok(())
}

fn memory(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match text(call.arguments[0]).as_str() {
        "usage" => {
            match &call.arguments[2..] {
                [] => {}
                [word, text] if word.eq_ignore_ascii_case(b"samples") => {
                    let count = number(text).ok_or(NOT_AN_INTEGER)?;
                    if count < 0 {
                        return Err(SYNTAX);
                    }
                }
                _ => return Err(SYNTAX),
            }
            let key = call.arguments[1];
            match call.locked.keys(key).memory_of(key) {
                Some(bytes) => call.replies.count(bytes),
                None => call.replies.nil(),
            }
        }
        "stats" => {
            let clients = call.server.clients.load(Ordering::Relaxed);
            let pairs = [
                ("total.allocated", call.server.store.memory()),
                ("dataset.bytes", call.server.store.memory()),
                ("replication.backlog", 0),
                ("clients.slaves", 0),
                (
                    "clients.normal",
                    clients * size_of::<crate::client::Client>(),
                ),
                ("lua.caches", 0),
            ];
            call.replies.map(pairs.len());
            for (name, bytes) in pairs {
                call.replies.bulk(name.as_bytes());
                call.replies.count(bytes);
            }
        }
        "doctor" => doctor(call),
        "malloc-stats" => call
            .replies
            .verbatim(b"Stats not supported for the current allocator"),
        "purge" => call.replies.ok(),
        _ => help("memory", call.replies),
    }
    Ok(())
}

fn doctor(call: &mut Call<'_, '_>) {
    let (used, most) = (
        call.server.store.memory(),
        call.server.max_memory.load(Ordering::Relaxed),
    );
    let limit = match most {
        0 => "there is no limit (maxmemory)".to_owned(),
        _ => format!("the limit (maxmemory) is {most} bytes"),
    };
    let text = format!("Keys and values take about {used} bytes; {limit}.\n");
    call.replies.verbatim(text.as_bytes());
}
