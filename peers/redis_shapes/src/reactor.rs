//! A thread that serves connections.

use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use hashbrown::HashMap;
use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Token, Waker};
use socket2::{Domain, Socket, Type};

use crate::connection::Connection;
use crate::keys::Keys;
use crate::mailbox::{Letter, Mailbox, What};
use crate::resp::{Parsed, Replies, parse};

/// As in examples/redis.
const READ: usize = 64 << 10;
const BACKLOG: i32 = 1024;

const LISTENER: Token = Token(0);
const WAKER: Token = Token(1);
const FIRST_CONNECTION: usize = 2;

/// The data that a reactor uses for all of its connections.
struct Reactor<K> {
    number: usize,
    keys: K,
    mailboxes: Arc<[Mailbox]>,
    connections: HashMap<usize, Connection>,
    /// The letters for each reactor, which are sent at the end of the turn.
    outgoing: Vec<Vec<Letter>>,
    incoming: Vec<Letter>,
    arguments: Vec<Range<usize>>,
    replies: Replies,
    /// The connections that have received replies of other reactors.
    answered: Vec<usize>,
}

/// Runs a reactor for each item of `all`, until one of the reactors fails.
pub fn run_all<K: Keys + 'static>(port: u16, all: impl Iterator<Item = K>) -> io::Result<()> {
    let all: Vec<K> = all.collect();
    let polls = all.iter().map(|_| Poll::new());
    let polls = polls.collect::<io::Result<Vec<_>>>()?;
    let mailboxes = polls
        .iter()
        .map(|poll| Waker::new(poll.registry(), WAKER).map(Mailbox::new));
    let mailboxes: Arc<[Mailbox]> = mailboxes.collect::<io::Result<_>>()?;
    let mut threads = Vec::new();
    for (number, (keys, poll)) in all.into_iter().zip(polls).enumerate() {
        let listener = listen(port)?;
        let reactor = Reactor::new(number, keys, Arc::clone(&mailboxes));
        threads.push(thread::spawn(move || reactor.run(poll, listener)));
    }
    for thread in threads {
        let ended = thread.join();
        ended.map_err(|_| io::Error::other("a reactor has panicked"))??;
    }
    Ok(())
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.set_reuse_address(true)?;
    socket.set_reuse_port(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], port)).into())?;
    socket.listen(BACKLOG)?;
    Ok(TcpListener::from_std(socket.into()))
}

impl<K: Keys> Reactor<K> {
    fn new(number: usize, keys: K, mailboxes: Arc<[Mailbox]>) -> Self {
        Reactor {
            number,
            keys,
            connections: HashMap::new(),
            outgoing: mailboxes.iter().map(|_| Vec::new()).collect(),
            incoming: Vec::new(),
            mailboxes,
            arguments: Vec::new(),
            replies: Replies::default(),
            answered: Vec::new(),
        }
    }

