//! A client's connection to a reactor.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use mio::net::TcpStream;

/// A connection, and the replies that it waits for.
pub struct Connection {
    stream: TcpStream,
    /// The beginning of a request.
    pub input: Vec<u8>,
    /// What the client has not been sent yet.
    pub output: Vec<u8>,
    /// Replies that come after one that another reactor has not given yet.
    waiting: VecDeque<Option<Vec<u8>>>,
    /// The place of the first of them among all that have waited.
    first: u64,
}

impl Connection {
    pub fn new(stream: TcpStream) -> Self {
        Connection {
            stream,
            input: Vec::new(),
            output: Vec::new(),
            waiting: VecDeque::new(),
            first: 0,
        }
    }

    /// Reads once. `None` if there is nothing now, and 0 if the client has gone.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.stream.read(buffer) {
            Ok(count) => Ok(Some(count)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds a reply that this reactor has made.
    pub fn reply(&mut self, bytes: &[u8]) {
        match self.waiting.is_empty() {
            true => self.output.extend_from_slice(bytes),
            false => self.waiting.push_back(Some(bytes.to_vec())),
        }
    }

    /// Leaves place for a reply of another reactor, and says where.
    pub fn wait(&mut self) -> u64 {
        self.waiting.push_back(None);
        self.first + self.waiting.len() as u64 - 1
    }

    /// Puts the reply there.
    pub fn answered(&mut self, serial: u64, bytes: Vec<u8>) {
        self.waiting[(serial - self.first) as usize] = Some(bytes);
        while let Some(Some(bytes)) = self.waiting.front() {
            self.output.extend_from_slice(bytes);
            self.waiting.pop_front();
            self.first += 1;
        }
    }

    /// Sends what the operating system takes.
    pub fn write(&mut self) -> io::Result<()> {
        while !self.output.is_empty() {
            match self.stream.write(&self.output) {
                Ok(count) if count == self.output.len() => self.output.clear(),
                Ok(count) => drop(self.output.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
