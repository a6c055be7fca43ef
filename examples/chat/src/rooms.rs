//! The rooms.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::GroupChange;
use otp_bridge::{Atom, Group, atom};

use crate::user::User;

/// The scope of the rooms in `pg`.
pub const SCOPE: Atom = atom!("chat");

/// `{room, Name}`: what a room is called in `pg`.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tag = "room")]
pub struct RoomName(pub String);

/// The users in a room, on all nodes.
#[must_use]
pub fn users_in(name: &RoomName) -> Group<User> {
    Group::in_scope(SCOPE, name)
}

/// Tells the users on this node who has joined or left their rooms. That is one process for all of them, since before
/// OTP 26.2 a member of a group must not monitor it.
#[derive(Debug)]
pub struct Rooms;

#[gen_server]
impl GenServer for Rooms {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        cx.monitor_groups(SCOPE).await?;
        Ok((ok, Rooms))
    }

    /// Also when a node is connected, for those who are in a room there, and when it is lost.
    async fn handle_info(
        &mut self,
        change: GroupChange<RoomName>,
        cx: &Cx<'_>,
    ) -> Result<HandleInfo> {
        for user in users_in(&change.group).local_members(cx).await? {
            cx.cast(&user, change.clone());
        }
        noreply()
    }
}
