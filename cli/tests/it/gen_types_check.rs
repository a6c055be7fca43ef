//! `otp-rs gen-types --check`

use std::fs;

use crate::support::{Said, Scratch, otp_rs, said};

fn gen_types(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

fn module(scratch: &Scratch, name: &str, result: &str) {
    let text = format!("-module({name}).\n-callback open() -> {result}.\n");
    scratch.write(&format!("erl/{name}.erl"), &text);
}

#[test]
fn fresh_files_pass_and_stale_ones_are_shown_and_stay() {
    let scratch = Scratch::new();
    module(&scratch, "door", "ok");
    gen_types(&scratch, &["door", "--src", "erl", "--out", "src/otp"]).succeeded();
    scratch.write("src/otp/mine.rs", "// not generated\n");
    let check = ["door", "--src", "erl", "--check", "src/otp"];
    let fresh = gen_types(&scratch, &check);
    fresh.succeeded();
    assert_eq!(fresh.out, "");

    module(&scratch, "door", "ok | {error, locked}");
    let before = scratch.everything();
    let stale = gen_types(&scratch, &check);
    stale.failed(&["files in this folder are stale", "src/otp", "--out"]);
    for line in [
        "--- door.rs",
        "+++ door.rs (fresh)",
        "-    /// `-callback open() -> ok.`",
        "+    /// `-callback open() -> ok | {error, locked}.`",
    ] {
        assert!(stale.out.contains(line), "no `{line}` in:\n{}", stale.out);
    }
    assert_eq!(scratch.everything(), before);
}

#[test]
fn files_that_are_missing_or_left_over_are_named() {
    let scratch = Scratch::new();
    module(&scratch, "door", "ok");
    module(&scratch, "window", "ok");
    gen_types(&scratch, &["door", "--src", "erl", "--out", "src/otp"]).succeeded();
    let stale = gen_types(&scratch, &["window", "--src", "erl", "--check", "src/otp"]);
    stale.failed(&[
        "stale",
        "write them again with --out",
        "remove what is no longer generated: `door.rs`",
    ]);
    assert!(stale.out.contains("window.rs: missing"), "{}", stale.out);
    let left = "door.rs: is no longer generated";
    assert!(stale.out.contains(left), "{}", stale.out);
    // Each of the two is done, and then there is nothing left to do.
    gen_types(&scratch, &["window", "--src", "erl", "--out", "src/otp"]).succeeded();
    let left = gen_types(&scratch, &["window", "--src", "erl", "--check", "src/otp"]);
    left.failed(&["`door.rs`"]);
    assert!(!left.err.contains("--out"), "{}", left.err);
    fs::remove_file(scratch.path("src/otp/door.rs")).expect("it is there");
    gen_types(&scratch, &["window", "--src", "erl", "--check", "src/otp"]).succeeded();
}

#[test]
fn files_of_another_release_are_told_so() {
    let scratch = Scratch::new();
    for (release, reason) in [(27, "locked"), (29, "stuck")] {
        scratch.write(&format!("{release}/OTP_VERSION"), &format!("{release}.0\n"));
        scratch.write(
            &format!("{release}/lib/stdlib/src/door.erl"),
            &format!("-module(door).\n-callback open() -> ok | {reason}.\n"),
        );
    }
    gen_types(&scratch, &["door", "--otp-root", "27", "--out", "otp"]).succeeded();
    gen_types(&scratch, &["door", "--otp-root", "27", "--check", "otp"]).succeeded();
    gen_types(&scratch, &["door", "--otp-root", "29", "--check", "otp"]).refused(&[
        "generated from OTP 27, and this is OTP 29",
        "otp-rs gen-types door --out otp`",
    ]);
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let scratch = Scratch::new();
    gen_types(&scratch, &["gen_event", "--check", "none"]).refused(&[
        "none",
        "No such file",
        "write the files first, with --out",
    ]);
    gen_types(&scratch, &["gen_event", "--check", "a", "--out", "a"]).refused(&["cannot be used"]);
}
