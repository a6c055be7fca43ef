//! Appends changes to a file, from which the store reads them when it starts.
//!
//! A change is in the file before the client gets its reply, so it survives a crash of the
//! application. Once a second the file is also written to the disk, so a crash of the machine loses
//! at most the last second.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::time::Duration;

use bytes::Bytes;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::BuildLocal;

use crate::command::{Command, Request};
use crate::resp;

/// The server, registered under the name of its module.
pub static JOURNAL: Server<Journal> = Server::registered();

const SECOND: Duration = Duration::from_secs(1);

/// The file. An upgrade opens it again, because a file is not a term.
#[derive(Debug, Term)]
pub struct Journal {
    /// `undefined` if the data are in memory only.
    path: Option<String>,
    file: BuildLocal<File>,
    /// Whether something has been appended since the file was last written to the disk.
    is_dirty: bool,
}

/// A command, and the time in milliseconds since 1970 at which it changed the data. Repeated at
/// this time, it has the same effect, even if keys have expired since.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tuple)]
pub struct Change(pub i64, pub Command);

/// `{append, Changes}`: the changes are in the file when the reply arrives.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Append(pub Vec<Change>);

/// `{replace, Changes}`: the file gets these changes instead of its own.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Replace(pub Vec<Change>);

/// `changes`: all changes in the file.
#[derive(Debug, Term)]
#[reply(Vec<Change>)]
pub struct Changes;

/// `sync`: time to write the file to the disk.
#[derive(Debug, Term)]
pub struct Sync;

#[gen_server]
impl GenServer for Journal {
    /// The path of the file, if there is one.
    type Args = Option<String>;

    fn init(path: Option<String>) -> impl InitReturn<Self> {
        let journal = Journal {
            path,
            file: BuildLocal::default(),
            is_dirty: false,
        };
        (ok, journal)
    }

    fn handle_call(&mut self, Append(changes): Append, cx: &Cx<'_>) -> Result<HandleCall<ok>> {
        let Some(file) = self.file().or_exit()? else {
            return reply(ok);
        };
        file.write_all(&written(&changes)).or_exit()?;
        if !self.is_dirty {
            self.is_dirty = true;
            cx.send_after(SECOND, Sync);
        }
        reply(ok)
    }

    async fn handle_call(
        &mut self,
        Replace(changes): Replace,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<ok>> {
        self.file = BuildLocal::default();
        if let Some(path) = &self.path {
            let replaced = cx.blocking(|| replace(path, &written(&changes)));
            replaced.await.or_exit()?;
        }
        reply(ok)
    }

    async fn handle_call(&self, _: Changes, cx: &Cx<'_>) -> Result<HandleCall<Vec<Change>>> {
        let Some(path) = &self.path else {
            return reply(Vec::new());
        };
        let bytes = match cx.blocking(|| fs::read(path)).await {
            // The first start.
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.or_exit()?,
        };
        reply(read(&mut bytes.into()).map_err(Exit::new)?)
    }

    async fn handle_info(&mut self, _: Sync, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.is_dirty = false;
        if let Some(file) = self.file().or_exit()? {
            let file = file.try_clone().or_exit()?;
            // Another thread waits for the disk.
            cx.blocking(|| file.sync_data()).await.or_exit()?;
        }
        noreply()
    }
}

impl Journal {
    fn file(&mut self) -> io::Result<Option<&mut File>> {
        if let (None, Some(path)) = (&*self.file, &self.path) {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            *self.file = Some(file);
        }
        Ok(self.file.as_mut())
    }
}

/// Replaces the file in one step, so that a crash leaves the old one or the new one.
fn replace(path: &str, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other(format!("{path} is not a file")));
    }
    let new = format!("{path}.new");
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// Returns the changes as the file has them: the words of a request, the time first.
pub(crate) fn written(changes: &[Change]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Change(time, command) in changes {
        let mut words = vec![Bytes::from(time.to_string())];
        words.extend(command.words());
        resp::write_request(&words, &mut bytes);
    }
    bytes
}

/// Reads changes. If the application was killed while it wrote the last one, that one is not whole,
/// and its client got no reply.
pub(crate) fn read(bytes: &mut Bytes) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    while let Some(words) = resp::take_request(bytes)? {
        let (time, words) = words.split_first().ok_or("an empty change")?;
        let time = std::str::from_utf8(time)
            .ok()
            .and_then(|it| it.parse().ok());
        match (time, Request::read(words, 0)?) {
            (Some(time), Request::Run(command)) => changes.push(Change(time, command)),
            _ => return Err("a line that is not a change".to_owned()),
        }
    }
    Ok(changes)
}
