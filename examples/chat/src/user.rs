//! A user: the process of one client's connection, which has a nickname and may be in a room.

use otp_bindings::atoms::{active, normal, ok, once, shutdown};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bindings::global::{self, YesOrNo};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;
use otp_bridge::messages::{GroupChange, Membership, Tcp, TcpClosed, TcpError};

use crate::command::Command;
use crate::rooms::{RoomName, users_in};

/// Returns the user with this nickname, on any node.
#[must_use]
pub fn named(nick: &str) -> Server<User> {
    Server::global(("user", nick))
}

/// Owns its client's socket. The socket is closed when the process ends.
#[derive(Debug, Term)]
pub struct User {
    socket: Socket,
    nick: Option<String>,
    room: Option<Chatroom>,
}

/// The room that a user is in.
#[derive(Debug, Term)]
struct Chatroom {
    name: RoomName,
    /// The other users in the room that have sent their names.
    others: Vec<(Server<User>, String)>,
}

/// `serve`: the listener has given the socket to this process.
#[derive(Debug, Term)]
pub struct Serve;

/// `{here, RoomName, Nick, User}`: introduces a user in the room to one that has just joined, or
/// the other way round.
#[derive(Debug, Clone, Term)]
pub struct Here(RoomName, String, Server<User>);

/// `{said, Nick, Text}`: a text for everyone in the room.
#[derive(Debug, Term)]
pub struct Said(String, String);

/// `{whispered, Nick, Text}`: a text for this user alone.
#[derive(Debug, Term)]
pub struct Whispered(String, String);

/// The module has a name of its own because OTP already has a module `user`. Every process in the
/// cluster can reach a user by its name, so messages that no clause matches are refused.
#[gen_server(module = "chat_user", bad_messages = "refuse")]
impl GenServer for User {
    /// The client's socket, in passive mode.
    type Args = Socket;

    fn init(socket: Socket) -> impl InitReturn<Self> {
        let (nick, room) = (None, None);
        (ok, User { socket, nick, room })
    }

    async fn handle_cast(&mut self, _: Serve, cx: &Cx<'_>) -> Result<HandleCast> {
        self.next_line(cx).await?;
        noreply()
    }

    async fn handle_cast(&mut self, here: Here, cx: &Cx<'_>) -> Result<HandleCast> {
        let Here(name, nick, user) = here;
        let room = self.room.as_mut().filter(|room| room.name == name);
        // Users that join at the same time introduce themselves to each other twice.
        if let Some(room) = room.filter(|room| room.others.iter().all(|(known, _)| *known != user))
        {
            let line = format!("* {nick} is here");
            room.others.push((user, nick));
            self.write(cx, line).await?;
        }
        noreply()
    }

    async fn handle_cast(&mut self, Said(nick, text): Said, cx: &Cx<'_>) -> Result<HandleCast> {
        // A user's text is cast to everyone in the room, including the user.
        if self.nick.as_ref() != Some(&nick) {
            self.write(cx, format!("{nick}: {text}")).await?;
        }
        noreply()
    }

    async fn handle_cast(&mut self, whispered: Whispered, cx: &Cx<'_>) -> Result<HandleCast> {
        let Whispered(nick, text) = whispered;
        self.write(cx, format!("{nick} whispers: {text}")).await?;
        noreply()
    }

    /// Other users have joined or left the room.
    async fn handle_cast(
        &mut self,
        change: GroupChange<RoomName>,
        cx: &Cx<'_>,
    ) -> Result<HandleCast> {
        let members = change.members.into_iter().map(Server::from);
        let members: Vec<Server<User>> = members.collect();
        let room = self.room.as_mut();
        let Some(room) = room.filter(|room| room.name == change.group) else {
            return noreply();
        };
        match change.change {
            Membership::Join => self.greet(&members, cx),
            Membership::Leave => {
                let gone = |(user, _): &mut (Server<User>, String)| members.contains(user);
                let gone: Vec<_> = room.others.extract_if(.., gone).collect();
                for (_, nick) in gone {
                    self.write(cx, format!("* {nick} has gone")).await?;
                }
            }
        }
        noreply()
    }

