//! The guide (docs/guide): a test follows each chapter like a newcomer. It writes the files, runs
//! the commands, and compares their output with the chapter (docs/adr/smaller.md).

mod chapter;
mod links;
mod machine;
mod newcomer;
mod screen;
mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::newcomer::Newcomer;

/// Follows a chapter.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "whoever runs the tests should see where it failed, and what is left out"
)]
fn follow(name: &str) {
    if name.contains("elixir") && Command::new("elixirc").arg("--version").output().is_err() {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return;
    }
    let mut newcomer = Newcomer::new();
    let blocks = chapter::read(name);
    for block in &blocks {
        // Shown if a test fails.
        println!("docs/guide/{name}.md:{}", block.line);
        newcomer.follow(block);
    }
    let busy = newcomer.busy();
    assert!(
        busy.is_empty(),
        "{name}: something still runs in terminals {busy:?}"
    );
}

/// A test for each chapter.
macro_rules! chapters {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            follow(stringify!($name));
        })*

        const CHAPTERS: &[&str] = &[$(stringify!($name)),*];
    };
}

chapters!(
    first_application,
    gen_server,
    gen_statem,
    gen_event,
    supervisor,
    application,
    other_behaviours,
    mapping,
    awaiting,
    long_work,
    tasks,
    sharing,
    sockets,
    distribution,
    testing,
    logs,
    debugging,
    upgrades,
    releases,
    from_erlang,
    from_elixir,
    from_rustler,
);

/// Chapters without commands or files.
const READ_ONLY: &[&str] = &["introduction", "from_actix"];

#[test]
fn every_chapter_is_followed_and_in_the_contents() {
    let contents = fs::read_to_string(chapter::docs().join("SUMMARY.md")).expect("the contents");
    let listed = contents.split("](guide/").skip(1);
    let listed = listed.filter_map(|rest| rest.split_once(".md)"));
    let listed: BTreeSet<&str> = listed.map(|(name, _)| name).collect();
    let known: BTreeSet<&str> = CHAPTERS.iter().chain(READ_ONLY).copied().collect();
    assert_eq!(listed, known);
    let files = fs::read_dir(chapter::folder())
        .expect("the folder")
        .flatten();
    let files = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let pages = files.filter_map(|file| Some(file.strip_suffix(".md")?.to_owned()));
    let files: BTreeSet<String> = pages.filter(|name| name != "README").collect();
    assert_eq!(files, known.iter().map(|name| (*name).to_owned()).collect());
    for name in READ_ONLY {
        assert!(
            chapter::read(name)
                .iter()
                .all(|block| matches!(block.action, chapter::Action::Read))
        );
    }
}
