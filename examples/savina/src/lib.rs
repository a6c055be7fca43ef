//! Five micro-benchmarks of the Savina suite, with a process or a task for each actor.
//!
//! ```text
//! $ cargo otp run --release -- ring 1000 1000000
//! nanoseconds=…
//! $ cargo otp run --release -- tasks ring 1000 1000000
//! nanoseconds=…
//! ```
//!
//! | command line | Savina | benchmark |
//! |---|---|---|
//! | `ring 2 HOPS` | PingPong | two processes send a number to each other, and decrement it each time, until it is 0 |
//! | `ring MEMBERS HOPS` | Thread Ring | like PingPong, with more processes in a ring |
//! | `throughput ACTORS MESSAGES` | ForkJoin (throughput) | sends this many messages to each actor, alternating between the actors, and waits until each one confirms that it has all of them |
//! | `creation ACTORS` | ForkJoin (actor creation) | starts the actors; each reports that it has started |
//! | `big ACTORS` | Big | each actor sends a message to all others, and waits for their messages |
//! | `idle ACTORS` | | the actors wait for a message; prints as `bytes=` how much the resident memory has grown |
//! | `latency CLIENTS PERMILLE` | | each client calls a clerk every 10 ms, while two workers for each core compute; prints the duration that this permillage of the calls does not exceed |
//! | `tasks timers TIMERS` | | the timers expire after half a second to a second; prints the total processor time |
//!
//! The measurement starts when all processes have started, except for benchmarks about starting
//! them.
//!
//! [`stroot`] starts the [`bench`], which starts the [`workers`]: [`member`]s, [`counter`]s,
//! [`friend`]s, or a [`clerk`], [`client`]s and [`worker`]s. With tasks, it starts the process of
//! the [`tasks`] instead.

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
