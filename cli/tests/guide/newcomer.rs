//! A newcomer who follows a chapter in a separate folder.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::chapter::{self, Action, Block};
use crate::machine::Machine;
use crate::screen::{ANY, behind_prompt};
use crate::terminal::Terminal;

/// Ctrl-C, as terminals show it.
const INTERRUPT: &str = "^C";

pub(crate) struct Newcomer {
    scratch: TempDir,
    /// The working folder of commands, which `cd` changes.
    folder: PathBuf,
    /// The program that runs in each terminal.
    terminals: BTreeMap<u8, Terminal>,
    machine: Machine,
}

impl Newcomer {
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let folder = scratch.path().canonicalize().expect("it exists");
        Newcomer {
            scratch,
            folder,
            terminals: BTreeMap::new(),
            machine: Machine::new(),
        }
    }

    pub(crate) fn follow(&mut self, block: &Block) {
        let text = self.machine.with_ports(&block.text);
        match &block.action {
            Action::Read => {}
            Action::Write(file) => self.write(file, &block.text),
            Action::Change(file) => self.change(file, &block.text),
            Action::Run => {
                for line in commands(&text) {
                    self.run(&line);
                }
            }
            Action::Compare => self.compare(&shown(&text), true),
            Action::Fail => self.compare(&shown(&text), false),
            Action::GoOn(terminal) => self.go_on(*terminal, &text),
        }
    }

    /// The terminals in which a program is still running.
    pub(crate) fn busy(&self) -> Vec<u8> {
        self.terminals.keys().copied().collect()
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect(file);
    }

    /// The lines without `+` must be in the file, once and together. They are replaced by the lines
    /// without `-`.
    fn change(&self, file: &str, difference: &str) {
        let text = fs::read_to_string(self.folder.join(file)).expect(file);
        let without = |sign: char| -> String {
            let lines = difference.split_inclusive('\n');
            let kept = lines.filter(|line| !line.starts_with(sign));
            // An empty line has no sign.
            kept.map(|line| if line == "\n" { line } else { &line[1..] })
                .collect()
        };
        let (before, after) = (without('+'), without('-'));
        let found = text.matches(&before).count();
        assert_eq!(
            found, 1,
            "{file} has this {found} times:\n{before}\nin:\n{text}"
        );
        fs::write(self.folder.join(file), text.replacen(&before, &after, 1)).expect(file);
    }

    fn run(&mut self, line: &str) {
        let mut terminal = Terminal::start(self.shell(line), "");
        let succeeded = terminal.end(&[ANY]);
        assert!(succeeded, "$ {line}\n{}", terminal.seen());
        self.after();
    }

    /// Runs commands that end by themselves, or by Ctrl-C.
    fn compare(&mut self, all: &[Shown], succeeds: bool) {
        for shown in all {
            let mut terminal = Terminal::start(self.shell(&shown.command), &shown.keys);
            let succeeded = shown.see(&mut terminal);
            let seen = terminal.seen();
            assert_eq!(
                succeeded, succeeds,
                "success of $ {}\n{seen}",
                shown.command
            );
            self.after();
        }
    }

    /// Continues a terminal: compares lines that its program prints, then runs commands. The last
    /// one keeps running.
    fn go_on(&mut self, number: u8, text: &str) {
        let first = text.find("$ ").filter(|at| *at == 0);
        if first.is_none() {
            let mut terminal = self
                .terminals
                .remove(&number)
                .expect("something runs there");
            let before = std::iter::once(ANY);
            let more = Shown::new("", before.chain(text.lines()));
            let succeeded = more.see(&mut terminal);
            assert!(succeeded, "{}", terminal.seen());
            return;
        }
        let mut all = shown(text);
        let last = all.pop().expect("a command");
        self.compare(&all, true);
        assert!(
            !self.terminals.contains_key(&number),
            "terminal {number} is busy"
        );
        let mut terminal = Terminal::start(self.shell(&last.command), &last.keys);
        let lines: Vec<&str> = last.lines.iter().map(String::as_str).collect();
        terminal.wait_for(&lines);
        self.terminals.insert(number, terminal);
    }

    /// A shell that runs a line, and records the folder in which it ends.
    fn shell(&self, line: &str) -> Command {
        self.share_builds();
        let programs = Path::new(env!("CARGO_BIN_EXE_cargo-otp")).parent();
        let programs = programs.expect("a folder").display();
        let path = env::var("PATH").expect("PATH");
        let mut shell = Command::new("bash");
        let script =
            format!("exec 2>&1\n{line}\nstatus=$?\npwd -P >\"$GUIDE_FOLDER\"\nexit $status\n");
        shell
            .args(["-c", &script])
            .current_dir(&self.folder)
            .env("PATH", format!("{programs}:{path}"))
            .env("GUIDE_FOLDER", self.scratch.path().join(".folder"))
            // The copy of the repository that pages take crates from.
            .env("OTP_RS", chapter::root())
            // All chapters share it, so that the run time is built once.
            .env("CARGO_TARGET_DIR", target());
        self.machine.names_nodes_for(&mut shell);
        shell
    }

    fn after(&mut self) {
        let folder = fs::read_to_string(self.scratch.path().join(".folder"));
        self.folder = PathBuf::from(folder.expect("its folder").trim_end());
    }

    /// Links each application's `target`, at its usual place, to the builds of other applications
    /// with the same versions.
    fn share_builds(&self) {
        for entry in fs::read_dir(self.scratch.path())
            .expect("a folder")
            .flatten()
        {
            let target_folder = entry.path().join("target");
            if entry.path().join("Cargo.toml").exists() && !target_folder.exists() {
                symlink(target(), target_folder).expect("a link");
                let lock = entry.path().join("Cargo.lock");
                fs::copy(chapter::root().join("Cargo.lock"), lock).expect("the lock file");
            }
        }
    }
}

