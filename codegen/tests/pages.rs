//! The pages of the catalogue: a block that names a code gives exactly that code, any other block
//! gives none. The tests of `otp-cli` cover the pages of overrides, which are written in otp.toml.

mod support;

use otp_codegen::catalog::{ALL, Message};
use otp_codegen::generate;
use support::{options, read};

/// Each block of a page: its info string, and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

fn wrong(message: &Message) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = [0, 0];
    for (info, text) in blocks(message.page) {
        let (module, _) = read("m", text);
        let diagnostics = generate(&[module], &options()).diagnostics;
        let codes: Vec<&str> = diagnostics.iter().map(|one| one.code).collect();
        let expected = if info.contains(message.code) {
            vec![message.code]
        } else {
            Vec::new()
        };
        seen[expected.len()] += 1;
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
fn every_page_of_generation_has_an_example_of_its_message_and_one_that_is_right() {
    // These need programs other than Erlang's, or a bug in the generator.
    let without = ["E0701", "E0704", "E0705"];
    let of_generation =
        |message: &&&Message| message.code.starts_with("E07") && !without.contains(&message.code);
    let wrong: Vec<String> = ALL
        .iter()
        .filter(of_generation)
        .flat_map(|one| wrong(one))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_rise_and_pages_begin_with_them() {
    assert!(ALL.is_sorted_by(|one, next| one.code < next.code));
    for message in ALL {
        let title = format!("# {}: {}\n", message.code, message.label);
        assert!(message.page.starts_with(&title), "{}", message.code);
    }
}
