//! The rooms: `pg` groups, and the process that reports their changes to this node's users.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::GroupChange;
use otp_bridge::pg;
use otp_bridge::pg::Group;
use otp_bridge::{Atom, atom};

use crate::user::User;

/// Name of the `pg` scope that contains the rooms.
pub const SCOPE: Atom = atom!("chat");

/// `{room, Name}`: a room's group name in `pg`.
#[derive(Debug, Clone, PartialEq, Term)]
#[term(tag = "room")]
pub struct RoomName(pub String);

/// Returns the users in a room, on all nodes.
#[must_use]
pub fn users_in(name: &RoomName) -> Group<User> {
    Group::in_scope(SCOPE, name)
}

/// Tells this node's users which users join or leave their rooms. One process does that for all
/// users, because before OTP 26.2 a member of a group must not monitor the group.
#[derive(Debug, Term)]
pub struct Rooms;

#[gen_server]
impl GenServer for Rooms {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        pg::monitor_scope(cx, SCOPE).await?;
        Ok((ok, Rooms))
    }

    /// Passes a change on. Connecting to a node counts as joining for the users there, and losing
    /// it as leaving.
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

#[cfg(test)]
mod tests {
    use otp_bindings::atoms::{self, active, binary, packet};
    use otp_bindings::gen_tcp::{self, Socket};
    use otp_bindings::inet;
    use otp_bridge::list;

    use super::*;
    use crate::user::Serve;
    use crate::users::USERS;

    /// Sends a line as a client, and returns the answer.
    async fn ask(cx: &Cx<'_>, client: &Socket, said: &str) -> Result<String> {
        gen_tcp::send(cx, client, format!("{said}\n")).await??;
        answer(cx, client).await
    }

    async fn answer(cx: &Cx<'_>, client: &Socket) -> Result<String> {
        let received = gen_tcp::recv(cx, client, 0).await??;
        let text: String = Term::of(&received).decode()?;
        Ok(text.trim_end().to_owned())
    }

    /// `pg` and `global` are OTP's own. The test plays the listener and all clients.
    #[otp_bridge::test(arguments = ["0"])]
    async fn users_meet_in_a_room_and_leave_it(cx: &Cx<'_>) -> Result<()> {
        let options = list![binary, (packet, atoms::line), (active, false)];
        let listening = gen_tcp::listen(cx, 0, options).await??;
        let port = inet::port(cx, &listening).await??;
        let mut clients = Vec::new();
        for nick in ["ann", "bob"] {
            let options = list![binary, (packet, atoms::line), (active, false)];
            let client = gen_tcp::connect_address(cx, (127, 0, 0, 1), port, options).await??;
            let socket = gen_tcp::accept(cx, &listening).await??;
            let user = cx.start_child(&USERS, socket.clone()).await?;
            gen_tcp::controlling_process(cx, &socket, user.pid()?).await??;
            cx.cast(&user, Serve);
            let named = ask(cx, &client, &format!("/nick {nick}")).await?;
            assert_eq!(named, format!("* you are {nick}"));
            assert_eq!(ask(cx, &client, "/join rust").await?, "* you are in rust");
            clients.push(client);
        }
        let [ann, bob] = &clients[..] else {
            unreachable!("there are two");
        };
        assert_eq!(answer(cx, ann).await?, "* bob is here");
        assert_eq!(answer(cx, bob).await?, "* ann is here");
        let room = users_in(&RoomName("rust".to_owned()));
        assert_eq!(room.members(cx).await?.len(), 2);

        assert_eq!(ask(cx, bob, "/nick ann").await?, "! you are bob");
        gen_tcp::send(cx, ann, "hello\n").await??;
        assert_eq!(answer(cx, bob).await?, "ann: hello");
        gen_tcp::send(cx, ann, "/quit\n").await??;
        assert_eq!(answer(cx, bob).await?, "* ann has gone");
        assert_eq!(
            ask(cx, bob, "/tell ann hello").await?,
            "! nobody is called ann"
        );
        Ok(())
    }
}
