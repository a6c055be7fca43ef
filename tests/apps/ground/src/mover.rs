//! A server with slow clauses, which report the kind of scheduler that they ran on.
use std::time::{Duration, Instant};

use otp_bridge::gen_server::prelude::*;

/// Number of calls.
#[derive(Debug)]
pub struct Mover {
    calls: u64,
}

/// `{burn, Milliseconds}`: computes. Returns the kind of scheduler, and the number of calls.
#[derive(Debug, Term)]
#[reply((String, u64))]
pub struct Burn(pub u64);

/// `{count, Number}`: counts up to a number, which is short.
#[derive(Debug, Term)]
#[reply((String, u64))]
pub struct Count(pub u64);

/// `{wait, Milliseconds}`: blocks in the kernel.
#[derive(Debug, Term)]
#[reply((String, u64))]
pub struct Wait(pub u64);

/// `{pinned, Milliseconds}`: computes, in a clause that never moves.
#[derive(Debug, Term)]
#[reply((String, u64))]
pub struct Pinned(pub u64);

/// `{later, Milliseconds}`: computes, and lets a task reply.
#[derive(Debug, Term)]
#[reply((String, u64))]
pub struct Later(pub u64);

/// `{resumed, Milliseconds}`: computes. Returns the kinds of scheduler before and after an await.
#[derive(Debug, Term)]
#[reply((String, String))]
pub struct Resumed(pub u64);

#[gen_server]
impl GenServer for Mover {
    type Args = ();

    fn init(_: ()) -> Init<Self> {
        Init::Ok(Mover { calls: 0 })
    }

    fn handle_call(&mut self, Burn(time): Burn) -> HandleCall<(String, u64)> {
        reply(self.called(|| burn(time)))
    }

    fn handle_call(&mut self, Count(number): Count) -> HandleCall<(String, u64)> {
        reply(self.called(|| (0..number).for_each(|it| _ = std::hint::black_box(it))))
    }

    fn handle_call(&mut self, Wait(time): Wait) -> HandleCall<(String, u64)> {
        reply(self.called(|| std::thread::sleep(Duration::from_millis(time))))
    }

    #[normal]
    fn handle_call(&mut self, Pinned(time): Pinned) -> HandleCall<(String, u64)> {
        reply(self.called(|| burn(time)))
    }

    fn handle_call(
        &mut self,
        Later(time): Later,
        caller: Caller<(String, u64)>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let answer = self.called(|| burn(time));
        cx.spawn_task(async move |cx| {
            caller.reply(cx, answer);
            Ok(())
        });
        noreply()
    }

    async fn handle_call(
        &mut self,
        Resumed(time): Resumed,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<(String, String)>> {
        burn(time);
        let before = kind();
        cx.sleep(Duration::from_millis(1)).await?;
        reply((before, kind()))
    }
}

impl Mover {
    fn called(&mut self, work: impl FnOnce()) -> (String, u64) {
        work();
        self.calls += 1;
        (kind(), self.calls)
    }
}

fn burn(milliseconds: u64) {
    let (began, time) = (Instant::now(), Duration::from_millis(milliseconds));
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}

thread_local! {
    /// The kind of scheduler, derived from the thread's name: `normal`, `dirty_cpu` or `dirty_io`.
    static KIND: &'static str = {
        let name = std::fs::read_to_string("/proc/thread-self/comm").unwrap_or_default();
        // Since OTP 26 the names are `erts_dcpus_1`, `erts_dios_1` and `erts_sched_1`.
        let kinds = [
            ("dirty_cpu", "dirty_cpu"),
            ("dcpus", "dirty_cpu"),
            ("dirty_io", "dirty_io"),
            ("dios", "dirty_io"),
            ("sched", "normal"),
        ];
        let kind = kinds.iter().find(|(part, _)| name.contains(part));
        kind.map_or("another", |(_, kind)| kind)
    };
}

fn kind() -> String {
    KIND.with(|kind| (*kind).to_owned())
}
