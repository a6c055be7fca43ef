//! A server with a state of 64 KiB in a `Box`.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Size of the state in bytes.
const BYTES: usize = 64 * 1024;

/// The state.
#[derive(Debug)]
pub struct Roomy {
    bytes: Box<[u8; BYTES]>,
}

/// `{put, Index, Byte}`: returns the sum of all bytes.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Put(pub u16, pub u8);

#[gen_server]
impl GenServer for Roomy {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let bytes = Box::new([0; BYTES]);
        (ok, Roomy { bytes })
    }

    fn handle_call(&mut self, Put(place, byte): Put) -> HandleCall<u64> {
        self.bytes[usize::from(place)] = byte;
        reply(self.bytes.iter().map(|byte| u64::from(*byte)).sum())
    }
}
