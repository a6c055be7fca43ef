//! A server with a thread that ends before its library is unloaded. Hand number 0 has another
//! thread, which ignores upgrades.
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Upgrade;
use otp_bridge::term::BuildLocal;
use otp_bridge::{Atom, Result, atom};

/// Reports the messages that it gets.
#[derive(Debug, Term)]
pub struct Hand {
    number: u64,
    listener: Pid,
    thread: BuildLocal<Running>,
}

/// The thread. It ends when the sender is dropped.
type Running = (mpsc::Sender<()>, JoinHandle<()>);

/// `{heard, {What, Number, Build}}`
#[derive(Debug, Term)]
pub struct Heard((Atom, u64, String));

fn start() -> Running {
    let (work, given) = mpsc::channel();
    (work, thread::spawn(move || given.iter().for_each(drop)))
}

/// Starts a thread that runs until a file is removed.
fn start_careless() -> std::io::Result<()> {
    let name = format!("careless-{}", std::process::id());
    let file = std::env::temp_dir().join(name);
    let runs = move || {
        while file.exists() {
            thread::sleep(Duration::from_millis(5));
        }
    };
    let builder = thread::Builder::new().name("careless".to_owned());
    builder.spawn(runs).map(drop)
}

#[gen_server]
impl GenServer for Hand {
    /// Its number, and the process to report to.
    type Args = (u64, Pid);

    fn init((number, listener): (u64, Pid)) -> Result<impl InitReturn<Self>> {
        if number == 0 {
            start_careless()?;
        }
        let thread = BuildLocal::new(start());
        let hand = Hand {
            number,
            listener,
            thread,
        };
        Ok((ok, hand))
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