    /// Handles a line, with its end.
    async fn handle_info(&mut self, line: Tcp, cx: &Cx<'_>) -> Result<HandleInfo> {
        let line = String::from_utf8_lossy(&line.data);
        match Command::read(&line) {
            Ok(Command::Quit) => return stop(normal),
            Ok(command) => self.perform(command, cx).await?,
            Err(hint) => self.write(cx, hint.to_owned()).await?,
        }
        self.next_line(cx).await?;
        noreply()
    }

    fn handle_info(&mut self, _: TcpClosed) -> HandleInfo {
        stop(normal)
    }

    fn handle_info(&mut self, TcpError { reason, .. }: TcpError) -> HandleInfo {
        stop((shutdown, reason))
    }
}

impl User {
    /// Lets the socket deliver one more line. A client that sends faster than it is answered has to
    /// wait.
    async fn next_line(&self, cx: &Cx<'_>) -> Result<()> {
        // If the client is gone, `tcp_closed` reports that.
        let _gone = inet::setopts(cx, &self.socket, list![(active, once)]).await?;
        Ok(())
    }

    /// Sends a line to the client.
    async fn write(&self, cx: &Cx<'_>, line: String) -> Result<()> {
        let _gone = gen_tcp::send(cx, &self.socket, line + "\n").await?;
        Ok(())
    }

    async fn perform(&mut self, command: Command<'_>, cx: &Cx<'_>) -> Result<()> {
        let Some(nick) = self.nick.clone() else {
            return match command {
                Command::Nick(nick) => self.take_name(nick, cx).await,
                _ => self.write(cx, "! /nick NAME first".to_owned()).await,
            };
        };
        let answer = match command {
            Command::Join(name) => return self.join(name, cx).await,
            Command::Leave => {
                self.leave(cx).await?;
                "* you are in no room".to_owned()
            }
            Command::Who => self.others(),
            Command::Tell(to, text) if global::whereis_name(cx, ("user", to)).await?.is_some() => {
                cx.cast(&named(to), Whispered(nick, text.to_owned()));
                return Ok(());
            }
            Command::Tell(to, _) => format!("! nobody is called {to}"),
            Command::Say(text) => match &self.room {
                Some(Chatroom { name, .. }) => {
                    users_in(name).cast(cx, Said(nick, text.to_owned())).await?;
                    return Ok(());
                }
                None => "! /join ROOM first".to_owned(),
            },
            Command::Nick(_) => format!("! you are {nick}"),
            Command::Quit => return Ok(()),
        };
        self.write(cx, answer).await
    }

    /// Takes a name that is unused in the cluster. The name is free again when this process ends.
    async fn take_name(&mut self, nick: &str, cx: &Cx<'_>) -> Result<()> {
        let taken = global::register_name(cx, ("user", nick), cx.pid()).await?;
        let answer = match taken {
            YesOrNo::Yes => {
                self.nick = Some(nick.to_owned());
                format!("* you are {nick}")
            }
            YesOrNo::No => format!("! somebody else is {nick}"),
        };
        self.write(cx, answer).await
    }

    /// Joins a room. `pg` tells the users in the room, and they and this user introduce themselves
    /// to each other.
    async fn join(&mut self, name: &str, cx: &Cx<'_>) -> Result<()> {
        self.leave(cx).await?;
        let (name, others) = (RoomName(name.to_owned()), Vec::new());
        users_in(&name).join(cx).await?;
        let members = users_in(&name).members(cx).await?;
        self.write(cx, format!("* you are in {}", name.0)).await?;
        self.room = Some(Chatroom { name, others });
        self.greet(&members, cx);
        Ok(())
    }

    async fn leave(&mut self, cx: &Cx<'_>) -> Result<()> {
        if let Some(left) = self.room.take() {
            users_in(&left.name).leave(cx).await?;
        }
        Ok(())
    }

    /// Introduces this user to others in the room.
    fn greet(&self, members: &[Server<User>], cx: &Cx<'_>) {
        let own = Server::from(cx.pid());
        if let (Some(room), Some(nick)) = (&self.room, &self.nick) {
            let here = Here(room.name.clone(), nick.clone(), own.clone());
            for member in members.iter().filter(|member| **member != own) {
                cx.cast(member, here.clone());
            }
        }
    }

    fn others(&self) -> String {
        let others = self.room.iter().flat_map(|room| &room.others);
        let mut nicks: Vec<&str> = others.map(|(_, nick)| nick.as_str()).collect();
        nicks.sort_unstable();
        format!("* {} here: {}", nicks.len(), nicks.join(" "))
    }
}