impl Drop for Newcomer {
    /// Removes the parts of the shared folder that belong only to this application, because a
    /// library is large.
    fn drop(&mut self) {
        self.terminals.clear();
        for entry in fs::read_dir(self.scratch.path())
            .expect("a folder")
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            for folder in [
                "otp/debug",
                "otp/release",
                "otp/releases",
                "debug/incremental",
            ] {
                let built = fs::read_dir(target().join(folder))
                    .into_iter()
                    .flatten()
                    .flatten();
                let of_this = built.filter(|built| {
                    let other = built.file_name().to_string_lossy().into_owned();
                    other == name || other.starts_with(&format!("{name}-"))
                });
                of_this.for_each(|built| drop(fs::remove_dir_all(built.path())));
            }
        }
    }
}

/// The target folder of all applications that are built in this checkout.
fn target() -> PathBuf {
    let folder = chapter::root().join("examples/target");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The lines of a block. A line that ends with `\` is joined with the next one.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// A command, and the lines that a terminal shows.
struct Shown {
    command: String,
    /// The keys typed at the prompts of an Erlang shell.
    keys: String,
    lines: Vec<String>,
}

impl Shown {
    fn new<'t>(command: &str, shown: impl Iterator<Item = &'t str>) -> Self {
        let (mut keys, mut lines) = (String::new(), Vec::new());
        for line in shown {
            match behind_prompt(line) {
                Some(typed) => keys += &format!("{typed}\n"),
                None => lines.push(line.to_owned()),
            }
        }
        if !keys.is_empty() {
            // The shell ends when there are no more keys, and prints that.
            lines.push(ANY.to_owned());
        }
        Shown {
            command: command.to_owned(),
            keys,
            lines,
        }
    }

    /// Returns whether the command succeeded.
    fn see(&self, terminal: &mut Terminal) -> bool {
        let mut lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        if let Some(at) = lines.iter().position(|line| *line == INTERRUPT) {
            terminal.wait_for(&lines[..at]);
            terminal.interrupt();
            lines[at] = ANY;
        }
        terminal.end(&lines)
    }
}

/// The commands of a block, each with the lines up to the next one.
fn shown(text: &str) -> Vec<Shown> {
    let parts = format!("\n{text}");
    let parts = parts.split("\n$ ").skip(1);
    let parts = parts.map(|part| {
        let (command, lines) = part.split_once('\n').unwrap_or((part, ""));
        Shown::new(command, lines.lines())
    });
    parts.collect()
}
