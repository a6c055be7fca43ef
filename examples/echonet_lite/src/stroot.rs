//! The application's root supervisor.

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::controller::{CONTROLLER, Controller};
use crate::devices::Kind;
use crate::node::{Node, NodeArgs};
use crate::options::Options;
use crate::web::{self, Changes, Http};

/// Starts the nodes, the controller and the web page.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let options = Options::read(&words).map_err(Exit::new)?;
        let node_args = |address: std::net::Ipv4Addr, kind| NodeArgs {
            address: address.to_string(),
            port: options.port,
            kind,
        };
        let kinds = [Kind::LivingRoom, Kind::Weather].into_iter().cycle();
        let nodes = options.nodes.iter().zip(kinds);
        let mut children: Vec<ChildSpec> = nodes
            .map(|(address, kind)| {
                ChildSpec::of::<Node>(node_args(*address, kind)).id(address.to_string())
            })
            .collect();
        let controller =
            ChildSpec::of::<Controller>(node_args(options.interface, Kind::Controller));
        children.push(controller.registered(&CONTROLLER));
        children.push(ChildSpec::of::<Changes>(()));
        children.push(Http::child(web::listen(options.web)));
        // The page subscribes to the controller, so it is restarted together with it.
        Ok((
            ok,
            (SupFlags::rest_for_one().intensity(5).period(10), children),
        ))
    }
}
