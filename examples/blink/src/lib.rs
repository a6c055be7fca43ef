//! Tasks inside processes: two lights that blink, callbacks of Erlang's that run as tasks, and a
//! million tasks.
//!
//! ```text
//! $ cargo otp run                 two lights that blink in turn, until Ctrl-C
//! $ cargo otp run -- 5            … for five seconds
//! $ cargo otp run --release -- lights 1000000      how much memory a light takes
//! $ cargo otp run --release -- million [TASKS]
//! ```
//!
//! | module | |
//! |---|---|
//! | [`board`] | two lights in a process, each a task that sleeps most of the time |
//! | [`receptor`] | a server that runs Erlang's functions as tasks: `receptor ! {spawn, fun(Id) -> … end}` |
//! | [`lights`] | so many lights that nobody sees, and their memory |
//! | [`million`] | starts a million tasks, sends each a message and gets one back, and ends them |
//!
//! What a kernel that schedules callbacks has functions for are Rust's own words in a task:
//!
//! | there | here |
//! |---|---|
//! | `fork(f, g)` | `cx.spawn_task(f); cx.spawn_task(g);` |
//! | `sleep(500, callback)` | `cx.sleep(HALF_A_SECOND).await?;` and the next line |
//! | `zLoop(body)` | `loop { … }` |
//! | `zFor(begin, end, next, body)` | `for … in … { …; cx.yield_now().await; }` |
//! | `zWhile(condition, body)` | `while … { …; cx.yield_now().await; }` |
//! | `zDoWhile(body, condition)` | `loop { …; cx.yield_now().await; if … { break; } }` |
//!
//! An iteration that awaits lets others run by itself. One that does not says so with `yield_now`,
//! or with `checkpoint`, which gives way only when it is time.

pub mod board;
pub mod lights;
pub mod million;
pub mod receptor;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
