//! Whole behaviours whose callbacks return right or wrong values.

use crate::otp::Return;

/// Behaviours as a user writes them. `@InitReturn@` stands for the type and the body of a callback.
/// Some callbacks are in several behaviours.
const BEHAVIOURS: [(&str, &str); 7] = [
    ("gen_server", include_str!("whole/gen_server.rs.in")),
    (
        "gen_statem",
        include_str!("whole/gen_statem_functions.rs.in"),
    ),
    ("gen_statem", include_str!("whole/gen_statem_events.rs.in")),
    ("gen_event", include_str!("whole/gen_event.rs.in")),
    ("supervisor", include_str!("whole/supervisor.rs.in")),
    (
        "supervisor_bridge",
        include_str!("whole/supervisor_bridge.rs.in"),
    ),
    ("application", include_str!("whole/application.rs.in")),
];

/// The text of a behaviour, and its callbacks with their line numbers, counted from 0.
pub(crate) struct Whole<'r> {
    pub(crate) behaviour: &'static str,
    pub(crate) text: String,
    pub(crate) callbacks: Vec<(usize, &'r Return)>,
}

/// Returns every behaviour, with the type and body that `returned` gives for each callback.
pub(crate) fn behaviours<'r>(
    returns: &'r [Return],
    name: &str,
    mut returned: impl FnMut(&Return) -> String,
) -> Vec<Whole<'r>> {
    let mut all = Vec::new();
    for (number, (behaviour, template)) in BEHAVIOURS.into_iter().enumerate() {
        let mut text = String::new();
        let mut callbacks = Vec::new();
        let template = template.replace("@NAME@", &format!("{name}_{number}"));
        for (index, line) in template.lines().enumerate() {
            let of = returns
                .iter()
                .find(|of| of.behaviour == behaviour && line.ends_with(&format!("@{}@", of.name)));
            if let Some(of) = of {
                callbacks.push((index, of));
                text += &line.replace(&format!("@{}@", of.name), &returned(of));
            } else {
                text += line;
            }
            text.push('\n');
        }
        assert!(
            !text.contains('@'),
            "a callback that {behaviour} does not have:\n{text}"
        );
        all.push(Whole {
            behaviour,
            text,
            callbacks,
        });
    }
    all
}
