//! The compiler, with the libraries that cargo has built for this test.
//!
//! A program is compiled alone and by rustc itself: that takes less than a tenth of a second, and
//! the message is that of a user's program. Names of other programs would be in it if several were
//! compiled together.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::message;

/// What refuses a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// `cargo check`, and so every editor.
    Rustc,
    /// Only a build: what depends on the types that a generic function is used with.
    Build,
    /// Nothing does before the program runs.
    Nobody,
}

/// The arguments that name libraries and the folders of theirs.
fn libraries() -> Vec<&'static str> {
    let arguments: &[&str] = otp_tests_rustc::arguments!();
    let pairs = arguments.windows(2);
    let found: Vec<&str> = pairs
        .filter(|pair| matches!(pair[0], "-L" | "--extern"))
        .flatten()
        .copied()
        .collect();
    let has_bridge = found.iter().any(|it| it.starts_with("otp_bridge="));
    assert!(
        has_bridge,
        "cargo gave the compiler of this test otp_bridge: {arguments:?}"
    );
    found
}

fn rustc(folder: &Path, emit: &str) -> Command {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args([
            "--edition=2024",
            "--crate-name=program",
            "--crate-type=cdylib",
        ])
        .args(["--color=never", "-Cpanic=unwind", "-Adead_code"])
        // Cargo built the libraries there: the compiler shows their lines.
        .current_dir(root())
        .env("CARGO_CRATE_NAME", "program")
        .env("CARGO_PKG_NAME", "program")
        .env("CARGO_PKG_VERSION", "0.1.0")
        .arg(format!("--emit={emit}"))
        .arg("--out-dir")
        .arg(folder)
        .args(libraries());
    rustc
}

/// Who refuses a program, and what is said.
pub(crate) fn refusal(name: &str, program: &str) -> (Stage, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (stage, emit) in [(Stage::Rustc, "metadata"), (Stage::Build, "obj")] {
        let mut rustc = rustc(folder.path(), emit);
        // As in every new application.
        let child = rustc
            .args(["-Dunused_must_use", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.expect("rustc starts");
        let mut input = child.stdin.take().expect("its input is piped");
        input.write_all(program.as_bytes()).expect("rustc reads");
        drop(input);
        let output = child.wait_with_output().expect("rustc ends");
        if !output.status.success() {
            let printed = String::from_utf8_lossy(&output.stderr);
            assert!(
                printed.contains("error"),
                "{name}: rustc: {}: {printed}",
                output.status
            );
            return (stage, message::normal(&printed, &root()));
        }
    }
    (Stage::Nobody, String::new())
}

/// This checkout.
fn root() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.expect("the workspace").to_string_lossy().into_owned()
}

/// What the compiler prints for `lib.rs` of a folder, as it would for a test of that crate. The
/// error is its messages.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = rustc(folder, "metadata")
        // `-Z` shows expansions.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_MANIFEST_DIR", folder)
        .arg("--test")
        .args(arguments)
        .arg(folder.join("lib.rs"))
        .output()
        .expect("rustc starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    }
}

/// Builds all programs as modules of one crate. Returns what is said if it does not compile.
pub(crate) fn together(programs: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (mut seen, mut modules) = (Vec::new(), String::from("#![allow(unused)]\n"));
    for (name, program) in programs {
        if seen.contains(program) {
            continue;
        }
        seen.push(program);
        fs::write(folder.path().join(format!("{name}.rs")), program).expect("it can be written");
        modules += &format!("pub mod {name};\n");
    }
    let main = folder.path().join("lib.rs");
    fs::write(&main, modules).expect("it can be written");
    let output = rustc(folder.path(), "obj")
        .arg("-Ccodegen-units=4")
        .arg(&main)
        .output()
        .expect("rustc starts");
    match output.status.success() {
        true => String::new(),
        false => String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
