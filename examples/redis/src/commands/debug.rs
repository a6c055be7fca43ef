//! DEBUG, for tests of servers and of clients. Subcommands that crash the server are missing.

mod reload;

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::KeysOf::None as NoKeys;
use super::{Call, Command, NO_SUCH_KEY, NOT_AN_INTEGER, Refusal, command};
use crate::resp::{Replies, number};
use crate::store::{DATABASES, Value, View, usage};

pub(super) const COMMANDS: &[Command] = &[command("debug", -2, NoKeys, debug)];

const FORBIDDEN: Refusal = Refusal(
    "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local \
     connection, otherwise you need to set this option in the configuration file, and then restart the server.",
);

fn debug(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    if !call.server.may_debug.load(Ordering::Relaxed) {
        return Err(FORBIDDEN);
    }
    let what = call.arguments[0].to_ascii_lowercase();
    match (what.as_slice(), &call.arguments[1..]) {
        (b"sleep", [seconds]) => sleep(call, seconds),
        (b"set-active-expire", [word]) => {
            let expires = &call.server.expires_actively;
            expires.store(*word != b"0", Ordering::Relaxed);
            call.replies.ok();
        }
        (b"set-disable-deny-scripts", [word]) => {
            let may_all = &call.server.may_call_all;
            may_all.store(*word != b"0", Ordering::Relaxed);
            call.replies.ok();
        }
        (b"change-repl-id", []) => {
            call.server.replication.change_id();
            call.replies.ok();
        }
        (b"log", [text]) => {
            println!("{}", String::from_utf8_lossy(text));
            call.replies.ok();
        }
        (b"error", [text]) => call.replies.error(String::from_utf8_lossy(text)),
        (b"protocol", [kind]) => protocol(kind, call.replies)?,
        // These only change internals of redis-server that do not exist here.
        (b"pause-cron" | b"set-skip-checksum-validation" | b"quicklist-packed-threshold", [_])
        | (b"replybuffer", [_, _])
        | (b"config-rewrite-force-all", []) => call.replies.ok(),
        _ => return of_keys(call, &what),
    }
    Ok(())
}

/// Runs the subcommands that use keys.
fn of_keys(call: &mut Call<'_, '_>, what: &[u8]) -> Result<(), Refusal> {
    call.locked.widen();
    match (what, &call.arguments[1..]) {
        (b"digest", []) => {
            let digest = call.locked.digest();
            call.replies.simple(&digest);
        }
        (b"digest-value", keys) => {
            call.replies.array(keys.len());
            for key in keys.iter() {
                let digest = call.locked.digest_of(key);
                call.replies.simple(&digest);
            }
        }
        (b"object", [key]) => object(call, key)?,
        (b"listpack" | b"quicklist", [key, ..]) => structure(call, what, key)?,
        (b"htstats", [db]) => {
            let db = number(db).ok_or(NOT_AN_INTEGER)?;
            let db = usize::try_from(db).ok().filter(|it| *it < DATABASES);
            let (keys, expiring) =
                call.locked.counts()[db.ok_or(Refusal("ERR Out of range database"))?];
            let text = format!("[Dictionary HT]\nkeys: {keys}\n[Expires HT]\nkeys: {expiring}\n");
            call.replies.verbatim(text.as_bytes());
        }
        (b"populate", [count, rest @ ..]) => populate(call, count, rest)?,
        (b"reload", options) => reload::reload(call, options)?,
        _ => {
            let word = String::from_utf8_lossy(call.arguments[0]).into_owned();
            let why = format!(
                "ERR unknown subcommand or wrong number of arguments for '{word}'. Try DEBUG HELP."
            );
            call.replies.error(why);
        }
    }
    Ok(())
}

/// Blocks the thread: the other clients of the reactor have to wait, as in redis-server.
fn sleep(call: &mut Call<'_, '_>, seconds: &[u8]) {
    let seconds = crate::number::read(seconds).unwrap_or(0.0);
    std::thread::sleep(Duration::from_secs_f64(seconds.clamp(0.0, 3600.0)));
    call.replies.ok();
}

