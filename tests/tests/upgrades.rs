//! A running VM changes over to other builds of its application, while it is used.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, id};
use std::sync::LazyLock;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build_with, cargo_otp_with, observe_in, text};
use otp_tests::running::Running;
use tempfile::TempDir;

const APPLICATION: &str = "tests/apps/upgrades";

/// The builds that `tests/apps/upgrades/src/lib.rs` describes.
const BUILDS: [&str; 4] = ["1", "2", "3", "4"];

/// The folders of the builds.
static BUILT: LazyLock<TempDir> = LazyLock::new(|| {
    let builds = tempfile::tempdir().expect("there is room for the builds");
    for build in BUILDS {
        let ebin = build_with(APPLICATION, &[("UPGRADES_BUILD", build)]);
        let target = builds.path().join(build);
        copy(&ebin, &target.join("ebin"));
        copy(&ebin.join("../priv"), &target.join("priv"));
    }
    builds
});

/// What the processes did, in one run.
static OBSERVED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| observe_in(BUILT.path(), "upgrades.escript"));

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it is made");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it is read");
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("it is copied");
        }
    }
}

#[test]
fn no_call_is_lost_under_load() {
    let expected = [
        ("before", "<<\"1\">>"),
        ("later", "<<\"2\">>"),
        ("changed", "[{counter,1},{ear,1},{light,1},{stroot,1}]"),
        ("left", "[]"),
        ("each_once", "true"),
        ("in_order", "true"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn every_kind_of_process_keeps_its_state() {
    let expected = [
        ("light", "{{1,<<\"2\">>},on}"),
        ("ear", "{ok,{8,<<\"2\">>}}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_supervisor_starts_its_new_children() {
    assert_observed(
        &OBSERVED,
        &[("started", "[{another,ok}]"), ("another", "1001")],
    );
}

#[test]
fn callbacks_and_tasks_end_on_the_old_code_first() {
    let expected = [
        ("awaiting", "{<<\"2\">>,<<\"1\">>,[]}"),
        ("tasks", "{<<\"1\">>,<<\"2\">>,[]}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_process_that_is_busy_goes_on_with_the_old_code_and_changes_over_later() {
    let expected = [
        ("busy", "{true,busy}"),
        ("on_old_code", "{<<\"2\">>,<<\"2\">>,<<\"1\">>}"),
        ("shown", "true"),
        ("state_in_a_shell", "true"),
        ("two_libraries", "2"),
        ("changed_later", "{<<\"2\">>,true}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_form_that_nothing_converts_is_refused_before_anything_changes() {
    let expected = [
        (
            "refused",
            "{{changed,<<\"#{count := non_neg_integer()}\">>,<<\"#{count := binary()}\">>},true}",
        ),
        ("others", "[{ear,same},{light,same},{stroot,supervisor}]"),
        ("not_loaded", "{true,<<\"2\">>}"),
        (
            "opaque",
            "{opaque,{no_term,<<\"upgrades::opaque::Opaque\">>}}",
        ),
        (
            "downgrade",
            "{counter,{changed,<<\"#{count := non_neg_integer(), step := non_neg_integer()}\">>,\
             <<\"#{count := non_neg_integer()}\">>}}",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_clause_of_code_change_converts_a_state() {
    assert_observed(&OBSERVED, &[("converted", "{<<\"3\">>,100,[]}")]);
}

#[test]
fn nothing_is_left_of_fifty_upgrades() {
    let expected = [
        ("first_library", "false"),
        (
            "fifty",
            "{1,[{modules,0},{libraries,0},{mappings,0},{atoms,0},{files,0}],true}",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// A command of `cargo otp` for a node, with a build.
fn command(verb: &str, node: &str, build: &str, more: &[&str]) -> Output {
    let cookie = BUILT.path().join("cookie");
    fs::write(&cookie, "otp_tests").expect("it is written");
    fs::set_permissions(&cookie, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let cookie = cookie.to_str().expect("it is UTF-8");
    let arguments = [&[verb, node, "--cookie", cookie], more].concat();
    cargo_otp_with(APPLICATION, &arguments, &[("UPGRADES_BUILD", build)])
}

/// `cargo otp upgrade` of a node, to a build.
fn upgrade(node: &str, build: &str, more: &[&str]) -> Output {
    command("upgrade", node, build, more)
}

/// A process of the node that does something, and then waits until it is told to stop.
fn waiting(node: &str, body: &str) {
    let body = format!("spawn(fun() -> {body}, receive stop -> ok end end), timer:sleep(100)");
    let said = command("shell", node, "1", &["--eval", &body]);
    assert!(said.status.success(), "{}", text(&said.stderr));
}

/// Has such a process stop.
fn stop(node: &str, name: &str) {
    let said = command("shell", node, "1", &["--eval", &format!("{name} ! stop")]);
    assert!(said.status.success(), "{}", text(&said.stderr));
}

#[test]
fn a_command_upgrades_a_node() {
    let node = format!("upgrades{}@127.0.0.1", id());
    let ebin = BUILT.path().join("1/ebin");
    let vm = Running::start_node("upgrades", &ebin, &node, &[]);
    assert_eq!(vm.line("the supervisor's build: "), "1");

    let planned = upgrade(&node, "2", &["--dry-run"]);
    assert!(planned.status.success(), "{}", text(&planned.stderr));
    let lines = "counter: 1 process (counter): the state stays\n\
                 stroot: 1 process (stroot): the child specs are read again\n";
    assert_eq!(text(&planned.stdout), lines);

    let upgraded = upgrade(&node, "2", &[]);
    let said = text(&upgraded.stderr);
    assert!(upgraded.status.success(), "{said}");
    assert!(said.contains("Started the new child another"), "{said}");
    assert_eq!(vm.line("the supervisor's build: "), "2");

    let refused = upgrade(&node, "4", &[]);
    assert_eq!(refused.status.code(), Some(1));
    let forms =
        "the state is `#{count := non_neg_integer()}`, in the new build `#{count := binary()}`";
    assert!(text(&refused.stdout).contains(forms));
    assert!(text(&refused.stderr).contains("error[E1061]"));

    // One upgrade at a time.
    waiting(&node, "register(otp_rs_upgrade, self())");
    let refused = upgrade(&node, "1", &[]);
    assert_eq!(refused.status.code(), Some(1));
    let why = "error[E1060]: `upgrades` was not upgraded on the node";
    assert!(text(&refused.stderr).contains(why));
    stop(&node, "otp_rs_upgrade");

    // A process that does not answer in time stays, and the others change over.
    waiting(
        &node,
        "register(holder, self()), erlang:suspend_process(whereis(counter))",
    );
    let left = upgrade(&node, "1", &["--timeout", "1"]);
    let said = text(&left.stderr);
    assert_eq!(left.status.code(), Some(1), "{said}");
    assert!(
        said.contains("counter (counter) goes on with the old code"),
        "{said}"
    );
    assert!(
        said.contains("error[E1062]: 1 processes on the node"),
        "{said}"
    );
    assert_eq!(vm.line("the supervisor's build: "), "1");
    stop(&node, "holder");

    // An older build is an upgrade like any other.
    let downgraded = upgrade(&node, "1", &[]);
    assert!(downgraded.status.success(), "{}", text(&downgraded.stderr));
    assert_eq!(vm.line("the supervisor's build: "), "1");
    assert!(vm.stop().0.success());
}
