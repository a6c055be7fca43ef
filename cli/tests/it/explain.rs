//! `otp-rs explain`

use crate::support::{Scratch, otp_rs, said};

#[test]
fn a_code_gives_its_page_and_no_code_the_list() {
    let one = said(otp_rs(&["explain", "E0902"]));
    one.succeeded();
    assert!(one.out.starts_with("E0902: unknown key"), "{}", one.out);
    assert!(one.out.contains("\n    [system]\n"), "{}", one.out);
    assert!(!one.out.contains("```"), "{}", one.out);
    let list = said(otp_rs(&["explain"]));
    list.succeeded();
    for line in ["E0902  unknown key `…`\n", "E0301  syntax error before …\n"] {
        assert!(list.out.contains(line), "{}", list.out);
    }
    let scratch = Scratch::new();
    let same = scratch.cargo_otp("", &["explain", "902"]);
    assert_eq!(same.out, one.out);
}

#[test]
fn an_unknown_code_suggests_near_ones() {
    said(otp_rs(&["explain", "E0999"])).refused(&["error[E0806]", "did you mean `E0"]);
}

#[test]
fn a_failed_command_ends_with_how_to_read_more() {
    let scratch = Scratch::new();
    let failed = scratch.cargo_otp("", &["new", "Shop"]);
    failed.refused(&["error[E0915]: `Shop` cannot name an application"]);
    assert!(
        failed.err.ends_with("for more: otp-rs explain E0915\n"),
        "{}",
        failed.err
    );
    let failed = scratch.cargo_otp("", &["biuld"]);
    failed.refused(&["error[E0801]: unrecognized subcommand"]);
    assert!(
        failed.err.ends_with("for more: otp-rs explain E0801\n"),
        "{}",
        failed.err
    );
}
