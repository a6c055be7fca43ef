//! Return values of the right types that OTP would refuse: the bridge refuses them before OTP sees
//! them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use otp_bridge::atoms::{
    all_significant, any_significant, brutal_kill, dynamic, infinity, noreply, ok, one_for_one,
    start_link, state_timeout, transient, worker,
};
use otp_bridge::gen_server::{self, GenServer, HandleCast, Server, gen_server};
use otp_bridge::gen_statem::{self, HandleEvent, StateTimeout, TimeoutOption};
use otp_bridge::start::StartOptions;
use otp_bridge::supervisor::{
    ChildSpec, ChildSpecMap, DynamicSupervisor, InitReturn, Isolation, Mfargs, SupFlags,
    Supervisor, supervisor,
};
use otp_bridge::term::Integer;
use otp_bridge::{Name, Term, Timeout, atom, testing};

#[derive(Debug)]
struct Clerk;

#[gen_server(module = "clerk")]
impl GenServer for Clerk {
    type Args = u64;

    fn init(_: u64) -> impl gen_server::InitReturn<Self> {
        (ok, Clerk)
    }
}

struct Office;

#[supervisor(module = "office")]
impl Supervisor for Office {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}

/// Returns the message of a panic.
fn message<T>(body: impl FnOnce() -> T) -> String {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(_) => panic!("it has not panicked"),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => (*payload.downcast::<&str>().expect("a text")).to_owned(),
        },
    }
}

fn clerk(id: &'static str) -> ChildSpec {
    ChildSpec::of::<Clerk>(1).id(id)
}

/// Returns the mistake in flags and children.
fn refusal(flags: SupFlags, children: Vec<ChildSpec>) -> String {
    let returned = (ok, (flags, children)).into_return().expect("no exit");
    message(move || testing::returned(&returned))
}

fn accepted(flags: SupFlags, children: Vec<ChildSpec>) {
    let returned = (ok, (flags, children)).into_return();
    testing::returned(&returned.expect("no exit"));
}

#[test]
fn children_have_ids_and_names_of_their_own() {
    let two = vec![clerk("one"), clerk("other"), clerk("one")];
    assert_eq!(
        refusal(SupFlags::one_for_one(), two),
        "two children have the id `<<\"one\">>`; each needs one of its own"
    );
    let named = |id: &'static str| clerk(id).registered(atom!("clerk"));
    assert_eq!(
        refusal(SupFlags::one_for_all(), vec![named("one"), named("other")]),
        "the children `<<\"one\">>` and `<<\"other\">>` both have the registered name `{local,clerk}`"
    );
    let offices = ["one", "other"].map(|id| {
        ChildSpec::of::<Office>(())
            .id(id)
            .registered(atom!("office"))
    });
    let text = refusal(SupFlags::one_for_one(), offices.into());
    assert!(text.contains("{local,office}"), "{text}");
    accepted(SupFlags::one_for_one(), vec![named("one"), clerk("other")]);
}

#[test]
fn a_child_has_one_name() {
    let text = message(|| clerk("one").registered(atom!("a")).registered(atom!("b")));
    assert_eq!(
        text,
        "the child `<<\"one\">>` is registered as `{local,a}` already; a process has one name"
    );
    let office = || ChildSpec::of::<Office>(()).id("one").registered(atom!("a"));
    assert!(message(|| office().registered(atom!("a"))).contains("already"));
    // An argument that looks like a name is not one.
    let arguments = vec![Term::of(&(atom!("local"), atom!("x"))), Term::nil()];
    let start = Mfargs::from((atom!("clerk"), atom!("start_link"), Some(arguments)));
    let _ = ChildSpec::from(ChildSpecMap::new("one", start)).registered(atom!("a"));
}

#[test]
fn a_simple_supervisor_has_one_child_spec() {
    let simple = SupFlags::simple_one_for_one;
    for children in [vec![], vec![clerk("one"), clerk("other")]] {
        let text = refusal(simple(), children);
        assert!(text.contains("has one child spec"), "{text}");
    }
    let text = refusal(simple().auto_shutdown(any_significant), vec![clerk("one")]);
    assert!(text.contains("no automatic shutdown"), "{text}");
    accepted(simple(), vec![clerk("one")]);
}

#[test]
fn a_template_is_the_one_child_spec_of_a_simple_supervisor() {
    let template = ChildSpec::template::<Clerk>;
    accepted(SupFlags::simple_one_for_one(), vec![template()]);
    let options = StartOptions::new().hibernate_after(Duration::from_secs(1));
    accepted(
        SupFlags::simple_one_for_one(),
        vec![template().options(options)],
    );
    let text = refusal(SupFlags::one_for_one(), vec![clerk("one"), template()]);
    assert_eq!(
        text,
        "the child `clerk` is a template, which only `SupFlags::simple_one_for_one()` takes: use \
         `ChildSpec::of`"
    );
    let text = message(|| template().registered(atom!("a")));
    assert!(text.contains("a template for many processes"), "{text}");
}

