//! Values that trigger a clause and are created outside a behaviour's block, where the compiler
//! does not check them. They are refused when a callback returns them, if the module does not have
//! the clause.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use otp_bridge::atoms::{infinity, internal, pop_callback_module, state_timeout, timeout};
use otp_bridge::gen_server::TimeoutOrHibernateOrContinue as Next;
use otp_bridge::gen_statem::{
    Action, EventTimeout, TimeoutAction, TimeoutUpdateAction, cancel_timeout, next_event,
    timeout_named,
};
use otp_bridge::module::{Module, Returned};
use otp_bridge::{Term, Timeout, atom, atoms, testing};

use super::{nothing, run};

/// Returns the mistake in a value that a callback of the module `T` returns. `None` if it is right.
fn refusal<T: Module>(returned: &impl Returned) -> Option<String> {
    let made = catch_unwind(AssertUnwindSafe(|| testing::returned_by::<T>(returned)));
    made.err()
        .map(|payload| match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(_) => panic!("a panic without a text"),
        })
}

mod server {
    use super::Next;
    use otp_bridge::gen_server::prelude::*;

    /// The next value that a callback returns.
    #[derive(Debug)]
    pub(super) struct Plain(pub(super) Option<Next>);

    #[derive(Debug)]
    pub(super) struct Called(pub(super) Option<Next>);

    #[derive(Debug, Term)]
    pub(super) struct Go;

    #[derive(Debug, Term)]
    pub(super) struct Tick(pub(super) u64);

    #[derive(Debug, Term)]
    pub(super) enum Info {
        Timeout,
        Down,
    }

    fn go(next: &mut Option<Next>) -> HandleCast {
        next.take()
            .map_or(HandleCast::Noreply, HandleCast::NoreplyWith)
    }

    #[gen_server]
    impl GenServer for Plain {
        type Args = ();

        fn init(_: ()) -> impl InitReturn<Self> {
            (otp_bridge::atoms::ok, Plain(None))
        }

        fn handle_cast(&mut self, _: Go) -> HandleCast {
            go(&mut self.0)
        }

        fn handle_info(&mut self, _: Tick) -> HandleInfo {
            noreply()
        }
    }

    #[gen_server]
    impl GenServer for Called {
        type Args = ();

        fn init(_: ()) -> impl InitReturn<Self> {
            (otp_bridge::atoms::ok, Called(None))
        }

        fn handle_cast(&mut self, _: Go) -> HandleCast {
            go(&mut self.0)
        }

        fn handle_continue(&mut self, _: Tick) -> HandleContinue {
            noreply()
        }

        fn handle_info(&mut self, _: Info) -> HandleInfo {
            noreply()
        }
    }
}

use server::{Called, Go, Info, Plain, Tick};

/// Returns the refusals of a value by `handle_cast/2` of the two servers.
fn of_servers(next: &Next) -> [Option<String>; 2] {
    use otp_bridge::gen_server::callback::HandleCast as callback;
    use otp_bridge::gen_server::prelude::HandleCastReturn as _;
    let mut plain = Plain(Some(next.clone()));
    let mut called = Called(Some(next.clone()));
    let (one, _) = run(
        async |cx| {
            callback::handle_cast(&mut plain, Go, cx)
                .await
                .into_return()
        },
        &nothing,
    );
    let (other, _) = run(
        async |cx| {
            callback::handle_cast(&mut called, Go, cx)
                .await
                .into_return()
        },
        &nothing,
    );
    [
        refusal::<Plain>(&one.expect("no exit")),
        refusal::<Called>(&other.expect("no exit")),
    ]
}

#[test]
fn a_server_has_a_clause_for_what_it_goes_on_with() {
    let tick = Next::Continue(Term::of(&Tick(1)));
    let text = "`plain` has no `handle_continue/2` for `{tick,1}`";
    assert_eq!(of_servers(&tick), [Some(text.to_owned()), None]);
    // A term that the clause does not match.
    let other = Next::Continue(Term::of(&Info::Down));
    let [plain, called] = of_servers(&other);
    assert!(plain.is_some());
    let text = "`called` has no `handle_continue/2` for `down`";
    assert_eq!(called.as_deref(), Some(text));
}

#[test]
fn a_server_has_a_clause_for_its_timeout() {
    assert_eq!(Term::of(&Info::Timeout).to_string(), "timeout");
    let text = "`plain` has no `handle_info/2` for `timeout`";
    let time = Next::Timeout(Timeout::from_secs(1));
    assert_eq!(of_servers(&time), [Some(text.to_owned()), None]);
    for without_message in [Next::Timeout(Timeout::Infinity), Next::Hibernate] {
        assert_eq!(of_servers(&without_message), [None, None]);
    }
}

mod machine {
    use otp_bridge::atoms;
    use otp_bridge::gen_statem::prelude::*;

