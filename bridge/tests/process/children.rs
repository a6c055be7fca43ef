//! Requests to supervisors about their children.

use otp_bridge::atoms::{error, ok, temporary, undefined};
use otp_bridge::gen_server::{self, GenServer, Server, gen_server};
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{FromTerm, Resource, ToTerm, atom, testing};

use crate::run;

#[derive(Debug)]
struct Oar;

#[gen_server(module = "oar")]
impl GenServer for Oar {
    type Args = (u64, String);

    fn init(_: (u64, String)) -> impl gen_server::InitReturn<Self> {
        (ok, Oar)
    }
}

struct Boat;

#[supervisor(module = "boat")]
impl Supervisor for Boat {
    type Args = ();
    type Child = Oar;

    fn init(_: ()) -> impl InitReturn {
        let oar = ChildSpec::template::<Oar>().restart(temporary);
        (ok, (SupFlags::simple_one_for_one(), vec![oar]))
    }
}

struct Fleet;

#[supervisor(module = "fleet")]
impl Supervisor for Fleet {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (
            ok,
            (SupFlags::one_for_one(), vec![ChildSpec::of::<Boat>(())]),
        )
    }
}

/// Returns a process's identifier.
fn pid() -> Pid {
    let caller = Term::of(&testing::caller::<()>());
    let (pid, _) = <(Pid, Term)>::from_term(&caller).expect("a pair");
    pid
}

fn says(answer: impl ToTerm) -> impl Fn(&str) -> Result<Term> {
    let answer = Term::of(&answer);
    move |_: &str| Ok(answer.clone())
}

