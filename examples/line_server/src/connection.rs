//! A connection: the process that serves one client.

use std::time::Duration;

use otp_bindings::atoms::{active, normal, ok, once, shutdown};
use otp_bindings::gen_tcp::{self, Socket};
use otp_bindings::inet;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::list;
use otp_bridge::messages::{Tcp, TcpClosed, TcpError, Timeout};

use crate::command::Command;
use crate::connections::CONNECTIONS;
use crate::store::{Get, STORE, Set};

/// Time limit for the listener to give the socket to the connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Owns its client's socket. The socket is closed when the process ends.
#[derive(Debug, Term)]
pub struct Connection {
    socket: Socket,
}

/// `serve`: the listener has given the socket to this process.
#[derive(Debug, Term)]
pub struct Serve;

#[gen_server]
impl GenServer for Connection {
    /// The client's socket, in passive mode.
    type Args = Socket;

    fn init(socket: Socket) -> impl InitReturn<Self> {
        (ok, Connection { socket }, PATIENCE)
    }

    async fn handle_cast(&mut self, _: Serve, cx: &Cx<'_>) -> Result<HandleCast> {
        if self.next_line(cx).await? {
            noreply()
        } else {
            stop(normal)
        }
    }

    /// Handles a line, with its end. A line that is not UTF-8 is not a `String`: no clause matches
    /// it, and the process exits with `no_clause`.
    async fn handle_info(&mut self, line: Tcp<String>, cx: &Cx<'_>) -> Result<HandleInfo> {
        let (answer, goes_on) = answer(&line.data, cx).await?;
        let sent = gen_tcp::send(cx, &self.socket, answer + "\n").await?;
        match sent {
            Ok(()) if goes_on && self.next_line(cx).await? => noreply(),
            // The client has quit, or the connection is closed.
            _ => stop(normal),
        }
    }

    fn handle_info(&mut self, _: TcpClosed) -> HandleInfo {
        stop(normal)
    }

    /// Handles the timeout: the listener ended before it gave the socket away, and the socket was
    /// closed with it.
    fn handle_info(&mut self, _: Timeout) -> HandleInfo {
        stop(normal)
    }

    fn handle_info(&mut self, TcpError { reason, .. }: TcpError) -> HandleInfo {
        stop((shutdown, reason))
    }
}

impl Connection {
    /// Lets the socket deliver one more line, or `tcp_closed`. Returns whether the socket is still
    /// open. A client that sends faster than it is answered has to wait.
    async fn next_line(&self, cx: &Cx<'_>) -> Result<bool> {
        let set = inet::setopts(cx, &self.socket, list![(active, once)]).await?;
        Ok(set.is_ok())
    }
}

