//! docs/gen-types.md: creates its files, runs its commands, and compares the output with the page.

use std::fs;
use std::path::Path;

use crate::support::{Scratch, otp_rs, said};

/// Matches any lines, or the rest of a line.
const REST: &str = "…";

/// A block of code: the file named on the line before it, its language, its lines.
struct Block {
    file: Option<String>,
    shown: bool,
    language: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut before = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                before = line.to_owned();
            }
            continue;
        };
        let block = lines.by_ref().take_while(|line| *line != "```");
        let name = |ending| {
            before
                .strip_prefix('`')
                .and_then(|line| line.strip_suffix(ending))
        };
        blocks.push(Block {
            file: name("`:").or(name("` has:")).map(str::to_owned),
            shown: before.ends_with(" has:"),
            language: language.to_owned(),
            lines: block.map(str::to_owned).collect(),
        });
    }
    blocks
}

/// Whether lines match the expected ones. A line `…` matches any lines, and a line that ends in `…`
/// matches any line with this beginning.
fn matches(expected: &[String], lines: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return lines.is_empty();
    };
    if first == REST {
        return (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]));
    }
    let Some((line, others)) = lines.split_first() else {
        return false;
    };
    let same = match first.strip_suffix(REST) {
        Some(start) => line.starts_with(start),
        None => first == line,
    };
    same && matches(rest, others)
}

/// Whether the parts between `…` occur in a text, each with its lines together.
fn holds(text: &str, block: &Block) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let mut parts = block.lines.split(|line| line == REST);
    parts.all(|part| {
        let part: Vec<String> = part
            .iter()
            .skip_while(|line| line.is_empty())
            .cloned()
            .collect();
        let empty = part.iter().rev().take_while(|line| line.is_empty()).count();
        let part = &part[..part.len() - empty];
        lines
            .windows(part.len())
            .any(|window| matches(part, window))
    })
}

#[test]
fn the_guide_is_what_happens() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/gen-types.md");
    let guide = fs::read_to_string(guide).expect("docs/gen-types.md");
    let scratch = Scratch::new();
    let mut commands = 0;
    for block in blocks(&guide) {
        match (block.language.as_str(), &block.file) {
            ("console", _) => {
                commands += 1;
                let line = block.lines.first().expect("a command");
                let words = line.strip_prefix("$ otp-rs ").expect("otp-rs");
                let words: Vec<&str> = words.split(' ').collect();
                let mut command = otp_rs(&words);
                command.current_dir(scratch.path(""));
                let said = said(command);
                let text = format!("{}{}", said.out, said.err);
                let lines: Vec<&str> = text.lines().collect();
                assert!(matches(&block.lines[1..], &lines), "{line}\n{text}");
            }
            ("text", _) => {}
            (_, Some(file)) if block.shown => {
                let text = scratch.read(file);
                if file.ends_with("mod.rs") {
                    let all = block.lines.iter().all(|line| {
                        let start = line.trim_end_matches(REST);
                        text.lines().any(|line| line.starts_with(start))
                    });
                    assert!(all, "{text}");
                } else {
                    assert!(
                        holds(&text, &block),
                        "{}\n\nin {text}",
                        block.lines.join("\n")
                    );
                }
            }
            (_, Some(file)) => scratch.write(file, &(block.lines.join("\n") + "\n")),
            (language, None) => panic!("a block of {language} without a file"),
        }
    }
    assert!(commands >= 4, "{commands}");
}
