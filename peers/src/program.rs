//! What every peer has to do.

use std::time::{Duration, Instant};

use crate::{load, memory};

/// The programs, with a peer's means. Actors are started before the time begins, unless it is about
/// starting them.
pub(crate) trait Programs {
    /// `members` in a ring pass a number on, each time less by one, until it is 0. With two it is
    /// Savina's PingPong, with more its Thread Ring.
    fn ring(&self, members: usize, hops: u64) -> Duration;

    /// One sends each of `actors` that many messages, to all of them in turn, and waits until each
    /// says that it has them.
    fn throughput(&self, actors: usize, messages: u64) -> Duration;

    /// Starts `actors`, each of which says that it has started.
    fn creation(&self, actors: usize) -> Duration;

    /// Each of `actors` sends a message to all others. Each waits for those of all others.
    fn big(&self, actors: usize) -> Duration;

    /// How much memory `actors` take that wait for a message.
    fn idle(&self, actors: usize) -> u64;

    /// `clients` call a server, again and again, while [`load::workers`] compute. How long each
    /// call has taken.
    fn latency(&self, clients: usize) -> Vec<Duration>;

    /// `timers` that end within a second, half a second from now: the processor's time.
    fn timers(&self, timers: usize) -> Duration;
}

/// What a measured program has printed at its end.
pub(crate) enum Figure {
    Nanoseconds(Duration),
    Bytes(u64),
}

/// Runs a program of a command line.
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

/// How much memory has been taken while `start` ran, which returns once all are there.
pub(crate) fn taken<T>(start: impl FnOnce() -> T) -> u64 {
    let before = memory::resident();
    let running = start();
    let taken = memory::resident().saturating_sub(before);
    drop(running);
    taken
}

/// The processor's time that `wait` has taken.
pub(crate) fn worked(wait: impl FnOnce()) -> Duration {
    let before = memory::worked();
    wait();
    memory::worked() - before
}

/// How long `wait` has taken.
pub(crate) fn timed(wait: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    wait();
    begun.elapsed()
}

/// When the timer at `index` ends: in half a second at the earliest, spread over another half.
pub(crate) fn delay(index: usize) -> Duration {
    Duration::from_millis(500 + (index % 500) as u64)
}
