//! `testing::Machine`: its time, and the observations of a test. `same_as_otp_statem.rs` compares
//! the handling of events with OTP's.

use std::time::Duration;

use otp_bridge::atoms::{normal, ok, state_timeout};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::Monitor;
use otp_bridge::testing::Machine as Tested;
use otp_bridge::{Exit, Pid, Term, atom, atoms};

/// `off | on`: each has a function.
#[derive(Debug, Clone, PartialEq, Term)]
enum Light {
    Off,
    On,
}

#[derive(Debug)]
struct Lamp {
    entered: Vec<Light>,
    guest: Option<Monitor>,
    /// The start argument, and the state and the enter calls before `handle_start`.
    began: Option<(Light, Light, usize)>,
}

/// `{switch, Seconds}`: on for this time.
#[derive(Debug, Term)]
struct Switch(u64);

/// `{touch, Seconds}`: goes out after this time, unless another event arrives before.
#[derive(Debug, Term)]
struct Touch(u64);

/// `{at, Second}`: goes out then.
#[derive(Debug, Term)]
struct At(i64);

/// `{guest, Pid}`
#[derive(Debug, Term)]
struct Guest(Pid);

#[derive(Debug, Term)]
#[reply(u64)]
struct Count;

/// `out`
#[derive(Debug, Term)]
struct Out;

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

#[gen_statem(bad_messages = "refuse")]
impl GenStatem for Lamp {
    type Args = Light;
    type State = Light;

    fn init(first: Light) -> impl InitReturn<Light, Self> {
        let (entered, guest, began) = (Vec::new(), None, None);
        let lamp = Lamp {
            entered,
            guest,
            began,
        };
        (ok, first, lamp)
    }

    fn handle_start(&mut self, first: Light, state: Light) -> HandleStart<Light> {
        self.began = Some((first, state, self.entered.len()));
        keep_state()
    }

    #[state_name_enter]
    fn off(&mut self, _: Light) -> StateNameEnter {
        self.entered.push(Light::Off);
        keep_state()
    }

    #[state_name]
    fn off(&mut self, _: cast, Switch(time): Switch) -> StateName<Light> {
        next_state_actions(Light::On, (state_timeout, seconds(time), Out))
    }

    #[state_name]
    fn off(&mut self, _: cast, Touch(time): Touch) -> StateName<Light> {
        next_state_actions(Light::On, (atoms::timeout, seconds(time), Out))
    }

    #[state_name]
    fn off(&mut self, _: cast, At(second): At) -> StateName<Light> {
        let at = timeout_named(atom!("at"), seconds(second.unsigned_abs()), Out);
        next_state_actions(Light::On, at)
    }

    #[state_name]
    fn off(&mut self, (_, caller): (call, Caller<u64>), _: Count) -> StateName<Light> {
        keep_state_actions(reply(caller, self.entered.len() as u64))
    }

    #[state_name_enter]
    fn on(&mut self, _: Light) -> StateNameEnter {
        self.entered.push(Light::On);
        if self.entered.len() > 9 {
            return stop(atom!("worn_out"));
        }
        keep_state()
    }

    #[state_name]
    fn on(&mut self, _: state_timeout, _: Out) -> StateName<Light> {
        next_state(Light::Off)
    }

    #[state_name]
    fn on(&mut self, _: timeout, _: Out) -> StateName<Light> {
        next_state(Light::Off)
    }

    #[state_name]
    fn on(&mut self, (_, _): (timeout, Atom), _: Out) -> StateName<Light> {
        next_state(Light::Off)
    }

    #[state_name]
    async fn on(&mut self, _: cast, Guest(guest): Guest, cx: &Cx<'_>) -> Result<StateName<Light>> {
        self.guest = Some(cx.monitor(&guest).await?);
        cx.send(&guest, "welcome");
        keep_state()
    }

    #[state_name]
    fn on(&mut self, _: info, down: Down) -> StateName<Light> {
        match self.guest.take() {
            Some(guest) if guest.is(&down) => next_state(Light::Off),
            _ => keep_state(),
        }
    }

    #[state_name]
    fn on(&mut self, (_, caller): (call, Caller<u64>), _: Count) -> StateName<Light> {
        keep_state_actions(reply(caller, self.entered.len() as u64))
    }
}

fn lamp() -> Tested<Lamp> {
    Tested::start(Light::Off).expect("it starts")
}

#[test]
fn it_begins_in_its_first_state() {
    let lamp = Tested::<Lamp>::start(Light::On).expect("it starts");
    assert_eq!(lamp.data().began, Some((Light::On, Light::On, 1)));
    assert_eq!(lamp.state(), Light::On);
}

#[test]
fn a_state_has_its_time() -> Result<()> {
    let mut lamp = lamp();
    lamp.cast(Switch(10));
    lamp.advance(seconds(9));
    assert_eq!((lamp.state(), lamp.call(Count)?), (Light::On, 2));
    lamp.advance(seconds(1));
    assert_eq!(lamp.state(), Light::Off);
    assert_eq!(lamp.data().entered, [Light::Off, Light::On, Light::Off]);
    // The timeout was the state's, and is over.
    lamp.cast(Touch(100));
    lamp.advance(seconds(50));
    assert_eq!(lamp.state(), Light::On);
    Ok(())
}

#[test]
fn any_event_ends_the_event_timeout() -> Result<()> {
    let mut lamp = lamp();
    lamp.cast(Touch(10));
    lamp.advance(seconds(9));
    assert_eq!(lamp.call(Count)?, 2);
    lamp.advance(seconds(1_000));
    assert_eq!(lamp.state(), Light::On);
    assert_eq!(lamp.now(), seconds(1_009));
    Ok(())
}

#[test]
fn a_timeout_with_a_name_outlives_events() -> Result<()> {
    let mut lamp = lamp();
    lamp.cast(At(10));
    lamp.advance(seconds(9));
    assert_eq!(lamp.call(Count)?, 2);
    lamp.advance(seconds(1));
    assert_eq!(lamp.state(), Light::Off);
    Ok(())
}

#[test]
fn messages_and_monitors_reach_the_state() {
    let mut lamp = lamp();
    lamp.cast(Switch(10));
    let guest = lamp.parent();
    lamp.cast(Guest(guest));
    insta::assert_snapshot!(lamp.sent(), @r#"<nonode@nohost.99.0> ! <<"welcome">>"#);
    let monitor = lamp.data().guest.clone().expect("a guest");
    lamp.down(&monitor, normal);
    assert_eq!(lamp.state(), Light::Off);
}

#[test]
fn what_no_clause_takes_is_refused_and_an_end_is_seen() {
    let mut lamp = lamp();
    let refused = lamp
        .call_term(Term::of(&atom!("unknown")))
        .expect_err("refused");
    assert!(
        refused.to_string().starts_with("exit: {{bad_request,"),
        "{refused}"
    );
    lamp.send(atom!("unknown"));
    assert_eq!(lamp.ended(), None);

    lamp.data_mut().entered = vec![Light::On; 9];
    lamp.cast(Switch(1));
    let worn_out = Exit::new(atom!("worn_out"));
    assert_eq!(lamp.ended(), Some(&worn_out));
    assert_eq!(lamp.state(), Light::On);
    let called = lamp.call(Count).expect_err("it has ended");
    assert!(called.to_string().starts_with("exit: {noproc,"), "{called}");
}
