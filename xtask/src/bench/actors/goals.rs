//! Goals of a program, and whether the measurements meet them.

/// A goal of one contestant.
pub(super) enum Goal {
    /// The contestant takes at most this multiple of another contestant's median, with the largest
    /// parameter.
    Beside(&'static str, f64, &'static str),
    /// The contestant takes at most this number of bytes or nanoseconds for each additional one.
    Each(&'static str, f64),
}

/// A process is as fast as one of Erlang's, and faster than a thread.
pub(super) const PROCESS: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
];

/// A message has the goals of [`PROCESS`]. In addition, a message between tasks takes an eighth of
/// the time of a message between actors on the best thread for them.
pub(super) const MESSAGE: [Goal; 4] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs", 1.0, "threads"),
    Goal::Beside("otp-rs tasks", 0.125, "actix"),
    Goal::Beside("otp-rs tasks", 1.0, "tokio-current"),
];

/// A process starts as fast as one of Erlang's, and a task starts in a tenth of an actor's time.
pub(super) const CREATION: [Goal; 2] = [
    Goal::Beside("otp-rs", 1.05, "erlang"),
    Goal::Beside("otp-rs tasks", 0.1, "actix"),
];

/// The memory of each task in a process, according to the thesis about such tasks.
pub(super) const MEMORY: [Goal; 1] = [Goal::Each("otp-rs tasks", 204.0)];
