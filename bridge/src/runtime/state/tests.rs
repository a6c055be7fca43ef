//! Checks every transition: each event in each state.

use std::collections::BTreeSet;

use super::*;

const SCHEDULERS: [Scheduler; 3] = [Scheduler::Normal, Scheduler::DirtyCpu, Scheduler::DirtyIo];

fn schedulers() -> impl Iterator<Item = Option<Scheduler>> {
    SCHEDULERS.into_iter().map(Some).chain([None])
}

/// An event of a callback.
#[derive(Debug, Clone, Copy)]
enum Event {
    Poll(Polled),
    Tasks(TasksState, Option<Scheduler>, bool),
    Clock(bool),
    Rest(Rest),
    Resume(Scheduler, bool),
}

/// Returns all events that are possible in a state.
fn events(state: RunState) -> Vec<Event> {
    match state {
        RunState::Polling => {
            let pending = schedulers().map(Polled::Pending);
            let all = pending.chain([Polled::Ready, Polled::NoFuture]);
            all.map(Event::Poll).collect()
        }
        RunState::Beside { .. } => {
            let tasks = [TasksState::Idle, TasksState::Runnable, TasksState::Failed].into_iter();
            let with = |tasks| schedulers().map(move |asked| (tasks, asked));
            let all = tasks.flat_map(with);
            all.flat_map(|(tasks, asked)| {
                [true, false].map(|woken| Event::Tasks(tasks, asked, woken))
            })
            .collect()
        }
        RunState::Woken => vec![Event::Clock(true), Event::Clock(false)],
        RunState::Resting => [
            Rest::Mail,
            Rest::Alone,
            Rest::Woken,
            Rest::Awaited,
            Rest::Nobody,
        ]
        .map(Event::Rest)
        .to_vec(),
        RunState::Left(Leave::Alone | Leave::Waits | Leave::GoesOn { .. }) => SCHEDULERS
            .into_iter()
            .flat_map(|asked| [true, false].map(|is_normal| Event::Resume(asked, is_normal)))
            .collect(),
        RunState::Left(Leave::Ended | Leave::Failed(_)) => Vec::new(),
    }
}

fn after(state: RunState, event: Event) -> RunState {
    match (state, event) {
        (_, Event::Poll(polled)) => RunState::after_poll(polled),
        (RunState::Beside { gives_way }, Event::Tasks(tasks, asked, is_woken)) => {
            RunState::after_tasks(gives_way, tasks, asked, is_woken)
        }
        (_, Event::Clock(is_over)) => RunState::after_clock(is_over),
        (_, Event::Rest(found)) => RunState::after_rest(found),
        (_, Event::Resume(asked, is_normal)) => RunState::resume(asked, is_normal),
        (_, Event::Tasks(..)) => unreachable!("tasks have turns beside a callback"),
    }
}

/// Returns every reachable state, with each possible event and the next state.
fn all() -> Vec<(RunState, Event, RunState)> {
    let mut waiting: Vec<RunState> = SCHEDULERS.map(RunState::call).to_vec();
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    while let Some(state) = waiting.pop() {
        if seen.insert(format!("{state:?}")) {
            for event in events(state) {
                let next = after(state, event);
                all.push((state, event, next));
                waiting.push(next);
            }
        }
    }
    all
}

#[test]
fn a_wake_is_never_lost() {
    for (state, event, next) in all() {
        let is_woken = matches!(
            event,
            Event::Tasks(TasksState::Idle | TasksState::Runnable, _, true)
                | Event::Clock(_)
                | Event::Rest(Rest::Woken)
        );
        let goes_on = matches!(
            next,
            RunState::Polling | RunState::Woken | RunState::Left(Leave::GoesOn { .. })
        );
        assert!(!is_woken || goes_on, "{state:?} {event:?} {next:?}");
    }
}

