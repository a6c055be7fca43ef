//! An event handler with tasks. They end with its callbacks.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// Passes notifications on to a process.
#[derive(Debug)]
pub struct Bell {
    observer: Pid,
}

/// Notifications.
#[derive(Debug, Term)]
pub enum Event {
    /// `{ring, What}`: a task passes it on, and the callback awaits the task.
    Ring(Term),
    /// `{leave, What}`: a detached task would pass it on, but ends before.
    Leave(Term),
}

#[gen_event]
impl GenEvent for Bell {
    type InitArgs = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        (ok, Bell { observer })
    }

    async fn handle_event(&mut self, event: Event, cx: &Cx<'_>) -> Result<HandleEvent> {
        let observer = self.observer.clone();
        let tell = |what: Term| {
            cx.spawn_task(async move |cx| {
                cx.sleep(Duration::from_millis(1)).await?;
                cx.send(&observer, (cx.pid(), what));
                Ok(())
            })
        };
        match event {
            Event::Ring(what) => tell(what).await?,
            Event::Leave(what) => drop(tell(what)),
        }
        Ok(HandleEvent::Ok)
    }

    fn handle_event(&mut self, _: Term) -> impl HandleEventReturn {
        ok
    }
}
