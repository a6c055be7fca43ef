//! Five micro benchmarks of Savina's, with a process for each actor, or with a task for each.
//!
//! ```text
//! $ cargo otp run --release -- ring 1000 1000000
//! nanoseconds=…
//! $ cargo otp run --release -- tasks ring 1000 1000000
//! nanoseconds=…
//! ```
//!
//! | command line | Savina | |
//! |---|---|---|
//! | `ring 2 HOPS` | PingPong | two processes send a number to each other, each time less by one, until it is 0 |
//! | `ring MEMBERS HOPS` | Thread Ring | the same with more processes in a ring |
//! | `throughput ACTORS MESSAGES` | ForkJoin (throughput) | one sends each of them so many messages, to all in turn, and waits until each says that it has them |
//! | `creation ACTORS` | ForkJoin (actor creation) | starts them; each says that it has started |
//! | `big ACTORS` | Big | each sends a message to all others, and waits for those of all others |
//! | `idle ACTORS` | | they wait for a message; prints the `bytes=` that the operating system counts more than before |
//! | `latency CLIENTS PERMILLE` | | each calls a clerk every 10 ms, while two workers for each core compute; how long so many of a thousand calls take |
//! | `tasks timers TIMERS` | | they end between half a second and a second later; the processor's time in all |
//!
//! The time begins when all processes have started, except where it is about starting them.
//!
//! [`stroot`] starts the [`bench`], which starts the [`workers`]: [`member`]s, [`counter`]s,
//! [`friend`]s, or a [`clerk`], [`client`]s and [`worker`]s. Or it starts the process of the
//! [`tasks`].

pub mod bench;
pub mod clerk;
pub mod client;
pub mod counter;
pub mod friend;
pub mod load;
pub mod machine;
pub mod member;
pub mod plan;
pub mod stroot;
pub mod tasks;
pub mod worker;
pub mod workers;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
