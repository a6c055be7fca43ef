//! The supervisor of the solvers.

use otp_bridge::atoms::{brutal_kill, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::solver::Solver;

/// The registered supervisor of the solvers.
pub static SOLVERS: Server<Solvers> = Server::registered();

/// Starts a child for each solver.
pub struct Solvers;

#[supervisor]
impl Supervisor for Solvers {
    type Args = ();
    type Child = Solver;

    fn init(_: ()) -> impl InitReturn {
        // A solver has no state to clean up.
        let solver = ChildSpec::template::<Solver>()
            .restart(temporary)
            .shutdown(brutal_kill);
        (ok, (SupFlags::simple_one_for_one(), vec![solver]))
    }
}
