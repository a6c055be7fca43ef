//! Checks for actions that have the right type but that `gen_statem` refuses: times out of range,
//! and events without a matching clause.

use std::borrow::Cow;
use std::slice;

use super::{
    Action, ActionOrList, EnterAction, EnterActionOrList, EventTimeout, GenericTimeout,
    StateTimeout, TimeoutAction, TimeoutOption, TimeoutOptionOrList, TimeoutUpdateAction,
};
use crate::runtime::{CallbackKind, ModuleEntry, Refusable, behaviour_of};
use crate::{Integer, Term, Timeout, atoms};

/// The longest time of a timer that every VM takes, in milliseconds: 139 years.
const LONGEST_TIMER: u64 = 1 << 42;

impl Refusable for ActionOrList {
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        let actions = match self {
            Self::ActionList(actions) => actions,
            Self::Action(action) => slice::from_ref(action),
        };
        let refused = actions.iter().find_map(|action| of_module(action, module));
        // After a change of the callback module, another module may handle the events.
        let module = module.filter(|_| !actions.iter().any(changes_module));
        refused.or_else(|| actions.iter().find_map(|action| of_action(action, module)))
    }
}

impl Refusable for EnterActionOrList {
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        let actions = match self {
            Self::EnterActionList(actions) => actions,
            Self::EnterAction(action) => slice::from_ref(action),
        };
        let mut actions = actions.iter();
        actions.find_map(|action| of_enter_action(action, module))
    }
}

fn changes_module(action: &Action) -> bool {
    match action {
        Action::ChangeCallbackModule(_)
        | Action::PushCallbackModule(_)
        | Action::PopCallbackModule => true,
        Action::Postpone
        | Action::PostponeWith(_)
        | Action::NextEvent { .. }
        | Action::EnterAction(_) => false,
    }
}

/// Returns an error if the machine would switch to another Rust module, whose data has another
/// type.
fn of_module(action: &Action, module: Option<&ModuleEntry>) -> Option<String> {
    let (Action::ChangeCallbackModule(new) | Action::PushCallbackModule(new)) = action else {
        return None;
    };
    let (own, new) = (module?.name, new.text());
    let is_another = new != own && behaviour_of(new).is_some();
    is_another.then(|| {
        format!(
            "`{new}` cannot use the data of `{own}`: in Rust, each module has its own type of data"
        )
    })
}

fn of_action(action: &Action, module: Option<&ModuleEntry>) -> Option<String> {
    match action {
        Action::EnterAction(action) => of_enter_action(action, module),
        Action::NextEvent {
            event_type,
            event_content,
        } => without_clause(module, &Term::of(event_type), event_content),
        Action::Postpone
        | Action::PostponeWith(_)
        | Action::ChangeCallbackModule(_)
        | Action::PushCallbackModule(_)
        | Action::PopCallbackModule => None,
    }
}

fn of_enter_action(action: &EnterAction, module: Option<&ModuleEntry>) -> Option<String> {
    match action {
        EnterAction::TimeoutAction(action) => of_time(action).or_else(|| of_event(action, module)),
        EnterAction::Hibernate | EnterAction::HibernateWith(_) | EnterAction::ReplyAction(_) => {
            None
        }
    }
}

/// Returns an error if the time is out of range.
fn of_time(action: &TimeoutAction) -> Option<String> {
    match action {
        TimeoutAction::Time(time) | TimeoutAction::Timeout { time, .. } => {
            time.time().refusal(false)
        }
        TimeoutAction::TimeoutOptions { time, options, .. } => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::TimeoutName(_, time, _) => time.time().refusal(false),
        TimeoutAction::TimeoutNameOptions(_, time, _, options) => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::StateTimeout { time, .. } => time.time().refusal(false),
        TimeoutAction::StateTimeoutOptions { time, options, .. } => {
            time.time().refusal(is_absolute(options))
        }
        TimeoutAction::TimeoutCancelAction(_) | TimeoutAction::TimeoutUpdateAction(_) => None,
    }
}

/// Returns an error if no clause matches the event of the timeout.
fn of_event(action: &TimeoutAction, module: Option<&ModuleEntry>) -> Option<String> {
    let (event_type, content) = module.and_then(|_| event(action))?;
    without_clause(module, &event_type, &content)
}

/// Returns the type and content of the event that the timeout triggers. `None` for a timeout that
/// is cancelled or infinite.
fn event(action: &TimeoutAction) -> Option<(Term, Cow<'_, Term>)> {
    let (time, event_type, content) = match action {
        TimeoutAction::Time(event_timeout) => {
            let content = Cow::Owned(Term::of(event_timeout));
            (event_timeout.time(), Term::of(&atoms::timeout), content)
        }
        TimeoutAction::Timeout {
            time,
            event_content,
        }
        | TimeoutAction::TimeoutOptions {
            time,
            event_content,
            ..
        } => (
            time.time(),
            Term::of(&atoms::timeout),
            Cow::Borrowed(event_content),
        ),
        TimeoutAction::TimeoutName(name, time, content)
        | TimeoutAction::TimeoutNameOptions(name, time, content, _) => {
            (time.time(), Term::of(name), Cow::Borrowed(content))
        }
        TimeoutAction::StateTimeout {
            time,
            event_content,
        }
        | TimeoutAction::StateTimeoutOptions {
            time,
            event_content,
            ..
        } => (
            time.time(),
            Term::of(&atoms::state_timeout),
            Cow::Borrowed(event_content),
        ),
        TimeoutAction::TimeoutUpdateAction(update) => return Some(updated(update)),
        TimeoutAction::TimeoutCancelAction(_) => return None,
    };
    time.ends().then_some((event_type, content))
}

/// Returns the event of a timeout whose content is updated.
fn updated(update: &TimeoutUpdateAction) -> (Term, Cow<'_, Term>) {
    let (event_type, content) = match update {
        TimeoutUpdateAction::Timeout(_, content) => (Term::of(&atoms::timeout), content),
        TimeoutUpdateAction::TimeoutName(name, _, content) => (Term::of(name), content),
        TimeoutUpdateAction::StateTimeout(_, content) => (Term::of(&atoms::state_timeout), content),
    };
    (event_type, Cow::Borrowed(content))
}

/// Returns an error if no clause matches the event in any state.
fn without_clause(
    module: Option<&ModuleEntry>,
    event_type: &Term,
    content: &Term,
) -> Option<String> {
    let module = module?;
    let taken = module.may_take(CallbackKind::Event, &[event_type, content]);
    let name = module.name;
    (!taken).then(|| format!("`{name}` has no clause for the event `{event_type}`, `{content}`"))
}

/// Returns whether the time is absolute. The last option counts.
fn is_absolute(options: &TimeoutOptionOrList) -> bool {
    let last = match options {
        TimeoutOptionOrList::TimeoutOption(option) => Some(option),
        TimeoutOptionOrList::TimeoutOptionList(options) => options.last(),
    };
    matches!(last, Some(TimeoutOption { abs: true }))
}

/// A time of any timeout.
enum Time<'t> {
    Timeout(&'t Timeout),
    Integer(&'t Integer),
}

impl Time<'_> {
    /// Returns whether the timeout triggers an event, which an infinite one does not.
    fn ends(&self) -> bool {
        !matches!(self, Time::Timeout(Timeout::Infinity))
    }

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
