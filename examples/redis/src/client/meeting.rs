//! The subcommand CLUSTER MEET, and answering another node that meets this one.

use super::Client;
use super::cluster::Done;
use crate::cluster::challenge;
use crate::resp::{Replies, number};
use crate::server::Server;

/// Starts to meet a node. The two know each other a moment later. This runs while no other client
/// runs a command.
pub(super) fn meet(server: &Server, rest: &[&[u8]]) -> Done {
    let host = String::from_utf8_lossy(rest[0]);
    let text = String::from_utf8_lossy(rest[1]);
    let port = number(rest[1]);
    let port = port.ok_or_else(|| format!("ERR Invalid TCP base port specified: {text}"))?;
    if let Some(bus) = rest.get(2)
        && number(bus).is_none()
    {
        let bus = String::from_utf8_lossy(bus);
        return Err(format!("ERR Invalid TCP bus port specified: {bus}").into());
    }
    let wrong = format!("ERR Invalid node address specified: {host}:{text}");
    let port = u16::try_from(port).ok().filter(|it| *it > 0);
    let port = port.filter(|_| matches!(&*host, "127.0.0.1" | "localhost"));
    let port = port.ok_or_else(|| wrong.clone())?;
    let me = server.cluster.with(|map| map.peers[0].clone());
    let me = me.ok_or("ERR This instance has cluster support disabled")?;
    if me.port == port {
        return Ok(());
    }
    if !server.replication.is_reachable() {
        return Err(
            "ERR nodes meet by Erlang's distribution: start this one with --name and --cookie"
                .into(),
        );
    }
    let cookie = server.cluster.cookie().clone();
    let node = cookie.ask(port).map_err(|why| format!("{wrong}: {why}"))?;
    server.cluster.with(|map| map.meet(&node));
    Ok(())
}

impl Client {
    /// Answers a node that asks for this node's name. A challenge can be used for one question
    /// only.
    pub(super) fn handshake(
        &mut self,
        server: &Server,
        rest: &[&[u8]],
        replies: &mut Replies,
    ) -> Done {
        if !server.replication.is_reachable() {
            return Err("ERR this server was started without --name and --cookie".into());
        }
        match rest {
            [] => {
                let new = challenge().map_err(|error| format!("ERR {error}"))?;
                replies.simple(&new);
                self.challenge = Some(new);
            }
            [own, proof] => {
                let given = self
                    .challenge
                    .take()
                    .ok_or("ERR CLUSTER HANDSHAKE comes first")?;
                let (own, proof) = (String::from_utf8_lossy(own), String::from_utf8_lossy(proof));
                let node = server.cluster.with(|map| map.peers[0].node.clone());
                let cookie = server.cluster.cookie();
                let answer = cookie.answer(&given, &own, &proof, &node.unwrap_or_default());
                replies.simple(&answer.ok_or("ERR it is another cookie")?);
            }
            _ => return Err("ERR syntax error".into()),
        }
        Ok(())
    }
}
