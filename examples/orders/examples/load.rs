//! A load generator: keeps connections busy with one kind of request.
//!
//! `load PORT live|place|show CONNECTIONS COUNT [FIRST]`
//!
//! `place` creates orders, each of another customer, beginning with the number FIRST; `show` goes
//! through the orders from FIRST to FIRST + 50,000, again and again. Prints requests per second,
//! and the median and the 99th percentile of their times in milliseconds.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use otp_bridge_novm as _;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const LIVE: u64 = 50_000;

struct Load {
    port: u16,
    kind: String,
    count: u64,
    first: u64,
    next: AtomicU64,
}

impl Load {
    fn request(&self, index: u64) -> String {
        let order = self.first + index % LIVE;
        let (line, body) = match self.kind.as_str() {
            "place" => (
                "POST /orders".to_owned(),
                format!("{{\"customer\":{},\"cents\":100}}", self.first + index),
            ),
            "show" => (format!("GET /orders/{order}"), String::new()),
            _ => ("GET /live".to_owned(), String::new()),
        };
        let length = body.len();
        format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    }

    fn connect(&self) -> Result<BufReader<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_nodelay(true)?;
        Ok(BufReader::new(stream))
    }

    /// The times of a connection's requests, in seconds.
    fn connection(&self) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        let mut stream = self.connect()?;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                return Ok(times);
            }
            let begins = Instant::now();
            stream.get_mut().write_all(self.request(index).as_bytes())?;
            let closes = reply(&mut stream)?;
            times.push(begins.elapsed().as_secs_f64());
            if closes {
                stream = self.connect()?;
            }
        }
    }
}

/// Reads a reply. Returns whether the server closes the connection after it.
fn reply(stream: &mut BufReader<TcpStream>) -> Result<bool> {
    let (mut line, mut length, mut closes) = (String::new(), 0, false);
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err("the server has closed the connection without a reply".into());
        }
        let text = line.trim_end().to_ascii_lowercase();
        match text.split_once(": ") {
            None if text.is_empty() => break,
            None if text.starts_with("http/1.1 2") => (),
            None => return Err(text.into()),
            Some(("content-length", value)) => length = value.parse()?,
            Some(("connection", value)) => closes = value == "close",
            Some(_) => (),
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    Ok(closes)
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [port, kind, connections, count, rest @ ..] = words.as_slice() else {
        return Err("load PORT live|place|show CONNECTIONS COUNT [FIRST]".into());
    };
    let load = Load {
        port: port.parse()?,
        kind: kind.clone(),
        count: count.parse()?,
        first: rest.first().map_or(Ok(1), |first| first.parse())?,
        next: AtomicU64::new(0),
    };
    let begins = Instant::now();
    let times = thread::scope(|scope| {
        let connections = 0..connections.parse::<usize>()?;
        let all: Vec<_> = connections
            .map(|_| scope.spawn(|| load.connection()))
            .collect();
        let joined = all
            .into_iter()
            .map(|it| it.join().map_err(|_| "a connection has panicked")?);
        joined.collect::<Result<Vec<_>>>()
    })?;
    let rate = load.count as f64 / begins.elapsed().as_secs_f64();
    let mut times = times.concat();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        times
            .get(times.len() * percent / 100)
            .map_or(0.0, |time| time * 1e3)
    };
    println!(
        "{rate:.0} requests/s, median {:.3} ms, p99 {:.3} ms",
        at(50),
        at(99)
    );
    Ok(())
}
