//! What is given to Erlang must be a term.

use otp_bridge::{Atom, Cx, Result};

struct Key(u64);

async fn put(cx: &Cx<'_>) -> Result<Atom> {
    cx.apply("persistent_term", "put", (Key(1), "value")).await
}

fn main() {}
