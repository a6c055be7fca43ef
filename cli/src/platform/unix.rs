//! What only Unix has: permissions, links, signals, groups of processes, sockets in the file system.
//!
//! A file for another system has the same functions.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use rustix::fs::OFlags;
use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, kill_process_group};
pub(crate) use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
pub(crate) use signal_hook::iterator::{Handle, Signals};
pub(crate) use std::os::unix::fs::symlink as link;
pub(crate) use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

/// Signals that a faulty process raises itself.
const FATAL: [i32; 5] = [
    signal_hook::consts::SIGILL,
    signal_hook::consts::SIGABRT,
    signal_hook::consts::SIGBUS,
    signal_hook::consts::SIGFPE,
    signal_hook::consts::SIGSEGV,
];

/// What everybody may do with a new folder, less what the user's mask takes away.
pub(crate) const NEW_FOLDER: u32 = 0o777;
/// What everybody may do with a new file, less what the user's mask takes away.
pub(crate) const NEW_FILE: u32 = 0o666;
/// Everybody may enter it, run it, or read it; its owner may write.
pub(crate) const PROGRAM: u32 = 0o755;
/// Everybody may read it; its owner may write.
pub(crate) const DATA: u32 = 0o644;
/// Its owner may read it, and nobody else.
pub(crate) const SECRET: u32 = 0o400;

/// Permissions by their bits.
pub(crate) fn permissions(mode: u32) -> Permissions {
    Permissions::from_mode(mode)
}

/// The permissions of a file as bits.
pub(crate) fn mode(file: &Metadata) -> u32 {
    file.permissions().mode()
}

/// Whether somebody may run the file.
pub(crate) fn is_executable(file: &Metadata) -> bool {
    mode(file) & 0o111 != 0
}

/// Whether a closed terminal means nothing to this process, as under `nohup`. Where that is not known, it does not.
pub(crate) fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Whether nobody but the owner of the file may read or write it.
pub(crate) fn is_private(file: &Metadata) -> bool {
    mode(file) & 0o077 == 0
}

/// Opens a file for reading. A pipe is opened without waiting for whoever writes to it.
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Makes a file that only its owner can read, from its first moment.
pub(crate) fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(SECRET)
        .open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

/// The bytes of a path, which other programs are given.
pub(crate) fn bytes(text: &OsStr) -> &[u8] {
    text.as_bytes()
}

/// Becomes another program. Returns only if that cannot be done.
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Has the program and all that it starts be a group, which is ended as one.
pub(crate) fn in_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Asks a process to end. It must not have been waited for, so that the number is its own.
pub(crate) fn ask_to_end(child: &Child) -> io::Result<()> {
    match Pid::from_raw(child.id().cast_signed()) {
        Some(pid) => Ok(kill_process(pid, Signal::TERM)?),
        None => Ok(()),
    }
}

/// Asks a process of [`in_group`] and all of its group to end. It must not have been waited for.
pub(crate) fn ask_group_to_end(child: &Child) {
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        let _ = kill_process_group(group, Signal::TERM);
    }
}

/// The signal that has ended a process.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// What `wait(2)` says of a process.
#[cfg(test)]
pub(crate) fn ended_with(status: i32) -> ExitStatus {
    ExitStatus::from_raw(status)
}

/// Whether a process has ended by a mistake of its own, if this signal has ended it.
pub(crate) fn is_crash(signal: i32) -> bool {
    FATAL.contains(&signal)
}

/// Ends this process as the signal would have done.
pub(crate) fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// The columns of the terminal that standard output is.
pub(crate) fn terminal_columns() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col)
}

/// The name of this machine.
pub(crate) fn machine_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// How many files and sockets a process may have open. `None`: any number.
pub(crate) fn most_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_ends_with_all_that_it_has_started() {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "sleep 600 & echo $!; wait"])
            .stdout(std::process::Stdio::piped());
        let mut child = in_group(&mut shell).spawn().unwrap();
        let mut line = String::new();
        let mut out = io::BufReader::new(child.stdout.take().unwrap());
        io::BufRead::read_line(&mut out, &mut line).unwrap();
        ask_group_to_end(&child);
        let status = child.wait().unwrap();
        assert_eq!(
            (signal_of(status), is_crash(SIGTERM)),
            (Some(SIGTERM), false)
        );
        // The last one that has the pipe open has ended, too.
        assert_eq!(io::Read::read(&mut out, &mut [0]).unwrap(), 0);
    }

    #[test]
    fn permissions_say_who_may_do_what() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let with = |mode| {
            std::fs::set_permissions(file.path(), permissions(mode)).unwrap();
            let found = file.path().metadata().unwrap();
            (is_executable(&found), is_private(&found))
        };
        assert_eq!(with(PROGRAM), (true, false));
        assert_eq!(with(DATA), (false, false));
        assert_eq!(with(SECRET), (false, true));
    }
}
