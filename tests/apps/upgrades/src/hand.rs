//! A server with a thread, which must not outlive its library.
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Upgrade;
use otp_bridge::term::BuildLocal;
use otp_bridge::{Atom, atom};

/// Says what it hears.
#[derive(Debug, Term)]
pub struct Hand {
    number: u64,
    listener: Pid,
    thread: BuildLocal<Running>,
}

/// It ends when nobody has the sender.
type Running = (mpsc::Sender<()>, JoinHandle<()>);

/// `{heard, {What, Number, Build}}`
#[derive(Debug, Term)]
pub struct Heard((Atom, u64, String));

fn start() -> Running {
    let (work, given) = mpsc::channel();
    (work, thread::spawn(move || given.iter().for_each(drop)))
}

#[gen_server]
impl GenServer for Hand {
    /// Its number, and who listens.
    type Args = (u64, Pid);

    fn init((number, listener): (u64, Pid)) -> impl InitReturn<Self> {
        let thread = BuildLocal::new(start());
        let hand = Hand {
            number,
            listener,
            thread,
        };
        (ok, hand)
    }

    async fn handle_info(&mut self, upgrade: Upgrade, cx: &Cx<'_>) -> HandleInfo {
        let heard = match upgrade {
            Upgrade::Begins => {
                if let Some((work, thread)) = self.thread.take() {
                    drop(work);
                    let _ended = cx.blocking(|| thread.join()).await;
                }
                atom!("begins")
            }
            Upgrade::Ended => {
                if self.thread.is_none() {
                    self.thread = BuildLocal::new(start());
                }
                atom!("ended")
            }
        };
        let build = crate::BUILD.to_owned();
        cx.send(&self.listener, Heard((heard, self.number, build)));
        noreply()
    }
}
