//! Examples that run on several nodes: the chat, and mini_redis.

use std::path::Path;

use otp_tests::application::build;
use otp_tests::running::Running;

use crate::{Client, errors, until};

/// Starts a node of the chat. Returns it with its port and its name.
fn chat(name: &str, ebin: &Path, peer: &[&str]) -> (Running, String, String) {
    // A concurrent run of the tests may have nodes as well.
    let node = format!("{name}{}@127.0.0.1", std::process::id());
    let arguments = [&["0"], peer].concat();
    let running = Running::start_node("chat", ebin, &node, &arguments);
    let port = running.line("listening on 127.0.0.1:");
    (running, port, node)
}

fn joined(port: &str, nick: &str, room: &str) -> Client {
    let mut client = Client::connect(port);
    assert_eq!(client.ask("hello"), "! /nick NAME first");
    assert_eq!(
        client.ask(&format!("/nick {nick}")),
        format!("* you are {nick}")
    );
    assert_eq!(client.ask("hello"), "! /join ROOM first");
    assert_eq!(
        client.ask(&format!("/join {room}")),
        format!("* you are in {room}")
    );
    client
}

#[test]
fn users_of_a_chat_meet_across_nodes_and_leave_with_theirs() {
    let ebin = build("examples/chat");
    let (one, port, node) = chat("chat_one", &ebin, &[]);
    let mut ann = joined(&port, "ann", "rust");
    let mut cid = joined(&port, "cid", "rust");
    assert_eq!(
        [ann.answer(), cid.answer()],
        ["* cid is here", "* ann is here"]
    );
    let mut elsewhere = joined(&port, "eve", "erlang");

    // The first two users are in the room before the other node connects.
    let (other, other_port, other_node) = chat("chat_two", &ebin, &[&node]);
    one.line(&format!("connected to '{other_node}'"));
    other.line(&format!("connected to '{node}'"));
    let mut bob = Client::connect(&other_port);
    assert_eq!(bob.ask("/nick bob"), "* you are bob");
    assert_eq!(bob.ask("/nick bob"), "! you are bob");
    assert_eq!(bob.ask("/join rust"), "* you are in rust");
    let mut seen = [bob.answer(), bob.answer()];
    seen.sort_unstable();
    assert_eq!(seen, ["* ann is here", "* cid is here"]);
    assert_eq!(
        [ann.answer(), cid.answer()],
        ["* bob is here", "* bob is here"]
    );

    ann.send(b"hello\n");
    assert_eq!([bob.answer(), cid.answer()], ["ann: hello", "ann: hello"]);
    bob.send("/tell ann grüß dich\n".as_bytes());
    assert_eq!(ann.answer(), "bob whispers: grüß dich");
    assert_eq!(bob.ask("/tell nobody hello"), "! nobody is called nobody");
    assert_eq!(elsewhere.ask("/who"), "* 0 here:");

    // The others see that a user has quit, and that all users of a lost node have gone.
    cid.send(b"/quit\n");
    assert_eq!(cid.end(), "");
    assert_eq!(
        [ann.answer(), bob.answer()],
        ["* cid has gone", "* cid has gone"]
    );
    other.kill();
    assert_eq!(ann.answer(), "* bob has gone");
    one.line(&format!("lost '{other_node}'"));
    assert_eq!(ann.ask("/who"), "* 0 here:");
    assert_eq!(ann.ask("/tell bob hello"), "! nobody is called bob");

    let (status, printed) = one.stop();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!([ann.end(), elsewhere.end()], ["", ""]);
    assert_eq!(errors(&printed), Vec::<&str>::new());
}

#[test]
fn nodes_of_a_chat_find_each_other_again_and_share_their_names() {
    let ebin = build("examples/chat");
    let (one, port, node) = chat("chat_three", &ebin, &[]);
    let mut ann = joined(&port, "ann", "rust");
    let (other, other_port, other_node) = chat("chat_four", &ebin, &[&node]);
    one.line(&format!("connected to '{other_node}'"));
    let mut other_ann = Client::connect(&other_port);
    until(|| other_ann.ask("/nick ann") == "! somebody else is ann");
    ann.send(b"/quit\n");
    assert_eq!(ann.end(), "");
    until(|| other_ann.ask("/nick ann") == "* you are ann");

    one.kill();
    other.line(&format!("lost '{node}'"));
    let (again, port, _) = chat("chat_three", &ebin, &[]);
    other.line(&format!("connected to '{node}'"));
    again.line(&format!("connected to '{other_node}'"));
    assert_eq!(other_ann.ask("/join rust"), "* you are in rust");
    let mut bob = joined(&port, "bob", "rust");
    assert_eq!(
        [bob.answer(), other_ann.answer()],
        ["* ann is here", "* bob is here"]
    );
}

/// Starts a node of mini_redis without a journal. Returns it with its port and its name.
fn mini_redis(name: &str, ebin: &Path, peer: &[&str]) -> (Running, String, String) {
    let node = format!("{name}{}@127.0.0.1", std::process::id());
    let arguments = [&["0", "-"], peer].concat();
    let running = Running::start_node("mini_redis", ebin, &node, &arguments);
    let port = running.line("listening on 127.0.0.1:");
    (running, port, node)
}

#[test]
fn two_nodes_of_mini_redis_have_the_same_data_and_channels() {
    let ebin = build("examples/mini_redis");
    let (one, port, node) = mini_redis("redis_one", &ebin, &[]);
    let mut here = Client::connect(&port);
    assert_eq!(here.ask("SET before 1"), "+OK");
    assert_eq!(here.ask("LPUSH list a b"), ":2");

    let (other, other_port, _) = mini_redis("redis_two", &ebin, &[&node]);
    let mut there = Client::connect(&other_port);
    assert_eq!(there.ask("INCR before"), ":2");
    until(|| here.ask("INCR before").as_str() >= ":3");
    let mut waiting = Client::connect(&port);
    waiting.send(b"BLPOP jobs 0\n");
    assert_eq!(there.ask("LPUSH jobs work"), ":1");
    let element = [(); 5].map(|()| waiting.answer());
    assert_eq!(element, ["*2", "$4", "jobs", "$4", "work"]);

    let mut reader = Client::connect(&other_port);
    reader.send(b"SUBSCRIBE news\n");
    assert_eq!(
        [(); 6].map(|()| reader.answer()),
        ["*3", "$9", "subscribe", "$4", "news", ":1"]
    );
    until(|| here.ask("PUBLISH news hello") == ":1");
    assert_eq!(
        [(); 7].map(|()| reader.answer()),
        ["*3", "$7", "message", "$4", "news", "$5", "hello"]
    );

    one.kill();
    assert_eq!(there.ask("LRANGE list 0 -1"), "*2");
    assert_eq!([(); 4].map(|()| there.answer()), ["$1", "b", "$1", "a"]);
    assert_eq!(there.ask("SET after 1"), "+OK");
    let (status, printed) = other.stop();
    assert!(status.success(), "{status}: {printed:?}");
    assert_eq!(errors(&printed), Vec::<&str>::new());
}
