//! Tasks inside processes: two blinking lights, Erlang callbacks that run as tasks, and a million
//! tasks.
//!
//! ```text
//! $ cargo otp run                 two lights that blink in turn, until Ctrl-C
//! $ cargo otp run -- 5            … for five seconds
//! $ cargo otp run --release -- lights 1000000      how much memory a light takes
//! $ cargo otp run --release -- million [TASKS]
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`board`] | a process with two lights; each one is a task that sleeps most of the time |
//! | [`receptor`] | a server that runs Erlang functions as tasks: `receptor ! {spawn, fun(Id) -> … end}` |
//! | [`lights`] | any number of invisible lights, and a measurement of their memory |
//! | [`million`] | starts a million tasks, sends a message to each, gets one back, and ends them |
//!
//! A kernel that schedules callbacks needs functions for control flow. In a task, you use Rust's
//! own control flow instead:
//!
//! | kernel with callbacks | task |
//! |---|---|
//! | `fork(f, g)` | `cx.spawn_task(f); cx.spawn_task(g);` |
//! | `sleep(500, callback)` | `cx.sleep(HALF_A_SECOND).await?;` and the next line |
//! | `zLoop(body)` | `loop { … }` |
//! | `zFor(begin, end, next, body)` | `for … in … { …; cx.yield_now().await; }` |
//! | `zWhile(condition, body)` | `while … { …; cx.yield_now().await; }` |
//! | `zDoWhile(body, condition)` | `loop { …; cx.yield_now().await; if … { break; } }` |
//!
//! A loop whose body awaits something lets other tasks run. In any other long loop, call
//! `yield_now`, which always yields, or `checkpoint`, which yields only when the task's time is up.

pub mod board;
pub mod lights;
pub mod million;
pub mod receptor;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