#[test]
fn a_process_rests_only_if_neither_its_callback_nor_its_tasks_can_go_on() {
    for (state, event, next) in all() {
        let rests = matches!(
            next,
            RunState::Resting | RunState::Left(Leave::Alone | Leave::Waits)
        );
        let may = match event {
            Event::Tasks(tasks, asked, is_woken) => {
                tasks == TasksState::Idle
                    && asked.is_none()
                    && !is_woken
                    && state == RunState::Beside { gives_way: false }
            }
            Event::Rest(found) => matches!(found, Rest::Alone | Rest::Awaited),
            Event::Poll(_) | Event::Clock(_) | Event::Resume(..) => false,
        };
        assert_eq!(rests, may, "{state:?} {event:?} {next:?}");
    }
}

#[test]
fn a_callback_that_gives_way_leaves_its_call() {
    for (state, event, next) in all() {
        let on = match (state, event) {
            (RunState::Polling, Event::Poll(Polled::Pending(Some(on))))
                if on != Scheduler::Normal =>
            {
                Some(on)
            }
            (
                RunState::Beside { .. },
                Event::Tasks(TasksState::Idle | TasksState::Runnable, Some(on), _),
            ) => Some(on),
            (
                RunState::Beside { gives_way: true },
                Event::Tasks(TasksState::Idle | TasksState::Runnable, None, _),
            ) => Some(Scheduler::Normal),
            (_, Event::Resume(on, true)) if on != Scheduler::Normal => Some(on),
            _ => None,
        };
        if let Some(expected) = on {
            let goes_on =
                matches!(next, RunState::Left(Leave::GoesOn { on, .. }) if on == expected);
            assert!(goes_on, "{state:?} {event:?} {next:?}");
        }
    }
}

/// The process performs the awaited operation itself only while the callback cannot continue.
#[test]
fn a_callback_that_can_go_on_is_not_said_to_wait() {
    for (state, event, next) in all() {
        if let RunState::Left(Leave::GoesOn {
            is_waiting: true, ..
        }) = next
        {
            let waits = match event {
                Event::Tasks(..) => state == RunState::Beside { gives_way: false },
                Event::Rest(found) => found == Rest::Mail,
                Event::Poll(_) | Event::Clock(_) | Event::Resume(..) => false,
            };
            assert!(waits, "{state:?} {event:?} {next:?}");
        }
    }
}

#[test]
fn a_failure_ends_the_callback_and_nothing_follows_an_end() {
    for (state, event, next) in all() {
        let fails = matches!(
            event,
            Event::Poll(Polled::NoFuture)
                | Event::Tasks(TasksState::Failed, ..)
                | Event::Rest(Rest::Nobody)
        );
        let has_failed = matches!(next, RunState::Left(Leave::Failed(_)));
        assert_eq!(fails, has_failed, "{state:?} {event:?} {next:?}");
        let ends = matches!(event, Event::Poll(Polled::Ready));
        assert_eq!(
            ends,
            next == RunState::Left(Leave::Ended),
            "{state:?} {event:?}"
        );
        assert!(!events(state).is_empty());
    }
}

#[test]
fn every_state_is_reached() {
    let reached: BTreeSet<String> = all()
        .iter()
        .map(|(_, _, next)| format!("{next:?}"))
        .collect();
    let goes_on = SCHEDULERS.into_iter().flat_map(|on| {
        [true, false].map(|is_waiting| RunState::Left(Leave::GoesOn { on, is_waiting }))
    });
    let failed = [
        CallbackFailure::NoFuture,
        CallbackFailure::Task,
        CallbackFailure::NeverWoken,
    ];
    let failed = failed.map(|it| RunState::Left(Leave::Failed(it)));
    let others = [
        RunState::Polling,
        RunState::Beside { gives_way: true },
        RunState::Beside { gives_way: false },
        RunState::Woken,
        RunState::Resting,
        RunState::Left(Leave::Ended),
        RunState::Left(Leave::Alone),
        RunState::Left(Leave::Waits),
    ];
    let expected = goes_on.chain(failed).chain(others);
    let expected: BTreeSet<String> = expected.map(|it| format!("{it:?}")).collect();
    assert_eq!(reached, expected);
}
