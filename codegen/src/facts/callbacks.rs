//! Facts about OTP's behaviours that are in its documentation, but not in its forms: a table for
//! each behaviour, and a rule for all other behaviours. The generator knows behaviours by name only
//! in this file. Everything that follows from a form is derived from it in `lower/facts.rs`: which
//! argument is the state, the caller or the message, and the value that a callback returns to keep
//! its state.
//!
//! | behaviour | fact | source |
//! |---|---|---|
//! | any | `code_change` converts a state of another version, `format_status` shows a state | OTP design principles, "Release handling"; manual page of `sys` |
//! | `gen_server` | when `handle_cast/2`, `handle_info/2` and `handle_continue/2` are called | its manual page |
//! | | `{continue, Continue}` makes OTP call `handle_continue(Continue, _)`, a timeout after the state `handle_info(timeout, _)` | the same |
//! | `gen_event` | when `handle_event/2`, `handle_call/2` and `handle_info/2` are called | its manual page |
//! | `gen_statem` | `callback_mode/0` is `handle_event_function` with `handle_event/4`, `state_functions` with a function for each state; `state_enter` is added if a clause takes state enter calls | its manual page, `callback_mode/0` |
//! | | timeouts and `{next_event, Type, Content}` make events | the same, `action()` |
//! | `application` | `start_phase/3` is called for each phase with the arguments of that phase | its manual page |
//! | | the pid that `start/2` returns is that of the root supervisor | the same |
//! | `wx_object` | `handle_sync_event/3` is called by a process of its own, with a copy of the state | its manual page |
//! | all with `handle_info` or events | something that a process has sent to itself with a delay arrives as a message | `erlang:send_after/3` |

use otp_contract::callback::CallbackKind;

/// The facts about a behaviour.
pub(crate) struct BehaviourRow {
    module: &'static str,
    /// Facts about its callbacks that are not in the `-callback` forms.
    callbacks: &'static [CallbackRow],
    /// Return values that trigger another callback.
    pub(crate) effects: Option<EffectRow>,
    /// Whether its processes have children whose type a module may declare.
    pub(crate) has_children: bool,
}

/// The facts about a callback.
#[derive(Clone, Copy)]
pub(crate) struct CallbackRow {
    name: &'static str,
    /// When it is called.
    pub(crate) kind: CallbackKind,
    /// The argument that is again the start argument of the process.
    pub(crate) started_with: Option<usize>,
    /// Arguments that select a module's clause for each call, although the callback has no state.
    pub(crate) open: &'static [usize],
    /// The result if a module leaves it out.
    pub(crate) answer: Option<AnswerRow>,
    /// Whether it runs in another process than the one that owns the state.
    pub(crate) elsewhere: bool,
}

/// The result of a callback without arguments, which follows from the other callbacks of a module.
#[derive(Clone, Copy)]
pub(crate) struct AnswerRow {
    /// The result is exactly one of these: the atom, and the form whose clauses require it.
    pub(crate) one_of: &'static [(&'static str, &'static str)],
    /// These are added to the result: the atom, and the atom that marks the clauses which require
    /// it.
    pub(crate) also: &'static [(&'static str, &'static str)],
}

/// Values of a behaviour that trigger another callback.
pub(crate) struct EffectRow {
    /// Tuples that may do so: their first atom and their size.
    pub(crate) tuples: &'static [(&'static str, usize)],
    /// Functions of Rust that create such terms, and their number of arguments.
    pub(crate) calls: &'static [(&'static str, usize)],
    /// Methods of the context that send the process a message later, and their number of arguments.
    pub(crate) methods: &'static [(&'static str, usize)],
    /// Methods that make messages arrive later: their number of arguments, and the messages.
    pub(crate) later: &'static [(&'static str, usize, &'static [&'static str])],
    /// The message of a timeout.
    pub(crate) timeout: Option<&'static str>,
}

impl CallbackRow {
    const fn new(name: &'static str, kind: CallbackKind) -> Self {
        CallbackRow {
            name,
            kind,
            started_with: None,
            open: &[],
            answer: None,
            elsewhere: false,
        }
    }
}

/// Messages of a process to itself.
const METHODS: &[(&str, usize)] = &[("send_after", 2), ("send_interval", 2), ("start_timer", 2)];

