//! What OTP says of its behaviours in words only, and no form does: a table for each behaviour, and
//! a rule for the rest. This is all that the generator knows of a behaviour by name. Whatever
//! follows from a form is found out there (`lower/facts.rs`): which argument is the state, the
//! caller or the message, what a callback returns to keep its state.
//!
//! | behaviour | fact | source |
//! |---|---|---|
//! | any | `code_change` makes a state of another version's, `format_status` shows one | OTP design principles, "Release handling"; manual page of `sys` |
//! | `gen_server` | what `handle_cast/2`, `handle_info/2` and `handle_continue/2` are called for | its manual page |
//! | | `{continue, Continue}` has `handle_continue(Continue, _)` called, a timeout after the state `handle_info(timeout, _)` | the same |
//! | `gen_event` | what `handle_event/2`, `handle_call/2` and `handle_info/2` are called for | its manual page |
//! | `gen_statem` | `callback_mode/0` is `handle_event_function` with `handle_event/4`, `state_functions` with a function for each state; `state_enter` beside it where a state enter call is taken | its manual page, `callback_mode/0` |
//! | | timeouts and `{next_event, Type, Content}` make events | the same, `action()` |
//! | `application` | `start_phase/3` is called for each phase with the arguments of that phase | its manual page |
//! | | the pid that `start/2` returns is that of the root supervisor | the same |
//! | `wx_object` | `handle_sync_event/3` is called by a process of its own, with a copy of the state | its manual page |
//! | all with `handle_info` or events | what a process has sent to itself later comes as a message | `erlang:send_after/3` |

use otp_contract::callback::CallbackKind;

/// What is known of a behaviour.
pub(crate) struct BehaviourRow {
    module: &'static str,
    /// Its callbacks, as far as their forms do not say it.
    callbacks: &'static [CallbackRow],
    /// What callbacks return that has another one called afterwards.
    pub(crate) effects: Option<EffectRow>,
    /// Whether its processes have children, whose type a module may say.
    pub(crate) has_children: bool,
}

/// What is known of a callback.
#[derive(Clone, Copy)]
pub(crate) struct CallbackRow {
    name: &'static str,
    /// When it is called.
    pub(crate) kind: CallbackKind,
    /// The argument that is once more what the process was started with.
    pub(crate) started_with: Option<usize>,
    /// Arguments by which a module has a clause for each call, although no state is given with
    /// them.
    pub(crate) open: &'static [usize],
    /// What it returns, if a module leaves it out.
    pub(crate) answer: Option<AnswerRow>,
    /// Whether another process calls it than the one that has the state.
    pub(crate) elsewhere: bool,
}

/// The answer of a callback without arguments, which follows from the other callbacks of a module.
#[derive(Clone, Copy)]
pub(crate) struct AnswerRow {
    /// Exactly one of these is answered: atom, and the form whose clauses call for it.
    pub(crate) one_of: &'static [(&'static str, &'static str)],
    /// These are answered beside it: atom, and the atom that tells the clauses which call for it.
    pub(crate) also: &'static [(&'static str, &'static str)],
}

/// What returned values of a behaviour lead to.
pub(crate) struct EffectRow {
    /// Tuples that may have an effect: their first atom and their size.
    pub(crate) tuples: &'static [(&'static str, usize)],
    /// Functions of Rust that make such terms, and how many arguments they take.
    pub(crate) calls: &'static [(&'static str, usize)],
    /// Methods of the context that send the process a message later, and how many arguments they
    /// take.
    pub(crate) methods: &'static [(&'static str, usize)],
    /// Methods after which messages come: how many arguments they take, and the messages.
    pub(crate) later: &'static [(&'static str, usize, &'static [&'static str])],
    /// The message that a timeout is.
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

/// Messages to a process that has asked for them: those of OTP. Which ones come by a `subscriber`,
/// the function says that gets it.
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

/// Callbacks of any behaviour.
const OF_ALL: &[CallbackRow] = &[
    CallbackRow::new("code_change", CallbackKind::Change),
    CallbackRow::new("format_status", CallbackKind::Status),
];

/// `handle_start`, which is otp-rs's own (`codegen/src/additions.rs`).
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

/// What is known of a behaviour, beside its forms.
pub(crate) fn behaviour(module: &str) -> Option<&'static BehaviourRow> {
    TABLE.iter().find(|row| row.module == module)
}

/// Whether a pid that a callback of this behaviour returns is a supervisor's:
/// `application:start/2`.
pub(crate) fn returns_supervisor(module: &str) -> bool {
    module == "application"
}

/// What is known of a callback, beside its form.
pub(crate) fn callback(module: &str, name: &str) -> Option<&'static CallbackRow> {
    let of_behaviour = behaviour(module).map_or(&[][..], |row| row.callbacks);
    of_behaviour
        .iter()
        .chain(OF_ALL)
        .find(|row| row.name == name)
}
