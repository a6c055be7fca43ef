//! The pages of the catalogue: a block that names a code gives exactly that code, any other block
//! gives none.
//!
//! A block's info string is its language and, after commas: the code; `otp27`, the release of its
//! code; `latin1`, its encoding; `file=NAME`, a file that the blocks below it may use;
//! `unreadable`, a file that cannot be read. A block of `sh` creates `m.beam` or `m.chunk`, which
//! the test then reads.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use otp_specs::catalog::{self, Message};
use otp_specs::{
    Include, Includes, Lookup, NoIncludes, Options, Parsed, Release, Unit, parse_beam, parse_chunk,
    parse_source, resolve,
};

/// A block between ```` ``` ````.
#[derive(Default)]
struct Block {
    info: Vec<String>,
    text: String,
}

impl Block {
    fn has(&self, word: &str) -> bool {
        self.info.iter().any(|known| known == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.info.iter().find_map(|word| word.strip_prefix(key))
    }

    fn options(&self) -> Options {
        let release = self.value("otp").and_then(|number| number.parse().ok());
        Options {
            release: release.map(Release).unwrap_or_default(),
            ..Options::default()
        }
    }

    fn bytes(&self) -> Vec<u8> {
        if self.has("latin1") {
            self.text.chars().map(|c| c as u32 as u8).collect()
        } else {
            self.text.clone().into_bytes()
        }
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                open = Some(Block {
                    info: info.split(',').map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed: {page}");
    blocks
}

/// The files of a page.
struct Files<'a> {
    files: &'a BTreeMap<&'a str, &'a Block>,
    release: Release,
}

impl Includes for Files<'_> {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        let file = self.files.get(include.name)?;
        let unit = || Unit::read(include.name, &file.bytes(), self.release);
        (!file.has("unreadable")).then(|| Arc::new(unit()))
    }

    fn unreadable(&self, include: &Include<'_>) -> Option<String> {
        let file = self.files.get(include.name)?;
        file.has("unreadable")
            .then(|| "permission denied".to_owned())
    }
}

/// The codes that a block of Erlang gives when it is read and resolved beside the page's files.
fn codes_of_erlang(block: &Block, files: &BTreeMap<&str, &Block>) -> Vec<&'static str> {
    let options = block.options();
    let includes = Files {
        files,
        release: options.release,
    };
    let text = match block.text.strip_suffix('\n') {
        // The error of these blocks is at the end of the file.
        Some(text) if block.has("E0110") || block.has("E0111") => text.into(),
        _ => block.bytes(),
    };
    let parsed = parse_source("m.erl", &text, &includes, &options);
    let mut universe = |module: &str| match files.get(format!("{module}.erl").as_str()) {
        Some(file) => {
            let parsed = parse_source(module, &file.bytes(), &NoIncludes, &options);
            Lookup::Found(Arc::new(parsed.module))
        }
        None => Lookup::Missing,
    };
    let (_, resolving) = resolve(&parsed.module, &mut universe);
    let all = parsed.diagnostics.iter().chain(&resolving);
    all.map(|one| one.code).collect()
}

/// The codes for the file that a script creates.
fn codes_of_script(block: &Block, folder: &PathBuf) -> Vec<&'static str> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("a folder for the script");
    let mut shell = Command::new("sh");
    let status = shell
        .args(["-e", "-c", &block.text])
        .current_dir(folder)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{}",
        block.text
    );
    let made = |name: &str, read: fn(&str, &[u8]) -> Parsed| {
        let bytes = fs::read(folder.join(name)).ok()?;
        Some(read(name, &bytes))
    };
    let parsed = made("m.beam", parse_beam).or_else(|| made("m.chunk", parse_chunk));
    let diagnostics = parsed.expect("m.beam or m.chunk").diagnostics;
    diagnostics.iter().map(|one| one.code).collect()
}

/// Checks a page, and returns its mistakes.
fn mistakes(message: &Message) -> Vec<String> {
    let mut mistakes = Vec::new();
    let (mut wrong, mut right) = (0, 0);
    let mut files = BTreeMap::new();
    let blocks = blocks(message.page);
    for block in &blocks {
        if let Some(name) = block.value("file=") {
            // A file is available only to the blocks below it: above, it may be missing on purpose.
            files.insert(name, block);
            continue;
        }
        let mut codes = match block.info.first().map(String::as_str) {
            Some("erlang") => codes_of_erlang(block, &files),
            Some("sh") => {
                let folder = format!("pages-{}-{}", message.code, wrong + right);
                codes_of_script(
                    block,
                    &PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder),
                )
            }
            language => panic!("{}: a block in {language:?}", message.code),
        };
        codes.dedup();
        let expected = if block.has(message.code) {
            vec![message.code]
        } else {
            Vec::new()
        };
        if codes != expected {
            mistakes.push(format!(
                "{}: gives {codes:?}:\n{}",
                message.code, block.text
            ));
        }
        wrong += expected.len();
        right += 1 - expected.len();
    }
    if wrong == 0 || right == 0 {
        mistakes.push(format!(
            "{}: {wrong} blocks are wrong, {right} right",
            message.code
        ));
    }
    mistakes
}

#[test]
fn every_page_has_an_example_of_its_message_and_one_that_is_right() {
    let mistakes: Vec<String> = catalog::ALL.iter().flat_map(|one| mistakes(one)).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
