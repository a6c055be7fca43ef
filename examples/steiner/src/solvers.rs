//! The supervisor of the solvers.

use otp_bridge::atoms::{brutal_kill, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::solver::Solver;

/// The supervisor of this application's solvers.
pub static SOLVERS: Server<Solvers> = Server::registered();

/// Has a child for each solver.
pub struct Solvers;

#[supervisor]
impl Supervisor for Solvers {
    type Args = ();
    type Child = Solver;

    fn init(_: ()) -> impl InitReturn {
        // A solver has nothing to tidy up.
        let solver = ChildSpec::template::<Solver>()
            .restart(temporary)
            .shutdown(brutal_kill);
        (ok, (SupFlags::simple_one_for_one(), vec![solver]))
    }
}
