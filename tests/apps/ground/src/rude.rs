//! A server with the worst behaviour that safe code allows.
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use otp_bridge::Sender;
use otp_bridge::atom;
use otp_bridge::atoms::{continue_, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::etf;
use otp_bridge::time::Elapsed;

/// Receiver of notes about dropped values.
static LISTENER: Mutex<Option<Sender<Atom>>> = Mutex::new(None);

/// The result of `init/1`, and the effect of dropping the state.
#[derive(Debug, Term)]
pub enum Manner {
    /// `plain`
    Plain,
    /// `tells`: its destructor allocates, starts a thread and sends.
    Tells,
    /// `panics`: its destructor panics.
    Panics,
    /// `unspeakable`: the destructor panics, and the result of `init/1` cannot be encoded.
    Unspeakable,
}

/// The state.
#[derive(Debug)]
pub struct Rude {
    manner: Manner,
    seen: Vec<Atom>,
}

impl Drop for Rude {
    fn drop(&mut self) {
        match self.manner {
            Manner::Plain => {}
            Manner::Tells => tell(),
            Manner::Panics | Manner::Unspeakable => panic!("dropped"),
        }
    }
}

/// Does everything that a destructor might want to do.
fn tell() {
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(listener) = listener.clone() else {
        return;
    };
    let text: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
    let from_a_thread = listener.clone();
    let thread = std::thread::spawn(move || {
        from_a_thread.send(atom!("from_a_thread"));
        text.len()
    });
    let _ = thread.join();
    listener.send(atom!("dropped"));
}

/// Requests.
#[derive(Debug, Term)]
#[reply(Vec<Atom>)]
pub enum Do {
    /// `listen`: subscribes the server to notes about dropped values.
    Listen,
    /// `seen`: returns these notes.
    Seen,
    /// `elsewhere`: uses the context on another thread, and catches the panic.
    Elsewhere,
    /// `elsewhere_and_die`: uses the context on another thread, and does not catch the panic.
    ElsewhereAndDie,
    /// `polled_elsewhere`: polls an operation on another thread.
    PolledElsewhere,
    /// `waker`: waits with a waker whose destructor panics.
    Waker,
    /// `guarded`: waits with destructors that use the context.
    Guarded,
    /// `dropped_late`: ends while it awaits an operation whose destructor panics.
    DroppedLate,
    /// `twice`: panics with a value whose destructor panics, which ends the VM.
    Twice,
}

#[gen_server]
impl GenServer for Rude {
    type Args = Manner;

    fn init(manner: Manner) -> impl InitReturn<Self> {
        let then = match manner {
            Manner::Unspeakable => unspeakable(),
            _ => Term::of(&ok),
        };
        let seen = Vec::new();
        (ok, Rude { manner, seen }, (continue_, then))
    }

    fn handle_continue(&self, _: Term) -> HandleContinue {
        noreply()
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<Vec<Atom>>> {
        match request {
            Do::Listen => {
                let mut listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
                *listener = Some(cx.sender());
            }
            Do::Seen => return reply(self.seen.clone()),
            Do::Elsewhere => {
                let used = std::thread::scope(|scope| scope.spawn(|| cx.pid()).join());
                assert!(used.is_err(), "the context was used on another thread");
            }
            Do::ElsewhereAndDie => {
                std::thread::scope(|scope| {
                    scope.spawn(|| cx.send(&atom!("nobody"), 1));
                });
            }
            Do::PolledElsewhere => {
                let mut sleep = Box::pin(cx.sleep(Duration::from_millis(1)));
                let polled = std::thread::scope(|scope| {
                    let poll = || {
                        let mut context = Context::from_waker(Waker::noop());
                        sleep.as_mut().poll(&mut context).is_ready()
                    };
                    scope.spawn(poll).join()
                });
                assert!(polled.is_err(), "an operation was begun on another thread");
                sleep.await?;
            }
            Do::Waker => {
                let mut sleep = Box::pin(cx.sleep(Duration::from_secs(3600)));
                {
                    let waker = Waker::from(Arc::new(Nasty));
                    let mut context = Context::from_waker(&waker);
                    assert!(sleep.as_mut().poll(&mut context).is_pending());
                }
                cx.sleep(Duration::from_secs(3600)).await?;
                sleep.await?;
            }
            Do::Guarded => {
                let _one = Guard(cx);
                let _other = Guard(cx);
                cx.sleep(Duration::from_secs(3600)).await?;
            }
            Do::DroppedLate => {
                let nasty = async {
                    let _nasty = Nasty;
                    cx.sleep(Duration::from_secs(3600)).await
                };
                let late: Result<_, Elapsed> = cx.timeout(Duration::from_millis(1), nasty).await;
                assert!(late.is_err(), "an hour is over");
            }
            Do::Twice => {
                let _nasty = Nasty;
                panic!("told to twice");
            }
        }
        reply(Vec::new())
    }

    fn handle_info(&mut self, message: Atom) -> HandleInfo {
        self.seen.push(message);
        noreply()
    }

    fn terminate(&mut self, _: &TerminateReason) {}
}

/// Sends a message when it is dropped.
struct Guard<'call>(&'call Cx<'call>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let Guard(cx) = self;
        cx.send(&cx.pid(), atom!("unguarded"));
        cx.send(&(atom!("nobody"), atom!("no@such.node")), 1);
        cx.send_after(Duration::from_secs(1), atom!("unguarded"));
        cx.sender::<Atom>().send(atom!("unguarded"));
    }
}

/// A waker that does nothing, and panics when it is dropped.
struct Nasty;

impl Wake for Nasty {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Nasty {
    fn drop(&mut self) {
        panic!("nasty")
    }
}

/// Returns an atom that was decoded from bytes. The VM does not know it, so it cannot be created.
fn unspeakable() -> Term {
    let name = b"an atom that nobody has ever written";
    let mut bytes = vec![131, 119, name.len() as u8];
    bytes.extend(name);
    etf::decode(&bytes).unwrap_or_else(|_| Term::of(&ok))
}
