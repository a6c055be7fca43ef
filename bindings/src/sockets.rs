//! A socket where a binding takes one: borrowed, so that it can be used again, and as a message has
//! it.

use otp_bridge::messages;

use crate::generated::inet::{ModuleSocket, Socket};

impl From<&Socket> for Socket {
    fn from(socket: &Socket) -> Self {
        socket.clone()
    }
}

impl From<messages::Socket> for Socket {
    fn from(socket: messages::Socket) -> Self {
        match socket {
            messages::Socket::Port(port) => Socket::Port(port),
            messages::Socket::Module(module, handle) => ModuleSocket {
                handler: module,
                handle,
            }
            .into(),
        }
    }
}

impl From<&messages::Socket> for Socket {
    fn from(socket: &messages::Socket) -> Self {
        socket.clone().into()
    }
}
