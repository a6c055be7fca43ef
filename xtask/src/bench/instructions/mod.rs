//! `cargo xtask bench instructions`: counts the instructions of one call of a callback.

use std::path::PathBuf;
use std::process::Command;

use crate::erlang;
use crate::step::{self, Outcome, heading, root, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench instructions

Follows one call of `handle_cast` and one of `handle_call` of tests/apps/bench with gdb, in a VM whose caches are warm, and prints how
many instructions each function executes. Unlike times, the numbers do not depend on other work of the machine. Needs gdb and nm on
Linux, x86-64.
";

const APPLICATION: &str = "tests/apps/bench";
const CALLBACKS: [&str; 2] = ["handle_cast", "handle_call"];

/// One in sixteen calls reads the clock, and its accounting is not a part of the others. Instead of
/// such a call, another one is followed, after more calls.
const TRIES: usize = 8;
const ACCOUNTING: &str = "::account";

pub(crate) fn instructions(options: &[&str]) -> Outcome {
    if !options.is_empty() {
        return Err(USAGE.to_owned());
    }
    erlang::to_run()?;
    erlang::to_debug()?;
    let target = step::build_release(APPLICATION)?;
    for callback in CALLBACKS {
        heading(callback);
        say(&followed(&target, callback)?.text());
    }
    Ok(())
}

/// The instructions of one call: number, library and function.
struct Followed(Vec<(u64, String, String)>);

impl Followed {
    fn read(printed: &str) -> Self {
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let count = fields.next()?.parse().ok()?;
            Some((count, fields.next()?.to_owned(), fields.next()?.to_owned()))
        };
        Followed(printed.lines().filter_map(row).collect())
    }

    fn accounts(&self) -> bool {
        let mut functions = self.0.iter().map(|(_, _, function)| function);
        functions.any(|function| function.contains(ACCOUNTING))
    }

    fn text(&self) -> String {
        let sum = |is_it: &dyn Fn(&str) -> bool| -> u64 {
            let rows = self.0.iter().filter(|(_, library, _)| is_it(library));
            rows.map(|(count, ..)| count).sum()
        };
        let own = sum(&|library| library == "library");
        let others = sum(&|library| library != "library");
        let mut text = format!("{own} instructions in the library, {others} in the VM\n");
        for (count, library, function) in &self.0 {
            text.push_str(&format!("{count:6}  {library:24} {function}\n"));
        }
        text
    }
}

fn followed(target: &std::path::Path, callback: &str) -> Outcome<Followed> {
    let mut last = Followed(Vec::new());
    for number in 0..TRIES {
        let output = gdb(target, callback, number)?.output();
        let output = output.map_err(|error| format!("cannot run `gdb`: {error}"))?;
        last = Followed::read(&String::from_utf8_lossy(&output.stdout));
        if last.0.is_empty() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        if !last.accounts() {
            break;
        }
    }
    Ok(last)
}

/// Returns the command that follows a callback after this number of additional calls. gdb starts
/// the VM itself, without the shell script `erl`.
fn gdb(target: &std::path::Path, callback: &str, calls: usize) -> Outcome<Command> {
    let libraries = erlang::libraries().ok_or("there is no `erl` on PATH")?;
    let home = libraries.join("..");
    let programs = programs(&home).ok_or("the installed Erlang has no VM")?;
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-batch", "-x"])
        .arg(root().join("xtask/src/bench/instructions/follow.py"))
        .arg("--args")
        .arg(programs.join("beam.smp"))
        .args(["-S", "1:1", "-sbwt", "none", "--", "-root"])
        .arg(&home)
        .arg("-bindir")
        .arg(&programs)
        .args([
            "-progname",
            "erl",
            "--",
            "-home",
            "/",
            "--",
            "-noshell",
            "-pa",
        ])
        .arg(target.join("otp/release/bench/ebin"))
        .args(["-run", "single_call", "main", callback])
        .arg(calls.to_string())
        .env("ROOTDIR", &home)
        .env("BINDIR", &programs)
        .env("EMU", "beam")
        .env("PROGNAME", "erl")
        .env("LIBRARY", "libbench-");
    Ok(gdb)
}

/// Returns the folder of the VM's programs.
fn programs(home: &std::path::Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(home).ok()?;
    let programs = entries.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    programs
        .into_iter()
        .find(|it| it.join("beam.smp").is_file())
}
