//! Values as bytes, and saving all of them to a file: DUMP, RESTORE, SAVE.

use super::KeysOf::{First, None as NoKeys};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::rdb::{self, Broken};
use crate::resp::number;

pub(super) const COMMANDS: &[Command] = &[
    command("dump", 2, First, dump),
    command("restore", -4, First, restore).grows(),
    command("restore-asking", -4, First, restore).grows(),
    command("bgsave", -1, NoKeys, bgsave),
    command("lastsave", 1, NoKeys, |call| {
        let time = call.server.saved.time();
        call.replies
            .integer(i64::try_from(time).unwrap_or(i64::MAX));
        Ok(())
    }),
];

fn dump(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let key = call.arguments[0];
    let dumped = call.value(key).map(rdb::dump);
    call.replies.maybe(dumped.as_deref());
    Ok(())
}

/// Parses whether RESTORE may replace a value, and whether its time is absolute.
fn options(words: &[&[u8]]) -> Result<(bool, bool), Refusal> {
    let (mut replaces, mut is_moment) = (false, false);
    let mut rest = words;
    while let Some((word, more)) = rest.split_first() {
        rest = more;
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"replace", _) => replaces = true,
            (b"absttl", _) => is_moment = true,
            (name @ (b"idletime" | b"freq"), [text, more @ ..]) => {
                let count = number(text).ok_or(NOT_AN_INTEGER)?;
                let why = match name {
                    b"freq" if !(0..=255).contains(&count) => {
                        "ERR Invalid FREQ value, must be >= 0 and <= 255"
                    }
                    b"idletime" if count < 0 => "ERR Invalid IDLETIME value, must be >= 0",
                    _ => "",
                };
                if !why.is_empty() {
                    return Err(Refusal(why));
                }
                rest = more;
            }
            _ => return Err(SYNTAX),
        }
    }
    Ok((replaces, is_moment))
}

fn restore(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (replaces, is_moment) = options(&call.arguments[3..])?;
    let (key, payload) = (call.arguments[0], call.arguments[2]);
    if !replaces && call.locked.keys(key).contains(key) {
        return Err(Refusal("BUSYKEY Target key name already exists."));
    }
    let time = call.integer(1)?;
    let why = Refusal("ERR Invalid TTL value, must be >= 0");
    let time = u64::try_from(time).map_err(|_| why)?;
    let value = rdb::restore(payload).map_err(|why| match why {
        Broken::Checksum => Refusal("ERR DUMP payload version or checksum are wrong"),
        Broken::Format => Refusal("ERR Bad data format"),
    })?;
    let now = call.locked.now;
    let expires = match (time, is_moment) {
        (0, _) => 0,
        (time, true) => time,
        (time, false) => now.saturating_add(time),
    };
    let keys = call.locked.keys(key);
    if expires != 0 && expires <= now {
        keys.remove(key);
        call.log(&[b"DEL", key]);
    } else {
        keys.set(key, value, expires);
        let time = expires.to_string();
        call.log(&[
            b"RESTORE",
            key,
            time.as_bytes(),
            payload,
            b"ABSTTL",
            b"REPLACE",
        ]);
    }
    call.replies.ok();
    Ok(())
}

fn bgsave(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match call.arguments {
        [] => {}
        [word] if word.eq_ignore_ascii_case(b"schedule") => {}
        _ => return Err(SYNTAX),
    }
    if !call.server.saved.begin() {
        return Err(Refusal("ERR Background save already in progress"));
    }
    call.server.saved.wish.wish();
    call.replies.simple("Background saving started");
    Ok(())
}
