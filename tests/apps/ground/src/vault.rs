//! A server whose state is secret.
use std::time::{Duration, Instant};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The secret: `{key, Text}`. It is a term, so it could be shown.
#[derive(Debug, Clone, Term)]
pub struct Key(pub String);

/// The state, which is not `Debug`.
pub struct Vault {
    key: Key,
}

/// Requests that bring the secret to places where others could see it.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Open {
    /// `length`: replies with the length of the key.
    Length,
    /// `panic`: panics with the key in the message.
    Panic,
    /// `task`: panics with it in a detached task.
    Task,
    /// `linked`: panics with it in a task that is linked to its process.
    Linked,
}

/// `{hold, Milliseconds}`: holds the scheduler.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Hold(pub u64);

/// `{held, Milliseconds}`: like `Hold`, as a cast.
#[derive(Debug, Term)]
pub struct Held(pub u64);

/// `{wait, Milliseconds}`: waits.
#[derive(Debug, Term)]
pub struct Wait(pub u64);

#[gen_server(secret)]
impl GenServer for Vault {
    type Args = Key;

    fn init(key: Key) -> impl InitReturn<Self> {
        (ok, Vault { key })
    }

    async fn handle_call(&mut self, open: Open, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let Key(key) = self.key.clone();
        let length = key.len() as u64;
        match open {
            Open::Length => {}
            Open::Panic => panic!("the key is {key}"),
            Open::Task => drop(cx.spawn_task(async move |_| tell(&key))),
            Open::Linked => drop(cx.spawn_task(async move |_| tell(&key)).linked()),
        }
        reply(length)
    }

    #[normal]
    fn handle_call(&self, Hold(milliseconds): Hold) -> HandleCall<u64> {
        hold(milliseconds);
        reply(milliseconds)
    }

    fn handle_cast(&mut self, key: Key) -> HandleCast {
        self.key = key;
        noreply()
    }

    #[normal]
    fn handle_cast(&self, Held(milliseconds): Held) -> HandleCast {
        hold(milliseconds);
        noreply()
    }

    async fn handle_cast(&self, Wait(milliseconds): Wait, cx: &Cx<'_>) -> Result<HandleCast> {
        cx.sleep(Duration::from_millis(milliseconds)).await?;
        noreply()
    }
}

fn tell(key: &str) -> Result<()> {
    panic!("the key is {key}")
}

/// Blocks for longer than any callback should.
fn hold(milliseconds: u64) {
    let (began, time) = (Instant::now(), Duration::from_millis(milliseconds));
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}
