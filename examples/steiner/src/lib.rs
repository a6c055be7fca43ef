//! Minimum Steiner trees for Erlang and Elixir, and how work that takes long treats the processes
//! beside it.
//!
//! ```text
//! 1> steiner:solve(#{nodes => 4, edges => [{0, 1, 2}, {1, 2, 2}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}]}, [0, 1, 2]).
//! {ok,#{edges => [{0,3,1},{1,3,1},{2,3,1}],weight => 3}}
//! ```
//!
//! `cargo otp run --release -- ticker SOLVERS NODES [SECONDS]` runs so many solvers for ever, each
//! on a path of so many nodes which all are terminals, beside a process that wants to tick each
//! second, and prints by how much each tick was late: with no solver, with solvers that give way at
//! checkpoints, on dirty schedulers, and with solvers that hold their schedulers.
//!
//! | | |
//! |---|---|
//! | [`graph`] | what is asked and answered |
//! | [`dreyfus_wagner`] | the algorithm, in plain loops with checkpoints |
//! | [`pace`] | what a checkpoint does: pause, or nothing |
//! | [`erlang`] | the Erlang module `steiner` |
//! | [`stroot`] | the root supervisor: [`workers`], who solve many graphs on all cores, each a [`worker`] |
//! | [`experiment`] | the ticker beside [`solvers`], each a [`solver`] |
//! | [`plot`] | the ticks, drawn |

pub mod dreyfus_wagner;
pub mod erlang;
pub mod experiment;
pub mod graph;
pub mod pace;
pub mod plot;
pub mod solver;
pub mod solvers;
pub mod stroot;
pub mod worker;
pub mod workers;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
