//! A server with a very large number of short tasks.
use std::time::{Duration, Instant};

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The process to notify after the last task.
#[derive(Debug)]
pub struct Storm {
    observer: Pid,
}

/// `{work, Left}`: runs a task of a millisecond.
#[derive(Debug, Term)]
pub struct Work(pub u64);

#[gen_server]
impl GenServer for Storm {
    type Args = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        (ok, Storm { observer })
    }

    fn handle_cast(&self, Work(left): Work, cx: &Cx<'_>) -> HandleCast {
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(1) {
            std::hint::spin_loop();
        }
        if left == 0 {
            cx.send(&self.observer, (cx.pid(), atom!("done")));
        }
        noreply()
    }
}
