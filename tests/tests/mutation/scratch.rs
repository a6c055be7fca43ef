//! Temporary crates that are written, checked and deleted.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use otp_tests::application::root;
use serde_json::Value;

/// The compiler's errors for each line of a crate.
pub(crate) type Errors = BTreeMap<usize, Vec<String>>;

/// Writes the crate and checks it in one run of the compiler.
pub(crate) fn check(name: &str, text: &str) -> Errors {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("mutation")
        .join(name);
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"mutation-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\notp-bridge = {{ path = {:?} }}\n\n[workspace]\n",
        root().join("bridge")
    );
    write(&folder.join("Cargo.toml"), &manifest);
    write(&folder.join("src/lib.rs"), text);
    // The workspace's lock file, so that cargo need not resolve versions.
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    write(&folder.join("Cargo.lock"), &lock);
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--lib", "--profile=check", "--offline"])
        // With `--verbose`, long types are printed instead of being written to files. Setting
        // `RUSTFLAGS` would rebuild all dependencies.
        .args(["--message-format=json", "--", "-Awarnings", "--verbose"])
        .current_dir(&folder)
        .env("CARGO_INCREMENTAL", "0")
        // In the folder of the applications, other tests would wait until these large crates are
        // checked.
        .env("CARGO_TARGET_DIR", root().join("examples/target/mutation"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = errors(&said);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() || !errors.is_empty(),
        "{complained}"
    );
    errors
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn errors(said: &str) -> Errors {
    let mut errors = Errors::new();
    for line in said.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let message = &line["message"];
        if line["reason"] != "compiler-message" || message["level"] != "error" {
            continue;
        }
        let text = text(message);
        let spans = message["spans"].as_array().into_iter().flatten();
        let primary = spans.filter(|span| span["is_primary"] == true);
        for line in primary.flat_map(lines) {
            errors.entry(line).or_default().push(text.clone());
        }
    }
    errors
}

/// Returns the lines of the crate that a span covers, through all its expansions.
fn lines(span: &Value) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut span = span;
    while span.is_object() {
        if span["file_name"] == "src/lib.rs" {
            let number = span["line_start"].as_u64().unwrap_or_default();
            lines.push(usize::try_from(number).unwrap_or_default());
        }
        span = &span["expansion"]["span"];
    }
    lines
}

/// Returns the message with its labels and notes.
fn text(message: &Value) -> String {
    let first = message["message"].as_str().unwrap_or_default();
    let spans = message["spans"].as_array().into_iter().flatten();
    let labels = spans.filter_map(|span| span["label"].as_str());
    let children = message["children"].as_array().into_iter().flatten();
    let notes = children.filter_map(|child| child["message"].as_str());
    let parts: Vec<&str> = std::iter::once(first).chain(labels).chain(notes).collect();
    parts.join("\n")
}
