//! What OTP says of its behaviours in words only: callbacks whose answer is which other callbacks
//! a module has. This table, and that of [`super::consequences`], are all that the generator knows of a behaviour by
//! name.
//!
//! | behaviour | callback | answer | source |
//! |---|---|---|---|
//! | `gen_statem` | `callback_mode/0` | `handle_event_function` with `handle_event/4`, `state_functions` with a function for each state; `state_enter` beside it where a state enter call is taken | manual page of `gen_statem`, `callback_mode/0` |

/// A row of the table.
pub(crate) struct Row {
    /// The behaviour's module.
    pub(crate) module: &'static str,
    /// The callback, which has no arguments.
    pub(crate) callback: &'static str,
    /// Exactly one of these is answered: atom, and the form whose clauses call for it.
    pub(crate) one_of: &'static [(&'static str, &'static str)],
    /// These are answered beside it: atom, and the atom that tells the clauses which call for it.
    pub(crate) also: &'static [(&'static str, &'static str)],
}

const TABLE: [Row; 1] = [Row {
    module: "gen_statem",
    callback: "callback_mode",
    one_of: &[
        ("handle_event_function", "handle_event"),
        ("state_functions", "state_name"),
    ],
    also: &[("state_enter", "enter")],
}];

/// The row of a callback.
pub(crate) fn answer(module: &str, callback: &str) -> Option<&'static Row> {
    TABLE
        .iter()
        .find(|row| row.module == module && row.callback == callback)
}
