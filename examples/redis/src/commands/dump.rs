//! Values as bytes, and saving all of them to a file: DUMP, RESTORE, SAVE.

use super::KeysOf::{First, None as NoKeys};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::rdb::{self, Broken};
use crate::resp::number;
use crate::store::usage;

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

/// The options of RESTORE.
#[derive(Default)]
struct RestoreOptions {
    replaces: bool,
    /// Whether the time is a moment.
    is_moment: bool,
    /// Seconds since the last use.
    idle: Option<i64>,
    /// Counter of uses.
    uses: Option<i64>,
}

impl RestoreOptions {
    fn read(words: &[&[u8]]) -> Result<Self, Refusal> {
        let mut options = RestoreOptions::default();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            rest = more;
            match (word.to_ascii_lowercase().as_slice(), more) {
                (b"replace", _) => options.replaces = true,
                (b"absttl", _) => options.is_moment = true,
                (b"idletime", [text, more @ ..]) if options.uses.is_none() => {
                    let idle = number(text).ok_or(NOT_AN_INTEGER)?;
                    let why = Refusal("ERR Invalid IDLETIME value, must be >= 0");
                    options.idle = Some(Some(idle).filter(|it| *it >= 0).ok_or(why)?);
                    rest = more;
                }
                (b"freq", [text, more @ ..]) if options.idle.is_none() => {
                    let uses = number(text).ok_or(NOT_AN_INTEGER)?;
                    let why = Refusal("ERR Invalid FREQ value, must be >= 0 and <= 255");
                    let is_uses = |it: &i64| (0..=255).contains(it);
                    options.uses = Some(Some(uses).filter(is_uses).ok_or(why)?);
                    rest = more;
                }
                _ => return Err(SYNTAX),
            }
        }
        Ok(options)
    }

    /// Returns the stamp of the restored key, if the policy for evictions uses one of the options.
    fn used(&self, clock: u64, counts: bool) -> Option<u32> {
        let number = if counts { self.uses } else { self.idle };
        let number = u32::try_from(number?).unwrap_or(u32::MAX);
        let stamp = usage::stamp(clock, counts);
        Some(match counts {
            true => usage::counted(stamp, number),
            false => usage::idle_for(stamp, number),
        })
    }
}

fn restore(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let options = RestoreOptions::read(&call.arguments[3..])?;
    let (key, payload) = (call.arguments[0], call.arguments[2]);
    if !options.replaces && call.locked.keys(key).contains(key) {
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
    let expires = match (time, options.is_moment) {
        (0, _) => 0,
        (time, true) => time,
        (time, false) => now.saturating_add(time),
    };
    let clock = call.locked.clock();
    let keys = call.locked.keys(key);
    if expires != 0 && expires <= now {
        keys.remove(key);
        call.log(&[b"DEL", key]);
    } else {
        keys.set(key, value, expires);
        if let Some(used) = options.used(clock, call.server.policy().ends_with("lfu")) {
            keys.set_used(key, used);
        }
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
