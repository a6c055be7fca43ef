//! `bin/NAME upgrade`: a running node of a release switches to another version, and back, through
//! OTP's release handler.

use crate::release::Unpacked;
use crate::support::{Scratch, cargo_otp, said, target};

const NAME: &str = "packed_up";

/// The first version: it counts.
const TALLY: &str = r#"//! Counts.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// How many there were.
#[derive(Debug, Term)]
pub struct Tally {
    count: u64,
}

/// `next`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Next;

#[gen_server]
impl GenServer for Tally {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Tally { count: 0 })
    }

    fn handle_call(&mut self, _: Next) -> HandleCall<u64> {
        self.count += 1;
        reply(self.count)
    }
}
"#;

/// Tallies that come and go, in two VMs.
const CREW: &str = r#"//! Tallies.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::tally::Tally;

/// In two VMs.
pub struct Crew;

#[supervisor]
impl Supervisor for Crew {
    type Args = ();
    type Child = Tally;

    fn init(_: ()) -> impl InitReturn {
        let tally = ChildSpec::isolated_template::<Tally>(&Isolation::pool(atom!("crew"), 2));
        (ok, (SupFlags::simple_one_for_one().intensity(9).period(9), vec![tally]))
    }
}
"#;

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::crew::Crew;
use crate::tally::Tally;

/// Starts the tally, another one behind a wall, and the supervisor of more.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let tally = ChildSpec::of::<Tally>(()).registered(&Server::<Tally>::registered());
        let behind = ChildSpec::isolated::<Tally>(()).registered(atom!("behind")).id(2);
        let crew = ChildSpec::of::<Crew>(()).registered(&Server::<Crew>::registered());
        (ok, (SupFlags::one_for_one().intensity(1).period(5), vec![tally, behind, crew]))
    }
}
"#;

/// Calls the tally without a pause, until the test requests the replies.
const LOAD: &str = "register(load, spawn(fun() -> \
    (fun Call(Told) -> \
        receive {stop, Pid} -> Pid ! {told, lists:reverse(Told)} \
        after 0 -> Call([gen_server:call(tally, next) | Told]) end \
    end)([]) end)).";

/// Returns whether no number of the millions is missing, and whether both versions have answered.
const TOLD: &str = "load ! {stop, self()}, \
    Told = receive {told, All} -> All end, \
    {[N rem 1000000000000 || N <- Told] =:= lists:seq(1, length(Told)), \
     [lists:any(fun(N) -> N > 1000000000000 end, Told), hd(Told) =:= 1]}.";

fn application() -> Scratch {
    let scratch = Scratch::with_application_named(NAME);
    scratch
        .cargo_otp(NAME, &["add", "tally", "gen_server"])
        .succeeded();
    scratch
        .cargo_otp(NAME, &["add", "crew", "supervisor"])
        .succeeded();
    scratch.write(&format!("{NAME}/src/tally.rs"), TALLY);
    scratch.write(&format!("{NAME}/src/crew.rs"), CREW);
    scratch.write(&format!("{NAME}/src/stroot.rs"), ROOT);
    change(
        &scratch,
        "otp.toml",
        "[system]",
        "[env]\nlimit = 1\n\n[system]",
    );
    scratch
}

/// Replaces a text of a file of the application.
fn change(scratch: &Scratch, file: &str, old: &str, new: &str) {
    let path = format!("{NAME}/{file}");
    let text = scratch.read(&path);
    assert!(text.contains(old), "no `{old}` in {file}");
    scratch.write(&path, &text.replacen(old, new, 1));
}

fn archive(version: &str) -> String {
    let folder = target().join("otp/releases");
    let archive = folder.join(format!("{NAME}-{version}.tar.gz"));
    archive.to_str().expect("UTF-8").to_owned()
}

fn release(scratch: &Scratch, more: &[&str]) -> crate::support::Said {
    let arguments = [&["release", "--profile", "dev"], more].concat();
    said(cargo_otp(&scratch.path(NAME), &arguments))
}

