//! A significant child: the leader reports that it has stopped. Then the team stops, and its
//! `Supervisor` restarts it with a new leader and a new member. The old member ends when all of its
//! addresses have been dropped.

use actix::prelude::*;

use super::{Ask, answer};

/// Owns the leader and the member, and passes requests on to the member.
#[derive(Default)]
struct Team {
    member: Option<Addr<Member>>,
    starts: u64,
}

#[derive(Message)]
#[rtype(result = "()")]
struct LeaderStopped;

impl Actor for Team {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.starts += 1;
        let leader = Leader {
            number: self.starts,
            team: context.address(),
        };
        let leader = leader.start();
        let number = self.starts;
        let member = Member { leader, number };
        self.member = Some(member.start());
    }
}

impl Supervised for Team {}

impl Handler<LeaderStopped> for Team {
    type Result = ();

    fn handle(&mut self, _: LeaderStopped, context: &mut Context<Self>) {
        self.member = None;
        context.stop();
    }
}

impl Handler<Ask> for Team {
    type Result = ResponseFuture<Option<u64>>;

    fn handle(&mut self, ask: Ask, _: &mut Context<Self>) -> Self::Result {
        let member = self.member.clone();
        Box::pin(async move { member?.send(ask).await.ok()? })
    }
}

#[derive(Message)]
#[rtype(result = "u64")]
struct GetNumber;

#[derive(Message)]
#[rtype(result = "()")]
struct Retire;

/// Has a new number after each start.
struct Leader {
    number: u64,
    team: Addr<Team>,
}

impl Actor for Leader {
    type Context = Context<Self>;

    fn stopped(&mut self, _: &mut Context<Self>) {
        self.team.do_send(LeaderStopped);
    }
}

impl Handler<GetNumber> for Leader {
    type Result = u64;

    fn handle(&mut self, _: GetNumber, _: &mut Context<Self>) -> u64 {
        self.number
    }
}

impl Handler<Retire> for Leader {
    type Result = ();

    fn handle(&mut self, _: Retire, context: &mut Context<Self>) {
        context.stop();
    }
}

/// Answers correctly as long as the leader is the one with which it has started.
struct Member {
    leader: Addr<Leader>,
    number: u64,
}

impl Actor for Member {
    type Context = Context<Self>;
}

impl Handler<Ask> for Member {
    type Result = ResponseFuture<Option<u64>>;

    fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self>) -> Self::Result {
        let (number, leader) = (self.number, self.leader.clone());
        Box::pin(async move {
            let fits = leader.send(GetNumber).await.ok()? == number;
            if call.fault {
                leader.do_send(Retire);
            }
            Some(if fits { answer(call.number) } else { 0 })
        })
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    Supervisor::start_in_arbiter(arbiter, |_| Team::default()).recipient()
}
