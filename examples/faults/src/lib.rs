//! Faults under load: processes fail in eight ways, supervisors restart them, and clients record
//! what they notice.
//!
//! ```text
//! $ cargo otp run --release -- restart 100000 100
//! right=…
//! …
//! ```
//!
//! Eight clients make the calls ([`clients`] has the rules). A given number of the calls are
//! faults. The module of the scenario defines the fault, and has all processes of the scenario with
//! their supervisor.
//!
//! | scenario | fault | module |
//! |---|---|---|
//! | `restart` | a panic | [`restart`] |
//! | `one_for_all` | a panic of a process that another one depends on | [`one_for_all`] |
//! | `intensity` | data that makes a process panic again and again | [`intensity`] |
//! | `significant` | the end of a process that its siblings cannot do without | [`significant`] |
//! | `half_done` | a panic while the state is inconsistent | [`half_done`] |
//! | `hung` | a process waits for ever | [`hung`] |
//! | `full_mailbox` | messages arrive faster than they can be read | [`full_mailbox`] |
//! | `lost_node` | the end of another node's VM: `cargo otp run --release --name faults@127.0.0.1 -- lost_node 100000 3` | [`lost_node`] |
//!
//! [`stroot`] starts the scenario and then the [`bench`], which prints how many answers were right,
//! wrong, late or lost, and how often a client was told that no answer will come.

pub mod ask;
pub mod bench;
pub mod clients;
pub mod full_mailbox;
pub mod half_done;
pub mod hung;
pub mod intensity;
pub mod lost_node;
pub mod one_for_all;
pub mod plan;
pub mod restart;
pub mod significant;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