/// A clause that converts the second version's state to the third one's.
const CONVERTED: &str = r#"
    fn code_change(_: Term, Counted { count }: Counted, _: Term) -> impl CodeChangeReturn<Self> {
        (ok, Tally { count, step: 1 })
    }
}

/// The state of the versions before.
#[derive(Debug, Term)]
pub struct Counted {
    count: u64,
}
"#;

/// A clause that goes back to the second version's state.
const BACK: &str = "
    fn code_change(self, _: Downgrade<Counted>) -> Counted {
        Counted { count: self.count }
    }
}

/// The state of the versions before.";

/// Creates four versions: the second one has other code, the third one another state, from which
/// there is no way back, and the fourth one a way back.
fn versions(scratch: &Scratch) {
    release(scratch, &[]).succeeded();
    release(scratch, &["--upgrade-from", "0.1.0"]).refused(&["error[E1034]", "raise `version`"]);

    change(scratch, "Cargo.toml", "0.1.0", "0.2.0");
    change(scratch, "otp.toml", "limit = 1", "limit = 2");
    let reply = "reply(self.count)";
    change(
        scratch,
        "src/tally.rs",
        reply,
        "reply(1_000_000_000_000 + self.count)",
    );
    let rel = format!("{{release,{{\"{NAME}\",\"0.0.9\"}},{{erts,\"1.0\"}},[]}}.\n");
    scratch.write(&format!("old/releases/0.0.9/{NAME}.rel"), &rel);
    release(scratch, &["--upgrade-from", "../old"]).refused(&["error[E1034]", "ERTS 1.0"]);
    release(scratch, &["--upgrade-from", &archive("0.1.0")]).succeeded();

    change(scratch, "Cargo.toml", "0.2.0", "0.3.0");
    let file = "src/tally.rs";
    change(scratch, file, "count: u64,", "count: u64,\n    step: u64,");
    change(scratch, file, "count: 0", "count: 0, step: 1");
    change(scratch, file, "count += 1", "count += self.step");
    let text = scratch.read(&format!("{NAME}/{file}"));
    let text = text.trim_end().strip_suffix('}').expect("the end");
    scratch.write(&format!("{NAME}/{file}"), &format!("{text}{CONVERTED}"));
    let unpacked = target().join(format!("otp/releases/{NAME}-0.2.0"));
    let unpacked = unpacked.to_str().expect("UTF-8");
    release(scratch, &["--upgrade-from", unpacked]).succeeded();

    change(scratch, "Cargo.toml", "0.3.0", "0.4.0");
    let end = "}\n\n/// The state of the versions before.";
    change(scratch, file, end, BACK);
    let third = archive("0.3.0");
    let from = ["--upgrade-from", &third, "--upgrade-from", unpacked];
    release(scratch, &from).succeeded();
}

