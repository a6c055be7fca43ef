//! Checks the generated types against terms of the running VM.

use std::path::Path;
use std::process::Command;

use otp_bridge::Term;
use otp_bridge::term::etf;
use otp_specs::types::{Module, TypeDef};
use otp_tests::application::{build, root, text};

use crate::agreement::{samples, trip, types};
use crate::oracle::{Oracle, holds_iodata};
use crate::{folder, modules};

/// Number of sampled terms of each type that are sent to the VM.
const EACH: usize = 20;

/// Returns encoded terms of every type.
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
    let ebin = build("tests/apps/roundtrip");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("roundtrip.terms");
    std::fs::write(&file, sampled()).expect("the file can be written");
    let output = Command::new("escript")
        .arg(root().join("tests/live/roundtrip.escript"))
        .args([ebin, folder().join("erlang"), file])
        .output()
        .expect("escript runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
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
