//! The root supervisor: the board, and a watcher for each address of the command line.

use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::board::Board;
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
        let board = ChildSpec::of::<Board>(()).registered(atom!("board"));
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
