//! A session: the process of one client's connection.

use std::time::Duration;

use bytes::Bytes;
use otp_bindings::atoms::{active, normal, ok, once, shutdown};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;
use otp_bridge::messages::{Tcp, TcpClosed, TcpError};
use otp_bridge::pg::Group;

use crate::command::{Command, Request};
use crate::resp::{self, Reply};
use crate::store::{GiveUp, Run, STORE, Wait, now};

/// The most bytes that a client may send before they are read as a request.
const MAX_INPUT: usize = 8 << 20;

/// Owns its client's socket. The socket is closed when the process ends.
#[derive(Debug, Term)]
pub struct Session {
    socket: Socket,
    /// Bytes of the client that the session has not read yet.
    input: Bytes,
    /// The commands after `MULTI`.
    transaction: Option<Transaction>,
    /// The channels that the client has subscribed to.
    channels: Vec<Bytes>,
    /// The number of the `BLPOP` that waits. Further commands wait as well.
    waiting: Option<u64>,
    /// How many `BLPOP` there were.
    waits: u64,
}

#[derive(Debug, Default, Term)]
struct Transaction {
    commands: Vec<Command>,
    /// Whether a command was refused, and `EXEC` must not run the others.
    is_refused: bool,
}

/// `serve`: the listener has given the socket to this process.
#[derive(Debug, Term)]
pub struct Serve;

/// `{answer, Reply}`: the reply to a `BLPOP`.
#[derive(Debug, Term)]
pub struct Answer(pub Reply);

/// `{published, Channel, Text}`: a message for the subscribers of a channel.
#[derive(Debug, Clone, Term)]
pub struct Published(Bytes, Bytes);

/// `{time_up, Number}`: the time of a `BLPOP` has passed.
#[derive(Debug, Term)]
pub struct TimeUp(u64);

#[gen_server]
impl GenServer for Session {
    /// The client's socket, in passive mode.
    type Args = Socket;

    fn init(socket: Socket) -> impl InitReturn<Self> {
        let session = Session {
            socket,
            input: Bytes::new(),
            transaction: None,
            channels: Vec::new(),
            waiting: None,
            waits: 0,
        };
        (ok, session)
    }

    async fn handle_cast(&mut self, _: Serve, cx: &Cx<'_>) -> Result<HandleCast> {
        self.receive(cx).await?;
        noreply()
    }

    async fn handle_cast(&mut self, Answer(reply): Answer, cx: &Cx<'_>) -> Result<HandleCast> {
        self.waiting = None;
        self.write(&[reply], cx).await?;
        if self.advance(cx).await? {
            return stop(normal);
        }
        noreply()
    }

    async fn handle_cast(&mut self, published: Published, cx: &Cx<'_>) -> Result<HandleCast> {
        let Published(channel, text) = published;
        let message = [Bytes::from_static(b"message"), channel, text].map(Reply::Bulk);
        self.write(&[Reply::Array(message.into())], cx).await?;
        noreply()
    }

    /// Bytes of the client.
    async fn handle_info(&mut self, tcp: Tcp<Bytes>, cx: &Cx<'_>) -> Result<HandleInfo> {
        self.input = match self.input.is_empty() {
            true => tcp.data,
            false => [&self.input[..], &tcp.data[..]].concat().into(),
        };
        if self.advance(cx).await? || self.input.len() > MAX_INPUT {
            return stop(normal);
        }
        self.receive(cx).await?;
        noreply()
    }

    fn handle_info(&mut self, TimeUp(number): TimeUp, cx: &Cx<'_>) -> HandleInfo {
        if self.waiting == Some(number) {
            cx.cast(&STORE, GiveUp(cx.pid()));
        }
        noreply()
    }

    fn handle_info(&mut self, _: TcpClosed) -> HandleInfo {
        stop(normal)
    }

    fn handle_info(&mut self, TcpError { reason, .. }: TcpError) -> HandleInfo {
        stop((shutdown, reason))
    }
}

impl Session {
    /// Lets the socket deliver bytes once more. A client that sends faster than it is answered has
    /// to wait.
    async fn receive(&self, cx: &Cx<'_>) -> Result<()> {
        // If the client is gone, `tcp_closed` reports that.
        let _gone = inet::setopts(cx, &self.socket, list![(active, once)]).await?;
        Ok(())
    }

    async fn write(&self, replies: &[Reply], cx: &Cx<'_>) -> Result<()> {
        let mut bytes = Vec::new();
        replies.iter().for_each(|reply| reply.write(&mut bytes));
        if !bytes.is_empty() {
            let _gone = gen_tcp::send(cx, &self.socket, Bytes::from(bytes)).await?;
        }
        Ok(())
    }

    /// Runs the requests that have arrived as a whole, and writes their replies in one step.
    /// Returns whether the connection ends.
    async fn advance(&mut self, cx: &Cx<'_>) -> Result<bool> {
        let mut replies = Vec::new();
        let mut is_over = false;
        while self.waiting.is_none() && !is_over {
            match resp::take_request(&mut self.input) {
                Ok(None) => break,
                Ok(Some(words)) if words.is_empty() => {}
                Ok(Some(words)) => match Request::read(&words, now()) {
                    Ok(request) => {
                        is_over = request == Request::Quit;
                        self.perform(request, &mut replies, cx).await?;
                    }
                    Err(text) => replies.push(self.refuse(&text)),
                },
                Err(text) => {
                    replies.push(Reply::error(&format!("Protocol error: {text}")));
                    is_over = true;
                }
            }
        }
        self.write(&replies, cx).await?;
        Ok(is_over)
    }

