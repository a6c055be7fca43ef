//! Servers whose reactors share keys in one of several ways, and the load for measuring them.
//!
//! `redis-shapes serve SHAPE REACTORS PORT` serves `GET` and `SET`. A reactor is a thread with a
//! poll and a listener of its own. `redis-shapes fill PORT` sets all keys of any such server, and
//! `redis-shapes load PORT CLIENTS PIPELINE SECONDS uniform|skewed` prints the requests, the
//! seconds, and the 99th percentile of the times in microseconds.

mod connection;
mod draws;
mod keys;
mod load;
mod mailbox;
// Files of examples/redis.
#[path = "../../../examples/redis/src/number.rs"]
#[expect(dead_code, reason = "the example uses the rest")]
mod number;
mod reactor;
#[path = "../../../examples/redis/src/resp.rs"]
#[expect(dead_code, reason = "the example uses the rest")]
mod resp;

use std::error::Error;
use std::str::FromStr;
use std::sync::Arc;

use crate::draws::Draws;
use crate::keys::{LockFree, Owned, Stripes};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const USAGE: &str = "redis-shapes serve stripes|lock-free|owned REACTORS PORT
redis-shapes fill PORT
redis-shapes load PORT CLIENTS PIPELINE SECONDS uniform|skewed";

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", shape, reactors, port] => serve(shape, number(reactors)?, number(port)?),
        ["fill", port] => Ok(load::fill(number(port)?)?),
        ["load", port, clients, pipeline, seconds, draws] => {
            let draws = match draws {
                "uniform" => Draws::uniform(),
                "skewed" => Draws::skewed(),
                _ => return Err(USAGE.into()),
            };
            let done = load::run(
                number(port)?,
                number(clients)?,
                number(pipeline)?,
                number(seconds)?,
                &draws,
            )?;
            println!("{} {} {}", done.requests, done.seconds, done.p99);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn number<N: FromStr>(word: &str) -> Outcome<N> {
    word.parse().map_err(|_| USAGE.into())
}

fn serve(shape: &str, reactors: usize, port: u16) -> Outcome {
    match shape {
        "stripes" => {
            let keys = Arc::new(Stripes::default());
            reactor::run_all(port, (0..reactors).map(|_| Arc::clone(&keys)))?;
        }
        "lock-free" => {
            let keys = Arc::new(LockFree::default());
            reactor::run_all(port, (0..reactors).map(|_| Arc::clone(&keys)))?;
        }
        "owned" => reactor::run_all(port, Owned::all(reactors))?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}
