//! Servers with all kinds of names.
use otp_bridge::Name;
use otp_bridge::atom;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::start::StartOptions;

use crate::hand::{Hand, Number};

/// Starts a hand under each name, calls it by this name, and tries to start another one. Returns
/// the hands' answers, and how the second starts failed.
///
/// # Errors
/// A hand did not start or answer.
pub async fn all(cx: &Cx<'_>) -> Result<Vec<(u64, Atom)>> {
    let names = [
        Name::local(atom!("left")),
        Name::global(("hand", 2)),
        Name::via(atom!("global"), "third"),
    ];
    let mut answers = Vec::new();
    for (number, name) in (1..).zip(names) {
        let start = || cx.start_link::<Hand>(number).registered(name.clone());
        start().await?;
        let again = start().options(StartOptions::new()).await;
        let failed = match again {
            Ok(_) => atom!("started_twice"),
            Err(exit) => exit.reason().decode::<(Atom, Pid)>()?.0,
        };
        let hand = Server::<Hand>::from(name);
        answers.push((cx.call(&hand, Number).await?, failed));
    }
    Ok(answers)
}
