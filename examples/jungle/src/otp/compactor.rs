//! The process that replaces grown logs by snapshots.

use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Resource, Term};

use crate::error::Error;

use super::handle::Handle;
use super::options::Options;

/// The registered compactor process.
pub static COMPACTOR: Server<Compactor> = Server::registered();

/// Interval between two checks of the logs.
const INTERVAL: Duration = Duration::from_secs(1);

/// Checks the logs periodically.
#[derive(Debug)]
pub struct Compactor {
    handle: Resource<Handle>,
    compact_from: u64,
    failed: Option<Error>,
}

/// `look`
#[derive(Debug, Clone, Term)]
pub struct Look;

/// `{compact, LogSize}`: makes a snapshot of each log with at least this many bytes that is larger
/// than its last snapshot. Replies with the number of snapshots.
#[derive(Debug, Clone, Term)]
#[reply(Result<usize, Error>)]
pub struct Compact(pub u64);

#[gen_server(module = "jungle_compactor")]
impl GenServer for Compactor {
    type Args = (Resource<Handle>, Options);

    fn init((handle, options): (Resource<Handle>, Options), cx: &Cx<'_>) -> impl InitReturn<Self> {
        cx.send_after(INTERVAL, Look);
        let compactor = Compactor {
            handle,
            compact_from: options.compact_from,
            failed: None,
        };
        (ok, compactor)
    }

    async fn handle_call(
        &mut self,
        Compact(least): Compact,
        cx: &Cx<'_>,
    ) -> HandleCall<Result<usize, Error>> {
        reply(self.compact(least, cx).await)
    }

    async fn handle_info(&mut self, _: Look, cx: &Cx<'_>) -> HandleInfo {
        let failed = self.compact(self.compact_from, cx).await.err();
        if let Some(error) = &failed
            && self.failed.as_ref() != Some(error)
        {
            log::warn!("no snapshot: {error}");
        }
        self.failed = failed;
        cx.send_after(INTERVAL, Look);
        noreply()
    }
}

impl Compactor {
    async fn compact(&self, least: u64, cx: &Cx<'_>) -> Result<usize, Error> {
        let jungle = self.handle.jungle()?;
        cx.blocking(|| jungle.compact(least)).await
    }
}
