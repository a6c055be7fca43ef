//! Examines the code that OTP's compiler generates for the module that loads a library.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::erlang::library_module;

use super::scratch;
use super::tools::compile;

/// Returns the module's text, and the folder of its file.
fn module(folder: &str) -> (String, PathBuf) {
    let text = library_module("shop", "0.1.0", "libshop-0123456789abcdef");
    let folder = scratch(folder);
    fs::write(folder.join("shop_nif.erl"), &text).expect("a source");
    (text, folder)
}

/// Returns the lines of a function that contain `part`, numbered as the compiler does.
fn lines_with(text: &str, function: &str, part: &str) -> Vec<usize> {
    let lines = text.lines().enumerate();
    let body = lines.skip_while(|(_, line)| !line.starts_with(function));
    let body = body.take_while(|(_, line)| !line.is_empty());
    body.filter(|(_, line)| line.contains(part))
        .map(|(index, _)| index + 1)
        .collect()
}

/// Waiting for a single operation skips all messages that were in the mailbox before, however many
/// there are.
#[test]
fn what_is_awaited_alone_does_not_search_the_mailbox() {
    let (text, folder) = module("receives");
    let said = compile(&[folder.join("shop_nif.erl")], &folder, &["+recv_opt_info"]);
    for (function, receives) in [("call(Process", 2), ("alone(Body", 2)] {
        let lines = lines_with(&text, function, "receive");
        assert_eq!(lines.len(), receives, "{function}:\n{text}");
        for line in lines {
            let of_line = said
                .lines()
                .filter(|it| it.contains(&format!("shop_nif.erl:{line}:")));
            let is_optimized = of_line
                .clone()
                .any(|it| it.contains(": OPTIMIZED: all clauses match reference"));
            assert!(is_optimized, "{function} in line {line}:\n{said}");
        }
    }
}

/// If the module is loaded again, `on_load` refuses. Erlang/OTP 25 would crash at the next call of
/// a `fun` of the module, so it must have none. A chunk of the BEAM file lists them.
#[test]
fn no_fun_is_left_behind_where_the_library_is_loaded_again() {
    let has_funs = |folder: &Path, module: &str| {
        let source = folder.join(format!("{module}.erl"));
        assert_eq!(compile(&[source], folder, &[]), "");
        let beam = fs::read(folder.join(format!("{module}.beam"))).expect("a BEAM file");
        beam.windows(4).any(|chunk| chunk == b"FunT")
    };
    let (_, folder) = module("funs");
    let with_one = "-module(other).\n-export([f/1]).\nf(X) -> fun() -> X end.\n";
    fs::write(folder.join("other.erl"), with_one).expect("a source");
    assert!(has_funs(&folder, "other"));
    assert!(!has_funs(&folder, "shop_nif"));
}
