//! OTP's reaction to sequences of messages, and pseudo-random numbers for such sequences.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use otp_bridge::Term;

/// Returns the script's output for each sequence, one line each.
pub(super) fn happens_in_otp(script: &str, sequences: impl Iterator<Item = Term>) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/process")
        .join(script);
    let mut erlang = Command::new("escript")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Erlang is installed (`cargo xtask test` does that)");
    let mut input = erlang.stdin.take().expect("its input is a pipe");
    let lines: String = sequences.map(|steps| format!("{steps}.\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = erlang.wait_with_output().expect("Erlang ends");
    let written = writer.join().expect("the writer does not panic");
    written.expect("Erlang reads to the end");
    assert!(output.status.success(), "escript failed");
    let text = String::from_utf8(output.stdout).expect("it is text");
    text.lines().map(str::to_owned).collect()
}

/// Numbers that are equal in each run (a linear congruential generator with Knuth's constants).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        let (factor, summand) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(summand);
        (self.0 >> 33) % limit
    }
}
