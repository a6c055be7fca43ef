//! The tasks that serve requests, on the library's Tokio run time.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::{Cx, Exit, Term};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::clock::LOOK;
use crate::connections;
use crate::listen::Listen;
use crate::phase::Phase;
use crate::routes::Answers;
use crate::shutdown::Shutdown;

/// `{ended, Why}`: the server has stopped serving.
#[doc(hidden)]
#[derive(Debug, Term)]
pub struct Ended(String);

impl Ended {
    /// Returns the exit of the process.
    #[doc(hidden)]
    #[must_use]
    pub fn exit(self) -> Exit {
        Exit::new(self.0)
    }
}

/// The running server. All connections end when this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    phase: watch::Sender<Phase>,
    /// Accepts connections, and owns their tasks.
    serving: JoinHandle<()>,
    /// Wakes the connections.
    wakes: JoinHandle<()>,
    /// Returns an error when all outstanding requests have ended.
    drained: Option<oneshot::Receiver<()>>,
}

impl Running {
    pub(crate) fn start<S: Answers>(
        listener: TcpListener,
        service: S,
        listen: &Listen,
        cx: &Cx<'_>,
    ) -> Self {
        let tells = cx.sender::<Ended>();
        let run_time = cx.tokio_handle();
        let (phase, phases) = watch::channel(Phase::Serves);
        let (ends, drained) = oneshot::channel();
        let shutdown = Shutdown::new(phases);
        let listen = Arc::new(listen.clone());
        let serving = run_time.spawn(async move {
            match connections::serve(listener, service, listen, shutdown).await {
                Ok(()) => drop(ends),
                Err(error) => tells.send(Ended(error.to_string())),
            }
        });
        let looks = phase.clone();
        let wakes = run_time.spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                looks.send_modify(|_| ());
            }
        });
        Running {
            phase,
            serving,
            wakes,
            drained: Some(drained),
        }
    }

    /// Stops accepting connections, and gives outstanding requests some time to end. The process
    /// still makes the calls of handlers.
    pub(crate) async fn stop(mut self, cx: &Cx<'_>, phase: Phase, drain: Duration) {
        let _ = self.phase.send(phase);
        if let Some(drained) = self.drained.take() {
            let _late = cx.timeout(drain, drained).await;
        }
    }
}

/// Runs also if its process was killed.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.phase.send_if_modified(|phase| {
            let serves = *phase == Phase::Serves;
            if serves {
                *phase = Phase::Stops;
            }
            serves
        });
        self.serving.abort();
        self.wakes.abort();
    }
}
