//! What OTP says of its behaviours in words only: what a callback returns that has another one called afterwards.
//!
//! | behaviour | returned | called | source |
//! |---|---|---|---|
//! | `gen_server` | `{continue, Continue}` | `handle_continue(Continue, _)` | manual page of `gen_server`, `handle_continue/2` |
//! | `gen_server` | a timeout after the state | `handle_info(timeout, _)` | the same, `handle_info/2` |
//! | `gen_server`, `gen_event` | nothing: `send_after`, `send_interval` | `handle_info(Message, _)` | manual pages of both |
//! | `gen_statem` | the same | a clause for the event `info` | manual page of `gen_statem`, `event_type()` |
//! | `gen_statem` | `{state_timeout, Time, Content}` and other timeouts, `{next_event, Type, Content}` | a clause for the event | manual page of `gen_statem`, `action()` |

/// What returned values of a behaviour lead to.
pub(crate) struct Row {
    /// The behaviour's module.
    pub(crate) module: &'static str,
    /// Tuples that may have a consequence: their first atom and their size.
    pub(crate) tuples: &'static [(&'static str, usize)],
    /// Functions of Rust that make such terms, and how many arguments they take.
    pub(crate) calls: &'static [(&'static str, usize)],
    /// Methods of the context that send the process a message later, and how many arguments they take.
    pub(crate) methods: &'static [(&'static str, usize)],
    /// The callbacks that are then called.
    pub(crate) taken_by: &'static [&'static str],
    /// The callback that is called with a message, unless that is an event.
    pub(crate) message: Option<&'static str>,
    /// The callback that is called with an atom.
    pub(crate) atom: Option<(&'static str, &'static str)>,
}

/// Messages of a process to itself.
const METHODS: &[(&str, usize)] = &[("send_after", 2), ("send_interval", 2)];

const TABLE: [Row; 3] = [
    Row {
        module: "gen_server",
        tuples: &[("continue", 2), ("ok", 3), ("reply", 3), ("noreply", 2)],
        calls: &[("ok_with", 2), ("reply_with", 2), ("noreply_with", 1)],
        methods: METHODS,
        taken_by: &["handle_continue"],
        message: Some("handle_info"),
        atom: Some(("handle_info", "timeout")),
    },
    Row {
        module: "gen_event",
        tuples: &[],
        calls: &[],
        methods: METHODS,
        taken_by: &[],
        message: Some("handle_info"),
        atom: None,
    },
    Row {
        module: "gen_statem",
        tuples: &[
            ("state_timeout", 3),
            ("state_timeout", 4),
            ("timeout", 3),
            ("timeout", 4),
            ("next_event", 3),
        ],
        calls: &[("next_event", 2), ("timeout_named", 3)],
        methods: METHODS,
        taken_by: &["state_name", "handle_event"],
        message: None,
        atom: None,
    },
];

/// The row of a behaviour.
pub(crate) fn consequences(module: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.module == module)
}
