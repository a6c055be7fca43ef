//! `cargo xtask bench`: measures the speed of otp-rs.

mod actors;
mod bars;
mod board;
mod bridge;
mod build;
mod echonet;
mod faults;
mod instructions;
mod jungle;
mod machine;
mod marked;
mod png;
mod redis;
mod specs;
mod statistics;
mod walls;

pub(crate) use actors::{savina, tasks};
pub(crate) use board::{USAGE as BOARD_USAGE, board};
pub(crate) use bridge::{USAGE as BRIDGE_USAGE, bridge};
pub(crate) use build::{USAGE as BUILD_USAGE, build};
pub(crate) use echonet::{USAGE as ECHONET_USAGE, echonet};
pub(crate) use faults::faults;
pub(crate) use instructions::{USAGE as INSTRUCTIONS_USAGE, instructions};
pub(crate) use jungle::{USAGE as JUNGLE_USAGE, jungle};
pub(crate) use redis::{USAGE as REDIS_USAGE, redis};
pub(crate) use specs::{measure, specs};
pub(crate) use walls::{USAGE as WALLS_USAGE, walls};
