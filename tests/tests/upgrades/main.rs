//! Upgrades a running VM between builds of its application, while the application is in use.

mod back;
mod command;
mod shared;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use otp_bridge_novm as _;
use otp_tests::application::{
    assert_observed, build_with, manifest_of_copy, observe_in, otp_rs, root, text,
};
use tempfile::TempDir;

const APPLICATION: &str = "tests/apps/upgrades";

/// `[application]` and `[env]` of all builds but the first, which uses those of the folder.
const LATER: &str = "[system]
stroot = \"stroot\"

[application]
applications = [\"compiler\"]

[env]
port = 2
mine = 2
file = 2
fresh = \"new\"
";

/// Copies the application, and turns the copy into a build. Returns its folder, which is the same
/// for all builds.
fn sources_of(build: &str) -> String {
    let target = root().join("examples/target");
    let (original, sources) = (root().join(APPLICATION), target.join("sources/upgrades"));
    // The files are always written again, because cargo keeps the library of only one version, and
    // takes older files for built.
    for folder in ["src", "src/generated", "erlang"] {
        copy(&original.join(folder), &sources.join(folder));
    }
    let read = |name: &str| fs::read_to_string(original.join(name)).expect("it is read");
    let version = format!("version = \"0.{build}.0\"");
    let manifest = manifest_of_copy(APPLICATION).replace("version = \"0.1.0\"", &version);
    let lock = fs::read_to_string(root().join("examples/Cargo.lock")).expect("it is read");
    let config = match build {
        "1" => read("otp.toml"),
        _ => LATER.to_owned(),
    };
    fs::create_dir_all(sources.join(".cargo")).expect("it is made");
    let files = [
        ("Cargo.toml", manifest),
        ("Cargo.lock", lock),
        ("build.rs", read("build.rs")),
        ("otp.toml", config),
        (
            ".cargo/config.toml",
            format!("[build]\ntarget-dir = {target:?}\n"),
        ),
    ];
    for (name, text) in files {
        fs::write(sources.join(name), text).expect("it is written");
    }
    sources.to_str().expect("it is UTF-8").to_owned()
}

/// The builds that `tests/apps/upgrades/src/lib.rs` describes.
const BUILDS: [&str; 5] = ["1", "2", "3", "4", "5"];

/// The folder with the builds.
static BUILT: LazyLock<TempDir> = LazyLock::new(|| {
    let builds = tempfile::tempdir().expect("there is room for the builds");
    for build in BUILDS {
        let ebin = build_with(&sources_of(build), &[("UPGRADES_BUILD", build)]);
        let target = builds.path().join(build);
        copy(&ebin, &target.join("ebin"));
        copy(&ebin.join("../priv"), &target.join("priv"));
    }
    builds
});

/// Observations of one run.
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
        (
            "changed",
            "[{bridge,1},{counter,1},{crew,2},{ear,1},{light,1},{purse,1},{stroot,1}]",
        ),
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

/// Workers of a pool, members of a group, and states that wait for a timer, a monitor or a reply,
/// or owe a reply.
#[test]
fn whatever_a_state_has_goes_over() {
    let expected = [
        ("spread", "[{2,2},{2,2}]"),
        (
            "crew_kept",
            "{[],[<<\"down true\">>,<<\"late true in 1\">>,<<\"rested in 2\">>],[{2,2},{2,2}]}",
        ),
        ("crews_converted", "[{2,2},{2,2}]"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_registry_finds_the_same_processes_in_the_new_build() {
    let expected = [
        ("registered", "[{true,2},{true,2}]"),
        ("registered_and_converted", "[{true,2},{true,2}]"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_table_and_its_owner_survive_and_old_rows_are_errors_until_they_are_converted() {
    let expected = [
        (
            "worked",
            "[{<<\"None\">>,0,<<\"Some(1)\">>},{<<\"None\">>,0,<<\"Some(1)\">>}]",
        ),
        (
            "worked_and_converted",
            "[{<<\"{bad_term\">>,2,<<\"Some(Hours { hours: 2, paid: true })\">>},{<<\"Some(Hours { hours: 1, paid: false })\">>,0,<<\"Some(Hours { hours: 2, paid: true })\">>}]",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_bounded_pool_takes_as_many_tasks_in_the_new_build() {
    let expected = [
        ("crowded", "[{2,0},{2,0}]"),
        ("crowded_and_converted", "[{2,0},{2,0}]"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn processes_of_other_behaviours_change_over_where_sys_reaches_them() {
    let expected = [
        ("purse", "6"),
        ("purse_converted", "7"),
        ("bridge", "<<\"3\">>"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn what_no_message_of_sys_reaches_goes_on_and_is_named() {
    let expected = [
        ("staying", "[{silent,true,false},{spawned,false,true}]"),
        (
            "not_disturbed",
            "[{message_queue_len,0},{message_queue_len,0}]",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn the_version_and_the_environment_are_those_of_the_new_build() {
    let expected = [
        ("read_before", "{1,10,5,true,undefined}"),
        (
            "environment",
            "{[{port,2}],[{fresh,<<\"new\">>}],[gone],[file,mine]}",
        ),
        ("read", "{2,10,5,undefined,<<\"new\">>}"),
        (
            "told",
            "{told,<<\"2\">>,[{port,2}],[{fresh,<<\"new\">>}],[gone]}",
        ),
        ("version", "[\"0.2.0\",[kernel,stdlib,compiler]]"),
        ("dependency", "{[compiler],true}"),
        ("reading", "{0,true}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn what_the_application_needs_is_found_before_anything_is_loaded() {
    let expected = [
        ("missing", "{error,{missing,[nowhere]}}"),
        ("does_not_fit", "{<<\"mine\">>,wrong}"),
        ("as_before", "{true,{ok,\"0.2.0\"},{ok,2}}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// The checked-in Rust is what the source of its module gives.
#[test]
fn the_behaviour_of_the_applications_own_is_fresh() {
    let of = "gen-types keeper --src erlang --path crate::generated --check src/generated";
    let arguments: Vec<&str> = of.split_whitespace().collect();
    let checked = otp_rs(APPLICATION, &arguments);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
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
        ("threads", "{[],true,[client_down]}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn processes_are_told_before_and_after_in_the_order_of_an_end_and_a_start() {
    let told = |from: u8, to: u8| {
        format!(
            "[{{begins,2,<<\"{from}\">>}},{{begins,1,<<\"{from}\">>}},\
             {{ended,1,<<\"{to}\">>}},{{ended,2,<<\"{to}\">>}}]"
        )
    };
    let forged = "[{ended,1,<<\"1\">>},{begins,1,<<\"1\">>},{begins,1,<<\"1\">>}]";
    let (changed, as_before) = (told(2, 1), told(1, 1));
    let expected = [
        ("announced", &*changed),
        ("announced_in_vain", &as_before),
        ("announced_and_killed", &as_before),
        ("killed_and_left", "undefined"),
        ("forged", forged),
        ("announced_again", &told(1, 2)),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_library_in_which_a_thread_runs_stays_and_leaves_when_it_has_ended() {
    let expected = [
        ("careless", "{true,[<<\"careless\">>],true}"),
        ("careless_ended", "false"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_process_that_is_busy_goes_on_with_the_old_code_and_changes_over_later() {
    let expected = [
        ("at_work", "{true,true}"),
        ("busy", "{true,busy}"),
        ("busy_again", "{true,true}"),
        ("on_old_code", "{<<\"2\">>,<<\"2\">>,<<\"2\">>}"),
        ("shown", "true"),
        ("state_in_a_shell", "true"),
        ("one_library", "1"),
        ("changed_later", "{<<\"2\">>,true}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// A process may wait in one callback throughout any number of upgrades.
#[test]
fn a_state_whose_callback_waits_during_two_upgrades_is_converted_by_the_next_one() {
    let expected = [
        ("waited_twice", "{<<\"2\">>,<<\"3\">>}"),
        ("waited_and_converted", "{<<\"3\">>,-100}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_task_that_waits_in_a_workers_mailbox_is_done() {
    let done = vec!["done"; 50].join(",");
    assert_observed(&OBSERVED, &[("ordered", &format!("{{true,[],[{done}]}}"))]);
}

#[test]
fn a_form_that_nothing_converts_is_refused_before_anything_changes() {
    let expected = [
        (
            "refused",
            "{{changed,<<\"#{count := non_neg_integer()}\">>,<<\"#{count := binary()}\">>},true}",
        ),
        (
            "others",
            "[{bridge,retyped},{crew,same},{dialer,same},{ear,same},{hand,same},{light,same},{purse,same},{stroot,supervisor},{whole,opaque}]",
        ),
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
fn an_upgrade_whose_asker_ends_changes_nothing() {
    let expected = [
        ("cancelled", "true"),
        ("cancelled_build", "{<<\"2\">>,<<\"2\">>,<<\"2\">>}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn other_processes_run_while_an_upgrade_waits_for_a_busy_one() {
    assert_observed(&OBSERVED, &[("stopped_at_most_twice", "true")]);
}

#[test]
fn a_clause_of_code_change_converts_a_state() {
    assert_observed(&OBSERVED, &[("converted", "{<<\"3\">>,100}")]);
}

#[test]
fn nothing_changes_if_one_code_change_panics() {
    let expected = [
        ("panics", "{true,<<\"13 brings bad luck\">>,\"counter.rs\"}"),
        ("as_it_was", "{true,true,14}"),
        ("pushed", "2"),
        ("nothing_kept", "[]"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_state_machine_stays_in_a_state_that_the_new_build_does_not_have() {
    let expected = [
        ("not_now", "{{not_a_state,on},<<\"2\">>}"),
        ("not_a_state", "[{counter,busy},{light,{not_a_state,on}}]"),
        (
            "another_state",
            "{{{6,<<\"1\">>},off},{{7,<<\"3\">>},dark},[]}",
        ),
    ];
    assert_observed(&OBSERVED, &expected);
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

#[test]
fn no_file_is_left_when_the_application_stops() {
    assert_observed(&OBSERVED, &[("stopped", "{1,[],1}")]);
}
