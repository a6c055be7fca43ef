//! Servers that differ in how large their state is: that must cost nothing.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bouncer::{Ball, Join};
use crate::counter::Add;

/// A server that bounces and counts, with so many bytes in its state.
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

            fn handle_cast(&mut self, Ball(left): Ball, cx: &Cx<'_>) -> HandleCast {
                self.payload[0] = self.payload[0].wrapping_add(1);
                match &self.peer {
                    Some(peer) if left > 0 => cx.cast(peer, Ball(left - 1)),
                    _ => cx.send(&self.observer, atom!("done")),
                }
                noreply()
            }

            fn handle_cast(&mut self, Add(by): Add) -> HandleCast {
                let last = &mut self.payload[$size - 1];
                *last = last.wrapping_add(by.to_le_bytes()[0]);
                noreply()
            }
        }
    };
}

sized!(Sized8, "sized_8", 8);
sized!(Sized128, "sized_128", 128);
sized!(Sized1024, "sized_1024", 1024);
sized!(Sized4096, "sized_4096", 4096);
// A state has 16 KiB at most, and the other fields are in it.
sized!(Sized16256, "sized_16256", 16256);
