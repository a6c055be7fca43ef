//! The command MIGRATE, which moves keys to another server.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::Client;
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::write_command;

/// The parsed request.
struct Request<'a> {
    host: String,
    port: u16,
    keys: Vec<&'a [u8]>,
    db: i64,
    time: Duration,
    copies: bool,
    replaces: bool,
    login: Vec<&'a [u8]>,
}

impl<'a> Request<'a> {
    fn read(words: &[&'a [u8]]) -> Result<Self, &'static str> {
        const NOT_AN_INTEGER: &str = "ERR value is not an integer or out of range";
        let time = number(words[4]).ok_or(NOT_AN_INTEGER)?;
        let time = u64::try_from(time)
            .ok()
            .filter(|it| *it > 0)
            .unwrap_or(1000);
        let mut request = Request {
            host: String::from_utf8_lossy(words[0]).into_owned(),
            // Nothing listens at port 0.
            port: number(words[1])
                .and_then(|it| u16::try_from(it).ok())
                .unwrap_or(0),
            keys: vec![words[2]],
            db: number(words[3]).ok_or(NOT_AN_INTEGER)?,
            time: Duration::from_millis(time),
            copies: false,
            replaces: false,
            login: Vec::new(),
        };
        let mut rest = &words[5..];
        while let Some((word, more)) = rest.split_first() {
            rest = more;
            match (word.to_ascii_lowercase().as_slice(), more) {
                (b"copy", _) => request.copies = true,
                (b"replace", _) => request.replaces = true,
                (b"auth", [password, more @ ..]) => {
                    request.login = vec![b"AUTH", password];
                    rest = more;
                }
                (b"auth2", [name, password, more @ ..]) => {
                    request.login = vec![b"AUTH", name, password];
                    rest = more;
                }
                (b"keys", keys) if words[2].is_empty() => {
                    request.keys = keys.to_vec();
                    rest = &[];
                }
                (b"keys", _) => {
                    return Err(
                        "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string",
                    );
                }
                _ => return Err("ERR syntax error"),
            }
        }
        Ok(request)
    }
}

impl Client {
    /// Moves the keys while no other client runs a command, so that no client sees a key on both
    /// servers or on none.
    pub(super) fn migrate(&mut self, server: &Server, words: &[&[u8]], replies: &mut Replies) {
        let request = match Request::read(words) {
            Ok(request) => request,
            Err(why) => return replies.error(why),
        };
        let (now, mut sent, mut moved) = (server.now(), Vec::new(), Vec::new());
        for key in &request.keys {
            let mut locked = server.store.one(self.db, key, now);
            let keys = locked.keys(key);
            let Some(view) = keys.peek(key) else { continue };
            let left = match keys.expiry(key) {
                0 => 0,
                end => end.saturating_sub(now).max(1),
            };
            let (payload, left) = (crate::rdb::dump(view), left.to_string());
            let mut command: Vec<&[u8]> = vec![b"RESTORE-ASKING", key, left.as_bytes(), &payload];
            command.extend(request.replaces.then_some(&b"REPLACE"[..]));
            write_command(&mut sent, &command);
            moved.push(*key);
        }
        if moved.is_empty() {
            return replies.simple("NOKEY");
        }
        let answers = match exchange(&request, &sent, moved.len()) {
            Ok(answers) => answers,
            Err(lost) => return replies.error(lost.text()),
        };
        let mut refused = None;
        for (key, answer) in moved.iter().zip(answers) {
            match answer.strip_prefix('-') {
                Some(why) => refused = refused.or(Some(why.to_owned())),
                None if request.copies => {}
                None => {
                    let mut locked = server.store.one(self.db, key, now);
                    locked.keys(key).remove(key);
                    locked.record(&[b"DEL", key]);
                }
            }
        }
        match refused {
            Some(why) => replies.error(format_args!(
                "ERR Target instance replied with error: {why}"
            )),
            None => replies.ok(),
        }
    }
}

/// The step at which the connection to the other server has failed.
enum Lost {
    Connecting,
    Writing,
    Reading,
}

impl Lost {
    fn text(&self) -> &'static str {
        match self {
            Lost::Connecting => "IOERR error or timeout connecting to the client",
            Lost::Writing => "IOERR error or timeout writing to target instance",
            Lost::Reading => "IOERR error or timeout reading to target instance",
        }
    }
}

fn connect(request: &Request<'_>) -> Result<TcpStream, Lost> {
    let addresses = (request.host.as_str(), request.port).to_socket_addrs();
    let address = addresses.ok().and_then(|mut it| it.next());
    let address = address.ok_or(Lost::Connecting)?;
    // redis-server notices only when it writes that nothing listens at the address.
    let connected = TcpStream::connect_timeout(&address, request.time);
    let stream = connected.map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => Lost::Connecting,
        _ => Lost::Writing,
    })?;
    let limited = stream.set_read_timeout(Some(request.time));
    let limited = limited.and_then(|()| stream.set_write_timeout(Some(request.time)));
    limited.map_err(|_| Lost::Connecting)?;
    Ok(stream)
}

/// Sends commands, and reads one line for each.
fn exchange(request: &Request<'_>, commands: &[u8], count: usize) -> Result<Vec<String>, Lost> {
    let mut stream = connect(request)?;
    let (mut first, mut before) = (Vec::new(), 0);
    if !request.login.is_empty() {
        write_command(&mut first, &request.login);
        before += 1;
    }
    if request.db != 0 {
        write_command(&mut first, &[b"SELECT", request.db.to_string().as_bytes()]);
        before += 1;
    }
    let written = stream.write_all(&first);
    let written = written.and_then(|()| stream.write_all(commands));
    written.map_err(|_| Lost::Writing)?;
    let mut lines = BufReader::new(stream).lines();
    let mut line = || {
        let line = lines.next().and_then(Result::ok);
        line.ok_or(Lost::Reading)
    };
    for _ in 0..before {
        let answer = line()?;
        if answer.starts_with('-') {
            return Ok(vec![answer; count]);
        }
    }
    (0..count).map(|_| line()).collect()
}
