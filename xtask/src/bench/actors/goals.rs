//! What is wanted of a program, and whether it was reached.

/// What one contestant is to reach.
pub(super) enum Goal {
    /// At most so many times the median of another one, with the largest parameter.
    Beside(&'static str, f64, &'static str),
    /// At most so many bytes or nanoseconds for one more.
    Each(&'static str, f64),
}

/// A process is as fast as one of Erlang's, and faster than a thread.
pub(super) const PROCESS: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
];

/// The same, and a message between tasks takes an eighth of one between actors on the best thread
/// for them.
pub(super) const MESSAGE: [Goal; 4] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
    Goal::Beside("otp-rs tasks", 0.125, "actix"),
    Goal::Beside("otp-rs tasks", 1.0, "tokio-current"),
];

/// A process is started as fast as one of Erlang's, and a task in a tenth of an actor's time.
pub(super) const CREATION: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs tasks", 0.1, "actix"),
];

/// What the thesis on tasks in a process needed for each of them.
pub(super) const MEMORY: [Goal; 1] = [Goal::Each("otp-rs tasks", 204.0)];
