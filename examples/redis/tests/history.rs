//! Linearizability of histories: clients of two reactors run commands concurrently. There must be
//! an order of all commands that agrees with each client's own order and with the times of the
//! replies; a plain map that runs the commands in this order must give equal replies.

mod common;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use common::{Client, Server};
use otp_bridge_novm as _;

/// A command of the model, which reads or writes several keys at once.
#[derive(Debug, Clone)]
enum Op {
    /// MGET. The reply has the values.
    Read(Vec<usize>),
    /// MSET of several keys to one number.
    Write(Vec<usize>, u32),
    /// MULTI with an INCR of each key. The reply has the sums.
    Add(Vec<usize>),
    /// RENAME of a key. The reply is whether the key existed.
    Rename(usize, usize),
}

#[derive(Debug, Clone)]
struct Event {
    op: Op,
    reply: Vec<Option<u32>>,
    begin: Duration,
    end: Duration,
}

/// Returns the reply of a plain map.
fn apply(state: &mut [Option<u32>], op: &Op) -> Vec<Option<u32>> {
    match op {
        Op::Read(keys) => keys.iter().map(|key| state[*key]).collect(),
        Op::Write(keys, number) => {
            keys.iter().for_each(|key| state[*key] = Some(*number));
            Vec::new()
        }
        Op::Add(keys) => {
            let mut add = |key: &usize| {
                state[*key] = Some(state[*key].unwrap_or(0) + 1);
                state[*key]
            };
            keys.iter().map(&mut add).collect()
        }
        Op::Rename(from, to) => {
            let taken = state[*from].take();
            let was_there = taken.is_some();
            if was_there {
                state[*to] = taken;
            }
            vec![was_there.then_some(1)]
        }
    }
}

/// Wing and Gong's search, which remembers states that have failed.
fn is_linearizable(clients: &[Vec<Event>], keys: usize) -> bool {
    fn search(
        clients: &[Vec<Event>],
        at: &mut Vec<usize>,
        state: &[Option<u32>],
        failed: &mut HashSet<(Vec<usize>, Vec<Option<u32>>)>,
    ) -> bool {
        if at
            .iter()
            .zip(clients)
            .all(|(at, events)| *at == events.len())
        {
            return true;
        }
        if !failed.insert((at.clone(), state.to_vec())) {
            return false;
        }
        // A command that started after another one's end cannot come before it.
        let ends = clients
            .iter()
            .zip(at.iter())
            .filter_map(|(events, at)| Some(events.get(*at)?.end));
        let first_end = ends.min().unwrap_or_default();
        for client in 0..clients.len() {
            let Some(event) = clients[client].get(at[client]) else {
                continue;
            };
            let mut next = state.to_vec();
            if event.begin > first_end || apply(&mut next, &event.op) != event.reply {
                continue;
            }
            at[client] += 1;
            if search(clients, at, &next, failed) {
                return true;
            }
            at[client] -= 1;
        }
        false
    }
    search(
        clients,
        &mut vec![0; clients.len()],
        &vec![None; keys],
        &mut HashSet::new(),
    )
}

fn number(line: &str) -> Option<u32> {
    line.trim_start_matches(':').parse().ok()
}

fn run(client: &mut Client, round: u32, op: &Op) -> Vec<Option<u32>> {
    let name = |key: &usize| format!("r{round}k{key}");
    match op {
        Op::Read(keys) => {
            let names: Vec<String> = keys.iter().map(name).collect();
            client
                .ask(&format!("MGET {}", names.join(" ")))
                .lines()
                .map(number)
                .collect()
        }
        Op::Write(keys, number) => {
            let pairs: Vec<String> = keys
                .iter()
                .map(|key| format!("{} {number}", name(key)))
                .collect();
            assert_eq!(client.ask(&format!("MSET {}", pairs.join(" "))), "+OK");
            Vec::new()
        }
        Op::Add(keys) => {
            client.ask("MULTI");
            for key in keys {
                client.ask(&format!("INCR {}", name(key)));
            }
            client.ask("EXEC").lines().map(number).collect()
        }
        Op::Rename(from, to) => {
            let reply = client.ask(&format!("RENAME {} {}", name(from), name(to)));
            vec![(reply == "+OK").then_some(1)]
        }
    }
}

fn random(random: &mut fastrand::Rng, keys: usize) -> Op {
    let mut some: Vec<usize> = (0..keys).collect();
    random.shuffle(&mut some);
    some.truncate(random.usize(1..=keys));
    match random.u8(..4) {
        0 => Op::Read(some),
        1 => Op::Write(some, random.u32(100..10_000)),
        2 => Op::Add(some),
        _ if some.len() > 1 => Op::Rename(some[0], some[1]),
        _ => Op::Read(some),
    }
}

#[test]
fn commands_over_several_keys_are_atomic_for_all_reactors() {
    const CLIENTS: u64 = 4;
    const KEYS: usize = 4;
    let server = Server::ours(&["--reactors", "2"]);
    for round in 0..40 {
        let clients: Vec<Client> = (0..CLIENTS).map(|_| server.client()).collect();
        let begin = Instant::now();
        let running: Vec<_> = clients
            .into_iter()
            .zip(0..)
            .map(|(mut client, seed): (Client, u64)| {
                std::thread::spawn(move || {
                    let mut rng = fastrand::Rng::with_seed(seed * 1000 + u64::from(round));
                    let mut history = Vec::new();
                    for _ in 0..40 {
                        let op = random(&mut rng, KEYS);
                        let began = begin.elapsed();
                        let reply = run(&mut client, round, &op);
                        history.push(Event {
                            op,
                            reply,
                            begin: began,
                            end: begin.elapsed(),
                        });
                    }
                    history
                })
            })
            .collect();
        let history: Vec<Vec<Event>> = running
            .into_iter()
            .map(|it| it.join().expect("a client"))
            .collect();
        assert!(
            is_linearizable(&history, KEYS),
            "round {round} has no order: {history:#?}"
        );
    }
}

#[test]
fn a_read_that_sees_half_of_a_write_is_found() {
    let at = |begin, end| (Duration::from_millis(begin), Duration::from_millis(end));
    let event = |op, reply, (begin, end)| Event {
        op,
        reply,
        begin,
        end,
    };
    let write = event(Op::Write(vec![0, 1], 7), vec![], at(0, 10));
    let whole = event(Op::Read(vec![0, 1]), vec![Some(7), Some(7)], at(5, 12));
    let half = event(Op::Read(vec![0, 1]), vec![Some(7), None], at(5, 12));
    let late = event(Op::Read(vec![0, 1]), vec![None, None], at(11, 12));
    assert!(is_linearizable(&[vec![write.clone()], vec![whole]], 2));
    assert!(!is_linearizable(&[vec![write.clone()], vec![half]], 2));
    assert!(!is_linearizable(&[vec![write], vec![late]], 2));
}
