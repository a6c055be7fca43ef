//! The command FUNCTION, which manages the libraries of functions.

use super::Client;
use crate::pattern::matches;
use crate::rdb::{dump_libraries, restore_libraries};
use crate::resp::Replies;
use crate::scripting::{LOADING, RestorePolicy};
use crate::server::Server;
use crate::store::{FunctionLibrary, Locked};

impl Client {
    pub(super) fn function(&self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        // These run beside a script, which may have locked everything.
        match self.command {
            "function|kill" => match server.scripts.gate.kill(true) {
                Ok(()) => replies.ok(),
                Err(why) => replies.error(why),
            },
            "function|stats" => stats(server, replies),
            "function|list" => list(server, &arguments[1..], replies),
            "function|dump" => replies.bulk(&dump_libraries(&server.store.libraries())),
            "function|help" => crate::commands::help("function", replies),
            _ => {
                let mut locked = server.store.of_libraries(self.now(server));
                self.change_libraries(server, &mut locked, arguments, replies);
            }
        }
    }

    /// Runs FUNCTION within a transaction, which has locked everything.
    pub(super) fn function_locked(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        match self.command {
            "function|load" | "function|delete" | "function|flush" | "function|restore" => {
                self.change_libraries(server, locked, arguments, replies);
            }
            _ => self.function(server, arguments, replies),
        }
    }

    fn change_libraries(
        &self,
        server: &Server,
        locked: &mut Locked<'_>,
        arguments: &[&[u8]],
        replies: &mut Replies,
    ) {
        let (scripts, store, words) = (&server.scripts, &server.store, &arguments[1..]);
        // Code that another server has accepted may take longer here.
        let limit = (!self.is_repeating && locked.now != 0).then_some(LOADING);
        let done = match self.command {
            "function|load" => replaces(words).and_then(|replaces| {
                let code = words[words.len() - 1];
                let name = scripts.load_library(store, code, replaces, limit)?;
                replies.bulk(&name);
                Ok(())
            }),
            "function|delete" => match scripts.forget_library(store, words[0]) {
                true => {
                    replies.ok();
                    Ok(())
                }
                false => Err("ERR Library not found".to_owned()),
            },
            "function|flush" => may_flush(words).map(|()| {
                scripts.forget_libraries(store);
                replies.ok();
            }),
            _ => policy(words).and_then(|policy| {
                let codes = restore_libraries(words[0])?;
                scripts.restore_libraries(store, &codes, policy, limit)?;
                replies.ok();
                Ok(())
            }),
        };
        match done {
            Ok(()) => locked.record(&[&[b"FUNCTION".as_slice()], arguments].concat()),
            Err(why) => replies.error(why),
        }
    }
}

/// Returns whether LOAD has the option REPLACE.
fn replaces(words: &[&[u8]]) -> Result<bool, String> {
    let options = &words[..words.len() - 1];
    match options
        .iter()
        .find(|it| !it.eq_ignore_ascii_case(b"replace"))
    {
        Some(other) => {
            let other = String::from_utf8_lossy(other);
            Err(format!("ERR Unknown option given: {other}"))
        }
        None => Ok(!options.is_empty()),
    }
}

fn too_many(what: &str) -> String {
    format!("ERR unknown subcommand or wrong number of arguments for '{what}'. Try FUNCTION HELP.")
}

fn may_flush(words: &[&[u8]]) -> Result<(), String> {
    let is = |it: &[u8]| it.eq_ignore_ascii_case(b"sync") || it.eq_ignore_ascii_case(b"async");
    match words {
        [] => Ok(()),
        [word] if is(word) => Ok(()),
        [_] => Err("ERR FUNCTION FLUSH only supports SYNC|ASYNC option".to_owned()),
        _ => Err(too_many("flush")),
    }
}

fn policy(words: &[&[u8]]) -> Result<RestorePolicy, String> {
    let [_, rest @ ..] = words else {
        return Ok(RestorePolicy::Append);
    };
    match rest {
        [] => Ok(RestorePolicy::Append),
        [word] => match word.to_ascii_lowercase().as_slice() {
            b"append" => Ok(RestorePolicy::Append),
            b"replace" => Ok(RestorePolicy::Replace),
            b"flush" => Ok(RestorePolicy::Flush),
            _ => Err(
                "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE."
                    .to_owned(),
            ),
        },
        _ => Err(too_many("restore")),
    }
}

fn stats(server: &Server, replies: &mut Replies) {
    let gate = &server.scripts.gate;
    let present = gate.present();
    if present.as_ref().is_some_and(|(it, _)| !it.is_function) {
        return replies.error(gate.busy());
    }
    replies.map(2);
    replies.bulk(b"running_script");
    match present {
        None => replies.nil(),
        Some((running, time)) => {
            replies.map(3);
            replies.bulk(b"name");
            replies.bulk(&running.name);
            replies.bulk(b"command");
            replies.array(running.words.len());
            running.words.iter().for_each(|word| replies.bulk(word));
            replies.bulk(b"duration_ms");
            replies.integer(i64::try_from(time).unwrap_or(i64::MAX));
        }
    }
    replies.bulk(b"engines");
    replies.map(1);
    replies.bulk(b"LUA");
    replies.map(2);
    let libraries = server.store.libraries();
    replies.bulk(b"libraries_count");
    replies.count(libraries.iter().count());
    replies.bulk(b"functions_count");
    replies.count(libraries.iter().map(|it| it.functions.len()).sum());
}

/// Parses the options of LIST: a pattern in lower case, and whether the reply has the code.
fn shown(words: &[&[u8]]) -> Result<(Option<Vec<u8>>, bool), String> {
    let (mut pattern, mut has_code) = (None, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_slice() {
            b"withcode" if !has_code => has_code = true,
            b"libraryname" if pattern.is_none() => {
                let name = words
                    .next()
                    .ok_or("ERR library name argument was not given")?;
                pattern = Some(name.to_ascii_lowercase());
            }
            _ => {
                let word = String::from_utf8_lossy(word);
                return Err(format!("ERR Unknown argument {word}"));
            }
        }
    }
    Ok((pattern, has_code))
}

fn list(server: &Server, words: &[&[u8]], replies: &mut Replies) {
    let (pattern, has_code) = match shown(words) {
        Ok(shown) => shown,
        Err(why) => return replies.error(why),
    };
    let libraries = server.store.libraries();
    let is_shown = |it: &&FunctionLibrary| {
        let pattern = pattern.as_ref();
        pattern.is_none_or(|pattern| matches(pattern, &it.name.to_ascii_lowercase()))
    };
    let shown: Vec<&FunctionLibrary> = libraries.iter().filter(is_shown).collect();
    replies.array(shown.len());
    for library in shown {
        describe(library, has_code, replies);
    }
}

fn describe(library: &FunctionLibrary, has_code: bool, replies: &mut Replies) {
    replies.map(if has_code { 4 } else { 3 });
    replies.bulk(b"library_name");
    replies.bulk(&library.name);
    replies.bulk(b"engine");
    replies.bulk(b"LUA");
    replies.bulk(b"functions");
    replies.array(library.functions.len());
    for function in &library.functions {
        replies.map(3);
        replies.bulk(b"name");
        replies.bulk(&function.name);
        replies.bulk(b"description");
        replies.maybe(function.description.as_deref());
        replies.bulk(b"flags");
        replies.set(function.flags.names().count());
        function.flags.names().for_each(|it| replies.simple(it));
    }
    if has_code {
        replies.bulk(b"library_code");
        replies.bulk(&library.code);
    }
}
