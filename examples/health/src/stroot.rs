//! The root supervisor: starts the board, and a watcher for each address of the command line.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::board::{BOARD, Board};
use crate::watch::Watch;

/// Starts the board and the watchers.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(addresses: Vec<String>) -> Result<impl InitReturn> {
        if addresses.is_empty() {
            return Err(Exit::new("usage: cargo otp run -- ADDRESS:PORT..."));
        }
        let board = ChildSpec::of::<Board>(()).registered(&BOARD);
        let watches = addresses
            .into_iter()
            .map(|address| ChildSpec::of::<Watch>(address.clone()).id(address));
        let children: Vec<ChildSpec> = std::iter::once(board).chain(watches).collect();
        Ok((
            ok,
            (SupFlags::one_for_one().intensity(3).period(10), children),
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;
    use crate::board::{All, BOARD, Condition};

    /// Waits until the board has exactly this address, with this condition.
    async fn becomes(cx: &Cx<'_>, address: &str, condition: Condition) -> Result<()> {
        let expected = vec![(address.to_owned(), condition)];
        while cx.call(&BOARD, All).await? != expected {
            cx.sleep(Duration::from_millis(20)).await?;
        }
        Ok(())
    }

    /// Checks that processes of a VM can await Tokio's sockets.
    #[otp_bridge::test(application = false)]
    async fn an_address_is_seen_to_open_and_close(cx: &Cx<'_>) -> Result<()> {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = socket.local_addr().expect("its address").to_string();
        cx.start_link::<Stroot>(vec![address.clone()]).await?;
        becomes(cx, &address, Condition::Up).await?;
        drop(socket);
        becomes(cx, &address, Condition::Down).await
    }
}
