//! Hostile clients: forms of other sites, malformed requests, and connections that take all places.

mod common;

use std::io::{BufRead, Read, Write};

use board::limits;
use common::{Board, Folder};
use otp_bridge_novm as _;

/// Returns the first line of the reply to a raw request.
fn status(board: &Board, request: &str) -> String {
    let mut client = board.client();
    let stream = client.stream.get_mut();
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut line = String::new();
    client.stream.read_line(&mut line).expect("a reply");
    line.trim_end().to_owned()
}

#[test]
fn other_sites_and_malformed_requests_are_refused() {
    let folder = Folder::new("hostile");
    let board = Board::start(&folder);
    let tea = "{\"name\":\"Tea\"}";
    let post = |headers: &str| {
        let length = tea.len();
        format!(
            "POST /api/boards HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{tea}"
        )
    };
    let port = board.port;
    for (headers, expected) in [
        (
            format!("host: localhost:{port}\r\norigin: http://localhost:{port}\r\n"),
            "201",
        ),
        (
            format!("host: localhost:{port}\r\norigin: http://evil.example\r\n"),
            "403",
        ),
        (format!("host: localhost:{port}\r\norigin: null\r\n"), "403"),
        (
            format!("host: localhost:{port}\r\nsec-fetch-site: same-site\r\n"),
            "403",
        ),
        (format!("host: evil.example:{port}\r\n"), "421"),
        (
            format!("host: evil.example:{port}\r\norigin: http://evil.example:{port}\r\n"),
            "421",
        ),
    ] {
        let line = status(&board, &post(&headers));
        assert_eq!(line.split(' ').nth(1), Some(expected), "{headers}: {line}");
    }
    let page = status(&board, "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 421"), "{page}");
    let chunked = |body: &str| {
        let head =
            "POST /api/boards HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        status(
            &board,
            &format!("{head}transfer-encoding: chunked\r\n\r\n{body}"),
        )
    };
    assert!(chunked("zz\r\n{}\r\n0\r\n\r\n").starts_with("HTTP/1.1 400"));
    let large = format!(
        "{:x}\r\n{}\r\n0\r\n\r\n",
        limits::BODY + 1,
        " ".repeat(usize::try_from(limits::BODY + 1).expect("it fits"))
    );
    assert!(chunked(&large).starts_with("HTTP/1.1 413"));
    assert!(chunked("e\r\n{\"name\":\"Tea\"}\r\n0\r\n\r\n").starts_with("HTTP/1.1 201"));
}

#[test]
fn what_the_api_does_not_understand_is_an_error_in_json() {
    let folder = Folder::new("not-understood");
    let board = Board::start(&folder);
    let mut client = board.client();
    for (method, path, expected) in [
        ("GET", "/api/boards/x/messages", 400),
        ("GET", "/api/boards/-1/messages", 400),
        ("GET", "/api/boards/+1/messages", 400),
        ("GET", "/api/boards/18446744073709551616/messages", 400),
        ("GET", "/api/boards/0/messages?before=x", 400),
        ("GET", "/api/boards/0/messages?after=1", 400),
        ("GET", "/api/boards/0/messages?before=1&before=2", 400),
        ("GET", "/api/boards/0/messages/x", 400),
        ("GET", "/api/boards/0/messages", 404),
        ("DELETE", "/api/boards/x", 400),
        ("DELETE", "/api/boards/7", 404),
        ("GET", "/api/nothing", 404),
    ] {
        let reply = client.json(method, path, "");
        assert_eq!(reply.status, expected, "{method} {path}: {reply:?}");
        assert!(reply.text.starts_with("{\"error\":"), "{path}: {reply:?}");
    }
}

#[test]
fn boards_and_messages_are_deleted() {
    let folder = Folder::new("deleted");
    let board = Board::start(&folder);
    let mut client = board.client();
    let created = client.json("POST", "/api/boards", "{\"name\":\"Tea\"}");
    assert_eq!(created.status, 201, "{created:?}");
    for number in 0..120 {
        let message = format!("{{\"author\":\"a\",\"text\":\"message {number}.\"}}");
        let reply = client.json("POST", "/api/boards/0/messages", &message);
        assert_eq!(reply.status, 201, "{reply:?}");
    }
    // Delete all messages but the first five and the last one.
    for number in 5..119 {
        let path = format!("/api/boards/0/messages/{number}");
        assert_eq!(client.json("DELETE", &path, "").status, 200);
        assert_eq!(client.json("GET", &path, "").status, 404);
    }
    let page = client.get("/boards/0").text;
    for number in [0, 4, 119] {
        assert!(page.contains(&format!("message {number}.")), "{page}");
    }
    assert!(!page.contains("Older messages"), "{page}");
    let older = client.json("GET", "/api/boards/0/messages?before=119", "");
    assert!(
        older.text.contains("message 4.") && older.text.contains("\"next\":null"),
        "{older:?}"
    );
    // The number of a deleted message is not reused.
    let message = "{\"author\":\"a\",\"text\":\"another\"}";
    let reply = client.json("POST", "/api/boards/0/messages", message);
    assert!(reply.text.contains("120"), "{reply:?}");
    assert_eq!(client.json("DELETE", "/api/boards/0", "").status, 200);
    assert_eq!(client.get("/boards/0").status, 404);
}

#[test]
fn idle_connections_keep_nobody_out() {
    let folder = Folder::new("idle");
    let board = Board::start(&folder);
    let mut idle: Vec<_> = (0..limits::OF_ADDRESS + 20)
        .map(|_| board.client())
        .collect();
    assert_eq!(board.client().get("/").status, 200);
    // The server has closed the oldest connection to serve the newest one.
    let first = idle[0].stream.get_mut().read(&mut [0; 16]);
    assert!(matches!(first, Ok(0) | Err(_)), "{first:?}");
    let newest = idle.last_mut().expect("there are some");
    assert_eq!(newest.get("/").status, 200);
}
