//! An event handler. Its tasks end with its callbacks.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_event::prelude::*;

/// Tells a process what is notified.
#[derive(Debug)]
pub struct Bell {
    observer: Pid,
}

/// What is notified.
#[derive(Debug, Term)]
pub enum Event {
    /// `{ring, What}`: told by a task that the callback awaits.
    Ring(Term),
    /// `{leave, What}`: told by a task that nobody awaits, and that ends before.
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
