//! What is asked of the server itself.

use std::sync::atomic::Ordering;

use super::KeysOf::None as NoKeys;
use super::{Call, Command, Refusal, command};
use crate::pattern::matches;
use crate::server::Server;
use crate::store::{DATABASES, Sync};

pub(super) const COMMANDS: &[Command] = &[
    command("command", -1, NoKeys, commands),
    command("bgrewriteaof", 1, NoKeys, rewrite),
    command("config", -2, NoKeys, config),
    command("info", -1, NoKeys, info),
    command("time", 1, NoKeys, time),
];

/// Parameters that clients ask for, and what they are here.
fn parameters(server: &Server) -> [(&'static str, String); 7] {
    let log = &server.store.log;
    let on = if log.is_on() { "yes" } else { "no" };
    let memory = server.max_memory.load(Ordering::Relaxed);
    [
        ("appendfsync", log.sync().word().to_owned()),
        ("appendonly", on.to_owned()),
        ("databases", DATABASES.to_string()),
        (
            "maxclients",
            server.max_clients.load(Ordering::Relaxed).to_string(),
        ),
        ("maxmemory", memory.to_string()),
        ("maxmemory-policy", server.policy().to_owned()),
        ("save", String::new()),
    ]
}

/// A number of bytes as in a configuration: `100mb`.
fn bytes(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    let end = lower
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(lower.len());
    let (digits, unit) = lower.split_at(end);
    let unit = match unit {
        "" | "b" => 1,
        "k" => 1000,
        "kb" => 1 << 10,
        "m" => 1_000_000,
        "mb" => 1 << 20,
        "g" => 1_000_000_000,
        "gb" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

/// Sets a parameter, as CONFIG SET does.
///
/// # Errors
/// What is wrong with it.
pub fn set_parameter(server: &Server, name: &str, value: &str) -> Result<(), Refusal> {
    const INVALID: Refusal = Refusal("ERR CONFIG SET failed - argument couldn't be parsed");
    match name {
        "maxmemory" => {
            let most = bytes(value).ok_or(INVALID)?;
            server.max_memory.store(most, Ordering::Relaxed);
        }
        "maxmemory-policy" if server.set_policy(value) => {}
        "maxclients" => {
            let most = value.parse().ok().filter(|most| *most > 0).ok_or(INVALID)?;
            server.max_clients.store(most, Ordering::Relaxed);
        }
        "appendfsync" => server.store.log.set_sync(Sync::read(value).ok_or(INVALID)?),
        "maxmemory-policy" => return Err(INVALID),
        _ => {
            let why = "ERR Unknown option or number of arguments for CONFIG SET";
            return Err(Refusal(why));
        }
    }
    Ok(())
}

fn commands(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match call.arguments {
        [what] if what.eq_ignore_ascii_case(b"count") => call.replies.count(super::count()),
        // Clients do without the descriptions.
        [what, ..] if what.eq_ignore_ascii_case(b"docs") => call.replies.map(0),
        _ => return Err(Refusal("ERR unknown subcommand. COMMAND COUNT is there.")),
    }
    Ok(())
}

fn config(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match call.arguments {
        [what, patterns @ ..] if what.eq_ignore_ascii_case(b"get") && !patterns.is_empty() => {
            let is_asked = |name: &str| {
                let mut patterns = patterns.iter();
                patterns.any(|it| matches(&it.to_ascii_lowercase(), name.as_bytes()))
            };
            let all = parameters(call.server);
            let found = all.iter().filter(|(name, _)| is_asked(name));
            call.replies.map(found.clone().count());
            for (name, value) in found {
                call.replies.bulk(name.as_bytes());
                call.replies.bulk(value.as_bytes());
            }
            Ok(())
        }
        [what, pairs @ ..] if what.eq_ignore_ascii_case(b"set") && pairs.len() >= 2 => {
            for pair in pairs.chunks(2) {
                let words = pair
                    .iter()
                    .map(|it| String::from_utf8_lossy(it).to_ascii_lowercase());
                let words: Vec<String> = words.collect();
                let value = words.get(1).map_or("", String::as_str);
                set_parameter(call.server, &words[0], value)?;
            }
            call.replies.ok();
            Ok(())
        }
        _ => Err(Refusal(
            "ERR unknown subcommand. CONFIG GET and CONFIG SET are there.",
        )),
    }
}

fn info(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (server, version) = (call.server, env!("CARGO_PKG_VERSION"));
    let text = format!(
        "# Server\r\nserver_name:otp-rs\r\nserver_version:{version}\r\nredis_mode:standalone\r\nprocess_id:{}\r\n\
         # Clients\r\nconnected_clients:{}\r\nmaxclients:{}\r\n\
         # Memory\r\nused_memory_dataset:{}\r\nmaxmemory:{}\r\nmaxmemory_policy:{}\r\n\
         # Persistence\r\naof_enabled:{}\r\n\
         # Stats\r\ntotal_connections_received:{}\r\nrejected_connections:{}\r\nexpired_keys:{}\r\nevicted_keys:{}\r\n",
        std::process::id(),
        server.clients.load(Ordering::Relaxed),
        server.max_clients.load(Ordering::Relaxed),
        server.store.memory(),
        server.max_memory.load(Ordering::Relaxed),
        server.policy(),
        u8::from(server.store.log.is_on()),
        server.connections.load(Ordering::Relaxed),
        server.rejected.load(Ordering::Relaxed),
        server.expired.load(Ordering::Relaxed),
        server.evicted.load(Ordering::Relaxed),
    );
    call.replies.bulk(text.as_bytes());
    Ok(())
}

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
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let since = since.unwrap_or_default();
    call.replies.array(2);
    call.replies.bulk(since.as_secs().to_string().as_bytes());
    call.replies
        .bulk(since.subsec_micros().to_string().as_bytes());
    Ok(())
}
