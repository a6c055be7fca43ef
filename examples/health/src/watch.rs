//! The watcher: a process that checks one address regularly.

use std::net::SocketAddr;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::board::{BOARD, Condition, Seen};

/// Interval between two checks, and time limit for each.
const INTERVAL: Duration = Duration::from_secs(1);

/// The watcher of an address.
#[derive(Debug, Term)]
pub struct Watch {
    address: String,
}

/// `look`
#[derive(Debug, Term)]
struct Look;

#[gen_server]
impl GenServer for Watch {
    /// The address, as text.
    type Args = String;

    fn init(address: String, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        if address.parse::<SocketAddr>().is_err() {
            return Err(Exit::new(("not an address with a port", address)));
        }
        cx.send(&cx.pid(), Look);
        cx.send_interval(INTERVAL, Look);
        Ok((ok, Watch { address }))
    }

    async fn handle_info(&mut self, _: Look, cx: &Cx<'_>) -> Result<HandleInfo> {
        // Waiting does not occupy a scheduler, because the socket is Tokio's.
        let condition = cx.tokio(look_at(self.address.clone())).await?;
        cx.cast(&BOARD, Seen(self.address.clone(), condition));
        noreply()
    }
}

async fn look_at(address: String) -> Condition {
    match timeout(INTERVAL, TcpStream::connect(address)).await {
        Ok(Ok(_)) => Condition::Up,
        Ok(Err(_)) => Condition::Down,
        Err(_) => Condition::Silent,
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use otp_bridge::testing;

    use super::*;

    #[test]
    fn a_watcher_looks_at_once_and_then_again_and_again() -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let mut watch = testing::Server::<Watch>::start(address.clone())?;
        let sent = |watch: &mut testing::Server<Watch>| {
            watch.sent().to_string().replace(&address, "ADDRESS")
        };
        insta::assert_snapshot!(sent(&mut watch), @r#"
        <nonode@nohost.100.0> ! look
        board ! {'$gen_cast',{seen,<<"ADDRESS">>,up}}
        "#);
        drop(listener);
        watch.advance(2 * INTERVAL);
        insta::assert_snapshot!(sent(&mut watch), @r#"
        board ! {'$gen_cast',{seen,<<"ADDRESS">>,down}}
        board ! {'$gen_cast',{seen,<<"ADDRESS">>,down}}
        "#);
        Ok(())
    }

    #[test]
    fn what_is_not_an_address_is_not_watched() {
        let refused = testing::Server::<Watch>::start("nowhere".to_owned()).unwrap_err();
        insta::assert_snapshot!(refused, @r#"exit: {<<"not an address with a port">>,<<"nowhere">>}"#);
    }
}
