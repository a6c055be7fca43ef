//! The programs that every framework runs.

use std::time::{Duration, Instant};

use crate::{load, memory};

/// The programs, implemented with a framework. Starting the actors is not measured, except in
/// `creation`.
pub(crate) trait Programs {
    /// `members` in a ring pass a number on, reduced by one each time, until it is 0. With two
    /// members, this is Savina's PingPong; with more, its Thread Ring.
    fn ring(&self, members: usize, hops: u64) -> Duration;

    /// The program sends `messages` messages to each of `actors`, to all of them in turn, and waits
    /// until each actor reports that it has received them.
    fn throughput(&self, actors: usize, messages: u64) -> Duration;

    /// Starts `actors`. Each actor reports that it has started.
    fn creation(&self, actors: usize) -> Duration;

    /// Each of `actors` sends a message to all others, and waits for the messages of all others.
    fn big(&self, actors: usize) -> Duration;

    /// Returns how much memory `actors` take that wait for a message.
    fn idle(&self, actors: usize) -> u64;

    /// `clients` call a server repeatedly while [`load::workers`] compute. Returns how long each
    /// call has taken.
    fn latency(&self, clients: usize) -> Vec<Duration>;

    /// Waits for `timers` that end half a second to a second from now. Returns the processor time.
    fn timers(&self, timers: usize) -> Duration;
}

/// The figure that a measured program prints at its end.
pub(crate) enum Figure {
    Nanoseconds(Duration),
    Bytes(u64),
}

/// Runs the program that a command line names.
pub(crate) fn run(peer: &dyn Programs, words: &[&str]) -> Option<Figure> {
    let number = |word: &str| word.parse::<usize>().ok();
    let time = |it| Some(Figure::Nanoseconds(it));
    match *words {
        ["ring", members, hops] => time(peer.ring(number(members)?, hops.parse().ok()?)),
        ["throughput", actors, messages] => {
            time(peer.throughput(number(actors)?, messages.parse().ok()?))
        }
        ["creation", actors] => time(peer.creation(number(actors)?)),
        ["big", actors] => time(peer.big(number(actors)?)),
        ["idle", actors] => Some(Figure::Bytes(peer.idle(number(actors)?))),
        ["latency", clients, within] => {
            load::per_mille(peer.latency(number(clients)?), number(within)?)
                .map(Figure::Nanoseconds)
        }
        ["timers", timers] => time(peer.timers(number(timers)?)),
        _ => None,
    }
}

/// Returns how much memory `start` takes. It returns when all actors have started.
pub(crate) fn taken<T>(start: impl FnOnce() -> T) -> u64 {
    let before = memory::resident();
    let running = start();
    let taken = memory::resident().saturating_sub(before);
    drop(running);
    taken
}

/// Returns the processor time that `wait` has taken.
pub(crate) fn worked(wait: impl FnOnce()) -> Duration {
    let before = memory::worked();
    wait();
    memory::worked() - before
}

/// Returns how long `wait` has taken.
pub(crate) fn timed(wait: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    wait();
    begun.elapsed()
}

/// Returns the time of the timer at `index`: half a second to a second.
pub(crate) fn delay(index: usize) -> Duration {
    Duration::from_millis(500 + (index % 500) as u64)
}
