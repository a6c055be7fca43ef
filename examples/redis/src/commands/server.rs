//! What is asked of the server itself.

use super::KeysOf::{Databases, None as NoKeys};
use super::{Call, Command, NOT_AN_INTEGER, Refusal, command};
use crate::server::VERSION;

pub(super) const COMMANDS: &[Command] = &[
    command("bgrewriteaof", 1, NoKeys, rewrite),
    command("info", -1, Databases, super::info::info),
    command("time", 1, NoKeys, time),
    command("role", 1, NoKeys, role),
    command("lolwut", -1, NoKeys, lolwut),
    command("wait", 3, NoKeys, wait),
];

fn rewrite(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    if call.server.files().is_none() {
        return Err(Refusal(
            "ERR there is no append-only file; start with --appendonly yes",
        ));
    }
    call.server.rewrite.wish();
    call.replies
        .simple("Background append only file rewriting started");
    Ok(())
}

fn time(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let micros = crate::store::micros();
    call.replies.array(2);
    for number in [micros / 1_000_000, micros % 1_000_000] {
        call.replies.bulk(number.to_string().as_bytes());
    }
    Ok(())
}

/// It has no replicas.
fn role(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    call.replies.array(3);
    call.replies.bulk(b"master");
    call.replies.integer(0);
    call.replies.array(0);
    Ok(())
}

fn lolwut(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let text = format!("Redis ver. {VERSION}\n");
    call.replies.verbatim(text.as_bytes());
    Ok(())
}

/// No replica has anything, however long one waits.
fn wait(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    call.integer(0)?;
    let time = crate::resp::number(call.arguments[1]);
    let time = time.ok_or(Refusal("ERR timeout is not an integer or out of range"))?;
    if time < 0 {
        return Err(Refusal("ERR timeout is negative"));
    }
    call.integer(0).map_err(|_| NOT_AN_INTEGER)?;
    call.replies.integer(0);
    Ok(())
}