#[test]
fn a_running_release_changes_over_to_another_version_and_back() {
    let scratch = application();
    versions(&scratch);
    scratch.write("late.config", &format!("[{{{NAME}, [{{late, yes}}]}}].\n"));
    let late = scratch.path("late.config");
    let node = Unpacked::new(NAME, &scratch.path("é there"));
    let mut start = node.command(&["start", "an argument"]);
    start.env("PACKED_UP_CONFIG", &late);
    said(start).succeeded();
    let is = |expression: &str, value: &str| assert_eq!(node.eval(expression), value);

    node.says(&["upgrade", "0.2.0"])
        .refused(&["0.2.0 is not unpacked"]);
    node.says(&["unpack", &archive("0.2.0")]).succeeded();
    node.says(&["unpack", &archive("0.2.0")])
        .refused(&["unpacked already"]);
    assert_eq!(
        node.says(&["versions"]).out,
        "0.1.0 permanent\n0.2.0 unpacked\n"
    );
    let dry = node.says(&["upgrade", "0.2.0", "--dry-run"]);
    dry.succeeded();
    assert!(
        dry.out
            .contains("tally: 1 process (tally): the state stays"),
        "{}",
        dry.out
    );
    let stays =
        "tally: 1 process (behind): keeps the old code until it ends: it runs in a VM of its own";
    assert!(dry.out.contains(stays), "{}", dry.out);
    is("application:get_key(packed_up, vsn)", "{ok,\"0.1.0\"}");
    is("gen_server:call(behind, next)", "1");
    let os_process = node.eval("element(2, otp_rs_isolated:child_of(whereis(behind)))");
    let cookie = format!("é there/{NAME}-0.1.0/var/.erlang.cookie");
    let tree = ["tree", "--live", &node.node, "--cookie", &cookie, NAME];
    let tree = said(cargo_otp(&scratch.path(""), &tree));
    tree.succeeded();
    let shown = format!("isolated in OS process {os_process}");
    assert!(tree.out.contains(&shown), "{}", tree.out);

    start_two(&node);
    is(&each_of_crew(NEXT), "[1,1]");
    let old = node.eval(&each_of_crew(OS_PROCESS));

    is(LOAD, "true");
    let pid = node.eval("whereis(tally)");
    let upgraded = node.says(&["upgrade", "0.2.0", "--timeout", "20"]);
    upgraded.succeeded();
    assert!(
        upgraded.out.contains("changed tally (1)"),
        "{}",
        upgraded.out
    );
    is(TOLD, "{true,[true,true]}");
    is("whereis(tally)", &pid);
    // Its code and its state are unchanged.
    is("gen_server:call(behind, next)", "2");
    is(
        "element(2, otp_rs_isolated:child_of(whereis(behind)))",
        &os_process,
    );
    the_crew_is_of_both_builds(&node, &old);
    is("application:get_key(packed_up, vsn)", "{ok,\"0.2.0\"}");
    is(
        "[application:get_env(packed_up, Key) || Key <- [limit, late, arguments]]",
        "[{ok,2},{ok,yes},{ok,[<<\"an argument\">>]}]",
    );
    let again = node.says(&["upgrade", "0.2.0"]);
    again.succeeded();
    assert_eq!(again.out, "0.2.0 runs already\n");
    assert_eq!(node.says(&["versions"]).out, "0.1.0 old\n0.2.0 permanent\n");

    // The state is converted back, too.
    let count = node.eval("gen_server:call(tally, next) - 1000000000000");
    let downgraded = node.says(&["downgrade", "0.1.0"]);
    downgraded.succeeded();
    assert!(
        downgraded.out.contains("(tally): the state stays"),
        "{}",
        downgraded.out
    );
    let next = format!("gen_server:call(tally, next) - {count}");
    is(&next, "1");
    is("application:get_env(packed_up, limit)", "{ok,1}");
    node.says(&["upgrade", "0.2.0"]).succeeded();

    let converted = unpack_and_upgrade(&node, "0.3.0");
    assert!(
        converted.contains("(tally): the state is converted by `code_change`"),
        "{converted}"
    );
    is(&next, "1000000000002");

    // The new state cannot be converted to the old one.
    let refused = node.says(&["downgrade", "0.2.0"]);
    refused.failed(&["nothing was changed: processes cannot change over to 0.2.0"]);
    assert!(
        refused.out.contains("CANNOT CHANGE OVER: the state is"),
        "{}",
        refused.out
    );
    is(&next, "1000000000003");
    is("application:get_key(packed_up, vsn)", "{ok,\"0.3.0\"}");
    a_later_version_goes_back(&node, &count);

    node.says(&["restart"]).succeeded();
    is(
        "{gen_server:call(tally, next), application:get_key(packed_up, vsn)}",
        "{1000000000001,{ok,\"0.3.0\"}}",
    );
    is("gen_server:call(behind, next)", "1000000000001");
    node.says(&["remove", "0.3.0"])
        .refused(&["0.3.0 runs already"]);
    node.says(&["remove", "0.2.0"]).succeeded();
    node.says(&["stop"]).succeeded();
    // The folder has this information even without a node.
    assert_eq!(node.says(&["versions"]).out, "0.1.0 old\n0.3.0 permanent\n");
}

