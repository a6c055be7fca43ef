//! The bindings of OTP's functions: calling them in the running VM, and compile errors of wrong
//! calls.

use std::process::Command;

use otp_bridge_novm as _;
use otp_codegen::BINDINGS;
use otp_tests::application::{assert_observed, lints, observe, otp_rs, root, text};

const APPLICATION: &str = "tests/apps/functions";

#[test]
fn functions_are_called_in_the_process_and_answer_typed() {
    let observed = observe(APPLICATION, "functions.escript");
    let expected = [
        ("ets_inserted", "{true,true,false}"),
        ("ets_found", r#"[{<<"two">>,2}]"#),
        (
            "ets_all",
            r#"[{<<"one">>,1},{<<"three">>,3},{<<"two">>,2}]"#,
        ),
        ("ets_size", "3"),
        ("ets_deleted", "true"),
        ("ets_gone", "badarg"),
        ("file_written", "{true,true}"),
        ("file_read", r#"<<"some text more">>"#),
        ("file_missing", "enoent"),
        ("file_known", "true"),
        ("file_listed", r#"["written"]"#),
        ("file_deleted", "true"),
        ("timer_sent", "true"),
        ("timer_cancelled", "true"),
        ("timer_slept", "ok"),
        ("timer_messages", "[{from_timer,7}]"),
        ("tcp_port", "true"),
        ("tcp_sent", "true"),
        ("tcp_received", r#"<<"over the wire">>"#),
        ("tcp_nothing", "timeout"),
        ("tcp_closed", "closed"),
        ("persistent_term_got", "[1,2,3]"),
        ("persistent_term_erased", "true"),
        ("persistent_term_default", "default"),
        ("persistent_term_absent", "badarg"),
        ("persistent_term_left", "none"),
        ("others_own", "true"),
        ("others_processes", "true"),
        ("others_flag", "{false,true}"),
        ("others_appended", "[1,2]"),
        ("others_random", "16"),
        ("others_logged", "ok"),
        ("others_formatted", "ok"),
        ("others_levels", "gt"),
        ("first_tables", r#"{false,11,[[<<"two">>]]}"#),
        ("first_files", "{1,0}"),
        ("first_framed", r#"<<"framed">>"#),
        (
            "first_refused",
            "<<\"`3` is not `4 | 0..2 | raw | sunrm | asn1 | cdr | fcgi | line | tpkt | http | httph | http_bin | \
             httph_bin`\">>",
        ),
        ("first_datagram", r#"{{127,0,0,1},true,<<"datagram">>}"#),
        ("first_web", "true"),
        ("first_times", "{true}"),
        ("first_dates", "{4,true,62167219201}"),
        ("first_lists", "{2,3}"),
        ("first_system", r#"{"set",unix,"127.0.0.1",true}"#),
        ("written_listened", "true"),
        ("written_received", r#"<<"text bytes binary">>"#),
        ("written_once", "[{active,once}]"),
        ("written_same", "true"),
        ("written_text", r#"<<"chardata">>"#),
        (
            "written_named",
            r#"{true,[2,3],#{<<"one">> => 1,<<"two">> => 2},<<"bin">>}"#,
        ),
        ("written_missing", "enoent"),
        ("written_inserted", "true"),
        ("written_reason", "enoent"),
        ("corrected_unknown", "{nxdomain,true}"),
        ("corrected_process", "true"),
        ("corrected_size", "true"),
        ("corrected_suites", "{true,true}"),
        ("corrected_names", "true"),
        ("socket_welcomed", r#"[<<"welcome">>,<<"welcome">>]"#),
        ("socket_beside", r#""beside""#),
        ("socket_accepted", "{2,[closed]}"),
        ("socket_forged", "no_clause"),
        ("opaque_array", "[1,2,3,undefined,5]"),
        ("opaque_element", "18446744073709551615"),
        ("opaque_mixed", "{4,text}"),
        ("opaque_dict", r#"{{ok,2},error}"#),
        ("opaque_set", "[1,2,3]"),
        ("opaque_first", "true"),
        ("opaque_queue", "{2,[2,3]}"),
        ("opaque_map", r#"{key,<<"value">>}"#),
        ("opaque_kind", "true"),
    ];
    assert_observed(&observed, &expected);
    for module in BINDINGS {
        let done = observed.get(&format!("example_{module}"));
        assert_eq!(done.map(String::as_str), Some("ok"), "{module}");
    }
}

/// The checked-in Rust is what the installed modules give.
#[test]
fn the_modules_with_opaque_types_are_fresh() {
    let of = "gen-types array dict gb_sets queue --functions --path crate::generated \
              --check src/generated";
    let arguments: Vec<&str> = of.split_whitespace().collect();
    let checked = otp_rs(APPLICATION, &arguments);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

#[test]
fn a_wrong_argument_does_not_compile() {
    // Uses `build` rather than `check`, with the same compiler as the tests, so that dependencies
    // need not be compiled again.
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "--quiet", "--message-format=short"])
        .args(["--example", "wrong_argument"])
        .current_dir(root().join(APPLICATION))
        .env_remove("CARGO_TARGET_DIR")
        .envs(lints());
    let checked = build.output().expect("cargo runs");
    assert!(!checked.status.success());
    let observed = text(&checked.stderr);
    let errors: Vec<&str> = observed
        .lines()
        .filter(|line| line.contains(": error["))
        .collect();
    let expected = [
        (":8:", "ets::Table: From<u8>"),
        (":13:", "expected `u16`, found `u32`"),
        (":18:", "Milliseconds: From<otp_bridge::Timeout>"),
        (":26:", "NewOption: From<once>"),
        (":33:", "`&str` is not an atom"),
        (":40:", "`Key` cannot be written as an Erlang term"),
    ];
    // Each mistake has one message.
    assert_eq!(errors.len(), expected.len(), "{observed}");
    for (line, message) in expected {
        let found = errors
            .iter()
            .any(|error| error.contains(line) && squeezed(error).contains(message));
        assert!(found, "{message} in line {line}:\n{observed}");
    }
}

/// Shortens paths to their relevant parts.
fn squeezed(error: &str) -> String {
    error
        .replace("otp_bindings::", "")
        .replace("std::convert::", "")
        .replace("atoms::", "")
        .replace("ets::NewOption", "NewOption")
}
