//! The same types in the running VM.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use otp_bridge::Term;
use otp_bridge::term::etf;
use otp_specs::types::{Module, TypeDef};

use crate::agreement::{samples, trip, types};
use crate::oracle::{Oracle, holds_iodata};
use crate::{folder, modules};

/// Sampled terms of each type that go to the VM.
const EACH: usize = 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program runs");
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complained}");
    output
}

/// Builds the application; its folder of modules.
fn build() -> PathBuf {
    let manifest = root().join("Cargo.toml");
    run(Command::new(env!("CARGO"))
        .args([
            "run",
            "--quiet",
            "--package",
            "otp-cli",
            "--bin",
            "cargo-otp",
        ])
        .arg("--manifest-path")
        .arg(manifest)
        .args(["--", "otp", "build"])
        .current_dir(root().join("tests/apps/roundtrip"))
        .env_remove("CARGO_TARGET_DIR"));
    root().join("examples/target/otp/debug/roundtrip/ebin")
}

/// Terms of every type, as bytes.
fn sampled() -> Vec<u8> {
    let modules = modules();
    let oracle = Oracle::new(&modules);
    let exact = |(_, definition): &(&Module, &TypeDef)| {
        !holds_iodata(&oracle, &definition.body, &mut Vec::new())
    };
    let terms = types(&modules)
        .filter(exact)
        .flat_map(|(module, definition)| {
            let samples = samples(&oracle, &definition.body).into_iter().take(EACH);
            samples.map(move |(term, _)| trip(module, definition, term))
        });
    etf::encode(&Term::List(terms.collect()))
}

#[test]
fn terms_come_back_from_the_vm_as_they_went_and_near_misses_do_not() {
    let ebin = build();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("roundtrip.terms");
    std::fs::write(&file, sampled()).expect("the file can be written");
    let output = run(Command::new("escript")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("live/roundtrip.escript"))
        .args([ebin, folder().join("erlang"), file]));
    let printed = String::from_utf8_lossy(&output.stdout);
    let wrong: Vec<&str> = printed
        .lines()
        .filter(|line| line.starts_with("wrong="))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (key, least) in [("accepted=", 200), ("refused=", 100), ("sampled=", 1500)] {
        let count = printed.lines().find_map(|line| line.strip_prefix(key));
        let count: usize = count.and_then(|count| count.parse().ok()).expect(key);
        assert!(count >= least, "{key}{count}");
    }
}
