//! Values in the forms that one writes first. They have to compile and become the terms that OTP
//! expects.

use otp_bridge::atoms::{call, cancel, info, postpone, state_timeout};
use otp_bridge::gen_statem::{ActionOrList, callback, prelude::*};
use otp_bridge::messages::ExitSignal;
use otp_bridge::{Term, gen_server, list};

use self::account::{Account, Refused, Take};
use super::{nothing, run};

#[derive(Debug)]
struct Door;

#[derive(Debug, Clone, PartialEq, Term)]
enum State {
    Closed,
}

#[derive(Debug, Term)]
#[reply(bool)]
struct Knock;

#[derive(Debug, Term)]
#[reply(bool)]
struct Ring;

#[gen_statem]
impl GenStatem for Door {
    type Args = ();
    type State = State;

    fn init(_: ()) -> impl InitReturn<State, Self> {
        (otp_bridge::atoms::ok, State::Closed, Door)
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<bool>),
        _: Knock,
        _: State,
    ) -> HandleEvent<State> {
        let other: Caller<bool> = Term::of(&caller).decode().expect("a caller");
        keep_state_actions(vec![reply(caller, true), reply(other, false)])
    }

    fn handle_event(
        &mut self,
        (_, caller): (call, Caller<bool>),
        _: Ring,
        _: State,
        cx: &Cx<'_>,
    ) -> HandleEvent<State> {
        // These calls have started and complete on their own.
        _ = cx.trap_exit(true);
        let _answering = cx.spawn_task(async |_| Ok(()));
        keep_state_actions(list![(state_timeout, cancel), reply(caller, true)])
    }

    fn handle_event(&mut self, _: info, _: ExitSignal, _: State) -> HandleEvent<State> {
        keep_state_and_data()
    }
}

#[test]
fn actions_of_several_kinds_are_a_list() {
    let caller: Caller<bool> = Term::of(&(1, 2)).decode().expect("a caller");
    let actions = list![postpone, reply(caller, true), (state_timeout, cancel)];
    let actions = ActionOrList::from(actions);
    let written = "[postpone,{reply,{1,2},true},{state_timeout,cancel}]";
    assert_eq!(Term::of(&actions).to_string(), written);
}

#[test]
fn replies_to_several_callers_are_a_list_of_actions() {
    let caller: Caller<bool> = Term::of(&(1, 2)).decode().expect("a caller");
    let event = callback::HandleEvent::handle_event;
    let (returned, _) = run(
        async |cx| {
            event(&mut Door, (call, caller), Knock, State::Closed, cx)
                .await
                .into_return()
        },
        &nothing,
    );
    let Ok(HandleEvent::KeepStateActions(actions)) = returned else {
        panic!("{returned:?}");
    };
    let replies = "[{reply,{1,2},true},{reply,{1,2},false}]";
    assert_eq!(Term::of(&actions).to_string(), replies);
}

mod account {
    use otp_bridge::gen_server::prelude::*;

    #[derive(Debug)]
    pub(super) struct Account(pub(super) u64);

    #[derive(Debug, PartialEq, Term)]
    pub(super) enum Refused {
        Empty,
    }

    #[derive(Debug, Term)]
    #[reply(Result<u64, Refused>)]
    pub(super) struct Take(pub(super) u64);

    #[gen_server]
    impl GenServer for Account {
        type Args = u64;

        fn init(balance: u64) -> impl InitReturn<Self> {
            (otp_bridge::atoms::ok, Account(balance))
        }

        fn handle_call(&mut self, Take(amount): Take) -> HandleCall<Result<u64, Refused>> {
            let left = self.0.checked_sub(amount).ok_or(Refused::Empty);
            reply(left)
        }
    }
}

#[test]
fn a_reply_may_be_a_result() {
    for (amount, reply) in [(2, "{ok,3}"), (7, "{error,empty}")] {
        let take = gen_server::callback::HandleCall::handle_call;
        let (returned, _) = run(
            async |cx| {
                let returned = take(&mut Account(5), Take(amount), cx).await;
                gen_server::prelude::HandleCallReturn::into_return(returned)
            },
            &nothing,
        );
        let Ok(gen_server::HandleCall::Reply(made)) = returned else {
            panic!("{returned:?}");
        };
        let term = Term::of(&made);
        assert_eq!(term.to_string(), reply);
        assert_eq!(term.decode(), Ok(made));
    }
    let other = Term::of(&7).decode::<std::result::Result<u64, Refused>>();
    let error = other.expect_err("not a result").to_string();
    assert!(
        error.contains("{ok, non_neg_integer()} | {error, "),
        "{error}"
    );
}
