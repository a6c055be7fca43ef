//! All behaviours of OTP in one crate, including those that otp-bridge has, and two modules that
//! share many atoms with them, all with their functions.

use std::fs;
use std::process::Command;

use crate::support::{Scratch, otp_rs, said, target};

/// The modules of the installed OTP that have a `-callback`.
const BEHAVIOURS: &str = r#"
Files = filelib:wildcard(filename:join(code:lib_dir(), "*/ebin/*.beam")),
Has = fun(File) ->
    case beam_lib:chunks(File, [abstract_code]) of
        {ok, {_, [{abstract_code, {_, Forms}}]}} -> lists:keymember(callback, 3, Forms);
        _ -> false
    end
end,
[io:format("~s~n", [filename:basename(File, ".beam")]) || File <- Files, Has(File)],
halt().
"#;

/// Each atom is one type, wherever it was generated. Otherwise the conversions of the types in
/// otp-bridge would not accept the atoms that are generated beside them.
#[test]
fn all_behaviours_of_otp_compile_in_one_crate() {
    let scratch = Scratch::with_application_named("all_behaviours");
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", BEHAVIOURS]);
    let listed = said(erl);
    listed.succeeded();
    let modules: Vec<&str> = listed.out.lines().collect();
    for behaviour in ["gen_server", "gen_statem", "gen_event", "supervisor"] {
        assert!(modules.contains(&behaviour), "{modules:?}");
    }
    assert!(modules.len() >= 30, "{modules:?}");

    let mut generate = otp_rs(&["gen-types", "--functions", "--out", "src/otp"]);
    let folder = scratch.path("all_behaviours");
    generate.args(&modules).args(["dets", "socket"]);
    generate.current_dir(&folder);
    said(generate).succeeded();
    let library = fs::read_to_string(folder.join("src/lib.rs")).expect("the library");
    let library = format!("{library}\npub mod otp;\n");
    scratch.write("all_behaviours/src/lib.rs", &library);
    let mut check = Command::new(env!("CARGO"));
    check
        .args(["check", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target());
    said(check).succeeded();
}