#[test]
fn a_child_of_a_template_is_started_with_its_arguments_and_is_a_server() {
    let boat = Server::<Boat>::registered();
    let (started, asked) = run(
        async |cx| cx.start_child(&boat, (1, "left".to_owned())).await,
        &says((ok, pid())),
    );
    assert_eq!(started, Ok(Server::from(pid())));
    assert_eq!(
        asked,
        [r#"{apply,supervisor,start_child,[boat,[{1,<<"left">>}]]}"#]
    );
    for (answer, reason) in [
        (Term::of(&(ok, undefined)), "ignore"),
        (Term::of(&(error, "leak")), "<<\"leak\">>"),
    ] {
        let (failed, _) = run(
            async |cx| cx.start_child(&boat, (1, String::new())).await,
            &says(answer),
        );
        let exit = failed.expect_err("it has not started");
        assert_eq!(exit.reason().to_string(), reason);
    }
}

#[test]
fn a_child_of_a_template_is_told_by_its_pid() {
    let boat = Server::<Boat>::global("boat");
    let (done, asked) = run(
        async |cx| {
            cx.terminate_child(&boat, &Server::from(pid())).await?;
            cx.terminate_child(&boat, &pid()).await
        },
        &says(ok),
    );
    assert_eq!(done, Ok(()));
    let call = format!(
        r#"{{apply,supervisor,terminate_child,[{{global,<<"boat">>}},{}]}}"#,
        Term::of(&pid())
    );
    assert_eq!(asked, [call.clone(), call]);
    let (failed, asked) = run(
        async |cx| {
            let oar = Server::<Oar>::local(atom!("oar"));
            cx.terminate_child(&boat, &oar).await
        },
        &says(ok),
    );
    let text = failed.expect_err("it has a name").to_string();
    assert!(text.contains("has no name: pass its pid"), "{text}");
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn the_list_of_children_has_their_processes_as_the_supervisor_types_them() {
    let boat = Server::<Boat>::registered();
    let oars = vec![(undefined, pid(), atom!("worker"), vec![atom!("oar")])];
    let (listed, asked) = run(async |cx| cx.which_children(&boat).await, &says(oars));
    let listed = listed.expect("a list");
    assert_eq!(asked, ["{apply,supervisor,which_children,[boat]}"]);
    let [
        ChildInfo {
            id: None,
            process: ChildProcess::Running(oar),
            worker: Worker::Worker,
            ..
        },
    ] = listed.as_slice()
    else {
        panic!("{listed:?}")
    };
    assert_eq!(*oar, Server::<Oar>::from(pid()));

    let fleet = Server::<Fleet>::registered();
    let boats = vec![
        Term::of(&(
            atom!("boat"),
            atom!("restarting"),
            atom!("supervisor"),
            vec![atom!("boat")],
        )),
        Term::of(&(7, undefined, atom!("worker"), atom!("dynamic"))),
    ];
    let (listed, _) = run(async |cx| cx.which_children(&fleet).await, &says(boats));
    let listed = listed.expect("a list");
    let processes: Vec<_> = listed.iter().map(|info| &info.process).collect();
    assert_eq!(
        processes,
        [&ChildProcess::<Pid>::Restarting, &ChildProcess::Terminated]
    );
    assert_eq!(listed[1].id, Some(Term::of(&7)));
}

#[test]
fn children_are_counted_by_kind() {
    let fleet = Server::<Fleet>::registered();
    let counts = vec![
        (atom!("specs"), 4),
        (atom!("active"), 3),
        (atom!("supervisors"), 2),
        (atom!("workers"), 1),
    ];
    let (count, _) = run(async |cx| cx.count_children(&fleet).await, &says(counts));
    let expected = ChildCount {
        specs: 4,
        active: 3,
        supervisors: 2,
        workers: 1,
    };
    assert_eq!(count, Ok(expected));
}

#[test]
fn a_template_is_not_added_to_a_supervisor_whose_children_have_ids() {
    let fleet = Server::<Fleet>::registered();
    let (failed, asked) = run(
        async |cx| {
            cx.start_child_spec(&fleet, ChildSpec::template::<Oar>())
                .await
        },
        &says((ok, pid())),
    );
    let text = failed.expect_err("it is a template").to_string();
    assert!(text.contains("use `ChildSpec::of`"), "{text}");
    assert!(asked.is_empty(), "{asked:?}");
}

#[derive(Debug, Resource)]
struct Chart;

/// Its state has a chart, which is memory of one VM.
#[derive(Debug)]
struct Pilot;

#[gen_server(module = "pilot")]
impl GenServer for Pilot {
    type Args = Vec<Option<Resource<Chart>>>;

    fn init(_: Vec<Option<Resource<Chart>>>) -> impl gen_server::InitReturn<Self> {
        (ok, Pilot)
    }
}

#[test]
fn a_resource_is_not_given_to_a_child_of_another_vm() {
    let fleet = Server::<Fleet>::registered();
    let start = |child: ChildSpec| {
        run(
            async |cx| cx.start_child_spec(&fleet, child).await,
            &says((ok, pid())),
        )
    };
    let charts = || vec![None, Some(Resource::new(Chart))];
    let (failed, asked) = start(ChildSpec::isolated::<Pilot>(charts()).id(7));
    let text = failed.expect_err("it has a resource").to_string();
    for part in ["the child `7` is isolated", "which is memory of this VM"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(asked.is_empty(), "{asked:?}");

    // Without the resource, or in this VM.
    let (started, asked) = start(ChildSpec::isolated::<Pilot>(vec![None]).id(7));
    assert_eq!(started, Ok(Some(pid())));
    let call = "{otp_rs_isolated,start_link,[#{},pilot,[[undefined]]]}";
    assert!(asked[0].contains(call), "{asked:?}");
    let (started, _) = start(ChildSpec::of::<Pilot>(charts()).id(7));
    assert_eq!(started, Ok(Some(pid())));
}

#[test]
fn an_isolated_template_is_not_added_to_a_supervisor_whose_children_have_ids() {
    let fleet = Server::<Fleet>::registered();
    let start = |child: ChildSpec| {
        run(
            async |cx| cx.start_child_spec(&fleet, child).await,
            &says((ok, pid())),
        )
    };
    let pool = Isolation::pool(atom!("oars"), 2);
    let (failed, asked) = start(ChildSpec::isolated_template::<Oar>(&pool));
    let text = failed.expect_err("it is a template").to_string();
    assert!(text.contains("child spec of `oar` is a template"), "{text}");
    assert!(asked.is_empty(), "{asked:?}");
    let oar = ChildSpec::isolated_in::<Oar>(&pool, (1, "left".to_owned()));
    assert_eq!(start(oar).0, Ok(Some(pid())));
}