    #[derive(Debug, Clone, PartialEq, Term)]
    pub(super) enum Light {
        Red,
    }

    #[derive(Debug, Term)]
    pub(super) struct Push;

    /// Handles only messages from other processes.
    #[derive(Debug)]
    pub(super) struct Lamp(pub(super) Vec<Action>);

    /// Handles all later messages, by functions of its states.
    #[derive(Debug)]
    pub(super) struct Crossing;

    #[gen_statem]
    impl GenStatem for Lamp {
        type Args = ();
        type State = Light;

        fn init(_: ()) -> impl InitReturn<Light, Self> {
            (atoms::ok, Light::Red, Lamp(Vec::new()))
        }

        fn handle_event(&mut self, _: cast, _: Push, _: Light) -> HandleEvent<Light> {
            keep_state_actions(std::mem::take(&mut self.0))
        }
    }

    #[gen_statem]
    impl GenStatem for Crossing {
        type Args = ();
        type State = Light;

        fn init(_: ()) -> impl InitReturn<Light, Self> {
            (atoms::ok, Light::Red, Crossing)
        }

        #[state_name]
        fn red(&mut self, _: atoms::state_timeout, _: Push) -> StateName<Light> {
            keep_state()
        }

        #[state_name]
        fn red(&mut self, _: timeout, _: Term) -> StateName<Light> {
            keep_state()
        }

        #[state_name]
        fn red(&mut self, _: (timeout, Atom), _: Push) -> StateName<Light> {
            keep_state()
        }

        #[state_name]
        fn red(&mut self, _: internal, _: Push) -> StateName<Light> {
            keep_state()
        }
    }
}

use machine::{Crossing, Lamp, Light, Push};

/// Returns the refusal of actions by `handle_event/4` of the machine without clauses.
fn of_lamp(actions: Vec<Action>) -> Option<String> {
    use otp_bridge::gen_statem::callback::HandleEvent as callback;
    use otp_bridge::gen_statem::prelude::HandleEventReturn as _;
    let mut lamp = Lamp(actions);
    let (returned, _) = run(
        async |cx| {
            let event = (atoms::cast, Push, Light::Red);
            callback::handle_event(&mut lamp, event.0, event.1, event.2, cx)
                .await
                .into_return()
        },
        &nothing,
    );
    refusal::<Lamp>(&returned.expect("no exit"))
}

fn of_crossing(actions: Vec<Action>) -> Option<String> {
    use otp_bridge::gen_statem::StateNameResult;
    let returned: StateNameResult<Light> =
        otp_bridge::gen_statem::clause::keep_state_actions(actions);
    refusal::<Crossing>(&returned)
}

/// Returns actions, each with its event.
fn actions() -> Vec<(Action, &'static str)> {
    let time = || Duration::from_secs(1);
    let updated = TimeoutUpdateAction::StateTimeout(atoms::update, Term::of(&Push));
    vec![
        (
            (state_timeout, time(), Push).into(),
            "`state_timeout`, `push`",
        ),
        ((timeout, time(), Push).into(), "`timeout`, `push`"),
        // The bare time is its own content.
        (EventTimeout::from(time()).into(), "`timeout`, `1000`"),
        (
            timeout_named(atom!("late"), time(), Push).into(),
            "`{timeout,late}`, `push`",
        ),
        (next_event(internal, Push), "`internal`, `push`"),
        (
            TimeoutAction::from(updated).into(),
            "`state_timeout`, `push`",
        ),
    ]
}

#[test]
fn a_machine_has_a_clause_for_each_event_that_it_makes() {
    for (action, event) in actions() {
        let text = format!("`lamp` has no clause for the event {event}");
        assert_eq!(of_lamp(vec![action]), Some(text));
    }
    for (action, _) in actions() {
        assert_eq!(of_crossing(vec![action]), None);
    }
    let wrong: [(Action, &str); 3] = [
        (
            (state_timeout, Duration::ZERO, 7).into(),
            "`state_timeout`, `7`",
        ),
        (
            timeout_named(7, Duration::ZERO, Push).into(),
            "`{timeout,7}`, `push`",
        ),
        (next_event(atoms::info, Push), "`info`, `push`"),
    ];
    for (action, event) in wrong {
        let text = format!("`crossing` has no clause for the event {event}");
        assert_eq!(of_crossing(vec![action]), Some(text));
    }
}

#[test]
fn what_makes_no_event_needs_no_clause() {
    let without_event: [Action; 4] = [
        (state_timeout, infinity, Push).into(),
        cancel_timeout(atom!("late")).into(),
        (atoms::timeout, atoms::cancel).into(),
        atoms::postpone.into(),
    ];
    for action in without_event {
        assert_eq!(of_lamp(vec![action]), None);
    }
    // The previous callback module handles the event.
    let event = next_event(internal, Push);
    assert_eq!(of_lamp(vec![event, pop_callback_module.into()]), None);
}
