//! Isolated children, each in a second VM that crashes in every way, on the real Erlang VM.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, observe, pairs, root, run_in, text};

/// Observations of the script, which kills its VM at the end.
static OBSERVED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let output = run_in(&build("tests/apps/walls"), "walls.escript");
    let observed = pairs(&text(&output.stdout));
    assert!(
        observed.contains_key("left"),
        "{observed:#?}\n{}",
        text(&output.stderr)
    );
    observed
});

#[test]
fn an_isolated_child_does_what_a_child_here_does() {
    let expected = [
        ("works", "[42,1]"),
        ("counted", "6"),
        ("others", "[0,10,20,0]"),
        ("children", "[true,true,true,true,true]"),
        ("linked", "{[enough,enough],8}"),
        (
            "shown",
            "{{text,<<\"Decoder { decoded: 1, watched: None }\">>},true,true,true}",
        ),
        ("not_isolated", "false"),
        (
            "state",
            "{<<\"Decoder { decoded: 1, watched: None }\">>,{error,isolated}}",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn an_isolated_child_reaches_processes_that_it_was_told_of() {
    let expected = [
        ("itself", "true"),
        ("message", "got"),
        ("asked", "100"),
        ("asked_other", "120"),
        ("asked_itself", "140"),
        ("watching", "true"),
        ("watched", "done"),
    ];
    assert_observed(&OBSERVED, &expected);
    let gone = &OBSERVED["asked_gone"];
    assert!(gone.starts_with("{noproc,"), "{gone}");
}

#[test]
fn what_ends_its_vm_is_an_exit_of_the_child_which_its_supervisor_restarts() {
    let expected = [
        ("panic", "{{panic,<<\"told to\">>},true,8}"),
        (
            "abort",
            "{{vm_ended,sigabrt,<<\"these are the last words\">>},true,8}",
        ),
        ("overflow", "{{vm_ended,sigsegv,<<>>},true,8}"),
        ("memory", "{{vm_ended,memory},true,8}"),
        ("spin", "{{vm_ended,processor_time,<<>>},true,8}"),
        ("segv", "{{vm_ended,sigsegv,<<>>},true,8}"),
        ("killed", "{{vm_ended,sigkill,<<>>},true,8}"),
        ("status", "{{vm_ended,{status,3},<<>>},true,8}"),
        (
            "group",
            "{{vm_ended,sigabrt,<<\"these are the last words\">>},true,8,8}",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_vm_that_sends_what_no_child_sends_is_ended() {
    let forged = [
        "kind",
        "nothing",
        "reply",
        "term",
        "atom",
        "compressed",
        "process",
        "started",
        "ended",
        "asks",
        "large",
        "inflated",
    ];
    let ended = forged.map(|what| format!("{{{what},{{vm_ended,bad_frame,<<>>}}}}"));
    assert_eq!(OBSERVED["forged"], format!("[{}]", ended.join(",")));
}

#[test]
fn a_start_that_fails_in_the_other_vm_is_told_whatever_its_reason_is() {
    assert_eq!(OBSERVED["failed_starts"], "[noproc,killed]");
}

/// This includes VMs that never leave native code.
#[test]
fn no_vm_is_left_when_the_application_stops_or_the_first_vm_is_killed() {
    assert_eq!(OBSERVED["stopped"], "{3,[]}");
    let left = OBSERVED["left"].trim_matches(['[', ']']);
    let left: Vec<&str> = left.split(',').collect();
    assert_eq!(left.len(), 4, "{left:?}");
    let start = Instant::now();
    while left.iter().any(|process| is_running(process)) {
        assert!(start.elapsed() < Duration::from_mins(2), "{left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn isolated_children_of_a_template_come_and_go_in_their_pool_of_vms() {
    let observed = observe("tests/apps/walls", "walls_templates.escript");
    let expected = [
        ("arguments", "[1,2,3,4]"),
        ("called", "[4,4,4,4]"),
        ("counted", "7"),
        ("asked", "60"),
        ("listed", "true"),
        ("refused", "[error,error]"),
        ("same", "8"),
        ("active", "4"),
        ("spread", "[2,2]"),
        ("crashed", "{sigabrt,true}"),
        ("restarted", "{2,[],[1,3],2}"),
        ("given_up", "shutdown"),
        ("left", "true"),
        ("again", "{true,[]}"),
        ("terminated", "{true,true,true}"),
        ("ended", "{true,true}"),
        ("alone", "{[7,8],2}"),
        ("stopped", "true"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn calls_that_wait_for_a_pool_are_told_of_its_end_and_nobody_sends_for_its_vms() {
    let observed = observe("tests/apps/walls", "walls_pools.escript");
    let expected = [
        ("name_taken", "true"),
        ("forged", "[4,4,4,4]"),
        ("same", "{true,true,2}"),
        ("told", "nothing"),
        ("waiting", "{[{error,{vm_ended,sigkill,<<>>}}],[],true}"),
        ("given_up", "true"),
        ("again", "21"),
        ("starting", "told"),
        ("next", "32"),
    ];
    assert_observed(&observed, &expected);
}

/// The host bounds its memory, and ends the other VM if its own processes cannot keep up.
#[test]
fn a_vm_that_floods_or_blocks_the_host_is_bounded_and_ended() {
    let observed = observe("tests/apps/walls", "walls_floods.escript");
    let expected = [
        ("unread_messages", "{vm_ended,unread_messages,<<>>}"),
        ("waiting", "true"),
        ("reason", "65536"),
        ("unfinished", "told"),
        ("stopped", "8"),
        ("connected", "true"),
        ("silent", "8"),
        ("answers", "250500"),
        ("queues", "true"),
        ("memory", "true"),
        ("output", "{true,<<\"y\\ny\\n\">>}"),
        ("foreign", "{true,[true,false,false]}"),
        ("own", "{137,false}"),
    ];
    assert_observed(&observed, &expected);
}

/// If the VM can create a control group, only the kernel enforces the memory limit.
#[test]
fn limits_are_those_of_a_group_where_the_vm_may_make_one_and_it_is_said_once() {
    let observed = observe("tests/apps/walls", "walls_limits.escript");
    let expected = [
        ("memory", "memory"),
        ("processor_time", "processor_time"),
        ("killed", "sigkill"),
        ("told_again", "[]"),
        ("left", "[]"),
    ];
    assert_observed(&observed, &expected);
    let has_group = observed["groups"] == "1";
    let how = match has_group {
        true => "[\"isolated children: control groups in /",
        false => {
            "[\"isolated children: RLIMIT_DATA and readings of /proc enforce the limits of their VMs, because "
        }
    };
    assert!(observed["told"].starts_with(how), "{observed:#?}");
    assert!(!observed["told"].contains("\",\""), "{observed:#?}");
    assert!(!has_group || is_some_memory_limited(), "{observed:#?}");
}

/// Returns whether a cgroup v2 has the memory controller.
fn is_some_memory_limited() -> bool {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("Linux");
    let groups = mounts.lines().filter(|line| line.contains(" - cgroup2 "));
    groups
        .filter_map(|line| line.split(' ').nth(4))
        .any(|mount| {
            let controllers = std::fs::read_to_string(Path::new(mount).join("cgroup.controllers"));
            controllers.is_ok_and(|controllers| controllers.contains("memory"))
        })
}

/// `cargo xtask bench walls` does it a hundred times.
#[test]
fn whoever_calls_while_the_vm_is_ended_is_answered_or_told() {
    let ebin = build("tests/apps/walls");
    let output = Command::new("escript")
        .arg(root().join("tests/live/walls_faults.escript"))
        .arg(ebin)
        .args(["3", "200"])
        .output()
        .expect("escript runs");
    let printed = text(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}\n{}",
        text(&output.stderr)
    );
    let seen = pairs(&printed);
    for way in ["segv", "kill", "abort", "spin"] {
        let seen = &seen[way];
        assert!(seen.starts_with("#{ends => 3,calls => "), "{way}: {seen}");
        assert!(seen.ends_with(",wrong => 0,lost => 0}"), "{way}: {seen}");
    }
}

fn is_running(process: &str) -> bool {
    Path::new("/proc").join(process).is_dir()
}