/// The fourth version converts its state to that of the second one.
fn a_later_version_goes_back(node: &Unpacked, count: &str) {
    let next = format!("gen_server:call(tally, next) - {count}");
    let is = |expression: &str, value: &str| assert_eq!(node.eval(expression), value);
    unpack_and_upgrade(node, "0.4.0");
    is(&next, "1000000000004");
    let dry = node.says(&["downgrade", "0.2.0", "--dry-run"]);
    let back = "(tally): the state is converted back by `code_change` of the version that runs";
    assert!(dry.out.contains(back), "{}{}", dry.out, dry.err);
    is("application:get_key(packed_up, vsn)", "{ok,\"0.4.0\"}");
    node.says(&["downgrade", "0.2.0"]).succeeded();
    is(&next, "1000000000005");
    is("application:get_key(packed_up, vsn)", "{ok,\"0.2.0\"}");
    node.says(&["upgrade", "0.3.0"]).succeeded();
    is(&next, "1000000000006");
    node.says(&["remove", "0.4.0"]).succeeded();
}

/// Returns the output of the upgrade.
fn unpack_and_upgrade(node: &Unpacked, version: &str) -> String {
    node.says(&["unpack", &archive(version)]).succeeded();
    let upgraded = node.says(&["upgrade", version]);
    upgraded.succeeded();
    upgraded.out
}

const NEXT: &str = "gen_server:call(One, next)";
const OS_PROCESS: &str = "element(2, otp_rs_isolated:child_of(One))";

/// An expression for each member of the crew, in order.
fn each_of_crew(expression: &str) -> String {
    format!("lists:sort([{expression} || {{_, One, _, _}} <- supervisor:which_children(crew)])")
}

fn start_two(node: &Unpacked) {
    let started = node.eval("[element(1, supervisor:start_child(crew, [{}])) || _ <- [1, 2]]");
    assert_eq!(started, "[ok,ok]");
}

/// Existing children of a pool keep running in their VMs. New or restarted children use the new
/// build, in new VMs, in the number that the pool requires.
fn the_crew_is_of_both_builds(node: &Unpacked, old: &str) {
    let is = |expression: &str, value: &str| assert_eq!(node.eval(expression), value);
    is(&each_of_crew(NEXT), "[2,2]");
    is(&each_of_crew(OS_PROCESS), old);
    start_two(node);
    is(&each_of_crew(NEXT), "[3,3,1000000000001,1000000000001]");
    let vms = each_of_crew(OS_PROCESS);
    is(
        &format!("{{length(lists:usort({vms})), {old} -- {vms}}}"),
        "{4,[]}",
    );
    // The old VMs are killed, and the new ones get their children.
    let kill = format!("[os:cmd(\"kill -KILL \" ++ integer_to_list(Vm)) || Vm <- {old}], ");
    let until = "(fun Until() -> case [Vm || Vm <- Old, lists:member(Vm, Vms())] of [] -> ok; \
                 _ -> timer:sleep(20), Until() end end)()";
    // A child that has just ended has no VM.
    let running = "[Vm || {_, One, _, _} <- supervisor:which_children(crew), is_pid(One), \
                   Vm <- try [element(2, otp_rs_isolated:child_of(One))] \
                   catch error:badarg -> [] end]";
    let all = format!(
        "{kill} Old = {old}, Vms = fun() -> {running} end, {until}, \
         (fun Four() -> case length(Vms()) of 4 -> ok; _ -> timer:sleep(20), Four() end end)()"
    );
    is(&all, "ok");
    // The numbers alone would be printed as a text.
    let numbers = format!("list_to_tuple({})", each_of_crew(NEXT));
    is(
        &numbers,
        "{1000000000001,1000000000001,1000000000002,1000000000002}",
    );
    is(&format!("length(lists:usort({vms}))"), "2");
    let ended = "[supervisor:terminate_child(crew, One) || \
                 {_, One, _, _} <- supervisor:which_children(crew)]";
    is(ended, "[ok,ok,ok,ok]");
}
