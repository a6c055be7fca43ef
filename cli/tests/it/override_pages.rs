//! The pages of otp-codegen's catalogue about overrides: a block of TOML that names a code gives
//! exactly that code, any other block gives none.

use otp_codegen::catalog::{ALL, Message};

use crate::support::{Scratch, otp_rs, said};

/// Each block of a page: its info string, and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// The codes from `gen-types` for an otp.toml.
fn codes(scratch: &Scratch, overrides: &str) -> Vec<String> {
    scratch.write("otp.toml", overrides);
    let mut command = otp_rs(&[
        "gen-types",
        "door.erl",
        "--functions",
        "--config",
        "otp.toml",
    ]);
    command.current_dir(scratch.path(""));
    let said = said(command);
    let codes = said.err.split("error[").skip(1);
    let mut codes: Vec<String> = codes.map(|error| error[..5].to_owned()).collect();
    codes.dedup();
    assert_eq!(
        said.code,
        Some(i32::from(!codes.is_empty())),
        "{}",
        said.err
    );
    codes
}

fn wrong(message: &Message) -> Vec<String> {
    let scratch = Scratch::new();
    let mut wrong = Vec::new();
    let mut seen = [0, 0];
    for (info, text) in blocks(message.page) {
        if info.ends_with("file=door.erl") {
            scratch.write("door.erl", &format!("-module(door).\n{text}"));
            continue;
        }
        let expected = if info.contains(message.code) {
            vec![message.code]
        } else {
            Vec::new()
        };
        seen[expected.len()] += 1;
        let codes = codes(&scratch, text);
        if codes != expected {
            wrong.push(format!("{}: gives {codes:?}:\n{text}", message.code));
        }
    }
    if seen.contains(&0) {
        wrong.push(format!("{}: {seen:?} blocks", message.code));
    }
    wrong
}

#[test]
fn every_page_has_an_example_of_its_message_and_one_that_is_right() {
    let of_overrides = ALL.iter().filter(|message| message.code.starts_with("E06"));
    let wrong: Vec<String> = of_overrides.flat_map(|message| wrong(message)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
