//! Servers that differ only in the size of their state, which must not cost anything.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bouncer::Join;

/// Casts to these servers.
#[derive(Debug, Term)]
pub enum Message {
    /// `{ball, Left}`: the ball, and how many casts remain.
    Ball(u64),
    /// `{add, By}`
    Add(u64),
}

/// A server that bounces and counts, with this many bytes in its state.
macro_rules! sized {
    ($name:ident, $module:literal, $size:literal) => {
        #[doc = concat!("Carries ", $size, " bytes.")]
        #[derive(Debug)]
        pub struct $name {
            payload: [u8; $size],
            peer: Option<Server<$name>>,
            observer: Pid,
        }

        #[gen_server(module = $module)]
        impl GenServer for $name {
            type Args = Pid;

            fn init(observer: Pid) -> impl InitReturn<Self> {
                let payload = [0; $size];
                let peer = None;
                (
                    ok,
                    $name {
                        payload,
                        peer,
                        observer,
                    },
                )
            }

            fn handle_call(&mut self, Join(peer): Join) -> HandleCall<Atom> {
                self.peer = Some(peer.into());
                reply(ok.into())
            }

            fn handle_cast(&mut self, message: Message, cx: &Cx<'_>) -> HandleCast {
                let last = &mut self.payload[$size - 1];
                *last = last.wrapping_add(1);
                match (message, &self.peer) {
                    (Message::Add(_), _) => {}
                    (Message::Ball(left), Some(peer)) if left > 0 => {
                        cx.cast(peer, Message::Ball(left - 1));
                    }
                    (Message::Ball(_), _) => cx.send(&self.observer, atom!("done")),
                }
                noreply()
            }
        }
    };
}

sized!(Sized8, "sized_8", 8);
sized!(Sized1024, "sized_1024", 1024);
// A state has at most 16 KiB, which includes the other fields.
sized!(Sized16256, "sized_16256", 16256);
