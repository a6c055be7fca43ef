//! Restart on abnormal exit: the supervisor starts the worker again when it has failed.

use ractor::{Actor, ActorProcessingErr, ActorRef, SpawnErr, SupervisionEvent};

use super::{Ask, SERVICE, answer};

struct Supervisor;

impl Supervisor {
    async fn start_worker(&self, myself: &ActorRef<()>) -> Result<(), SpawnErr> {
        let name = Some(SERVICE.to_owned());
        Actor::spawn_linked(name, Worker, (), myself.get_cell()).await?;
        Ok(())
    }
}

impl Actor for Supervisor {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(self.start_worker(&myself).await?)
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        if let SupervisionEvent::ActorFailed(..) = event {
            self.start_worker(&myself).await?;
        }
        Ok(())
    }
}

struct Worker;

impl Actor for Worker {
    type Msg = Ask;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Ask>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<Ask>,
        Ask(call, reply): Ask,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        assert!(!call.fault, "a fault");
        Ok(reply.send(answer(call.number))?)
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Supervisor, ()).await;
    started.expect("it starts");
}
