//! gen_servers and supervisors on the real Erlang VM.

use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, cargo_otp, observe, root, run_in, text};

#[test]
fn a_panic_ends_its_process_and_the_supervisor_restarts_it() {
    let observed = observe("examples/thread_ring", "ring.escript");
    let reason = &observed["reason"];
    assert!(reason.starts_with("{panic,#{"), "{reason}");
    for part in [
        "src/member.rs",
        "line =>",
        "a token of 99999999999 hops after one of",
    ] {
        assert!(reason.contains(part), "{part} in {reason}");
    }
    assert_eq!(observed["restarted"], "true");
    assert_eq!(observed["others_alive"], "true");
    for report in ["crash_report", "server_report", "supervisor_report"] {
        assert!(
            observed[report].contains("src/member.rs"),
            "{report}: {}",
            observed[report]
        );
    }
    assert!(
        observed["server_report"].contains("Member { next: Server(chain_"),
        "{}",
        observed["server_report"]
    );
    assert!(
        observed["shown_state"].contains("Member { next: Server(chain_4)"),
        "{}",
        observed["shown_state"]
    );
}

#[test]
fn a_ring_runs_to_its_end_by_itself() {
    let ran = cargo_otp("examples/thread_ring", &["run", "--", "20", "2000"]);
    let printed = text(&ran.stdout);
    assert!(ran.status.success(), "{printed}\n{}", text(&ran.stderr));
    assert!(printed.contains("20 members, 2000 hops: "), "{printed}");
}

#[test]
fn a_root_that_cannot_start_fails_the_run_and_says_why() {
    let ran = cargo_otp("examples/thread_ring", &["run", "--", "twenty"]);
    assert_eq!(ran.status.code(), Some(1));
    let complained = text(&ran.stderr);
    assert!(
        complained.contains("usage: cargo otp run -- P N"),
        "{complained}"
    );
    assert!(complained.contains("twenty"), "{complained}");
}

