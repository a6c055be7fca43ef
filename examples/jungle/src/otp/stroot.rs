//! The application's root supervisor.

use otp_bridge::Resource;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use super::compactor::{COMPACTOR, Compactor};
use super::database::{DATABASE, Database};
use super::handle::Handle;
use super::options::Options;
use super::replicas::{REPLICAS, Replicas};
use super::shown::ShownTrees;

/// Starts the database.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let options = Options::read(&words).map_err(Exit::new)?;
        // The child specs hold these values, so that a restarted process gets those of its
        // predecessor.
        let handle = Resource::new(Handle::closed());
        let shown = Resource::new(ShownTrees::new());
        let arguments = || (handle.clone(), options.clone());
        let children = vec![
            ChildSpec::of::<Database>(arguments()).registered(&DATABASE),
            ChildSpec::of::<Compactor>(arguments()).registered(&COMPACTOR),
            ChildSpec::of::<Replicas>((shown, options.clone())).registered(&REPLICAS),
        ];
        let flags = SupFlags::one_for_one().intensity(5).period(10);
        Ok((ok, (flags, children)))
    }
}
