//! The connection of a client that asks for a page, which a store keeps; `erlang/pager_erlang.erl`
//! does the same.
use bytes::Bytes;
use otp_bindings::gen_tcp;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::Server;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Tcp;

use crate::store::{Get, Store};

/// The store that has the page.
#[derive(Debug)]
pub struct Pager {
    store: Server<Store>,
}

#[gen_server]
impl GenServer for Pager {
    type Args = Server<Store>;

    fn init(store: Server<Store>) -> impl InitReturn<Self> {
        (ok, Pager { store })
    }

    async fn handle_info(&mut self, asked: Tcp<Bytes>, cx: &Cx<'_>) -> Result<HandleInfo> {
        let page = cx.call(&self.store, Get).await?;
        gen_tcp::send(cx, asked.socket, page).await??;
        noreply()
    }
}