/// Returns the answer to a line, and whether further lines are read.
async fn answer(line: &str, cx: &Cx<'_>) -> Result<(String, bool)> {
    Ok(match Command::read(line) {
        Ok(Command::Set(key, value)) => {
            let set = Set(key.to_owned(), value.to_owned());
            cx.call(&STORE, set).await?;
            ("ok".to_owned(), true)
        }
        Ok(Command::Get(key)) => {
            let value = cx.call(&STORE, Get(key.to_owned())).await?;
            (value.unwrap_or_else(|| "none".to_owned()), true)
        }
        Ok(Command::Clients) => {
            let clients = cx.count_children(&CONNECTIONS).await?;
            (clients.active.to_string(), true)
        }
        Ok(Command::Quit) => ("bye".to_owned(), false),
        Err(hint) => (hint.to_owned(), true),
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use otp_bindings::atoms::{self, binary, packet};
    use otp_bridge::messages::{self, Down};
    use otp_bridge::term::{Port, PortParts};
    use otp_bridge::{atom, testing};

    use super::*;

    fn port() -> Port {
        let node = atom!("nonode@nohost");
        Port::from_parts(PortParts {
            node,
            id: 7,
            creation: 0,
        })
    }

    /// Returns the calls that a connection makes for a line, and its exit reason if it ends.
    fn asked(line: &str) -> Result<(String, Option<String>)> {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let mut connection = testing::Server::<Connection>::start(Socket::Port(port()))?;
        let requests = Rc::clone(&asked);
        connection.answer(move |request| {
            let request = testing::redacted(&request).to_string();
            let is_of_store = request.starts_with("{call,store,");
            requests.borrow_mut().push(request);
            Ok(if is_of_store {
                Term::of(&"blue")
            } else {
                Term::of(&ok)
            })
        });
        connection.info(Tcp {
            socket: messages::Socket::Port(port()),
            data: line.to_owned(),
        });
        let ended = connection.ended().map(ToString::to_string);
        Ok((asked.take().join("\n"), ended))
    }

    #[test]
    fn a_line_is_answered_before_the_next_one_comes() -> Result<()> {
        let (asked, ended) = asked("get colour\n")?;
        let expected = "\
{call,store,{get,<<\"colour\">>},5000}
{apply,gen_tcp,send,[#Port<redacted.1>,<<\"blue\\n\">>]}
{apply,inet,setopts,[#Port<redacted.1>,[{active,once}]]}";
        assert_eq!((&*asked, ended), (expected, None));
        Ok(())
    }

    #[test]
    fn quit_ends_the_connection_once_it_is_answered() -> Result<()> {
        let (asked, ended) = asked("quit\n")?;
        assert_eq!(
            asked,
            "{apply,gen_tcp,send,[#Port<redacted.1>,<<\"bye\\n\">>]}"
        );
        assert_eq!(ended.as_deref(), Some("exit: normal"));
        Ok(())
    }

    /// The test plays the listener and a client in one process.
    #[otp_bridge::test(arguments = ["0"])]
    async fn clients_share_the_store_and_leave_alone(cx: &Cx<'_>) -> Result<()> {
        let options = list![binary, (packet, atoms::line), (active, false)];
        let listening = gen_tcp::listen(cx, 0, options).await??;
        let port = inet::port(cx, &listening).await??;
        let mut clients = Vec::new();
        for _ in 0..2 {
            let options = list![binary, (packet, atoms::line), (active, false)];
            let client = gen_tcp::connect_address(cx, (127, 0, 0, 1), port, options).await??;
            let socket = gen_tcp::accept(cx, &listening).await??;
            let connection = cx.start_child(&CONNECTIONS, socket.clone()).await?;
            gen_tcp::controlling_process(cx, &socket, connection.pid()?).await??;
            cx.cast(&connection, Serve);
            clients.push((client, connection));
        }
        let [(ann, of_ann), (bob, of_bob)] = &clients[..] else {
            unreachable!("there are two");
        };
        let ask = async |client: &Socket, said: &'static str| -> Result<Term> {
            gen_tcp::send(cx, client, said).await??;
            Ok(Term::of(&gen_tcp::recv(cx, client, 0).await??))
        };
        assert_eq!(ask(ann, "set colour blue\n").await?, Term::of(&"ok\n"));
        assert_eq!(ask(bob, "get colour\n").await?, Term::of(&"blue\n"));
        assert_eq!(ask(bob, "clients\n").await?, Term::of(&"2\n"));

        // A line that is not UTF-8 crashes only its own connection.
        let crashed = cx.monitor(of_bob).await?;
        gen_tcp::send(cx, bob, &b"set \xff 1\n"[..]).await??;
        let down: Down = cx.receive().await?;
        assert!(crashed.is(&down), "{down:?}");
        assert_eq!(ask(ann, "get colour\n").await?, Term::of(&"blue\n"));
        let left = cx.monitor(of_ann).await?;
        assert_eq!(ask(ann, "quit\n").await?, Term::of(&"bye\n"));
        let down: Down = cx.receive().await?;
        assert!(left.is(&down));
        assert_eq!(down.reason, Term::of(&normal));
        Ok(())
    }
}
