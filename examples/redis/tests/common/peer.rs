//! redis-server as a reference, with requests and replies as bytes.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::ours::Ours;

/// A redis-server without a port, in a folder of its own.
pub struct Peer {
    child: Child,
    stream: UnixStream,
    folder: PathBuf,
}

impl Peer {
    /// Starts redis-server. Returns `None` if it is not installed.
    pub fn start(name: &str) -> Option<Self> {
        Peer::with(name, &[])
    }

    /// Starts redis-server with further options.
    pub fn with(name: &str, options: &[&str]) -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("otp-rs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let socket = folder.join("socket");
        let child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .args(options)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn()
            .ok()?;
        let stream = connected(&socket);
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        Some(Peer {
            child,
            stream,
            folder,
        })
    }

    pub fn reply(&mut self, request: &[u8]) -> Vec<u8> {
        self.stream.write_all(request).expect("it takes requests");
        let mut reply = Vec::new();
        while end(&reply).is_none() {
            let mut piece = [0; 65536];
            let count = self.stream.read(&mut piece).expect("it answers");
            assert!(count > 0, "it goes on");
            reply.extend_from_slice(&piece[..count]);
        }
        reply
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn connected(socket: &Path) -> UnixStream {
    for _ in 0..500 {
        if let Ok(stream) = UnixStream::connect(socket) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("redis-server does not start");
}

/// Returns the end of the first reply, if it is complete.
pub fn end(bytes: &[u8]) -> Option<usize> {
    let line = bytes.windows(2).position(|two| two == b"\r\n")?;
    let number = || {
        std::str::from_utf8(&bytes[1..line])
            .ok()?
            .parse::<i64>()
            .ok()
    };
    let mut at = line + 2;
    match bytes[0] {
        b'$' | b'=' => {
            let length = usize::try_from(number()?).ok();
            at += length.map_or(0, |length| length + 2);
        }
        b'*' | b'~' | b'%' | b'>' => {
            let each = if bytes[0] == b'%' { 2 } else { 1 };
            for _ in 0..each * number()?.max(0) {
                at += end(bytes.get(at..)?)?;
            }
        }
        _ => {}
    }
    (at <= bytes.len()).then_some(at)
}

pub fn encoded(words: &[String]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        request.extend_from_slice(format!("${}\r\n{word}\r\n", word.len()).as_bytes());
    }
    request
}

/// Sends lines to redis-server and to this server, and compares the replies. Blanks separate the
/// words.
pub fn compare(name: &str, lines: &[&str]) {
    let commands = lines.iter().map(|line| {
        let words = line.split(' ').map(|word| word.as_bytes().to_vec());
        words.collect::<Vec<_>>()
    });
    compare_words(name, &commands.collect::<Vec<_>>());
}

/// Like `compare`, with words of arbitrary bytes.
pub fn compare_words(name: &str, commands: &[Vec<Vec<u8>>]) {
    let Some(mut peer) = Peer::start(name) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let mut ours = Ours::default();
    let mut wrong = Vec::new();
    for words in commands {
        let mut request = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
            request.extend_from_slice(word);
            request.extend_from_slice(b"\r\n");
        }
        let (expected, reply) = (peer.reply(&request), ours.reply(&request));
        // The number of the client differs.
        let is_greeting = words[0] == b"hello" && reply[..1] == expected[..1] && reply[0] != b'-';
        if reply != expected && !is_greeting {
            let line = words
                .iter()
                .map(|it| String::from_utf8_lossy(it).into_owned());
            wrong.push(format!(
                "{}\n  ours   {:?}\n  theirs {:?}",
                line.collect::<Vec<_>>().join(" "),
                String::from_utf8_lossy(&reply),
                String::from_utf8_lossy(&expected)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        commands.len(),
        wrong.join("\n")
    );
}
