//! Keeps a large binary; `erlang/store_erlang.erl` does the same.
use bytes::Bytes;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The binary.
#[derive(Debug)]
pub struct Store {
    kept: Bytes,
}

/// `get`: returns the binary.
#[derive(Debug, Term)]
#[reply(Bytes)]
pub struct Get;

/// `{put, Binary}`: replaces the binary.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Put(pub Bytes);

#[gen_server]
impl GenServer for Store {
    type Args = Bytes;

    fn init(kept: Bytes) -> impl InitReturn<Self> {
        (ok, Store { kept })
    }

    fn handle_call(&mut self, _: Get) -> HandleCall<Bytes> {
        reply(self.kept.clone())
    }

    fn handle_call(&mut self, Put(bytes): Put) -> HandleCall<ok> {
        self.kept = bytes;
        reply(ok)
    }
}
