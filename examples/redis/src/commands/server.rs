//! What is asked of the server itself.

use super::KeysOf::None as NoKeys;
use super::{Call, Command, Refusal, SYNTAX, command};
use crate::pattern::matches;

pub(super) const COMMANDS: &[Command] = &[
    command("command", -1, NoKeys, commands),
    command("config", -2, NoKeys, config),
    command("info", -1, NoKeys, info),
    command("time", 1, NoKeys, time),
    command("select", 2, NoKeys, select),
];

/// Parameters that clients ask for, and what they are here.
const PARAMETERS: [(&str, &str); 4] = [
    ("appendonly", "no"),
    ("databases", "1"),
    ("maxmemory", "0"),
    ("save", ""),
];

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
            let found = PARAMETERS.iter().filter(|(name, _)| is_asked(name));
            call.replies.map(found.clone().count());
            for (name, value) in found {
                call.replies.bulk(name.as_bytes());
                call.replies.bulk(value.as_bytes());
            }
            Ok(())
        }
        _ => Err(Refusal("ERR unknown subcommand. CONFIG GET is there.")),
    }
}

fn info(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        "# Server\r\nserver_name:otp-rs\r\nserver_version:{version}\r\nredis_mode:standalone\r\nprocess_id:{}\r\n",
        std::process::id()
    );
    call.replies.bulk(text.as_bytes());
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

/// There is one database.
fn select(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    match call.arguments {
        [b"0"] => call.replies.ok(),
        [text] if crate::resp::number(text).is_some() => {
            return Err(Refusal("ERR DB index is out of range"));
        }
        [_] => return Err(Refusal("ERR value is not an integer or out of range")),
        _ => return Err(SYNTAX),
    }
    Ok(())
}
