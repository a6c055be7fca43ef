//! Clients that read and write keys.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::draws::{Draws, KEYS};

/// The number of digits in a key, behind `key:`.
const DIGITS: usize = 12;
/// The number of keys that are set in one batch before the measurement.
const FILL: u32 = 1000;
/// A server that sends no reply for this time has failed.
const PATIENCE: Duration = Duration::from_secs(10);

/// The results of a measurement.
pub struct Done {
    pub requests: u64,
    pub seconds: f64,
    /// The 99th percentile in microseconds.
    pub p99: u32,
}

/// Returns the digits of a key's number.
fn digits(mut key: u32) -> [u8; DIGITS] {
    let mut digits = [b'0'; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit += (key % 10) as u8;
        key /= 10;
    }
    digits
}

fn append(requests: &mut Vec<u8>, key: u32, is_set: bool) {
    let begin: &[u8] = match is_set {
        true => b"*3\r\n$3\r\nSET\r\n$16\r\nkey:",
        false => b"*2\r\n$3\r\nGET\r\n$16\r\nkey:",
    };
    requests.extend_from_slice(begin);
    requests.extend_from_slice(&digits(key));
    requests.extend_from_slice(b"\r\n");
    if is_set {
        append_value(requests, key);
    }
}

fn append_reply(replies: &mut Vec<u8>, key: u32, is_set: bool) {
    match is_set {
        true => replies.extend_from_slice(b"+OK\r\n"),
        false => append_value(replies, key),
    }
}

/// Appends a value. It begins with the key's number, so that every reply can be checked.
fn append_value(bytes: &mut Vec<u8>, key: u32) {
    bytes.extend_from_slice(b"$32\r\n");
    bytes.extend_from_slice(&digits(key));
    bytes.extend_from_slice(b"is the key's number.\r\n");
}

/// Sets all keys.
pub fn fill(port: u16) -> io::Result<()> {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    for begin in (0..KEYS).step_by(FILL as usize) {
        let (mut requests, mut expected) = (Vec::new(), Vec::new());
        for key in begin..begin + FILL {
            append(&mut requests, key, true);
            append_reply(&mut expected, key, true);
        }
        stream.write_all(&requests)?;
        let mut replies = vec![0; expected.len()];
        stream.read_exact(&mut replies)?;
        if replies != expected {
            return Err(wrong(&replies));
        }
    }
    Ok(())
}

fn wrong(replies: &[u8]) -> io::Error {
    let text = String::from_utf8_lossy(replies);
    io::Error::other(format!("a wrong reply: {text}"))
}

/// A connection that sends requests, and sends the next ones when all have been answered.
struct Client {
    stream: TcpStream,
    requests: Vec<u8>,
    sent: usize,
    expected: Vec<u8>,
    replies: Vec<u8>,
    begun: Instant,
}

impl Client {
    /// Prepares the next requests, half of them `SET`, and sends them.
    fn ask(&mut self, draws: &Draws, place: &mut usize, pipeline: usize) -> io::Result<()> {
        self.requests.clear();
        self.expected.clear();
        self.replies.clear();
        self.sent = 0;
        for _ in 0..pipeline {
            let key = draws.at(*place);
            let is_set = place.is_multiple_of(2);
            *place += 1;
            append(&mut self.requests, key, is_set);
            append_reply(&mut self.expected, key, is_set);
        }
        self.begun = Instant::now();
        self.write()
    }

    fn write(&mut self) -> io::Result<()> {
        while self.sent < self.requests.len() {
            match self.stream.write(&self.requests[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads the available bytes. Returns whether all requests have been answered.
    fn is_answered(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.replies.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
            if !self.expected.starts_with(&self.replies) {
                return Err(wrong(&self.replies));
            }
            if self.replies.len() == self.expected.len() {
                return Ok(true);
            }
        }
    }
}

fn connect(port: u16, clients: usize, poll: &Poll) -> io::Result<Vec<Client>> {
    let mut all = Vec::new();
    for number in 0..clients {
        let stream = std::net::TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let interest = Interest::READABLE | Interest::WRITABLE;
        poll.registry()
            .register(&mut stream, Token(number), interest)?;
        all.push(Client {
            stream,
            requests: Vec::new(),
            sent: 0,
            expected: Vec::new(),
            replies: Vec::new(),
            begun: Instant::now(),
        });
    }
    Ok(all)
}

/// Sends requests for this number of seconds.
pub fn run(
    port: u16,
    clients: usize,
    pipeline: usize,
    seconds: f64,
    draws: &Draws,
) -> io::Result<Done> {
    let mut poll = Poll::new()?;
    let mut all = connect(port, clients, &poll)?;
    let (mut place, mut times) = (0, Vec::new());
    let mut buffer = vec![0; 64 << 10];
    let begun = Instant::now();
    for client in &mut all {
        client.ask(draws, &mut place, pipeline)?;
    }
    let mut events = Events::with_capacity(clients);
    while begun.elapsed().as_secs_f64() < seconds {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        for event in &events {
            let client = &mut all[event.token().0];
            client.write()?;
            if client.is_answered(&mut buffer)? {
                let time = client.begun.elapsed().as_micros();
                times.push(u32::try_from(time).unwrap_or(u32::MAX));
                client.ask(draws, &mut place, pipeline)?;
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).copied();
    Ok(Done {
        requests: (times.len() * pipeline) as u64,
        seconds,
        p99: p99.unwrap_or_default(),
    })
}
