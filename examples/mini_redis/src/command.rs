//! Commands, as clients send them and as the journal and other nodes repeat them.

use bytes::Bytes;
use otp_bridge::Term;

/// A command for the store.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Command {
    /// `GET key`
    Get(Bytes),
    /// `SET key value`
    Set(Bytes, Bytes),
    /// `DEL key…`
    Del(Vec<Bytes>),
    /// `INCR key`
    Incr(Bytes),
    /// `PEXPIREAT key time`, in milliseconds since 1970. `EXPIRE key seconds` becomes this command,
    /// which means the same whenever it is repeated.
    ExpireAt(Bytes, i64),
    /// `TTL key`, in seconds.
    Ttl(Bytes),
    /// `LPUSH key value…`
    Push(Bytes, Vec<Bytes>),
    /// `LPOP key`
    Pop(Bytes),
    /// `LRANGE key first last`
    Range(Bytes, i64, i64),
}

/// A request of a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// The store runs a command.
    Run(Command),
    /// `BLPOP key… seconds`: the keys, and the milliseconds that the client waits, or 0 for any
    /// time.
    BlockingPop(Vec<Bytes>, u64),
    /// `SUBSCRIBE channel…`
    Subscribe(Vec<Bytes>),
    /// `UNSUBSCRIBE channel…`, or all channels.
    Unsubscribe(Vec<Bytes>),
    /// `PUBLISH channel text`
    Publish(Bytes, Bytes),
    /// `MULTI`
    Multi,
    /// `EXEC`
    Exec,
    /// `DISCARD`
    Discard,
    /// `PING`, with the text of the reply.
    Ping(Option<Bytes>),
    /// `QUIT`
    Quit,
}

impl Request {
    /// Reads the words of a request. `now` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// The text of the error reply.
    pub fn read(words: &[Bytes], now: i64) -> Result<Self, String> {
        let (name, arguments) = words.split_first().ok_or("no command")?;
        let name = String::from_utf8_lossy(name).to_ascii_uppercase();
        let command = match (name.as_str(), arguments) {
            ("GET", [key]) => Command::Get(key.clone()),
            ("SET", [key, value]) => Command::Set(key.clone(), value.clone()),
            ("DEL", [_, ..]) => Command::Del(arguments.to_vec()),
            ("INCR", [key]) => Command::Incr(key.clone()),
            ("EXPIRE", [key, seconds]) => {
                let time = number(seconds)?.checked_mul(1000);
                let time = time.and_then(|time| now.checked_add(time));
                Command::ExpireAt(key.clone(), time.ok_or(NOT_A_NUMBER)?)
            }
            ("PEXPIREAT", [key, time]) => Command::ExpireAt(key.clone(), number(time)?),
            ("TTL", [key]) => Command::Ttl(key.clone()),
            ("LPUSH", [key, values @ ..]) if !values.is_empty() => {
                Command::Push(key.clone(), values.to_vec())
            }
            ("LPOP", [key]) => Command::Pop(key.clone()),
            ("LRANGE", [key, first, last]) => {
                Command::Range(key.clone(), number(first)?, number(last)?)
            }
            ("BLPOP", [keys @ .., seconds]) if !keys.is_empty() => {
                return Ok(Request::BlockingPop(keys.to_vec(), timeout(seconds)?));
            }
            ("SUBSCRIBE", [_, ..]) => return Ok(Request::Subscribe(arguments.to_vec())),
            ("UNSUBSCRIBE", _) => return Ok(Request::Unsubscribe(arguments.to_vec())),
            ("PUBLISH", [channel, text]) => {
                return Ok(Request::Publish(channel.clone(), text.clone()));
            }
            ("MULTI", []) => return Ok(Request::Multi),
            ("EXEC", []) => return Ok(Request::Exec),
            ("DISCARD", []) => return Ok(Request::Discard),
            ("PING", [] | [_]) => return Ok(Request::Ping(arguments.first().cloned())),
            ("QUIT", []) => return Ok(Request::Quit),
            (name, _) if NAMES.contains(&name) => {
                let name = name.to_ascii_lowercase();
                return Err(format!("wrong number of arguments for '{name}' command"));
            }
            _ => return Err(format!("unknown command '{}'", name.escape_debug())),
        };
        Ok(Request::Run(command))
    }
}

const NAMES: [&str; 19] = [
    "GET",
    "SET",
    "DEL",
    "INCR",
    "EXPIRE",
    "PEXPIREAT",
    "TTL",
    "LPUSH",
    "LPOP",
    "LRANGE",
    "BLPOP",
    "SUBSCRIBE",
    "PUBLISH",
    "MULTI",
    "EXEC",
    "DISCARD",
    "PING",
    "QUIT",
    "UNSUBSCRIBE",
];
const NOT_A_NUMBER: &str = "value is not an integer or out of range";

impl Command {
    /// Returns the command as the words of a request, to write it to the journal.
    #[must_use]
    pub fn words(&self) -> Vec<Bytes> {
        let text = |text: &'static str| Bytes::from_static(text.as_bytes());
        let number = |number: &i64| Bytes::from(number.to_string());
        let with = |name, key: &Bytes, values: &[Bytes]| {
            let head = [text(name), key.clone()];
            head.iter().chain(values).cloned().collect()
        };
        match self {
            Command::Get(key) => with("GET", key, &[]),
            Command::Set(key, value) => with("SET", key, std::slice::from_ref(value)),
            Command::Del(keys) => [text("DEL")].iter().chain(keys).cloned().collect(),
            Command::Incr(key) => with("INCR", key, &[]),
            Command::ExpireAt(key, time) => with("PEXPIREAT", key, &[number(time)]),
            Command::Ttl(key) => with("TTL", key, &[]),
            Command::Push(key, values) => with("LPUSH", key, values),
            Command::Pop(key) => with("LPOP", key, &[]),
            Command::Range(key, first, last) => with("LRANGE", key, &[number(first), number(last)]),
        }
    }
}

fn number(word: &Bytes) -> Result<i64, String> {
    let number = std::str::from_utf8(word)
        .ok()
        .and_then(|it| it.parse().ok());
    number.ok_or_else(|| NOT_A_NUMBER.to_owned())
}

/// Reads seconds, which may have a fraction. Returns milliseconds.
fn timeout(word: &Bytes) -> Result<u64, String> {
    let seconds = std::str::from_utf8(word)
        .ok()
        .and_then(|it| it.parse().ok());
    match seconds {
        Some(seconds) if (0.0..1e9_f64).contains(&seconds) => Ok((seconds * 1000.0).ceil() as u64),
        Some(seconds) if seconds < 0.0 => Err("timeout is negative".to_owned()),
        _ => Err("timeout is not a float or out of range".to_owned()),
    }
}
