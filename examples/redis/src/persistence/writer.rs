//! The process that writes the append-only log.

use std::path::PathBuf;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::race;
use otp_bridge::term::Shared;

use super::{Files, load};
use crate::server::Server;
use crate::store::{Batch, Sync, Wants};

/// Writes what commands have recorded. Everything that is recorded during a write becomes the next
/// batch.
#[derive(Debug, Term)]
pub struct Writer;

/// Pause after a failed write.
const PATIENCE: Duration = Duration::from_secs(1);

#[gen_server]
impl GenServer for Writer {
    /// The server, and the folder of the log.
    type Args = (Shared<Server>, String);

    fn init(
        (server, folder): (Shared<Server>, String),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        let mut files = server.files();
        if files.is_none() {
            server.set_loading(true);
            let opened = Files::open(&PathBuf::from(folder), |path, is_last| {
                load(&server, path, is_last)
            });
            server.set_loading(false);
            *files = Some(opened.map_err(|error| Exit::new(error.to_string()))?);
            server.store.log.turn(true);
        }
        drop(files);
        cx.spawn_task::<(), _>(async move |cx| write(cx, &server).await)
            .linked();
        Ok((ok, Writer))
    }
}

async fn write(cx: &Cx<'_>, server: &Server) -> Result<()> {
    let log = &server.store.log;
    loop {
        let waits = server
            .files()
            .as_ref()
            .is_some_and(|it| it.pending.is_none());
        if waits {
            let next = next(cx, server).await;
            // From this point, the batch survives a restart of the process.
            if let Some(files) = server.files().as_mut() {
                files.pending = Some(next);
            }
        }
        let done = cx.blocking(|| write_once(server)).await;
        match done {
            Ok(end) => log.written(end),
            Err(error) => {
                log.failed();
                println!("the append-only file cannot be written: {error}");
                cx.sleep(PATIENCE).await?;
            }
        }
    }
}

/// Returns the next batch. It may be empty, to synchronise what was written before.
async fn next(cx: &Cx<'_>, server: &Server) -> Batch {
    let log = &server.store.log;
    let is_synced = server.files().as_ref().is_none_or(|it| !it.is_unsynced());
    if is_synced || log.sync() == Sync::Never {
        return log.next().await;
    }
    let later = async {
        // If the timer fails, the batch only comes early.
        let _ = cx.sleep(PATIENCE).await;
        None
    };
    let batch = race(async { Some(log.next().await) }, later).await;
    batch.unwrap_or_else(|| Batch {
        end: log.end(),
        wants: Wants {
            sync: true,
            ..Wants::default()
        },
        ..Batch::default()
    })
}

fn write_once(server: &Server) -> std::io::Result<u64> {
    let log = &server.store.log;
    let mut files = server.files();
    let Some(files) = files.as_mut() else {
        return Ok(0);
    };
    let wants = files
        .pending
        .as_ref()
        .map(|it| it.wants)
        .unwrap_or_default();
    let syncs = log.sync() == Sync::Always || wants.sync || server.is_sync_due();
    let end = files.write(syncs)?;
    if wants.switch {
        let done = files.switch();
        match done {
            Ok(()) => log.copied(),
            Err(error) => {
                println!("the append-only file is not rewritten: {error}");
                files.abandon();
            }
        }
        server.store.end_snapshot();
    }
    if files.is_long() {
        server.rewrite.wish();
    }
    Ok(end)
}
