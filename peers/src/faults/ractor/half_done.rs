//! A panic while a call is half done: the state is lost with the actor, and the supervisor starts
//! an actor with correct books.

use ractor::{Actor, ActorProcessingErr, ActorRef, SpawnErr, SupervisionEvent};

use super::{Ask, SERVICE, answer};

const TOTAL: u64 = 1_000;

struct Supervisor;

impl Supervisor {
    async fn start_teller(&self, myself: &ActorRef<()>) -> Result<(), SpawnErr> {
        let name = Some(SERVICE.to_owned());
        Actor::spawn_linked(name, Teller, (), myself.get_cell()).await?;
        Ok(())
    }
}

impl Actor for Supervisor {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(self.start_teller(&myself).await?)
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        if let SupervisionEvent::ActorFailed(..) = event {
            self.start_teller(&myself).await?;
        }
        Ok(())
    }
}

struct Teller;

impl Actor for Teller {
    type Msg = Ask;
    type State = [u64; 2];
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Ask>, (): ()) -> Result<[u64; 2], ActorProcessingErr> {
        Ok([TOTAL, 0])
    }

    async fn handle(
        &self,
        _: ActorRef<Ask>,
        Ask(call, reply): Ask,
        accounts: &mut [u64; 2],
    ) -> Result<(), ActorProcessingErr> {
        let from = usize::from(accounts[0] == 0);
        accounts[from] -= 1;
        assert!(!call.fault, "a fault");
        accounts[1 - from] += 1;
        let fits = accounts[0] + accounts[1] == TOTAL;
        Ok(reply.send(if fits { answer(call.number) } else { 0 })?)
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Supervisor, ()).await;
    started.expect("it starts");
}