    /// Returns the error reply to a request. A transaction that it belongs to cannot run.
    fn refuse(&mut self, text: &str) -> Reply {
        if let Some(transaction) = &mut self.transaction {
            transaction.is_refused = true;
        }
        Reply::error(text)
    }

    /// Performs a request and adds its replies. A `BLPOP` has its reply later.
    async fn perform(
        &mut self,
        request: Request,
        replies: &mut Vec<Reply>,
        cx: &Cx<'_>,
    ) -> Result<()> {
        use Request::{Discard, Exec, Multi, Ping, Quit, Subscribe, Unsubscribe};
        let is_for_subscribers = matches!(request, Subscribe(_) | Unsubscribe(_) | Ping(_) | Quit);
        if !self.channels.is_empty() && !is_for_subscribers {
            let text = "only SUBSCRIBE, UNSUBSCRIBE, PING and QUIT are allowed in this context";
            replies.push(Reply::error(text));
            return Ok(());
        }
        replies.push(match (request, &mut self.transaction) {
            (Exec, Some(_)) => self.execute(cx).await?,
            (Discard, Some(_)) => {
                self.transaction = None;
                Reply::ok()
            }
            (Exec, None) => Reply::error("EXEC without MULTI"),
            (Discard, None) => Reply::error("DISCARD without MULTI"),
            (Multi, Some(_)) => Reply::error("MULTI calls can not be nested"),
            (Request::Run(command), Some(transaction)) => {
                transaction.commands.push(command);
                Reply::Status("QUEUED".to_owned())
            }
            (Quit, _) => Reply::ok(),
            (_, Some(_)) => self.refuse("this command is not allowed in a transaction"),
            (Request::Run(command), None) => {
                let mut done = cx.call(&STORE, Run(vec![command])).await?;
                done.pop().unwrap_or(Reply::Nil)
            }
            (Multi, None) => {
                self.transaction = Some(Transaction::default());
                Reply::ok()
            }
            (Ping(text), None) if !self.channels.is_empty() => {
                let pong = Bytes::from_static(b"pong");
                Reply::Array([pong, text.unwrap_or_default()].map(Reply::Bulk).into())
            }
            (Ping(None), None) => Reply::Status("PONG".to_owned()),
            (Ping(Some(text)), None) => Reply::Bulk(text),
            (Request::Publish(channel, text), None) => {
                let message = Published(channel.clone(), text);
                let count = subscribers(&channel).cast(cx, message).await?;
                Reply::Integer(i64::try_from(count).unwrap_or(i64::MAX))
            }
            (Request::BlockingPop(keys, milliseconds), None) => {
                self.wait(keys, milliseconds, cx);
                return Ok(());
            }
            (Subscribe(channels), None) => return self.subscribe(channels, replies, cx).await,
            (Unsubscribe(channels), None) => return self.unsubscribe(channels, replies, cx).await,
        });
        Ok(())
    }

    /// Runs the transaction, with no other command in between.
    async fn execute(&mut self, cx: &Cx<'_>) -> Result<Reply> {
        Ok(match self.transaction.take() {
            Some(transaction) if !transaction.is_refused => {
                Reply::Array(cx.call(&STORE, Run(transaction.commands)).await?)
            }
            _ => Reply::Error(
                "EXECABORT Transaction discarded because of previous errors.".to_owned(),
            ),
        })
    }

    fn wait(&mut self, keys: Vec<Bytes>, milliseconds: u64, cx: &Cx<'_>) {
        self.waits += 1;
        self.waiting = Some(self.waits);
        cx.cast(&STORE, Wait(cx.pid(), keys));
        if milliseconds > 0 {
            cx.send_after(Duration::from_millis(milliseconds), TimeUp(self.waits));
        }
    }

    async fn subscribe(
        &mut self,
        channels: Vec<Bytes>,
        replies: &mut Vec<Reply>,
        cx: &Cx<'_>,
    ) -> Result<()> {
        for channel in channels {
            if !self.channels.contains(&channel) {
                subscribers(&channel).join(cx).await?;
                self.channels.push(channel.clone());
            }
            replies.push(self.subscription("subscribe", Reply::Bulk(channel)));
        }
        Ok(())
    }

    async fn unsubscribe(
        &mut self,
        mut channels: Vec<Bytes>,
        replies: &mut Vec<Reply>,
        cx: &Cx<'_>,
    ) -> Result<()> {
        if channels.is_empty() {
            channels.clone_from(&self.channels);
        }
        if channels.is_empty() {
            replies.push(self.subscription("unsubscribe", Reply::Nil));
        }
        for channel in channels {
            if self.channels.contains(&channel) {
                subscribers(&channel).leave(cx).await?;
                self.channels.retain(|it| *it != channel);
            }
            replies.push(self.subscription("unsubscribe", Reply::Bulk(channel)));
        }
        Ok(())
    }

    fn subscription(&self, kind: &'static str, channel: Reply) -> Reply {
        let kind = Reply::Bulk(Bytes::from_static(kind.as_bytes()));
        let count = i64::try_from(self.channels.len()).unwrap_or(i64::MAX);
        Reply::Array(vec![kind, channel, Reply::Integer(count)])
    }
}

/// Returns the sessions that have subscribed to a channel, on all nodes.
fn subscribers(channel: &Bytes) -> Group<Session> {
    Group::new(("channel", channel))
}
