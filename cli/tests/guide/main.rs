//! The pages of docs/learn, docs/guide and docs/howto: a test follows each one like a newcomer. It
//! writes the files, runs the commands, and compares their output with the page
//! (docs/adr/smaller.md).

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

/// Follows a page.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests should see what is left out"
)]
fn follow(folder: &str, name: &str) {
    if name.contains("elixir") && Command::new("elixirc").arg("--version").output().is_err() {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return;
    }
    follow_page(folder, name, &mut Newcomer::new());
}

/// Follows a page with the files and terminals of a newcomer.
#[expect(
    clippy::print_stdout,
    reason = "whoever runs the tests should see where it failed"
)]
fn follow_page(folder: &str, name: &str, newcomer: &mut Newcomer) {
    for block in &chapter::read(folder, name) {
        // Shown if a test fails.
        println!("docs/{folder}/{name}.md:{}", block.line);
        newcomer.follow(block);
    }
    let busy = newcomer.busy();
    assert!(
        busy.is_empty(),
        "{name}: something still runs in terminals {busy:?}"
    );
}

/// A test for each page of a folder.
macro_rules! pages {
    ($folder:ident: $($name:ident),* $(,)?) => {
        mod $folder {
            $(#[test]
            fn $name() {
                crate::follow(stringify!($folder), stringify!($name));
            })*

            pub(crate) const PAGES: &[&str] = &[$(stringify!($name)),*];
        }
    };
}

pages!(guide:
    gen_server,
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
    logs,
    debugging,
    releases,
    from_erlang,
    from_elixir,
    from_rustler,
    from_actix,
);

pages!(howto:
    http,
    erlang_and_elixir,
    store_data,
    tables,
    registry,
    back_pressure,
    publish,
    periodic_jobs,
    configuration,
    metrics,
    telemetry,
    property_tests,
    explore,
    several_actions,
    roll_back,
    deploy,
    package,
    c_library,
    existing_behaviours,
);

/// The pages that build one service, in this order.
const LEARN: &[&str] = &[
    "process",
    "call",
    "supervisor",
    "crash",
    "async",
    "sockets",
    "state_machine",
    "tests",
    "upgrade",
    "nodes",
];

/// Follows all pages of `docs/learn`. Each one continues with the program of the page before.
#[test]
fn learn() {
    let mut newcomer = Newcomer::new();
    for name in LEARN {
        follow_page("learn", name, &mut newcomer);
    }
}

/// Pages without commands or files.
const READ_ONLY: &[(&str, &[&str])] = &[
    ("guide", &["introduction"]),
    (
        "explanation",
        &[
            "calls",
            "state",
            "guarantees",
            "scheduling",
            "memory",
            "upgrades",
        ],
    ),
];

#[test]
fn every_page_is_followed_and_in_the_contents() {
    let contents = fs::read_to_string(chapter::docs().join("SUMMARY.md")).expect("the contents");
    for folder in ["learn", "guide", "howto", "explanation"] {
        let link = format!("]({folder}/");
        let listed = contents.split(&link).skip(1);
        let listed = listed.filter_map(|rest| rest.split_once(".md)"));
        let listed = listed
            .map(|(name, _)| name)
            .filter(|name| *name != "README");
        let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
        assert_eq!(listed, known(folder), "SUMMARY.md of {folder}");
        assert_eq!(files(folder), known(folder), "docs/{folder}");
    }
    for (folder, names) in READ_ONLY {
        for name in *names {
            let blocks = chapter::read(folder, name);
            let is_read = |block: &chapter::Block| matches!(block.action, chapter::Action::Read);
            assert!(blocks.iter().all(is_read), "{folder}/{name}");
        }
    }
}

/// The pages of a folder that a test follows or reads.
fn known(folder: &str) -> BTreeSet<String> {
    let followed = match folder {
        "learn" => LEARN,
        "guide" => guide::PAGES,
        "howto" => howto::PAGES,
        _ => &[],
    };
    let read = READ_ONLY.iter().filter(|(of, _)| *of == folder);
    let read = read.flat_map(|(_, names)| names.iter());
    let names = followed.iter().chain(read).copied();
    names.map(str::to_owned).collect()
}

/// The pages in a folder.
fn files(folder: &str) -> BTreeSet<String> {
    let files = fs::read_dir(chapter::docs().join(folder)).expect("the folder");
    let files = files.flatten().map(|entry| entry.file_name());
    let files = files.map(|file| file.to_string_lossy().into_owned());
    let pages = files.filter_map(|file| Some(file.strip_suffix(".md")?.to_owned()));
    pages.filter(|name| name != "README").collect()
}
