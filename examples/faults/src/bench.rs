//! The process that runs the clients and prints their results.

use otp_bridge::atoms::{self, continue_, normal, ok};
use otp_bridge::gen_server::ServerRef;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::try_join_all;

use crate::ask::{Ask, SERVICE};
use crate::clients::{Client, PATIENCE, Seen, Tally};
use crate::lost_node::guest_node;
use crate::plan::{Plan, Scenario};

/// The plan of the measurement.
#[derive(Debug, Term)]
pub struct Bench {
    plan: Plan,
}

/// `start`
#[derive(Debug, Term)]
pub struct Start;

#[gen_server]
impl GenServer for Bench {
    type Args = Plan;

    fn init(plan: Plan) -> impl InitReturn<Self> {
        (ok, Bench { plan }, (continue_, Start))
    }

    /// Starts a process for each client.
    async fn handle_continue(&mut self, _: Start, cx: &Cx<'_>) -> Result<HandleContinue> {
        let service = match self.plan.scenario {
            Scenario::LostNode => ServerRef::NameNode {
                name: SERVICE,
                node: guest_node(cx).await?,
            },
            _ => ServerRef::LocalName(SERVICE),
        };
        let clients = self.plan.load().clients().map(|client| {
            let service = service.clone();
            cx.in_process(async move |cx| calls(client, service, cx).await)
        });
        let mut all = Tally::default();
        for tally in try_join_all(clients).await? {
            all.add(tally);
        }
        println!("{all}");
        stop(normal)
    }
}

/// Makes all calls of a client.
async fn calls(mut client: Client, service: ServerRef, cx: &Cx<'_>) -> Result<Tally> {
    while let Some(call) = client.next_call() {
        let seen = match cx.call_within(&service, Ask::from(call), PATIENCE).await {
            Ok(number) => Seen::Answer(number),
            Err(exit) if timed_out(&exit) => Seen::Nothing,
            Err(_) => Seen::Told,
        };
        let pause = client.saw(seen);
        if !pause.is_zero() {
            cx.sleep(pause).await?;
        }
    }
    Ok(client.into_tally())
}

/// Returns whether the exit reason is `{timeout, _}`.
fn timed_out(exit: &Exit) -> bool {
    exit.reason().decode::<(atoms::timeout, Term)>().is_ok()
}