#[test]
fn a_server_does_all_that_a_gen_server_does() {
    let observed = observe("tests/apps/probe", "probe.escript");
    let expected = [
        ("continued", "begun"),
        ("init_timeout", "timed_out"),
        ("init_hibernate", "true"),
        ("init_sleep", "true"),
        ("init_stop", "{error,{no,luck}}"),
        ("init_ignore", "ignore"),
        ("init_exit", "{error,enough}"),
        ("init_panic", r#"<<"told to">>"#),
        ("echo", r#"{any,[term,1.5,<<"b">>,#{k => v}]}"#),
        ("apply", "[1,2,3]"),
        ("number", "3"),
        ("in_the_process_itself", "true"),
        ("join", "{first,second}"),
        ("info", "{some,info}"),
        ("seen", "{{tag,7},{some,info}}"),
        ("deferred", "#{now => then}"),
        ("hibernated", "true"),
        ("awake", "awake"),
        ("timeout", "timed_out"),
        ("waiting", "{status,waiting}"),
        ("stop_reply", "ok"),
        ("terminate_normal", "ended_normally"),
        ("stop_reason", "normal"),
        ("terminate_shutdown", "done"),
        ("exit", "{own,reason}"),
        ("panic", r#"{<<"oh no">>,<<"probe/src/probe.rs">>}"#),
        ("panic_after", r#"<<"after 10 ms">>"#),
        ("foreign", r#"<<"probe:handle_call/3">>"#),
        ("nobody", "true"),
        ("undef", "undef"),
        ("badarith", "badarith"),
        ("still_there", "still_there"),
    ];
    assert_observed(&observed, &expected);
    assert!(observed["late"].contains("timeout"), "{}", observed["late"]);
    assert!(
        observed["shown_state"].contains("Probe { observer: "),
        "{}",
        observed["shown_state"]
    );
}

#[test]
fn a_wrong_term_ends_the_process_with_its_place() {
    let observed = observe("tests/apps/probe", "probe.escript");
    let expected = [
        ("wrong_request", ["bad_term", "Request", "{echo}"]),
        ("wrong_cast", ["bad_term", "Request.1", "256"]),
        ("wrong_result", ["bad_term", "integer", "nonode@nohost"]),
        ("wrong_args", ["bad_term", "Args.2", "sideways"]),
        (
            "foreign_state",
            ["bad_term", "State", "the state of this process"],
        ),
        ("no_state", ["bad_term", "State", "not_a_state"]),
    ];
    for (key, parts) in expected {
        for part in parts {
            assert!(
                observed[key].contains(part),
                "{key}: {part} in {}",
                observed[key]
            );
        }
    }
    for key in ["bad_id", "bad_arity"] {
        assert!(observed[key].contains("badarg"), "{key}: {}", observed[key]);
    }
}

#[test]
fn the_program_ends_in_order_while_threads_run_on_stacks_of_a_library_that_was_purged() {
    let folder = build("tests/apps/probe");
    for _ in 0..20 {
        let ended = run_in(&folder, "pinned.escript");
        let printed = text(&ended.stdout);
        assert!(ended.status.success(), "{} {printed}", ended.status);
        assert_eq!(printed, "purged=true\n");
    }
}

#[test]
fn a_stack_that_overflows_is_said_before_the_vm_ends() {
    let folder = build("tests/apps/probe");
    for request in ["fall", "dive"] {
        let ended = Command::new("escript")
            .arg(root().join("tests/live/overflows.escript"))
            .arg(&folder)
            .arg(request)
            .output()
            .expect("escript runs");
        let said = text(&ended.stderr);
        assert!(!ended.status.success(), "{request}: {said}");
        assert!(
            said.contains("has overflowed its stack of 256 MiB, which ends the VM"),
            "{request}: {said}"
        );
    }
}

#[test]
fn whatever_a_server_does_the_vm_lives() {
    let observed = observe("tests/apps/probe", "hazards.escript");
    let expected = [
        ("spiteful", r#"<<"a panic whose payload is not a string">>"#),
        ("resumed", r#"<<"resumed">>"#),
        (
            "unreadable",
            r#"{<<"cannot read this">>,<<"probe/src/hazard.rs">>}"#,
        ),
        ("unshowable", "in_order"),
        ("killed", "true"),
        ("panics_when_dropped", "true"),
        ("resumed_by_another", "badarg"),
        ("shown_by_another", "true"),
        ("nothing_waits", "badarg"),
        ("still_there", "true"),
        ("called_within", r#"<<"State">>"#),
        ("after_its_end", "bad_term"),
        ("resumed_within", "badarg"),
        ("old_state", r#"<<"State">>"#),
        ("new_state", "true"),
        ("deep_kept", "true"),
        ("deep_dropped", "killed"),
        (
            "too_deep",
            r#"<<"a term of at most 16384 levels of lists, tuples and maps">>"#,
        ),
        ("shared", "[100000000,90000000]"),
        ("shared_term", "true"),
        ("large", "9000000"),
        (
            "too_large",
            r#"{<<"Request.1">>,<<"a message of at most 10000000 bytes (message_limit)">>}"#,
        ),
        ("too_large_cast", "3"),
        (
            "places",
            r#"["probe/src/deep.rs","probe/src/lever.rs","probe/src/deep.rs","probe/src/abyss.rs"]"#,
        ),
        (
            "called_in_vain",
            r#"{<<"`hazard` has no `handle_continue/2` for `{tick,1}`">>,"probe/src/hazard.rs",true}"#,
        ),
        (
            "timeout_in_vain",
            r#"{<<"`lever` has no clause for the event `state_timeout`, `close`">>,"probe/src/lever.rs",true}"#,
        ),
        (
            "event_in_vain",
            r#"{<<"`lever` has no clause for the event `internal`, `7`">>,"probe/src/lever.rs",true}"#,
        ),
        (
            "time_in_vain",
            r#"{<<"a timeout of -1 ms: only an absolute time, with the option `{abs, true}`, is negative">>,"probe/src/lever.rs",true}"#,
        ),
        (
            "module_in_vain",
            r#"{<<"`deep` cannot use the data of `lever`: in Rust, each module has its own type of data">>,"probe/src/lever.rs",true}"#,
        ),
        ("guest", "{up,true}"),
        ("itself", "3"),
        ("the_vm_lives", "true"),
    ];
    assert_observed(&observed, &expected);
}
