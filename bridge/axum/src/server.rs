//! The process of a server: it owns the listening socket and the tasks that serve requests. If the
//! process ends, the server ends, and vice versa.

use std::any::TypeId;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use otp_bridge::term::{BuildLocal, Port};
use otp_bridge::{Cx, Result, Term};

use crate::listen::Listen;
use crate::listening;
use crate::phase::Phase;
use crate::routes::Routes;
use crate::running::Running;

/// The state of the process. The socket belongs to the VM and survives an upgrade: if a client
/// connects while no build serves, it waits in the operating system's queue.
#[doc(hidden)]
#[derive(Debug, Term)]
pub struct AxumServer {
    listen: Listen,
    socket: Port,
    /// `None` during an upgrade.
    running: BuildLocal<Running>,
}

impl AxumServer {
    #[doc(hidden)]
    pub async fn listen(server: TypeId, listen: Listen, cx: &Cx<'_>) -> Result<Self> {
        let socket = listening::listen(cx, server, &listen).await?;
        Ok(AxumServer {
            listen,
            socket,
            running: BuildLocal::empty(),
        })
    }

    /// Starts serving, unless it already does.
    #[doc(hidden)]
    pub async fn serve<R: Routes>(&mut self, server: TypeId, cx: &Cx<'_>, routes: R) -> Result<()> {
        let service = routes.into_service()?;
        let listener = cx.tcp_listener(&self.socket).await?;
        let address = listener.local_addr()?;
        listening::remember(server, &self.listen, address.port(), cx.pid());
        if self.running.is_none() {
            let running = Running::start(listener, service, &self.listen, cx);
            self.running = BuildLocal::new(running);
            if self.listen.is_announced {
                announce(address);
            }
            tracing::info!("the HTTP server listens at http://{address}");
        }
        Ok(())
    }

    /// Stops in an orderly way: docs/services.md.
    #[doc(hidden)]
    pub async fn stop(&mut self, cx: &Cx<'_>) {
        self.ends(cx, Phase::Stops).await;
    }

    /// Like `stop`, but another build continues with the socket.
    #[doc(hidden)]
    pub async fn hand_over(&mut self, cx: &Cx<'_>) {
        self.ends(cx, Phase::HandsOver).await;
    }

    async fn ends(&mut self, cx: &Cx<'_>, phase: Phase) {
        if let Some(running) = self.running.take() {
            let drain = Duration::from_millis(self.listen.drain);
            running.stop(cx, phase, drain).await;
        }
    }
}

/// Runs a future that creates the routes in the process, with access to the Tokio run time.
#[doc(hidden)]
pub async fn in_run_time<F: Future>(cx: &Cx<'_>, future: F) -> F::Output {
    let run_time = cx.tokio_handle();
    let mut future = pin!(future);
    poll_fn(|context| {
        let _entered = run_time.enter();
        future.as_mut().poll(context)
    })
    .await
}

#[expect(clippy::print_stdout, reason = "the application asks for it")]
fn announce(address: std::net::SocketAddr) {
    println!("http://{address}");
}
