//! The installed Erlang as an oracle for terms.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use otp_bridge::term::etf::Encoding;

/// The requests to Erlang. Their names are those of `oracle.escript`.
#[derive(Clone, Copy)]
pub(crate) enum Question {
    /// Text to bytes
    Read,
    /// Bytes to text
    Print,
    /// Bytes to the bytes that Erlang writes for the term, with the option `deterministic`
    Again,
    /// Bytes to the bytes that Erlang writes for the term, without the option
    AsItIs,
    /// Bytes of a list to the order of each pair of neighbouring elements
    Compare,
    /// Text of a module's forms to `ok`, or to the compiler's messages
    Compile,
    /// Nothing to the number of the release
    Release,
}

impl Question {
    fn name(self) -> &'static str {
        match self {
            Question::Read => "read",
            Question::Print => "print",
            Question::Again => "again",
            Question::AsItIs => "as_it_is",
            Question::Compare => "compare",
            Question::Compile => "compile",
            Question::Release => "release",
        }
    }
}

/// Sends all of `inputs` to one run of Erlang.
pub(crate) fn ask(question: Question, inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terms/oracle.escript");
    let mut erlang = Command::new("escript")
        .arg(script)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Erlang is installed (`cargo xtask test` does that)");
    let mut input = erlang.stdin.take().expect("its input is a pipe");
    let lines: String = inputs
        .iter()
        .map(|bytes| format!("{} {}\n", question.name(), to_hex(bytes)))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = erlang.wait_with_output().expect("Erlang ends");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("Erlang reads to the end");
    assert!(output.status.success(), "escript failed");
    let text = String::from_utf8(output.stdout).expect("hexadecimal is ASCII");
    let answers: Vec<Vec<u8>> = text.lines().map(from_hex).collect();
    assert_eq!(answers.len(), inputs.len(), "one answer for each question");
    answers
}

/// Returns the installed release, such as 25.
pub(crate) fn release() -> u32 {
    static RELEASE: OnceLock<u32> = OnceLock::new();
    *RELEASE.get_or_init(|| {
        let number = ask(Question::Release, &[Vec::new()]).remove(0);
        let number = String::from_utf8(number).expect("digits are ASCII");
        number.parse().expect("a release is a number")
    })
}

/// Returns the encoding that the installed release writes.
pub(crate) fn encoding() -> Encoding {
    Encoding::of_release(release())
}

/// Returns bytes as Erlang shows them, for a failed comparison.
pub(crate) fn show(bytes: &[u8]) -> String {
    match otp_bridge::term::etf::decode(bytes) {
        Ok(term) => format!("{term} = {bytes:?}"),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(line: &str) -> Vec<u8> {
    let digits = line.as_bytes().chunks_exact(2);
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).expect("hexadecimal is ASCII");
        u8::from_str_radix(pair, 16).expect("two hexadecimal digits")
    };
    digits.map(byte).collect()
}
