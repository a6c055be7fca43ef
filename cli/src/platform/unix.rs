//! Features of Unix: permissions, links, signals, process groups, sockets in the file system.
//!
//! A file for another system has to provide these functions.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
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

/// The permissions of a new folder, before the user's mask is applied.
pub(crate) const NEW_FOLDER: u32 = 0o777;
/// The permissions of a new file, before the user's mask is applied.
pub(crate) const NEW_FILE: u32 = 0o666;
/// Everyone may enter it, run it, or read it; only its owner may write.
pub(crate) const PROGRAM: u32 = 0o755;
/// Everyone may read it; only its owner may write.
pub(crate) const DATA: u32 = 0o644;
/// Only its owner may read and write it.
pub(crate) const SECRET: u32 = 0o600;
/// Only its owner may enter the folder.
pub(crate) const PRIVATE_FOLDER: u32 = 0o700;

/// Returns permissions from their bits.
pub(crate) fn permissions(mode: u32) -> Permissions {
    Permissions::from_mode(mode)
}

/// Returns the permissions of a file as bits.
pub(crate) fn mode(file: &Metadata) -> u32 {
    file.permissions().mode()
}

/// Returns whether the file is executable.
pub(crate) fn is_executable(file: &Metadata) -> bool {
    mode(file) & 0o111 != 0
}

/// Returns whether only the owner of the file may read or write it.
pub(crate) fn is_private(file: &Metadata) -> bool {
    mode(file) & 0o077 == 0
}

/// Returns whether the file belongs to the user of this process.
pub(crate) fn is_own(file: &Metadata) -> bool {
    file.uid() == rustix::process::geteuid().as_raw()
}

/// Opens a file for reading. A pipe is opened without waiting for a writer.
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Creates a file that only its owner can read from the beginning.
pub(crate) fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(SECRET)
        .open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

/// Returns the bytes of a path, for other programs.
pub(crate) fn bytes(text: &OsStr) -> &[u8] {
    text.as_bytes()
}

/// Replaces this process by another program. Returns only if that fails.
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Makes the program and all processes that it starts a group, which can be ended as a whole.
pub(crate) fn in_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Asks a process to end. It must not have been waited for; otherwise, its number could belong to
/// another process.
pub(crate) fn ask_to_end(child: &Child) -> io::Result<()> {
    match pid(child.id()) {
        Some(pid) => Ok(kill_process(pid, Signal::TERM)?),
        None => Ok(()),
    }
}

/// Asks a process of [`in_group`] and all of its group to end. The process must not have been
/// waited for.
pub(crate) fn ask_group_to_end(child: &Child) {
    if let Some(group) = pid(child.id()) {
        let _ = kill_process_group(group, Signal::TERM);
    }
}

/// Asks all processes that this process has started, directly or indirectly, to end. A system
/// without `/proc` does not list them.
pub(crate) fn ask_descendants_to_end() {
    for pid in descendants(std::process::id()).into_iter().filter_map(pid) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

/// Returns the descendants of a process.
fn descendants(of: u32) -> Vec<u32> {
    let processes = processes().filter_map(|process| {
        let number: u32 = process.file_name()?.to_str()?.parse().ok()?;
        let stat = fs::read(process.join("stat")).ok()?;
        // NUMBER (NAME) STATE PARENT …; the name can be anything.
        let stat = String::from_utf8_lossy(&stat).into_owned();
        let (_, rest) = stat.rsplit_once(')')?;
        let parent: u32 = rest.split_whitespace().nth(1)?.parse().ok()?;
        Some((number, parent))
    });
    let processes: Vec<(u32, u32)> = processes.collect();
    let mut found = vec![of];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        next += 1;
        let children = processes.iter().filter(|(_, of)| *of == parent);
        found.extend(children.map(|(number, _)| number));
    }
    found.split_off(1)
}

/// Returns the folders in `/proc`: those of processes, and others.
fn processes() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(number.cast_signed())
}

/// Returns whether the signal was ignored when this process began, for example because of `nohup`.
/// A system without `/proc` does not provide that.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Returns the signal that has ended a process.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns the exit status in a result of `wait(2)`.
#[cfg(test)]
pub(crate) fn ended_with(status: i32) -> ExitStatus {
    ExitStatus::from_raw(status)
}

/// Returns whether this signal means that a process has crashed.
pub(crate) fn is_crash(signal: i32) -> bool {
    FATAL.contains(&signal)
}

/// Ends this process with the default action of the signal.
pub(crate) fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Returns the number of columns of the terminal on standard output.
pub(crate) fn terminal_columns() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col)
}

pub(crate) fn machine_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// Returns the processes whose programs are below a folder: their numbers, and the names of the
/// programs' files. Processes of other users are invisible, and a system without `/proc` shows
/// none.
pub(crate) fn programs_in(folder: &Path) -> Vec<(u32, OsString)> {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let programs = processes().filter_map(|process| {
        let number = process.file_name()?.to_str()?.parse().ok()?;
        let program = fs::read_link(process.join("exe")).ok()?;
        let is_there = program.starts_with(&folder);
        Some((number, program.file_name()?.to_owned())).filter(|_| is_there)
    });
    programs.collect()
}

/// Returns the maximum number of open files and sockets of a process. `None`: no limit.
pub(crate) fn most_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Returns whether a process of this user has loaded a library with this in its name. Without
/// `/proc`, the answer is unknown.
pub(crate) fn is_mapped(name: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut maps = processes.filter_map(|one| std::fs::read(one.path().join("maps")).ok());
    maps.any(|maps| String::from_utf8_lossy(&maps).contains(name))
}

#[cfg(test)]
mod tests {
    use std::process::ChildStdout;

    use super::*;

    /// A shell in a group of its own, its output, and the number of the process that it has
    /// started.
    fn shell_with_a_child() -> (Child, io::BufReader<ChildStdout>, u32) {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "sleep 600 & echo $!; wait"])
            .stdout(std::process::Stdio::piped());
        let mut child = in_group(&mut shell).spawn().unwrap();
        let mut line = String::new();
        let mut out = io::BufReader::new(child.stdout.take().unwrap());
        io::BufRead::read_line(&mut out, &mut line).unwrap();
        let number = line.trim().parse().unwrap();
        (child, out, number)
    }

    #[test]
    fn a_group_ends_with_all_that_it_has_started() {
        let (mut child, mut out, _) = shell_with_a_child();
        ask_group_to_end(&child);
        let status = child.wait().unwrap();
        assert_eq!(
            (signal_of(status), is_crash(SIGTERM)),
            (Some(SIGTERM), false)
        );
        // The last process that had the pipe open has ended, too.
        assert_eq!(io::Read::read(&mut out, &mut [0]).unwrap(), 0);
    }

    #[test]
    fn descendants_are_those_of_children_too() {
        let (mut child, _out, sleep) = shell_with_a_child();
        let found = descendants(std::process::id());
        ask_group_to_end(&child);
        child.wait().unwrap();
        assert!(found.contains(&child.id()) && found.contains(&sleep));
    }

    #[test]
    fn a_signal_is_ignored_if_whoever_starts_the_program_says_so() {
        assert!(!is_ignored(SIGTERM));
        // SIGPIPE is ignored by Rust's run time.
        assert!(is_ignored(13));
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
