//! The scenarios of examples/faults, each in a file of its own for each framework, under the same
//! clients.
//!
//! Files of one framework repeat each other on purpose. The page counts the lines of each file,
//! because an application with only this scenario needs all of them.

mod actix;
#[allow(unreachable_pub, reason = "the example is a library")]
#[path = "../../../examples/faults/src/clients.rs"]
mod clients;
mod kameo;
mod ractor;

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use clients::{Call, Client, Load, Seen, Tally};

/// The service that clients call.
trait Service: Clone + Send + Sync + 'static {
    /// Makes a call and waits for its answer, at most as long as a client's patience lasts.
    fn ask(&self, call: Call) -> impl Future<Output = Seen> + Send;
}

/// Runs a scenario with a framework. Returns `None` if the words do not name one.
pub(crate) fn run(words: &[&str]) -> Option<Tally> {
    let [peer, scenario, calls, faults] = *words else {
        return None;
    };
    let (calls, faults) = (calls.parse().ok()?, faults.parse().ok()?);
    let load = Load { calls, faults };
    match peer {
        "actix" => actix::run(scenario, load),
        "kameo" => tokio().block_on(kameo::run(scenario, load)),
        "ractor" => tokio().block_on(ractor::run(scenario, load)),
        _ => None,
    }
}

fn tokio() -> Runtime {
    let runtime = Builder::new_multi_thread().enable_time().build();
    runtime.expect("a runtime starts")
}

/// Runs all clients, each as a task. Returns what they have observed of the service.
async fn observe(service: impl Service, load: Load) -> Tally {
    let client = |client| tokio::spawn(calls(service.clone(), client));
    let clients: Vec<_> = load.clients().map(client).collect();
    let mut all = Tally::default();
    for client in clients {
        all.add(client.await.expect("a client does not panic"));
    }
    all
}

/// Makes all calls of a client.
async fn calls(service: impl Service, mut client: Client) -> Tally {
    while let Some(call) = client.next_call() {
        let seen = service.ask(call).await;
        let pause = client.saw(seen);
        if pause > Duration::ZERO {
            sleep(pause).await;
        }
    }
    client.into_tally()
}
