//! A server that sends messages in every way.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{ok, via};
use otp_bridge::gen_server::ServerRef;
use otp_bridge::gen_server::prelude::*;

use crate::desk::Echo;

/// The process to notify of received messages.
#[derive(Debug)]
pub struct Post {
    observer: Pid,
}

/// Requests.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `{mixed, Pid, Name, Node, Count}`: sends to one process, alternating between its names.
    Mixed(Pid, Atom, Atom, u64),
    /// `{nobody, Pid, Node}`: sends to a process that has ended, and to unregistered names.
    Nobody(Pid, Atom),
    /// `{far, Pid, Name, Node}`: sends to a process on another node.
    Far(Pid, Atom, Atom),
    /// `{far_call, Name, Node, Value}`: calls a server on another node, once alone and then twice
    /// concurrently.
    FarCall(Atom, Atom, u64),
    /// `{thread, Count}`: sends from a thread to this process.
    Thread(u64),
    /// `{later, Milliseconds}`: sends to this process after a time.
    Later(u64),
    /// `{again, Milliseconds}`: sends to this process repeatedly.
    Again(u64),
}

#[gen_server]
impl GenServer for Post {
    type Args = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        (ok, Post { observer })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        match request {
            Do::Mixed(pid, name, node, count) => mixed(&pid, &name, &node, count, cx),
            Do::Nobody(pid, node) => nobody(&pid, &node, cx),
            Do::Far(pid, name, node) => {
                cx.send(&pid, 1);
                cx.send(&(name.clone(), node.clone()), 2);
                cx.send(&pid, 3);
                cx.cast(&(name, node), 4);
                cx.cast(&pid, 5);
            }
            Do::FarCall(name, node, value) => {
                let server = (name, node);
                let alone = cx.call(&server, Echo(value)).await?;
                let beside = (cx.call(&server, Echo(value)), cx.call(&server, Echo(value)));
                let (one, other) = otp_bridge::try_join!(beside.0, beside.1).await?;
                return reply(alone + one + other);
            }
            Do::Thread(count) => {
                let sender = cx.sender::<u64>();
                let thread = std::thread::spawn(move || {
                    for number in 1..=count {
                        sender.send(number);
                    }
                });
                // The thread's messages arrive before this callback ends.
                let _ = cx.blocking(|| thread.join()).await;
            }
            Do::Later(time) => {
                cx.send_after(Duration::from_millis(time), atom!("later"));
            }
            Do::Again(time) => {
                cx.send_interval(Duration::from_millis(time), atom!("again"));
            }
        }
        reply(0)
    }

    fn handle_cast(&self, number: u64, cx: &Cx<'_>) -> HandleCast {
        cx.send(&self.observer, (cx.pid(), number));
        noreply()
    }

    fn handle_info(&self, message: Term, cx: &Cx<'_>) -> HandleInfo {
        cx.send(&self.observer, (cx.pid(), message));
        noreply()
    }
}

/// Sends the numbers 1 to `count`. Messages that only Erlang can send alternate with directly sent
/// ones.
fn mixed(pid: &Pid, name: &Atom, node: &Atom, count: u64, cx: &Cx<'_>) {
    let global = ServerRef::Global(Term::of(name));
    for number in 1..=count {
        match number % 6 {
            0 => cx.send(&(name.clone(), node.clone()), number),
            1 | 2 => cx.send(pid, number),
            3 => cx.send(name, number),
            4 => cx.cast(&global, number),
            _ => cx.cast(pid, number),
        }
    }
}

fn nobody(pid: &Pid, node: &Atom, cx: &Cx<'_>) {
    let name = atom!("nobody_there");
    cx.send(pid, 1);
    cx.send(&name, 2);
    cx.send(&(name.clone(), node.clone()), 3);
    cx.send(&(name.clone(), atom!("no@such.node")), 4);
    cx.cast(&name, 5);
    cx.cast(pid, 6);
    cx.cast(&ServerRef::Global(Term::of(&name)), 7);
    cx.cast(
        &ServerRef::from((via, atom!("no_registry"), name.clone())),
        8,
    );
    cx.send(&ServerRef::Global(Term::of(&name)), 9);
}