fn object(call: &mut Call<'_, '_>, key: &[u8]) -> Result<(), Refusal> {
    let (stamp, limits) = (
        usage::stamp(call.locked.clock(), false),
        &call.server.limits,
    );
    let keys = call.locked.keys(key);
    let used = keys.used(key);
    let view = keys.peek(key).ok_or(NO_SUCH_KEY)?;
    let encoding = super::object::encoding(view, limits);
    // Without the mark of the type, the version and the checksum.
    let length = crate::rdb::dump(view).len() - 11;
    let idle = usage::idle(used, stamp);
    call.replies.simple(&format!(
        "Value at:0x0 refcount:1 encoding:{encoding} serializedlength:{length} lru:{used} lru_seconds_idle:{idle}"
    ));
    Ok(())
}

fn structure(call: &mut Call<'_, '_>, what: &[u8], key: &[u8]) -> Result<(), Refusal> {
    let limits = &call.server.limits;
    let view = call.locked.keys(key).peek(key).ok_or(NO_SUCH_KEY)?;
    let encoding = super::object::encoding(view, limits);
    let is_list = matches!(view, View::Value(Value::List(_)));
    match what {
        b"quicklist" if !is_list => Err(Refusal("ERR Not a quicklist encoded object.")),
        b"quicklist" => {
            call.replies.simple("Quicklist structure printed on stdout");
            Ok(())
        }
        _ if encoding != "listpack" => Err(Refusal("ERR Not a listpack encoded object.")),
        _ => {
            call.replies.simple("Listpack structure printed on stdout");
            Ok(())
        }
    }
}

/// Creates many strings. Replicas do not get them.
fn populate(call: &mut Call<'_, '_>, count: &[u8], rest: &[&[u8]]) -> Result<(), Refusal> {
    let why = Refusal("ERR value is out of range, must be positive");
    let count = number(count).filter(|it| *it >= 0).ok_or(why)?;
    let prefix = rest.first().copied().unwrap_or(b"key");
    let size = rest.get(1).map(|it| number(it).ok_or(why)).transpose()?;
    let size = usize::try_from(size.unwrap_or(0)).map_err(|_| why)?;
    for at in 0..count {
        let key = [prefix, format!(":{at}").as_bytes()].concat();
        let mut text = format!("value:{at}").into_bytes();
        if size > 0 {
            text.resize(size, 0);
        }
        let keys = call.locked.keys(&key);
        if !keys.contains(&key) {
            keys.set_string(&key, &text, 0);
        }
    }
    // An empty list keeps the command out of the log.
    call.instead = Some(Vec::new());
    call.replies.ok();
    Ok(())
}

/// A number that is not whole.
const DOUBLE: f64 = 3_141.0 / 1_000.0;

/// A number that fits no other type.
const BIG: &str = "1234567999999999999999999999999999999";

/// Replies with a value of each type, to test clients.
fn protocol(kind: &[u8], replies: &mut Replies) -> Result<(), Refusal> {
    let numbers = |replies: &mut Replies| (0..3).for_each(|it| replies.integer(it));
    match kind.to_ascii_lowercase().as_slice() {
        b"string" => replies.bulk(b"Hello World"),
        b"integer" => replies.integer(12345),
        b"double" => replies.double(DOUBLE),
        b"bignum" => replies.big_number(BIG),
        b"null" => replies.nil(),
        b"array" => {
            replies.array(3);
            numbers(replies);
        }
        b"set" => {
            replies.set(3);
            numbers(replies);
        }
        b"map" => {
            replies.map(3);
            for at in 0..3 {
                replies.integer(at);
                replies.boolean(at == 1);
            }
        }
        b"attrib" => attributes(replies),
        b"push" if !replies.is_resp3 => {
            return Err(Refusal("ERR RESP2 is not supported by this command"));
        }
        b"push" => {
            replies.push(2);
            replies.bulk(b"server-cpu-usage");
            replies.integer(42);
            replies.bulk(b"Some real reply following the push reply");
        }
        word @ (b"true" | b"false") => replies.boolean(word == b"true"),
        b"verbatim" => replies.verbatim(b"This is a verbatim\nstring"),
        _ => {
            return Err(Refusal(
                "ERR Wrong protocol type name. Please use one of the following: \
                 string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false",
            ));
        }
    }
    Ok(())
}

fn attributes(replies: &mut Replies) {
    if replies.is_resp3 {
        replies.attributes(1);
        replies.bulk(b"key-popularity");
        replies.array(2);
        replies.bulk(b"key:123");
        replies.integer(90);
    }
    replies.bulk(b"Some real reply following the attribute");
}
