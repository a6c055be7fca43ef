//! Shared helpers of the tests: the built application, and temporary folders.
#![allow(dead_code)]

pub mod trees;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed when the value is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jungle-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Builds the application. Returns the folder with its Erlang modules.
pub fn build() -> PathBuf {
    // `cargo otp test` and the project's own check set the variable to the program that they use.
    let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = Command::new(program)
        .args(["otp", "build"])
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("`cargo install --path cli` in the folder of otp-rs");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    folder.join("../target/otp/debug/jungle/ebin")
}

/// Returns a command that runs an escript of this folder with the built application.
pub fn escript(script: &str, ebin: &Path, arguments: &[&str]) -> Command {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut command = Command::new("escript");
    command.arg(tests.join(script)).arg(ebin).args(arguments);
    command.stdin(Stdio::null());
    command
}
