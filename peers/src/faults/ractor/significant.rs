//! A significant child: when the leader has ended, its supervisor stops the other children and
//! itself. The supervisor above it starts it again.

use std::sync::atomic::{AtomicU64, Ordering};

use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent, call};

use super::{Ask, SERVICE, answer};

type Done<T = ()> = Result<T, ActorProcessingErr>;

struct Top;

impl Actor for Top {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done {
        Actor::spawn_linked(None, Team, (), myself.get_cell()).await?;
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Done {
        if let SupervisionEvent::ActorTerminated(..) | SupervisionEvent::ActorFailed(..) = event {
            Actor::spawn_linked(None, Team, (), myself.get_cell()).await?;
        }
        Ok(())
    }
}

/// Starts the leader and the member, and ends when the leader ends.
struct Team;

impl Actor for Team {
    type Msg = ();
    type State = ActorId;
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<()>, (): ()) -> Done<ActorId> {
        let (leader, _) = Actor::spawn_linked(None, Leader, (), myself.get_cell()).await?;
        let (id, name) = (leader.get_id(), Some(SERVICE.to_owned()));
        Actor::spawn_linked(name, Member, leader, myself.get_cell()).await?;
        Ok(id)
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        leader: &mut ActorId,
    ) -> Done {
        if let SupervisionEvent::ActorTerminated(who, ..) = event
            && who.get_id() == *leader
        {
            myself.stop_children_and_wait(None, None).await;
            myself.stop(None);
        }
        Ok(())
    }
}

enum ToLeader {
    GetNumber(RpcReplyPort<u64>),
    Retire,
}

/// Has a new number after each start.
struct Leader;

impl Actor for Leader {
    type Msg = ToLeader;
    type State = u64;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<ToLeader>, (): ()) -> Done<u64> {
        static STARTS: AtomicU64 = AtomicU64::new(0);
        Ok(STARTS.fetch_add(1, Ordering::Relaxed))
    }

    async fn handle(
        &self,
        myself: ActorRef<ToLeader>,
        message: ToLeader,
        number: &mut u64,
    ) -> Done {
        match message {
            ToLeader::GetNumber(reply) => Ok(reply.send(*number)?),
            ToLeader::Retire => {
                myself.stop(None);
                Ok(())
            }
        }
    }
}

/// Answers correctly as long as the leader is the one with which it has started.
struct Member;

impl Actor for Member {
    type Msg = Ask;
    type State = (u64, ActorRef<ToLeader>);
    type Arguments = ActorRef<ToLeader>;

    async fn pre_start(
        &self,
        _: ActorRef<Ask>,
        leader: ActorRef<ToLeader>,
    ) -> Done<(u64, ActorRef<ToLeader>)> {
        Ok((call!(leader, ToLeader::GetNumber)?, leader))
    }

    async fn handle(
        &self,
        _: ActorRef<Ask>,
        Ask(call, reply): Ask,
        (number, leader): &mut (u64, ActorRef<ToLeader>),
    ) -> Done {
        let fits = call!(leader, ToLeader::GetNumber)? == *number;
        if call.fault {
            leader.cast(ToLeader::Retire)?;
        }
        Ok(reply.send(if fits { answer(call.number) } else { 0 })?)
    }
}

pub(super) async fn start() {
    let started = Actor::spawn(None, Top, ()).await;
    started.expect("it starts");
}
