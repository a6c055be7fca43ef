//! The handwritten Erlang of the run time and the tools.

use std::path::PathBuf;
use std::process::Command;

use otp_tests::application::{root, text};

use crate::tools::{compile, dialyzer_with};
use crate::{files, scratch};

/// Checks the folder `erlang/` with erlc, dialyzer and eunit. The modules of the tools name OTP's
/// tools, whose analysis would take longer than all of this.
#[test]
fn the_modules_of_the_run_time_and_the_tools_stand_as_they_are() {
    let erlang = root().join("erlang");
    let sources = ["src", "tools", "test"].map(|part| files(&erlang.join(part), "erl"));
    let sources = sources.concat();
    assert!(sources.len() > 40, "{sources:?}");
    let folder = scratch("of_otp_rs");
    let headers = format!("-I{}", erlang.join("include").display());
    let compiled = compile(&sources, &folder, &[&headers, "-Wall", "-Werror"]);
    assert_eq!(compiled, "");
    let beams = files(&folder, "beam");
    let is_of_test = |beam: &PathBuf| beam.display().to_string().ends_with("_tests.beam");
    let (of_test, others): (Vec<_>, Vec<_>) = beams.into_iter().partition(is_of_test);
    assert_eq!(dialyzer_with(&["-Wunmatched_returns"], &others), "");
    let stems = of_test.iter().filter_map(|beam| beam.file_stem());
    let names: Vec<_> = stems.map(|stem| stem.display().to_string()).collect();
    let run = format!("ok = eunit:test([{}]), halt().", names.join(", "));
    let ran = Command::new("erl")
        .args(["-noinput", "-pa"])
        .arg(&folder)
        .args(["-eval", &run])
        .output()
        .expect("erl runs");
    assert!(ran.status.success(), "{}", text(&ran.stdout));
}