/// Messages of OTP to a process that has requested them. The messages that arrive through a
/// `subscriber` are declared by the function that receives it.
const LATER: &[(&str, usize, &[&str])] = &[
    ("add_sup_handler", 2, &["HandlerRemoved"]),
    ("join", 1, &[]),
    ("monitor", 1, &["Down", "GroupChange"]),
    ("monitor_groups", 1, &["GroupChange"]),
    ("monitor_nodes", 1, &["NodeUp", "NodeDown"]),
    (
        "monitor_nodes_with_info",
        1,
        &["NodeUpInfo", "NodeDownInfo"],
    ),
    ("pending_request", 2, &["Response"]),
    ("sender", 0, &[]),
    ("spawn_process_monitor", 1, &["Down"]),
    ("subscriber", 0, &[]),
    ("trap_exit", 1, &["ExitSignal"]),
];

/// Callbacks that can be in any behaviour.
const OF_ALL: &[CallbackRow] = &[
    CallbackRow::new("code_change", CallbackKind::Change),
    CallbackRow::new("format_status", CallbackKind::Status),
];

/// `handle_start`, a callback of otp-rs (`codegen/src/additions.rs`).
const HANDLE_START: CallbackRow = CallbackRow {
    started_with: Some(0),
    ..CallbackRow::new("handle_start", CallbackKind::Start)
};

const TABLE: &[BehaviourRow] = &[
    BehaviourRow {
        module: "gen_server",
        callbacks: &[
            HANDLE_START,
            CallbackRow::new("handle_cast", CallbackKind::Cast),
            CallbackRow::new("handle_info", CallbackKind::Info),
            CallbackRow::new("handle_continue", CallbackKind::Continue),
        ],
        effects: Some(EffectRow {
            tuples: &[("continue", 2), ("ok", 3), ("reply", 3), ("noreply", 2)],
            calls: &[("ok_with", 2), ("reply_with", 2), ("noreply_with", 1)],
            methods: METHODS,
            later: LATER,
            timeout: Some("timeout"),
        }),
        has_children: false,
    },
    BehaviourRow {
        module: "gen_event",
        callbacks: &[
            CallbackRow::new("handle_event", CallbackKind::Event),
            CallbackRow::new("handle_call", CallbackKind::Call),
            CallbackRow::new("handle_info", CallbackKind::Info),
        ],
        effects: Some(EffectRow {
            tuples: &[],
            calls: &[],
            methods: METHODS,
            later: LATER,
            timeout: None,
        }),
        has_children: false,
    },
    BehaviourRow {
        module: "gen_statem",
        callbacks: &[
            HANDLE_START,
            CallbackRow {
                answer: Some(AnswerRow {
                    one_of: &[
                        ("handle_event_function", "handle_event"),
                        ("state_functions", "state_name"),
                    ],
                    also: &[("state_enter", "enter")],
                }),
                ..CallbackRow::new("callback_mode", CallbackKind::Mode)
            },
        ],
        effects: Some(EffectRow {
            tuples: &[
                ("state_timeout", 3),
                ("state_timeout", 4),
                ("timeout", 3),
                ("timeout", 4),
                ("next_event", 3),
            ],
            calls: &[("next_event", 2), ("timeout_named", 3)],
            methods: METHODS,
            later: LATER,
            timeout: None,
        }),
        has_children: false,
    },
    BehaviourRow {
        module: "application",
        callbacks: &[CallbackRow {
            open: &[0, 2],
            ..CallbackRow::new("start_phase", CallbackKind::Phase)
        }],
        effects: None,
        has_children: false,
    },
    BehaviourRow {
        module: "wx_object",
        callbacks: &[CallbackRow {
            elsewhere: true,
            ..CallbackRow::new("handle_sync_event", CallbackKind::Other)
        }],
        effects: None,
        has_children: false,
    },
    BehaviourRow {
        module: "supervisor",
        callbacks: &[],
        effects: None,
        has_children: true,
    },
];

/// Returns the facts about a behaviour beside its forms.
pub(crate) fn behaviour(module: &str) -> Option<&'static BehaviourRow> {
    TABLE.iter().find(|row| row.module == module)
}

/// Returns whether a pid that a callback of this behaviour returns is a supervisor's:
/// `application:start/2`.
pub(crate) fn returns_supervisor(module: &str) -> bool {
    module == "application"
}

/// Returns the facts about a callback beside its form.
pub(crate) fn callback(module: &str, name: &str) -> Option<&'static CallbackRow> {
    let of_behaviour = behaviour(module).map_or(&[][..], |row| row.callbacks);
    of_behaviour
        .iter()
        .chain(OF_ALL)
        .find(|row| row.name == name)
}