#[test]
fn a_dynamic_supervisor_takes_templates_of_its_type() {
    let clerks = DynamicSupervisor::<Clerk>::new(atom!("clerks"));
    let flags = SupFlags::simple_one_for_one;
    let template = ChildSpec::template::<Clerk>;
    let start = "#{id => clerks,start => {otp_rs_dynamic,start_link,[{local,clerks},\
                 {#{strategy => simple_one_for_one},[#{id => clerk,start => {clerk,start_link,[]}}]}]},\
                 type => supervisor}";
    assert_eq!(Term::of(&clerks.child()).to_string(), start);
    let text = message(|| clerks.child_with(SupFlags::one_for_all(), template()));
    assert!(text.starts_with("the supervisor `clerks`: "), "{text}");
    assert!(text.contains("it needs the flags"), "{text}");
    let text = message(|| clerks.child_with(flags(), ChildSpec::of::<Clerk>(1)));
    assert!(text.contains("`ChildSpec::template::<…>()`"), "{text}");
    let text = message(|| clerks.child_with(flags(), ChildSpec::template::<Office>()));
    assert!(text.contains("its template is of `office`"), "{text}");
    let isolated = ChildSpec::isolated_template::<Clerk>(&Isolation::new());
    let _ = clerks.child_with(flags().intensity(10), isolated);
    let sharded = DynamicSupervisor::<Clerk>::new(atom!("clerks")).sharded(4);
    let start = start.replace("]}]},type", "]},4]},type");
    assert_eq!(Term::of(&sharded.child()).to_string(), start);
    let text = message(|| DynamicSupervisor::<Clerk>::new(atom!("clerks")).sharded(1025));
    assert_eq!(text, "a supervisor has 1 to 1,024 shards");
    let limited = sharded.max_children(9);
    let start = start.replace("]},4]},type", "]},4,9]},type");
    assert_eq!(Term::of(&limited.child()).to_string(), start);
}

#[test]
fn an_isolated_template_is_refused_where_another_one_is() {
    let template = || ChildSpec::isolated_template::<Clerk>(&Isolation::pool(atom!("desks"), 2));
    accepted(SupFlags::simple_one_for_one(), vec![template()]);
    let options = StartOptions::new().hibernate_after(Duration::from_secs(1));
    let shown = Term::of(&template().options(options.clone())).to_string();
    let start = "start => {otp_rs_isolated,start_child,[#{group => desks,vms => 2},clerk,\
                 [{hibernate_after,1000}]]}";
    assert!(shown.contains(start), "{shown}");
    let with_options = vec![template().options(options)];
    accepted(SupFlags::simple_one_for_one(), with_options);
    let text = refusal(SupFlags::one_for_one(), vec![clerk("one"), template()]);
    assert!(
        text.starts_with("the child `clerk` is a template"),
        "{text}"
    );
    let text = message(|| template().registered(atom!("a")));
    assert!(text.contains("a template for many processes"), "{text}");
    let text = message(|| template().registered(&Server::<Clerk>::registered()));
    assert!(text.contains("a template for many processes"), "{text}");
    let text = message(|| Isolation::pool(atom!("desks"), 0));
    assert_eq!(text, "a pool cannot be of 0 VMs");
}

struct Desks;

#[supervisor(module = "desks")]
impl Supervisor for Desks {
    type Args = ();
    type Child = Clerk;

    fn init(_: ()) -> impl InitReturn {
        let clerk = ChildSpec::template::<Clerk>();
        (ok, (SupFlags::simple_one_for_one(), vec![clerk]))
    }
}

#[test]
fn a_template_is_of_the_type_that_the_supervisor_says() {
    let refusal = |flags, child: ChildSpec| {
        let returned = (ok, (flags, vec![child])).into_return().expect("no exit");
        message(move || testing::returned_by::<Desks>(&returned))
    };
    let text = refusal(SupFlags::one_for_one(), clerk("one"));
    assert!(
        text.contains("it needs the flags `SupFlags::simple"),
        "{text}"
    );
    let simple = SupFlags::simple_one_for_one;
    let text = refusal(simple(), ChildSpec::template::<Office>());
    assert_eq!(
        text,
        "its `type Child` is `clerk`, but its template is of `office`"
    );
    let text = refusal(simple(), clerk("one"));
    assert!(text.contains("`ChildSpec::template::<…>()`"), "{text}");
    let template = ChildSpec::template::<Clerk>().options(StartOptions::new());
    let returned = (ok, (simple(), vec![template])).into_return();
    let returned = testing::returned_by::<Desks>(&returned.expect("no exit"));
    assert_eq!(
        returned.to_string(),
        "{ok,{#{strategy => simple_one_for_one},\
         [#{id => clerk,modules => [clerk],start => {otp_rs,start_child,[clerk,[]]}}]}}"
    );
}

