//! The server's threads.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::available_parallelism;

use otp_bridge::gen_server::prelude::*;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, oneshot, watch};

use super::cookies::Tokens;
use super::rendered::Rendered;
use super::writer::Writer;
use super::{App, Ended, connections};
use crate::limits;
use crate::store::Store;

/// They end when this is dropped.
#[derive(Debug)]
pub(super) struct Running {
    /// `None` only while it is dropped.
    run_time: Option<Runtime>,
    stop: watch::Sender<bool>,
    /// Is an error when no request is under way any more.
    drained: Option<oneshot::Receiver<()>>,
}

impl Running {
    pub(super) fn start(listener: TcpListener, cx: &Cx<'_>) -> Result<Self> {
        let (client, tells) = (cx.client(limits::CALLS), cx.sender::<Ended>());
        let threads = available_parallelism().map_or(1, |threads| threads.get());
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(threads).thread_name("board http");
        let run_time = builder.enable_all().build()?;
        let (stop, stops) = watch::channel(false);
        let (ends, drained) = oneshot::channel();
        let app = Arc::new(App {
            store: Store::shared(),
            writer: Writer::start(&run_time, client),
            tokens: Tokens::new(),
            rendered: Rendered::default(),
            viewers: Arc::new(Semaphore::new(limits::VIEWERS)),
            stops: stops.clone(),
        });
        let serving = run_time.spawn(connections::serve(listener, app, stops));
        let looks = stop.clone();
        run_time.spawn(async move {
            loop {
                tokio::time::sleep(limits::LOOK).await;
                looks.send_modify(|_| ());
            }
        });
        run_time.spawn(async move {
            let why = match serving.await {
                Ok(Ok(())) => return drop(ends),
                Ok(Err(error)) => error.to_string(),
                Err(error) => error.to_string(),
            };
            tells.send(Ended(why));
        });
        Ok(Running {
            run_time: Some(run_time),
            stop,
            drained: Some(drained),
        })
    }

    /// No new connections; requests under way have some seconds. Then no thread is left. The
    /// process goes on making the calls of handlers meanwhile.
    pub(super) async fn stop(mut self, cx: &Cx<'_>) {
        let _ = self.stop.send(true);
        if let Some(drained) = self.drained.take() {
            let _late = cx.timeout(limits::DRAIN, drained).await;
        }
        let run_time = self.run_time.take();
        cx.blocking(|| drop(run_time)).await;
    }
}

/// Its process was killed.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(run_time) = self.run_time.take() {
            run_time.shutdown_background();
        }
    }
}
