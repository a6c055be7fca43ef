//! A temporary folder and the two programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder that is removed at the end of the test.
pub(crate) struct Scratch {
    folder: TempDir,
}

/// A program's output and its exit code.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a scratch folder"),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect(relative);
    }

    /// An executable shell script.
    pub(crate) fn script(&self, relative: &str, text: &str) {
        self.write(relative, text);
        fs::set_permissions(self.path(relative), fs::Permissions::from_mode(0o755)).expect("mode");
    }

    /// Every file below the folder with its content, for comparisons.
    pub(crate) fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    files.push((path.clone(), Vec::new()));
                    folders.push(path);
                } else {
                    files.push((path.clone(), fs::read(&path).expect("a file")));
                }
            }
        }
        files.sort();
        files
    }

    /// `cargo otp ARGUMENTS` in `folder`, as cargo would call it.
    pub(crate) fn cargo_otp(&self, folder: &str, arguments: &[&str]) -> Said {
        said(cargo_otp(&self.path(folder), arguments))
    }

    /// An application named `shop`, created by `cargo otp new`.
    pub(crate) fn with_application() -> Self {
        Self::with_application_named("shop")
    }

    /// All built applications share one target folder, and so need distinct names: those of
    /// `examples` and `tests/apps` are built there, too.
    pub(crate) fn with_application_named(name: &str) -> Self {
        let scratch = Self::new();
        scratch.new_application("", name);
        scratch
    }

    /// Creates an application in a folder by `cargo otp new`, with the versions that are already
    /// built. cargo removes unused ones.
    pub(crate) fn new_application(&self, folder: &str, name: &str) {
        self.cargo_otp(folder, &["new", name]).succeeded();
        self.lock(&format!("{folder}/{name}"));
    }

    /// Gives a workspace the versions that are already built.
    pub(crate) fn lock(&self, folder: &str) {
        let lock = fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
        self.write(
            &format!("{}/Cargo.lock", folder.trim_start_matches('/')),
            &lock,
        );
    }
}

/// The command `cargo otp ARGUMENTS` in `folder`.
pub(crate) fn cargo_otp(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(folder)
        // All tests share it, so that the run time is built once.
        .env("CARGO_TARGET_DIR", target());
    command
}

/// The command `cargo otp ARGUMENTS` for an application of `examples`. `cargo xtask test` runs the
/// lints in the same build, so that each example is compiled once.
pub(crate) fn cargo_otp_of_example(name: &str, arguments: &[&str]) -> Command {
    let mut command = cargo_otp(&root().join("examples").join(name), arguments);
    for name in ["RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"] {
        if let Some(value) = std::env::var_os(format!("OTP_TESTS_{name}")) {
            command.env(name, value);
        }
    }
    command
}

/// The command `otp-rs ARGUMENTS`.
pub(crate) fn otp_rs(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_otp-rs"));
    command.args(arguments);
    command
}

/// Runs a command until it ends.
pub(crate) fn said(mut command: Command) -> Said {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program runs");
    Said {
        code: status.code(),
        out: String::from_utf8(stdout).expect("UTF-8"),
        err: String::from_utf8(stderr).expect("UTF-8"),
    }
}

impl Said {
    #[track_caller]
    pub(crate) fn succeeded(&self) {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
    }

    /// Checks for exit code 1, an empty standard output, and each of the texts in the error output.
    #[track_caller]
    pub(crate) fn refused(&self, texts: &[&str]) {
        self.failed(texts);
        assert_eq!(self.out, "");
    }

    /// Checks for exit code 2, which is for mistakes of the program, and the text in the error
    /// output.
    #[track_caller]
    pub(crate) fn is_ours(&self, text: &str) {
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
    }

    /// Checks for exit code 1 and each of the texts in the error output.
    #[track_caller]
    pub(crate) fn failed(&self, texts: &[&str]) {
        assert_eq!(self.code, Some(1), "{}", self.err);
        for text in texts {
            assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
        }
        assert!(!self.err.contains("panicked at cli"), "{}", self.err);
    }
}

/// This checkout.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the folder of the workspace")
}

/// The target folder of all applications that are built in this checkout. `cargo xtask test` gives
/// these tests a separate folder with the same contents.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("OTP_TESTS_TARGET")
        .map_or_else(|| root().join("examples/target"), PathBuf::from)
}

/// A program on `PATH`.
pub(crate) fn on_path(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("PATH");
    let mut found = std::env::split_paths(&path).map(|folder| folder.join(program));
    found.find(|path| path.is_file()).expect(program)
}

/// The folders of OTP's applications, in order of name.
pub(crate) fn applications_of_otp() -> Vec<PathBuf> {
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", "io:put_chars(code:lib_dir()), halt()."]);
    entries(Path::new(&said(erl).out))
}

/// The files of a folder and those below it with this extension, in order of name.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            files.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|known| known == ending) {
            files.push(path);
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
