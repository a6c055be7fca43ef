//! Bindings without a VM: what they ask for, and where their failures are.
#![cfg(all(feature = "ets", feature = "timer"))]

use std::cell::Cell;

use otp_bindings::{ets, timer};
use otp_bridge::{Exit, Term, atom, testing};
use otp_bridge_novm as _;

/// What `callback` gives when all that it asks for fails, and what it asked for.
fn run<T>(callback: impl AsyncFnOnce(&otp_bridge::Cx<'_>) -> T) -> (T, Vec<String>) {
    let mut asked = Vec::new();
    let given = testing::run(callback, |operation: Term| {
        asked.push(operation.to_string());
        Err(Exit::new(atom!("noproc")))
    });
    (given, asked)
}

#[test]
fn an_exit_names_the_line_that_called_the_binding() {
    let called = Cell::new(0);
    let (failed, asked) = run(async |cx| {
        called.set(line!() + 1);
        ets::insert(cx, atom!("seen"), vec![]).await
    });
    assert_eq!(asked, ["{apply,ets,insert,[seen,[]]}"]);
    let location = failed.expect_err("there is no table").location();
    assert!(location.file().ends_with("bindings.rs"), "{location}");
    assert_eq!(location.line(), called.get());
}

#[test]
fn arguments_are_sent_in_the_order_of_the_spec() {
    let (_, asked) = run(async |cx| timer::send_after(cx, 5, "late").await.map(drop));
    assert_eq!(asked, ["{apply,timer,send_after,[5,<<\"late\">>]}"]);
}

/// One Erlang type is one Rust type: what a behaviour gives is what a binding takes.
#[cfg(all(
    feature = "supervisor",
    feature = "gen_server",
    feature = "application"
))]
#[test]
fn values_of_behaviours_types_are_arguments() {
    use otp_bindings::{application, gen_server, supervisor};
    use otp_bridge::supervisor::{ChildSpec, ChildSpecMap, SupRef};

    let server = otp_bridge::gen_server::ServerRef::from(atom!("counter"));
    let (_, asked) = run(async |cx| gen_server::stop(cx, server).await.map(drop));
    assert_eq!(asked, ["{apply,gen_server,stop,[counter]}"]);

    let started = (atom!("counter"), atom!("start_link"), Some(vec![]));
    let spec = ChildSpec::from(ChildSpecMap::new(atom!("counter"), started));
    let (_, asked) = run(async |cx| {
        let started = supervisor::start_child(cx, SupRef::from(atom!("stroot")), spec);
        started.await.map(drop)
    });
    let expected =
        "{apply,supervisor,start_child,[stroot,#{id => counter,start => {counter,start_link,[]}}]}";
    assert_eq!(asked, [expected]);

    let permanent = otp_bridge::application::RestartType::Permanent;
    let (_, asked) = run(async |cx| {
        let started = application::ensure_started_with_type(cx, atom!("shop"), permanent);
        started.await.map(drop)
    });
    assert_eq!(
        asked,
        ["{apply,application,ensure_started,[shop,permanent]}"]
    );
}

/// What OTP 27 and later answer: another key of a map is ignored.
#[cfg(feature = "erlang")]
#[test]
fn a_later_release_may_answer_with_more_keys() {
    use otp_bindings::erlang::{InfoTupleOrNilOrUndefined as Info, MaxHeapSize, MaxHeapSizeMap};
    use otp_bindings::erlang::{ProcessInfoResultItem as Item, process_info_item};
    use otp_bindings::{atoms, erlang};

    #[derive(otp_bridge::Term)]
    struct Later {
        error_logger: bool,
        include_shared_binaries: bool,
        kill: bool,
        size: u64,
    }
    let later = Later {
        error_logger: true,
        include_shared_binaries: false,
        kill: true,
        size: 233,
    };
    let answer = Term::of(&(atoms::max_heap_size, later));
    let size = testing::run(
        async |cx| process_info_item(cx, cx.pid(), atoms::max_heap_size).await,
        |_| Ok(answer.clone()),
    );
    let known = MaxHeapSizeMap::default()
        .size(233_u64)
        .kill(true)
        .error_logger(true);
    let expected = Info::InfoTuple(Item::MaxHeapSize(MaxHeapSize::Map(known)));
    assert_eq!(size.expect("the keys that are known"), expected);

    // What is not of the type in another way is refused, with its place.
    let answer = Term::of(&(atoms::status, atom!("resting")));
    let status = testing::run(
        async |cx| erlang::process_info_item(cx, cx.pid(), atoms::status).await,
        |_| Ok(answer.clone()),
    );
    let refused = status.expect_err("there is no such status").to_string();
    for part in ["bad_term", "garbage_collecting", "resting"] {
        assert!(refused.contains(part), "{refused}");
    }
}
