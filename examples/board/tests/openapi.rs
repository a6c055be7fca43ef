//! Tests the API against its OpenAPI document with schemathesis, which PyPI has: each reply must be
//! as the document says, each request that the document allows must be accepted, and each one that
//! it does not allow must be refused.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Board, Folder};
use otp_bridge_novm as _;

/// The version, so that the test finds the same tomorrow.
const PACKAGE: &str = "schemathesis==4.32.5";
/// Maximum number of random requests for each operation, in each phase.
const REQUESTS: &str = "40";
/// Maximum number of seconds for a reply.
const PATIENCE: &str = "120";

/// Returns the program, which is kept from one run to the next. Returns `None` if it cannot be
/// installed.
fn schemathesis() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE);
    let python = folder.join("bin/python");
    if !folder.join("done").exists() {
        done(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&folder),
        )?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            PACKAGE,
        ];
        done(Command::new(&python).args(pip))?;
        std::fs::write(folder.join("done"), "").ok()?;
    }
    Some(folder.join("bin/schemathesis"))
}

fn done(command: &mut Command) -> Option<()> {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().ok().filter(|status| status.success())?;
    Some(())
}

#[test]
fn document_of_the_api_is_exact() {
    let Some(program) = schemathesis() else {
        println!("SKIPPED: {PACKAGE} could not be installed from PyPI");
        return;
    };
    let folder = Folder::new("openapi");
    let board = Board::start(&folder);
    let document = format!("http://127.0.0.1:{}/api/openapi.json", board.port);
    let output = Command::new(program)
        .args([
            "run",
            &document,
            "--checks",
            "all",
            "--max-examples",
            REQUESTS,
        ])
        .args([
            "--generation-deterministic",
            "--phases",
            "coverage,fuzzing,stateful",
        ])
        .args([
            "--request-timeout",
            PATIENCE,
            "--suppress-health-check",
            "all",
        ])
        .args(["--continue-on-failure", "--no-color", "--warnings", "off"])
        .current_dir(&folder.0)
        .output()
        .expect("it was installed");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    assert!(
        said.contains("Tested: 8"),
        "an operation is missing\n{said}"
    );
}
