//! A server that runs Erlang functions as tasks.
//!
//! ```text
//! 1> receptor ! {spawn, fun(Id) -> io:format("foo ~p~n", [Id]) end},
//!    receptor ! {spawn, fun(Id) -> io:format("bar ~p~n", [Id]) end}.
//! foo 0
//! bar 1
//! ```

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Fun;

/// The registered server. You can send messages to it from the shell.
pub static RECEPTOR: Server<Receptor> = Server::registered();

/// Number of the next task.
#[derive(Debug, Term)]
pub struct Receptor {
    next: u64,
}

/// `{spawn, fun((Id) -> term())}`
#[derive(Debug, Term)]
pub struct Spawn(Fun);

/// `spawned`: returns the number of tasks that were started.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Spawned;

#[gen_server]
impl GenServer for Receptor {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Receptor { next: 0 })
    }

    fn handle_call(&self, _: Spawned) -> HandleCall<u64> {
        reply(self.next)
    }

    /// If the function raises an exception, only its own task ends.
    fn handle_info(&mut self, Spawn(callback): Spawn, cx: &Cx<'_>) -> HandleInfo {
        let id = self.next;
        self.next += 1;
        cx.spawn_task(async move |cx| {
            let _: Term = cx.apply("erlang", "apply", (callback, [id])).await?;
            Ok(())
        });
        noreply()
    }
}
