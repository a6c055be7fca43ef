//! Commands about the server itself.

use super::KeysOf::{Databases, None as NoKeys};
use super::{Call, Command, Refusal, command};
use crate::replication::Link;
use crate::server::VERSION;

pub(super) const COMMANDS: &[Command] = &[
    command("bgrewriteaof", 1, NoKeys, rewrite),
    command("info", -1, Databases, super::info::info),
    command("time", 1, NoKeys, time),
    command("role", 1, NoKeys, role),
    command("lolwut", -1, NoKeys, lolwut),
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

/// Replies with the server's role: its master, or its replicas.
fn role(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let signed = |offset: u64| i64::try_from(offset).unwrap_or(i64::MAX);
    let offset = call.server.store.backlog.end();
    let known = call.server.replication.known();
    let replies = &mut *call.replies;
    if let Some(master) = &known.master {
        replies.array(5);
        replies.bulk(b"slave");
        replies.bulk(b"127.0.0.1");
        replies.integer(master.port.into());
        replies.bulk(known.link.word().as_bytes());
        replies.integer(match known.link {
            Link::Up => signed(offset),
            _ => -1,
        });
        return Ok(());
    }
    replies.array(3);
    replies.bulk(b"master");
    replies.integer(signed(offset));
    let online = known.replicas.iter().filter(|it| it.is_online);
    let online: Vec<_> = online.collect();
    replies.array(online.len());
    for replica in online {
        replies.array(3);
        replies.bulk(b"127.0.0.1");
        replies.bulk(replica.port.to_string().as_bytes());
        replies.bulk(replica.offset.to_string().as_bytes());
    }
    Ok(())
}

fn lolwut(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let text = format!("Redis ver. {VERSION}\n");
    call.replies.verbatim(text.as_bytes());
    Ok(())
}
