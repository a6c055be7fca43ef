//! The pages of diagnostics (`errors/E….md`): a wrong example gives its code and no other, a right
//! one gives none.
//!
//! Examples are otp.toml files (`toml`) and command lines (`console`, after `$ `). Examples that
//! need a broken installation or a long build are `text`, and are not run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Said, Scratch, files_below, otp_rs, said, target};

/// A block of a page.
struct Example {
    page: String,
    /// `toml`, `console` or `text`.
    kind: String,
    /// The code that it gives.
    code: Option<String>,
    text: String,
}

fn examples() -> Vec<Example> {
    let pages = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("errors"), "md");
    let mut examples = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        let name = page.file_stem().expect("a name").to_string_lossy();
        for block in text.split("\n```").skip(1).step_by(2) {
            let (info, text) = block.split_once('\n').expect("a block");
            let (kind, code) = match info.split_once(',') {
                Some((kind, code)) => (kind, Some(code.to_owned())),
                None => (info, None),
            };
            examples.push(Example {
                page: name.to_string(),
                kind: kind.to_owned(),
                code,
                text: format!("{text}\n"),
            });
        }
    }
    examples
}

/// The codes of the errors and warnings in the output.
fn codes(said: &Said) -> BTreeSet<String> {
    let after = |marker| said.err.split(marker).skip(1);
    let texts = after("error[").chain(after("warning["));
    texts.map(|text| text.chars().take(5).collect()).collect()
}

/// A shell that runs the commands of a block, with both programs on PATH.
fn shell(folder: &Path, text: &str) -> Said {
    let commands = text.lines().filter_map(|line| line.strip_prefix("$ "));
    let script = commands.collect::<Vec<_>>().join("\n");
    let programs = Path::new(env!("CARGO_BIN_EXE_otp-rs")).parent();
    let path = std::env::var("PATH").expect("PATH");
    let mut shell = Command::new("sh");
    shell
        .args(["-e", "-c", &script])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", programs.expect("a folder").display()),
        )
        .env("CARGO_TARGET_DIR", target());
    said(shell)
}

/// Runs both readers of otp.toml: the application's and that of overrides.
fn readers(text: &str) -> Vec<Said> {
    let scratch = Scratch::with_application();
    scratch.write("shop/otp.toml", text);
    let mut gen_types = otp_rs(&["gen-types", "inet"]);
    gen_types.current_dir(scratch.path("shop"));
    vec![
        scratch.cargo_otp("shop", &["add", "counter", "gen_server"]),
        said(gen_types),
    ]
}

/// Returns how an example differs from its page.
fn wrong(example: &Example) -> Option<String> {
    let outcomes = match example.kind.as_str() {
        "console" => vec![shell(&Scratch::new().path(""), &example.text)],
        "toml" => readers(&example.text),
        _ => return None,
    };
    let given: BTreeSet<String> = outcomes.iter().flat_map(codes).collect();
    let expected: BTreeSet<String> = example.code.iter().cloned().collect();
    let failed = outcomes.iter().any(|said| said.code != Some(0));
    let words: Vec<&str> = outcomes.iter().map(|said| said.err.as_str()).collect();
    let as_said = given == expected && failed == example.code.is_some();
    (!as_said).then(|| format!("{}:\n{}{}", example.page, example.text, words.concat()))
}

#[test]
fn examples_give_their_codes() {
    let examples = examples();
    let run_of = |kind| examples.iter().filter(move |one| one.kind == kind);
    assert!(run_of("toml").count() >= 12 && run_of("console").count() >= 40);
    let wrong: Vec<String> = examples.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_page_has_a_wrong_example_and_a_right_one() {
    let examples = examples();
    for pair in examples.chunks(2) {
        let [wrong, right] = pair else {
            panic!("{} has no right example", pair[0].page);
        };
        assert_eq!(wrong.code.as_ref(), Some(&wrong.page));
        assert_eq!(
            (right.page.as_str(), right.code.as_ref()),
            (wrong.page.as_str(), None)
        );
    }
}
