//! Watches one address.

use std::net::SocketAddr;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::board::{BOARD, Condition, Seen};

/// How often an address is checked, and the time it has to answer.
const INTERVAL: Duration = Duration::from_secs(1);

/// The watcher of an address.
#[derive(Debug)]
pub struct Watch {
    address: SocketAddr,
}

/// `look`
#[derive(Debug, Term)]
struct Look;

#[gen_server]
impl GenServer for Watch {
    /// The address, as text.
    type Args = String;

    fn init(address: String, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let parsed = address.parse();
        let address = parsed.map_err(|_| Exit::new(("not an address with a port", address)))?;
        cx.send(&cx.pid(), Look);
        cx.send_interval(INTERVAL, Look);
        Ok((ok, Watch { address }))
    }

    async fn handle_info(&mut self, _: Look, cx: &Cx<'_>) -> Result<HandleInfo> {
        let address = self.address;
        // The process waits without holding a scheduler. The socket is Tokio's.
        let condition = cx.tokio(look_at(address)).await?;
        cx.cast(&BOARD, Seen(address.to_string(), condition));
        noreply()
    }
}

async fn look_at(address: SocketAddr) -> Condition {
    match timeout(INTERVAL, TcpStream::connect(address)).await {
        Ok(Ok(_)) => Condition::Up,
        Ok(Err(_)) => Condition::Down,
        Err(_) => Condition::Silent,
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::gen_server::callback;
    use otp_bridge::{Term, testing};

    use super::*;

    #[test]
    fn a_watcher_looks_at_once_and_then_again_and_again() {
        let mut operations = Vec::new();
        let address = "127.0.0.1:80".to_owned();
        let started = testing::run(
            async |cx| {
                <Watch as callback::Init<_>>::init(address, cx)
                    .await
                    .into_return()
            },
            |operation| {
                operations.push(testing::redacted(&operation).to_string());
                Ok(Term::of(&ok))
            },
        );
        assert!(started.is_ok());
        insta::assert_snapshot!(operations.join("\n"), @"
        {apply,erlang,send,[<redacted.1.0>,look]}
        {here,timer,send_interval,[1000,look]}
        ");
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let run_time = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        run_time.expect("a run time").block_on(future)
    }

    #[test]
    fn an_address_is_up_while_somebody_listens() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        assert_eq!(block_on(look_at(address)), Condition::Up);
        drop(listener);
        assert_eq!(block_on(look_at(address)), Condition::Down);
    }
}
