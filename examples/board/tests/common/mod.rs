//! Helpers of the tests: they start the board, and talk to it with a small HTTP client.
#![allow(dead_code)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A test's folder, which is removed when the value is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("otp-rs-board-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The running application, in a VM of its own.
pub struct Board {
    child: Child,
    folder: String,
    pub port: u16,
}

impl Board {
    pub fn start(folder: &Folder) -> Self {
        Self::start_as(folder, &[])
    }

    /// Starts the board with options of `cargo otp run`.
    pub fn start_as(folder: &Folder, options: &[&str]) -> Self {
        // `cargo otp test` and the project's own check set the variable to the program that they
        // use.
        let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
        let folder = folder.0.display().to_string();
        let mut child = Command::new(program)
            .args(["otp", "run"])
            .args(options)
            .args(["--", "--port", "0", "--folder", &folder])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("cargo otp");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let port = lines.by_ref().find_map(|line| {
            let line = line.ok()?;
            line.strip_prefix("http://127.0.0.1:")?.trim().parse().ok()
        });
        // Keep reading the output, so that the server never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let port = port.expect(
            "`cargo otp run` starts it: `cargo install --path cli` in the folder of otp-rs",
        );
        Board {
            child,
            folder,
            port,
        }
    }

    /// Kills the VM as `kill -9` does.
    pub fn kill(&mut self) {
        for process in fs::read_dir("/proc").expect("Linux").flatten() {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let is_own = line
                .split(|byte| *byte == 0)
                .any(|word| word == self.folder.as_bytes());
            if let (true, Some(number)) = (is_own, process.file_name().to_str()) {
                let _ = Command::new("kill").args(["-9", number]).status();
            }
        }
        let _ = self.child.wait();
    }

    pub fn client(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let limit = stream.set_read_timeout(Some(Duration::from_secs(30)));
        limit.expect("a timeout");
        Client {
            stream: BufReader::new(stream),
            cookie: String::new(),
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A reply of the server.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        headers
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map_or("", |(_, value)| value)
    }

    /// Returns the value of the hidden field with the token.
    pub fn token(&self) -> String {
        let (_, rest) = self
            .text
            .split_once("name=\"token\" value=\"")
            .expect("a form");
        rest.split('"').next().unwrap_or_default().to_owned()
    }
}

/// A minimal browser: it keeps its connection and the cookie.
pub struct Client {
    pub stream: BufReader<TcpStream>,
    pub cookie: String,
}

impl Client {
    pub fn get(&mut self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    /// Submits a form with the token of the last page.
    pub fn form(&mut self, path: &str, token: &str, fields: &[(&str, &str)]) -> Reply {
        let fields = [&[("token", token)], fields].concat();
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        let kind = [("content-type", "application/x-www-form-urlencoded")];
        self.ask("POST", path, &kind, &form.finish())
    }

    pub fn json(&mut self, method: &str, path: &str, text: &str) -> Reply {
        self.ask(method, path, &[("content-type", "application/json")], text)
    }

    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !self.cookie.is_empty() {
            request += &format!("cookie: {}\r\n", self.cookie);
        }
        request += &format!("content-length: {}\r\n\r\n{body}", body.len());
        // If sending fails, reading the reply will fail as well.
        let _closed = self.stream.get_mut().write_all(request.as_bytes());
    }

    /// Returns whether the server sends another line before it closes the connection.
    pub fn has_line(&mut self) -> bool {
        let mut line = String::new();
        self.stream
            .read_line(&mut line)
            .is_ok_and(|length| length > 0)
    }

    /// Returns whether the server closes the connection without a reply.
    pub fn is_closed(&mut self) -> bool {
        !self.stream.fill_buf().is_ok_and(|bytes| !bytes.is_empty())
    }

    /// Sends a request, and reads the reply.
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send(method, path, headers, body);
        self.reply()
    }

    /// Reads a reply.
    pub fn reply(&mut self) -> Reply {
        let mut reply = self.head();
        let length = reply.header("content-length").parse().unwrap_or(0);
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).expect("the whole body");
        if reply.header("content-encoding") == "gzip" {
            bytes = unpacked(&bytes);
        }
        reply.text = String::from_utf8(bytes).expect("UTF-8");
        if let Some((cookie, _)) = reply.header("set-cookie").split_once(';') {
            self.cookie = cookie.to_owned();
        }
        reply
    }

    /// Reads the status and the headers of a reply.
    pub fn head(&mut self) -> Reply {
        let line = self.line();
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
        let status = status.unwrap_or(0);
        let text = String::new();
        Reply {
            status,
            headers,
            text,
        }
    }

    /// Reads a line, without its end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }
}

/// Unpacks gzip.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let (packed, end) = bytes[10..].split_at(bytes.len() - 18);
    let all = miniz_oxide::inflate::decompress_to_vec(packed).expect("it is whole");
    let sum = crc32fast::hash(&all).to_le_bytes();
    let length = u32::try_from(all.len()).expect("a page").to_le_bytes();
    assert_eq!(end, [sum, length].concat());
    all
}
