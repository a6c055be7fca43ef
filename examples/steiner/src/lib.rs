//! Minimum Steiner trees for Erlang and Elixir, and an experiment about the effect of long
//! computations on other processes.
//!
//! ```text
//! 1> steiner:solve(#{nodes => 4, edges => [{0, 1, 2}, {1, 2, 2}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}]}, [0, 1, 2]).
//! {ok,#{edges => [{0,3,1},{1,3,1},{2,3,1}],weight => 3}}
//! ```
//!
//! `cargo otp run --release -- ticker SOLVERS NODES [SECONDS]` runs this many solvers for ever,
//! each on a path of this many nodes, all of them terminals. A process beside them wants to tick
//! every second. The program prints how late each tick was: without solvers, with solvers that
//! yield at checkpoints, with solvers on dirty schedulers, and with solvers that never yield.
//!
//! | module | content |
//! |---|---|
//! | [`graph`] | the input and the output |
//! | [`dreyfus_wagner`] | the algorithm, in plain loops with checkpoints |
//! | [`pace`] | the two kinds of checkpoints: yield, or do nothing |
//! | [`erlang`] | the Erlang module `steiner` |
//! | [`stroot`] | the root supervisor: of [`workers`], each a [`worker`], which solve many graphs on all cores |
//! | [`experiment`] | the ticker, and the [`solvers`] beside it, each a [`solver`] |
//! | [`plot`] | draws the ticks |

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
