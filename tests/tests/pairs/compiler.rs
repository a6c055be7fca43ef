//! Runs the compiler with the libraries that cargo has built for this test.
//!
//! Each program is compiled alone, with rustc itself. That takes less than a tenth of a second, and
//! the message is the one that a user gets. If several programs were compiled together, the message
//! would contain names of other programs.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::message;

/// The stage at which a program is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// By `cargo check`, and therefore in every editor.
    Rustc,
    /// By a build alone: the error depends on the types with which a generic function is used.
    Build,
    /// Not before the program runs.
    Nobody,
}

/// Returns the arguments that name the libraries, and the folders of their dependencies.
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
        // Cargo compiled the libraries in this folder, so the compiler finds their lines.
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

/// Compiles a program. Returns the stage that refuses it, and the message.
pub(crate) fn refusal(name: &str, program: &str) -> (Stage, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    // A file, because macros read the file of a block.
    let file = folder.path().join("lib.rs");
    fs::write(&file, program).expect("it can be written");
    for (stage, emit) in [(Stage::Rustc, "metadata"), (Stage::Build, "obj")] {
        let mut rustc = rustc(folder.path(), emit);
        // These are the lints of every new application.
        // Types of closures contain the path, and rustc shortens long types.
        let short = format!("--remap-path-prefix={}={}", file.display(), message::FILE);
        let output = rustc
            .args(["-Dunused_must_use", &short])
            .arg(&file)
            .output();
        let output = output.expect("rustc starts");
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

/// Returns the root of this checkout.
fn root() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.expect("the workspace").to_string_lossy().into_owned()
}

/// Returns the compiler's output for `lib.rs` of a folder, compiled like a test of that crate. The
/// error has the compiler's messages.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = rustc(folder, "metadata")
        // `-Z` prints expansions.
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

/// Builds all programs as modules of one crate. Returns the messages if that fails.
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
