//! Several clients at once, compared with redis-server: waiting, subscribing and watching.

mod common;

use common::nodes::wait;
use common::{Client, Folder, Server};
use otp_bridge_novm as _;

/// A step: a client by its number, its request, and whether to wait for the reply.
enum Step {
    Ask(usize, &'static str),
    Send(usize, &'static str),
    Reply(usize),
}
use Step::{Ask, Reply, Send};

const STEPS: &[Step] = &[
    // The client that has waited longest is served first, before the pushing client gets its reply.
    Send(1, "BLPOP a b 0"),
    Send(2, "BRPOP b 0"),
    Ask(0, "RPUSH b 1 2 3"),
    Ask(0, "LRANGE b 0 -1"),
    Reply(1),
    Reply(2),
    // A chain of moves.
    Send(1, "BLMOVE x y LEFT RIGHT 0"),
    Send(2, "BLPOP y 0"),
    Ask(0, "RPUSH x v"),
    Ask(0, "EXISTS x y"),
    Reply(1),
    Reply(2),
    // A transaction serves waiting clients only at its end.
    Send(1, "BLPOP t 0"),
    Ask(0, "MULTI"),
    Ask(0, "RPUSH t 1"),
    Ask(0, "LPOP t"),
    Ask(0, "RPUSH t 2"),
    Ask(0, "BLPOP nothing 0"),
    Ask(0, "EXEC"),
    Reply(1),
    // If the key has another type, the client continues to wait.
    Send(1, "BZPOPMIN z 0"),
    Ask(0, "SET z 1"),
    Ask(0, "DEL z"),
    Ask(0, "ZADD z 2 m 1 l"),
    Reply(1),
    Send(1, "BLMPOP 0 2 p q LEFT COUNT 2"),
    Ask(0, "RPUSH q 1 2 3"),
    Reply(1),
    Send(1, "BZMPOP 0 1 zz MAX"),
    Ask(0, "ZADD zz 1 a"),
    Reply(1),
    Ask(1, "BLPOP never 0.05"),
    Send(1, "BLPOP renamed 0"),
    Ask(0, "RPUSH other 1"),
    Ask(0, "RENAME other renamed"),
    Reply(1),
    // A transaction does nothing if a watched key has changed.
    Ask(1, "WATCH w"),
    Ask(0, "SET w 1"),
    Ask(1, "MULTI"),
    Ask(1, "SET w 2"),
    Ask(1, "EXEC"),
    Ask(1, "GET w"),
    Ask(1, "WATCH w"),
    Ask(0, "LPUSH list 1"),
    Ask(1, "MULTI"),
    Ask(1, "INCR w"),
    Ask(1, "EXEC"),
    // Channels and patterns.
    Ask(1, "SUBSCRIBE news"),
    Ask(1, "PSUBSCRIBE n*"),
    Ask(2, "SUBSCRIBE news"),
    Ask(0, "PUBLISH news hello"),
    Reply(1),
    Reply(1),
    Reply(2),
    Ask(0, "PUBSUB CHANNELS"),
    Ask(0, "PUBSUB NUMSUB news none"),
    Ask(0, "PUBSUB NUMPAT"),
    Ask(1, "GET w"),
    Ask(1, "PING"),
    Ask(1, "UNSUBSCRIBE"),
    Ask(1, "PUNSUBSCRIBE n*"),
    Ask(1, "GET w"),
    Ask(0, "PUBLISH news again"),
    Reply(2),
    Ask(2, "HELLO 3"),
    Ask(2, "RESET"),
    Ask(0, "PUBLISH news nobody"),
];

fn play(server: &Server) -> Vec<String> {
    let mut clients: Vec<Client> = (0..3).map(|_| server.client()).collect();
    let (mut seen, mut waiting) = (Vec::new(), 0);
    for step in STEPS {
        match step {
            Ask(_, "HELLO 3") => {}
            Ask(client, line) => seen.push(format!("{line}: {}", clients[*client].ask(line))),
            Reply(client) => {
                seen.push(format!("to {client}: {}", clients[*client].reply()));
                waiting -= usize::from(waiting > 0);
            }
            Send(client, line) => {
                clients[*client].send(line);
                waiting += 1;
                // The client has to wait before the next step.
                server.are_waiting(waiting);
            }
        }
    }
    seen
}

#[test]
fn several_clients_see_what_those_of_redis_server_see() {
    let folder = Folder::new("together");
    let Some(redis) = Server::redis(&folder.0, &[]) else {
        eprintln!("redis-server is not installed: nothing was compared");
        return;
    };
    let expected = play(&redis);
    let ours = Server::ours(&["--reactors", "2"]);
    let seen = play(&ours);
    for (ours, theirs) in seen.iter().zip(&expected) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn what_was_pushed_for_a_client_that_has_gone_stays() {
    let server = Server::ours(&["--reactors", "2"]);
    let mut client = server.client();
    for round in 0..20 {
        let mut gone = server.client();
        gone.send("BLPOP k 0");
        client.until("INFO clients", "connected_clients:2\r");
        std::thread::sleep(std::time::Duration::from_millis(round));
        drop(gone);
        client.until("INFO clients", "connected_clients:1\r");
        assert_eq!(client.ask("RPUSH k 1"), ":1");
        assert_eq!(client.ask("LPOP k"), "1", "round {round}");
    }
}

/// Each waiting client is served once, and no element is lost, for any distribution of keys and
/// clients.
#[test]
fn each_element_reaches_one_client() {
    let server = Server::ours(&["--reactors", "2"]);
    let takers: Vec<_> = (0..8)
        .map(|number| (number, server.client()))
        .map(|(number, mut client)| {
            std::thread::spawn(move || {
                let keys = [format!("k{}", number % 3), format!("k{}", (number + 1) % 3)];
                let mut taken = Vec::new();
                loop {
                    let reply = client.ask(&format!("BLPOP {} {} 2", keys[0], keys[1]));
                    match reply.lines().nth(1) {
                        Some(element) => taken.push(element.to_owned()),
                        None => return taken,
                    }
                }
            })
        })
        .collect();
    let mut client = server.client();
    for number in 0..2000 {
        client.ask(&format!("RPUSH k{} {number}", number % 3));
    }
    let taken = takers
        .into_iter()
        .flat_map(|it| it.join().expect("a client"));
    let mut taken: Vec<u32> = taken.map(|it| it.parse().expect("a number")).collect();
    taken.sort_unstable();
    assert_eq!(taken, (0..2000).collect::<Vec<u32>>());
}

#[test]
fn no_more_clients_are_taken_than_may_be() {
    let server = Server::ours(&["--reactors", "2", "--maxclients", "3"]);
    let mut clients: Vec<_> = (0..3).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.ask("PING"), "+PONG");
    }
    let refused = server.client().reply();
    assert_eq!(refused, "-ERR max number of clients reached");
    clients.pop();
    // The reactor notices the disconnection a moment later.
    wait(|| server.client().ask("PING") == "+PONG");
}
