//! Sending messages. It cannot fail and does not wait.

use super::{Destination, SentTo, Target};
use crate::nif::{ProcessWord, RawTerm, VmEnv};
use crate::runtime::{Cx, Here, output, protocol, within_spans};
use crate::term::OwnedHeap;
use crate::{Heap, ToTerm};

impl Cx<'_> {
    /// Sends a message: `Destination ! Message`. Like `!`, it cannot fail: a message to a process
    /// that does not exist is lost. Messages to one process arrive in the order in which they were
    /// sent. If this process has been killed, a destructor that runs afterwards cannot send.
    ///
    /// A [`Server`](crate::gen_server::Server) accepts only messages that its `handle_info` has a
    /// clause for.
    pub fn send<D: Destination + ?Sized, M: ToTerm + SentTo<D::Process>>(
        &self,
        to: &D,
        message: M,
    ) {
        self.send_to(to.target(), &message, protocol::erlang, protocol::send);
    }

    /// Sends directly to a process of this node. Only the Erlang side can reach processes of other
    /// nodes and names of `global`, so messages to these are passed to the Erlang side, and so are
    /// messages that may carry spans. After the
    /// first of them, all other messages of the call are passed to it, too, so that no message
    /// overtakes another.
    pub(crate) fn send_to<M: ToTerm>(
        &self,
        to: Target<'_>,
        message: &M,
        module: impl ToTerm,
        function: impl ToTerm,
    ) {
        let request = Send {
            module,
            function,
            to,
            message,
        };
        match self.here_if_alive() {
            Some(Here::Vm(call, env)) => {
                let awaiting = call.has_awaited();
                let is_first = !awaiting.is_some_and(|it| it.exchange.borrow().has_actions());
                if is_first && !output::spans_may_travel() {
                    match local(*env, to) {
                        Local::Process(process) => {
                            env.send(process, message.to_term(env.heap()));
                            return;
                        }
                        Local::Nobody => return,
                        Local::Elsewhere => {}
                    }
                }
                let request = request.request(env.heap());
                let request: RawTerm = within_spans(env.heap(), request).raw();
                call.awaiting().exchange.borrow_mut().ask(request);
            }
            Some(Here::Owned(call)) => {
                let request = request.request(OwnedHeap);
                call.exchange.borrow_mut().ask(request);
            }
            None => {}
        }
    }
}

/// The location of a destination, as far as native code can determine it.
enum Local {
    Process(ProcessWord),
    /// No process has this name: the message is lost.
    Nobody,
    /// On another node, or unknown to native code.
    Elsewhere,
}

fn local(env: VmEnv<'_>, to: Target<'_>) -> Local {
    match to {
        Target::Pid(pid) => match VmEnv::local(pid).or_else(|| env.find_local(pid)) {
            Some(process) => Local::Process(process),
            None => Local::Elsewhere,
        },
        Target::Name(name) => match env.whereis(name) {
            Some(process) => Local::Process(process),
            None => Local::Nobody,
        },
        Target::OnNode(..) | Target::Global(_) | Target::Via(..) | Target::Alias(_) => {
            Local::Elsewhere
        }
    }
}

/// A call for the Erlang side: `{apply, Module, Function, Arguments}`.
trait Request {
    fn request<H: Heap>(&self, heap: H) -> H::Term;
}

struct Send<'a, M, Module, Function> {
    module: Module,
    function: Function,
    to: Target<'a>,
    message: &'a M,
}

#[diagnostic::do_not_recommend]
impl<M: ToTerm, Module: ToTerm, Function: ToTerm> Request for Send<'_, M, Module, Function> {
    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let arguments = heap.list([self.to.to_term(heap), self.message.to_term(heap)]);
        apply(heap, &self.module, &self.function, arguments)
    }
}

fn apply<H: Heap>(
    heap: H,
    module: &impl ToTerm,
    function: &impl ToTerm,
    arguments: H::Term,
) -> H::Term {
    protocol::apply(
        heap,
        module.to_term(heap),
        function.to_term(heap),
        arguments,
    )
}
