//! A small Redis, written to be read. `redis-cli` and the client libraries of Redis work with it.
//!
//! ```text
//! $ cargo otp run -- 6379 mini_redis.journal
//! listening on 127.0.0.1:6379
//!
//! $ redis-cli
//! 127.0.0.1:6379> SET colour red
//! OK
//! 127.0.0.1:6379> LPUSH jobs one two
//! (integer) 2
//! ```
//!
//! The modules, from the bytes of a client to the disk:
//!
//! | process | module | task |
//! |---|---|---|
//! | the root supervisor, `rest_for_one` | [`stroot`] | starts the others in this order, and stops them in the opposite one |
//! | ├ the scope of the groups | OTP's `pg` | knows the stores of all nodes, and who has subscribed to which channel |
//! | ├ the journal | [`journal`] | appends changes to a file |
//! | ├ the store | [`store`] | has the data, runs commands one after another, and answers those who wait for an element |
//! | ├ the sessions' supervisor, `simple_one_for_one` | [`sessions`] | has a child for each client |
//! | │ └ a session | [`session`] | owns its client's connection: reads commands and writes replies |
//! | └ the listener | [`listener`] | accepts clients, and gives each to a new session |
//!
//! [`resp`] reads and writes the protocol, [`command`] turns words into a [`Command`], and [`data`]
//! runs it. These three are plain Rust without processes.
//!
//! What OTP contributes:
//!
//! - **A crash costs one client.** A panic in a session ends its connection and no other one. If
//!   the store crashes, it reads the journal again, and the sessions restart with it.
//! - **An upgrade costs no connection.** States and sockets move to the new build
//!   (`cargo otp upgrade`), and clients notice a pause.
//! - **A second node** has the same data and the same channels, because stores and subscribers are
//!   groups of `pg`, which span connected nodes.
//!
//! What it leaves out: `MULTI` takes only commands for the store. A node that was cut off does not
//! compare its data when it comes back, and concurrent changes of one key on two nodes may end
//! differently. `examples/redis` has a cluster for that.
//!
//! [`Command`]: command::Command

pub mod command;
pub mod data;
pub mod journal;
pub mod listener;
pub mod resp;
pub mod session;
pub mod sessions;
pub mod store;
pub mod stroot;

#[cfg(test)]
mod tests;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
