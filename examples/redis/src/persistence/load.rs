//! Loads a log by running its commands again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::client::Client;
use crate::resp::{Parsed, Replies, parse};
use crate::server::Server;

/// Number of bytes that are read at once.
const PIECE: usize = 1 << 20;

/// Runs the commands of a file. If the last file ends within a command or within a transaction, it
/// is cut there, and a message reports that. In any other file this is an error.
///
/// # Errors
/// An error of the operating system, or a part of the file that is not a command.
pub fn load(server: &Server, path: &Path, is_last: bool) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut reading = Reading::default();
    let mut head = [0; 5];
    if file.read_exact(&mut head).is_ok() && head == *b"REDIS" {
        // The file starts with a copy of the keys, which redis-server writes if
        // `aof-use-rdb-preamble yes` is set. Commands may follow.
        reading.position = crate::rdb::load(server, path)?;
        reading.complete = reading.position;
    }
    file.seek(SeekFrom::Start(reading.position))?;
    let mut buffer = Vec::new();
    loop {
        let begin = buffer.len();
        buffer.resize(begin + PIECE, 0);
        let count = file.read(&mut buffer[begin..])?;
        buffer.truncate(begin + count);
        if count == 0 {
            break;
        }
        let done = reading.run(server, &buffer, path)?;
        buffer.drain(..done);
    }
    let end = file.metadata()?.len();
    if reading.complete == end {
        return Ok(());
    }
    if !is_last {
        return Err(invalid(
            path,
            reading.complete,
            "the file ends within a command",
        ));
    }
    println!(
        "{} ends within a command: it is cut at byte {}",
        path.display(),
        reading.complete
    );
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(reading.complete)?;
    file.sync_all()
}

fn invalid(path: &Path, at: u64, why: &str) -> io::Error {
    let text = format!("{} cannot be loaded: at byte {at}: {why}", path.display());
    io::Error::new(io::ErrorKind::InvalidData, text)
}

#[derive(Default)]
struct Reading {
    client: Client,
    replies: Replies,
    /// Position in the file.
    position: u64,
    /// End of the last complete command or transaction.
    complete: u64,
}

impl Reading {
    /// Runs the complete commands at the beginning. Returns their length in bytes.
    fn run(&mut self, server: &Server, bytes: &[u8], path: &Path) -> io::Result<usize> {
        let mut ranges = Vec::new();
        let mut done = 0;
        loop {
            let rest = &bytes[done..];
            let is_note = rest.starts_with(b"#");
            let length = match parse(rest, &mut ranges) {
                Ok(Parsed::Request(length)) => length,
                Ok(Parsed::Incomplete(_)) => return Ok(done),
                Err(why) => return Err(invalid(path, self.position, &why.to_string())),
            };
            if !is_note {
                self.replies.bytes.clear();
                let command = &rest[..length];
                // There are no other clients yet.
                self.client
                    .answer_alone(server, command, &mut ranges, &mut self.replies);
                if self.replies.bytes.starts_with(b"-") {
                    let why = String::from_utf8_lossy(&self.replies.bytes[1..]).into_owned();
                    return Err(invalid(path, self.position, why.trim_end()));
                }
            }
            done += length;
            self.position += u64::try_from(length).unwrap_or_default();
            if !self.client.is_in_transaction() {
                self.complete = self.position;
            }
        }
    }
}