    fn run(mut self, mut poll: Poll, mut listener: TcpListener) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        let mut buffer = vec![0; READ];
        let mut next = FIRST_CONNECTION;
        let registry = poll.registry();
        registry.register(&mut listener, LISTENER, Interest::READABLE)?;
        loop {
            let mailbox = &self.mailboxes[self.number];
            let time = (!mailbox.fall_asleep()).then_some(Duration::ZERO);
            poll.poll(&mut events, time)?;
            self.mailboxes[self.number].wake_up();
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(&poll, &listener, &mut next)?,
                    WAKER => {}
                    Token(number) => self.serve(number, event.is_writable(), &mut buffer),
                }
            }
            self.read_letters();
            for (mailbox, letters) in self.mailboxes.iter().zip(&mut self.outgoing) {
                if !letters.is_empty() {
                    mailbox.send(letters)?;
                }
            }
        }
    }

    fn accept(&mut self, poll: &Poll, listener: &TcpListener, next: &mut usize) -> io::Result<()> {
        loop {
            let (mut stream, _) = match listener.accept() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                accepted => accepted?,
            };
            stream.set_nodelay(true)?;
            let interest = Interest::READABLE | Interest::WRITABLE;
            let registry = poll.registry();
            registry.register(&mut stream, Token(*next), interest)?;
            self.connections.insert(*next, Connection::new(stream));
            *next += 1;
        }
    }

    fn serve(&mut self, number: usize, is_writable: bool, buffer: &mut [u8]) {
        let Some(mut connection) = self.connections.remove(&number) else {
            return;
        };
        let is_open = (!is_writable || connection.write().is_ok())
            && self
                .answer(number, &mut connection, buffer)
                .is_ok_and(|it| it)
            && connection.write().is_ok();
        if is_open {
            self.connections.insert(number, connection);
        }
    }

    /// Answers all requests that can be read. Returns `false` if the client has disconnected.
    fn answer(
        &mut self,
        number: usize,
        connection: &mut Connection,
        buffer: &mut [u8],
    ) -> io::Result<bool> {
        loop {
            let count = match connection.read(buffer)? {
                None => return Ok(true),
                Some(0) => return Ok(false),
                Some(count) => count,
            };
            let mut before = std::mem::take(&mut connection.input);
            let all = match before.is_empty() {
                true => &buffer[..count],
                false => {
                    before.extend_from_slice(&buffer[..count]);
                    &before[..]
                }
            };
            let done = self.commands(number, connection, all)?;
            connection.input = all[done..].to_vec();
            // No more bytes can arrive before the next event.
            if count < READ {
                return Ok(true);
            }
        }
    }

    /// Answers the complete commands, and returns their length.
    fn commands(
        &mut self,
        number: usize,
        connection: &mut Connection,
        all: &[u8],
    ) -> io::Result<usize> {
        let mut done = 0;
        let mut arguments = std::mem::take(&mut self.arguments);
        while done < all.len() {
            let bytes = &all[done..];
            let parsed = parse(bytes, &mut arguments);
            let parsed = parsed.map_err(|error| io::Error::other(error.to_string()))?;
            let Parsed::Request(length) = parsed else {
                break;
            };
            done += length;
            let word = |at: usize| arguments.get(at).map_or(&[][..], |it| &bytes[it.clone()]);
            self.command(number, connection, [word(0), word(1), word(2)]);
        }
        self.arguments = arguments;
        Ok(done)
    }

    fn command(&mut self, number: usize, connection: &mut Connection, words: [&[u8]; 3]) {
        let [name, key, value] = words;
        let what = match name {
            b"GET" => What::Get,
            b"SET" => What::Set(key.len()),
            _ => return connection.reply(b"-ERR unknown command\r\n"),
        };
        if let Some(owner) = self.keys.owner(key) {
            self.outgoing[owner].push(Letter {
                from: self.number,
                connection: number,
                serial: connection.wait(),
                bytes: [key, value].concat(),
                what,
            });
            return;
        }
        self.replies.bytes.clear();
        run(&mut self.keys, &what, key, value, &mut self.replies);
        connection.reply(&self.replies.bytes);
    }

    fn read_letters(&mut self) {
        let mut letters = std::mem::take(&mut self.incoming);
        self.mailboxes[self.number].take(&mut letters);
        for mut letter in letters.drain(..) {
            if let What::Reply = letter.what {
                if let Some(connection) = self.connections.get_mut(&letter.connection) {
                    connection.answered(letter.serial, letter.bytes);
                    self.answered.push(letter.connection);
                }
                continue;
            }
            let end = match letter.what {
                What::Set(end) => end,
                _ => letter.bytes.len(),
            };
            self.replies.bytes.clear();
            let (key, value) = letter.bytes.split_at(end);
            run(&mut self.keys, &letter.what, key, value, &mut self.replies);
            letter.bytes.clear();
            letter.bytes.extend_from_slice(&self.replies.bytes);
            letter.what = What::Reply;
            self.outgoing[letter.from].push(letter);
        }
        self.incoming = letters;
        for number in self.answered.drain(..) {
            let connection = self.connections.get_mut(&number);
            if connection.is_some_and(|it| it.write().is_err()) {
                self.connections.remove(&number);
            }
        }
    }
}

fn run(keys: &mut impl Keys, what: &What, key: &[u8], value: &[u8], replies: &mut Replies) {
    match what {
        What::Set(_) => {
            keys.set(key, value);
            replies.bytes.extend_from_slice(b"+OK\r\n");
        }
        _ => keys.get(key, |value| replies.maybe(value)),
    }
}
