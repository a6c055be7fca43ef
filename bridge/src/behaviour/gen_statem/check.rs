//! What `gen_statem` refuses of actions, although each value has its type: times that are not
//! times.

use super::{
    Action, ActionOrList, EnterAction, EnterActionOrList, EventTimeout, GenericTimeout,
    StateTimeout, TimeoutAction, TimeoutOption, TimeoutOptionOrList,
};
use crate::runtime::Refusable;
use crate::{Integer, Timeout};

/// The longest time of a timer that every VM takes, in milliseconds: 139 years.
const LONGEST_TIMER: u64 = 1 << 42;

impl Refusable for ActionOrList {
    fn refusal(&self) -> Option<String> {
        match self {
            Self::ActionList(actions) => actions.iter().find_map(of_action),
            Self::Action(action) => of_action(action),
        }
    }
}

impl Refusable for EnterActionOrList {
    fn refusal(&self) -> Option<String> {
        match self {
            Self::EnterActionList(actions) => actions.iter().find_map(of_enter_action),
            Self::EnterAction(action) => of_enter_action(action),
        }
    }
}

fn of_action(action: &Action) -> Option<String> {
    match action {
        Action::EnterAction(action) => of_enter_action(action),
        _ => None,
    }
}

fn of_enter_action(action: &EnterAction) -> Option<String> {
    match action {
        EnterAction::TimeoutAction(action) => of_timeout(action),
        _ => None,
    }
}

fn of_timeout(action: &TimeoutAction) -> Option<String> {
    match action {
        TimeoutAction::Time(time) | TimeoutAction::Timeout(time, _) => time.time().refusal(false),
        TimeoutAction::TimeoutOptions(time, _, options) => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::TimeoutName(_, time, _) => time.time().refusal(false),
        TimeoutAction::TimeoutNameOptions(_, time, _, options) => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::StateTimeout(time, _) => time.time().refusal(false),
        TimeoutAction::StateTimeoutOptions(time, _, options) => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::TimeoutCancelAction(_) | TimeoutAction::TimeoutUpdateAction(_) => None,
    }
}

/// The last option counts.
fn is_absolute(options: &TimeoutOptionOrList) -> bool {
    let last = match options {
        TimeoutOptionOrList::TimeoutOption(option) => Some(option),
        TimeoutOptionOrList::TimeoutOptionList(options) => options.last(),
    };
    matches!(last, Some(TimeoutOption(true)))
}

/// A time of any timeout.
enum Time<'t> {
    Timeout(&'t Timeout),
    Integer(&'t Integer),
}

impl Time<'_> {
    #[inline]
    fn refusal(&self, is_absolute: bool) -> Option<String> {
        match self {
            Time::Timeout(Timeout::Infinity) => None,
            Time::Timeout(Timeout::Milliseconds(time)) if *time <= LONGEST_TIMER => None,
            Time::Timeout(Timeout::Milliseconds(time)) => Some(too_long(time)),
            Time::Integer(time) => of_integer(time, is_absolute),
        }
    }
}

#[cold]
fn of_integer(time: &Integer, is_absolute: bool) -> Option<String> {
    match i64::try_from(time) {
        Ok(time) if time < 0 && !is_absolute => Some(format!(
            "a timeout of {time} ms: only an absolute time, with the option `{{abs, true}}`, is negative"
        )),
        Ok(time) if time.unsigned_abs() <= LONGEST_TIMER => None,
        _ => Some(too_long(time)),
    }
}

#[cold]
fn too_long(time: &impl std::fmt::Display) -> String {
    format!(
        "a timeout of {time} ms: the longest time is {LONGEST_TIMER} ms (139 years), or `infinity`"
    )
}

macro_rules! times {
    ($($timeout:ident)*) => {$(
        impl $timeout {
            fn time(&self) -> Time<'_> {
                match self {
                    $timeout::Timeout(time) => Time::Timeout(time),
                    $timeout::Integer(time) => Time::Integer(time),
                }
            }
        }
    )*};
}

times! { EventTimeout GenericTimeout StateTimeout }