#[test]
fn options_are_for_processes_that_take_them() {
    let spec = clerk("one").options(StartOptions::new().timeout(infinity));
    let spec = spec.registered(Name::global("clerk"));
    assert_eq!(
        Term::of(&spec).to_string(),
        "#{id => <<\"one\">>,start => \
         {clerk,start_link,[{global,<<\"clerk\">>},1,[{timeout,infinity}]]}}"
    );
    let text = message(|| ChildSpec::of::<Office>(()).options(StartOptions::new()));
    assert_eq!(
        text,
        "the child `office` takes no start options: `supervisor:start_link` has none"
    );
    let text = message(|| ChildSpec::template::<Office>().options(StartOptions::new()));
    assert!(text.contains("takes no start options"), "{text}");
    let groups = || ChildSpec::erlang(atom!("pg"), start_link, ());
    let text = message(|| groups().options(StartOptions::new()));
    assert!(text.contains("started by `pg:start_link`"), "{text}");
    let text = message(|| groups().registered(atom!("groups")));
    assert!(text.contains("started by `pg:start_link`"), "{text}");
}

#[test]
fn a_significant_child_needs_flags_and_an_end() {
    let text = refusal(
        SupFlags::one_for_one(),
        vec![clerk("one").significant(true).restart(transient)],
    );
    assert!(text.contains("auto_shutdown(any_significant)"), "{text}");
    let flags = || SupFlags::one_for_one().auto_shutdown(all_significant);
    let text = refusal(flags(), vec![clerk("one").significant(true)]);
    assert!(text.contains("`significant` and `permanent`"), "{text}");
    accepted(
        flags(),
        vec![clerk("one").significant(true).restart(transient)],
    );
    accepted(
        SupFlags::one_for_one(),
        vec![clerk("one").significant(false)],
    );
}

#[test]
fn times_and_arguments_are_those_that_otp_takes() {
    let patient = clerk("one").shutdown(Duration::from_secs(60 * 24 * 3600));
    let text = refusal(SupFlags::one_for_one(), vec![patient]);
    assert!(text.contains("4294967295 ms (49 days)"), "{text}");
    accepted(
        SupFlags::one_for_one(),
        vec![clerk("one").shutdown(infinity)],
    );
    let start = Mfargs::from((atom!("clerk"), atom!("start_link"), None));
    let older = ChildSpec::from((1, start, transient, brutal_kill, worker, dynamic));
    let text = refusal(SupFlags::one_for_one(), vec![older]);
    assert!(text.contains("no list of arguments"), "{text}");
    assert!(message(|| SupFlags::one_for_one().period(0)).contains("at least one second"));
    let text = message(|| SupFlags::from((one_for_one, 1, 0)));
    assert_eq!(text, "`0` is not `pos_integer()`");
}

#[test]
fn a_server_waits_no_longer_than_receive_does() {
    use gen_server::HandleCastReturn as _;
    let long = Timeout::from_secs(60 * 24 * 3600);
    let returned: HandleCast = (noreply, long).into_return().expect("no exit");
    let text = message(move || testing::returned(&returned));
    assert!(text.contains("a timeout of 5184000000 ms"), "{text}");
    let returned = (noreply, Timeout::Milliseconds(0xffff_ffff)).into_return();
    testing::returned(&returned.expect("no exit"));
}

#[test]
fn a_machine_waits_for_times_that_are_not_over() {
    let actions = |actions: Vec<gen_statem::Action>| -> HandleEvent<u64> {
        gen_statem::clause::keep_state_actions(actions)
    };
    let early = || StateTimeout::from(Integer::from(-5));
    let text =
        message(move || testing::returned(&actions(vec![(state_timeout, early(), "x").into()])));
    assert!(text.contains("a timeout of -5 ms"), "{text}");
    let relative = TimeoutOption { abs: false };
    let action = (state_timeout, early(), "x", relative).into();
    let text = message(move || testing::returned(&actions(vec![action])));
    assert!(text.contains("a timeout of -5 ms"), "{text}");
    let far = Integer::from(1_u64 << 60);
    let text = message(move || testing::returned(&actions(vec![far.into()])));
    assert!(text.contains("139 years"), "{text}");
    let text = message(move || testing::returned(&actions(vec![Duration::MAX.into()])));
    assert!(text.contains("139 years"), "{text}");
    let absolute = (state_timeout, early(), "x", TimeoutOption { abs: true }).into();
    testing::returned(&actions(vec![absolute, Duration::from_secs(1).into()]));
}
