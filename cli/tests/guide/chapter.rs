//! A chapter's blocks of code, in order.

use std::fs;
use std::path::{Path, PathBuf};

/// A block between two lines of three backquotes.
#[derive(Debug)]
pub(crate) struct Block {
    /// Its first line in the chapter.
    pub(crate) line: usize,
    pub(crate) action: Action,
    pub(crate) text: String,
}

/// The way in which a newcomer uses a block.
#[derive(Debug)]
pub(crate) enum Action {
    /// Writes it to a file: `rust,file=src/counter.rs`.
    Write(String),
    /// Changes a file according to the lines with `+` and `-`: `diff,file=src/stroot.rs`.
    Change(String),
    /// Runs its lines, one after the other: `sh`.
    Run,
    /// Runs the text after `$ `, and compares the output with the rest: `console`. Each command
    /// succeeds.
    Compare,
    /// Like `Compare`, with commands that fail: `console,fails`.
    Fail,
    /// Like `Compare`, in a terminal with a number, in which the last command keeps running:
    /// `console,terminal=1`.
    GoOn(u8),
    /// Only reads it: `text`.
    Read,
}

/// The folder of all documentation, from which the book is built.
pub(crate) fn docs() -> PathBuf {
    root().join("docs")
}

/// This checkout.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the folder of the workspace")
}

/// Reads a page of a folder in `docs`.
///
/// # Panics
/// If a block has none of these actions, or the sentence before it does not name its file.
pub(crate) fn read(folder: &str, name: &str) -> Vec<Block> {
    let path = docs().join(folder).join(name).with_extension("md");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut blocks = Vec::new();
    let mut prose = String::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            prose.push_str(line);
            prose.push('\n');
            continue;
        };
        let inside = lines.by_ref().map(|(line, _)| line);
        let inside: Vec<&str> = inside.take_while(|line| *line != "```").collect();
        let action = action(info).unwrap_or_else(|| panic!("{name}.md:{number}: ```{info}"));
        if let Action::Write(file) | Action::Change(file) = &action {
            let named = prose.contains(&format!("`{file}`"));
            assert!(
                named,
                "{name}.md:{number}: the text before does not name `{file}`"
            );
        }
        blocks.push(Block {
            line: number,
            action,
            text: inside.join("\n") + "\n",
        });
        prose.clear();
    }
    blocks
}

fn action(info: &str) -> Option<Action> {
    let (kind, option) = info.split_once(',').unwrap_or((info, ""));
    let file = || Some(option.strip_prefix("file=")?.to_owned());
    match (kind, option) {
        ("text", "") => Some(Action::Read),
        ("sh", "") => Some(Action::Run),
        ("console", "") => Some(Action::Compare),
        ("console", "fails") => Some(Action::Fail),
        ("console", _) => {
            let terminal = option.strip_prefix("terminal=")?.parse().ok()?;
            Some(Action::GoOn(terminal))
        }
        ("diff", _) => file().map(Action::Change),
        _ => file().map(Action::Write),
    }
}
