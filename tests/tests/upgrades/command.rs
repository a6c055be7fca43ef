//! Tests of `cargo otp upgrade`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Output, id};

use otp_tests::application::{cargo_otp_with, text};
use otp_tests::running::Running;

use crate::{APPLICATION, BUILT, sources_of};

/// Runs a command of `cargo otp` for a node.
fn command(verb: &str, node: &str, build: Option<&str>, more: &[&str]) -> Output {
    let cookie = BUILT.path().join("cookie");
    fs::write(&cookie, "otp_tests").expect("it is written");
    fs::set_permissions(&cookie, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let cookie = cookie.to_str().expect("it is UTF-8");
    let arguments = [&[verb, node, "--cookie", cookie], more].concat();
    match build {
        Some(build) => cargo_otp_with(&sources_of(build), &arguments, &[("UPGRADES_BUILD", build)]),
        None => cargo_otp_with(APPLICATION, &arguments, &[]),
    }
}

/// Runs `cargo otp upgrade` of a node, to a build.
fn upgrade(node: &str, build: &str, more: &[&str]) -> Output {
    command("upgrade", node, Some(build), more)
}

/// Starts a process on the node that does something, and then waits until it is stopped.
fn waiting(node: &str, body: &str) {
    let body = format!("spawn(fun() -> {body}, receive stop -> ok end end), timer:sleep(100)");
    let said = command("shell", node, None, &["--eval", &body]);
    assert!(said.status.success(), "{}", text(&said.stderr));
}

/// Stops such a process.
fn stop(node: &str, name: &str) {
    let said = command("shell", node, None, &["--eval", &format!("{name} ! stop")]);
    assert!(said.status.success(), "{}", text(&said.stderr));
}

/// If the supervisor's new child panics in `init`, the other processes still switch to the new
/// build. The child can be started after the cause is gone.
fn a_new_child_fails(node: &str) {
    let file =
        "filename:join(os:getenv(\"TMPDIR\", \"/tmp\"), \"upgrades-no-child-\" ++ os:getpid())";
    let eval = |body: &str| {
        let said = command("shell", node, None, &["--eval", body]);
        assert!(said.status.success(), "{}", text(&said.stderr));
        text(&said.stdout).trim().to_owned()
    };
    eval(&format!("file:write_file({file}, \"\")"));
    let failed = upgrade(node, "2", &[]);
    let said = text(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(
        said.contains("error[E1065]") && said.contains("1 new child of their supervisors was not"),
        "{said}"
    );
    assert!(said.contains("the new child another was not"), "{said}");
    assert_eq!(eval("gen_server:call(counter, build)"), "<<\"2\">>");

    eval(&format!("file:delete({file})"));
    let body = "{element(1, supervisor:restart_child(stroot, another)), \
                supervisor:terminate_child(stroot, another), \
                supervisor:delete_child(stroot, another)}";
    assert_eq!(eval(body), "{ok,ok,ok}");
}

#[test]
fn a_command_upgrades_a_node() {
    let node = format!("upgrades{}@127.0.0.1", id());
    let ebin = BUILT.path().join("1/ebin");
    let vm = Running::start_node("upgrades", &ebin, &node, &[]);
    assert_eq!(vm.line("the supervisor's build: "), "1");

    let planned = upgrade(&node, "2", &["--dry-run"]);
    assert!(planned.status.success(), "{}", text(&planned.stderr));
    let lines = "version: 0.1.0 becomes 0.2.0\n\
                 application `compiler`: is started first\n\
                 environment: `port` becomes 2\n\
                 environment: `mine` becomes 2\n\
                 environment: `file` becomes 2\n\
                 environment: `fresh` is new: <<\"new\">>\n\
                 environment: `gone` is removed\n\
                 counter: 1 process (counter): the state stays\n\
                 stroot: 1 process (stroot): the child specs are read again\n";
    assert_eq!(text(&planned.stdout), lines);

    a_new_child_fails(&node);
    assert_eq!(vm.line("the supervisor's build: "), "2");

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

    // Only a single upgrade can run at a time.
    waiting(&node, "register(otp_rs_upgrade, self())");
    let refused = upgrade(&node, "1", &[]);
    assert_eq!(refused.status.code(), Some(1));
    let why = "error[E1060]: `upgrades` was not upgraded on the node";
    assert!(text(&refused.stderr).contains(why));
    stop(&node, "otp_rs_upgrade");

    // A process that does not answer in time blocks the upgrade of all others, unless it may keep
    // its build.
    waiting(
        &node,
        "register(holder, self()), erlang:suspend_process(whereis(counter))",
    );
    let busy = upgrade(&node, "1", &["--timeout", "1"]);
    let said = text(&busy.stderr);
    assert_eq!(busy.status.code(), Some(3), "{said}");
    let why = "error[E1064]: 1 process on the node";
    assert!(
        said.contains(why) && said.contains("nothing was changed"),
        "{said}"
    );
    let left = upgrade(&node, "1", &["--timeout", "1", "--allow-busy"]);
    let said = text(&left.stderr);
    assert_eq!(left.status.code(), Some(3), "{said}");
    assert!(
        said.contains("counter (counter) keeps the old code"),
        "{said}"
    );
    assert!(
        said.contains("error[E1062]: 1 process on the node"),
        "{said}"
    );
    assert_eq!(vm.line("the supervisor's build: "), "1");
    stop(&node, "holder");

    // Switching to an older build is an ordinary upgrade.
    let downgraded = upgrade(&node, "1", &[]);
    assert!(downgraded.status.success(), "{}", text(&downgraded.stderr));
    assert_eq!(vm.line("the supervisor's build: "), "1");
    assert!(vm.stop().0.success());
}

#[test]
fn a_node_that_ends_in_an_upgrade_has_its_last_errors_in_the_message() {
    let node = format!("upgrades_ends{}@127.0.0.1", id());
    let vm = Running::start_node("upgrades", &BUILT.path().join("1/ebin"), &node, &[]);
    assert_eq!(vm.line("the supervisor's build: "), "1");
    // The upgrade waits for the counter, so it is in progress when the node ends.
    let ends = "erlang:suspend_process(whereis(counter)), \
                (fun Ends() -> case lists:member(otp_rs_last_words, logger:get_handler_ids()) andalso whereis(otp_rs_upgrade) of \
                Upgrade when is_pid(Upgrade) -> logger:error(\"the till is on fire\"), timer:sleep(500), halt(1); \
                _ -> timer:sleep(1), Ends() end end)()";
    waiting(&node, ends);
    let ended = upgrade(&node, "2", &["--timeout", "600"]);
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(
        said.contains("error[E1060]: `upgrades` was not upgraded")
            && said.contains("the node has ended meanwhile")
            && said.contains("the till is on fire"),
        "{said}"
    );
    drop(vm);
}
