//! A client's connection to a reactor.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use mio::net::TcpStream;

/// A connection, and the replies that it waits for.
pub struct Connection {
    stream: TcpStream,
    /// The first bytes of an incomplete request.
    pub input: Vec<u8>,
    /// Bytes not yet sent to the client.
    pub output: Vec<u8>,
    /// Replies behind one that another reactor has not sent yet; `None` is such a missing reply.
    waiting: VecDeque<Option<Vec<u8>>>,
    /// The serial number of the first entry of `waiting`.
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

    /// Reads once. Returns `None` if there are no bytes, and 0 if the client has disconnected.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.stream.read(buffer) {
            Ok(count) => Ok(Some(count)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds a reply of this reactor.
    pub fn reply(&mut self, bytes: &[u8]) {
        match self.waiting.is_empty() {
            true => self.output.extend_from_slice(bytes),
            false => self.waiting.push_back(Some(bytes.to_vec())),
        }
    }

    /// Reserves a place for a reply of another reactor, and returns its serial number.
    pub fn wait(&mut self) -> u64 {
        self.waiting.push_back(None);
        self.first + self.waiting.len() as u64 - 1
    }

    /// Puts the reply into its place, and moves all replies before the next missing one to the
    /// output.
    pub fn answered(&mut self, serial: u64, bytes: Vec<u8>) {
        self.waiting[(serial - self.first) as usize] = Some(bytes);
        while let Some(Some(bytes)) = self.waiting.front() {
            self.output.extend_from_slice(bytes);
            self.waiting.pop_front();
            self.first += 1;
        }
    }

    /// Sends as many bytes as the operating system accepts.
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
