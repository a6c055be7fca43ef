//! Slow clients: the server disconnects each of them after a while, and other clients are not
//! delayed.

mod common;

use std::io::{ErrorKind, Read, Write};
use std::time::Duration;

use common::{Board, Client, Folder};
use otp_bridge_novm as _;

/// Reads everything that the server sends until it closes the connection.
fn rest(client: &mut Client) -> Vec<u8> {
    let limit = Some(Duration::from_secs(90));
    client
        .stream
        .get_ref()
        .set_read_timeout(limit)
        .expect("a timeout");
    let (mut all, mut piece) = (Vec::new(), [0; 65536]);
    loop {
        match client.stream.read(&mut piece) {
            Ok(0) => return all,
            Ok(count) => all.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return all,
            Err(error) => panic!("the connection is not ended: {error}"),
        }
    }
}

fn send(client: &mut Client, text: &str) {
    let stream = client.stream.get_mut();
    stream.write_all(text.as_bytes()).expect("it is sent");
}

/// Sends requests until the server accepts no more, because this client does not read the replies.
fn requests_without_reading(client: &mut Client) -> usize {
    let request = "GET /boards/0 HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
    let stream = client.stream.get_mut();
    let limit = Some(Duration::from_secs(1));
    stream.set_write_timeout(limit).expect("a timeout");
    let mut sent = 0;
    while stream.write_all(request.as_bytes()).is_ok() {
        sent += 100;
    }
    sent
}

#[test]
fn slow_clients_are_cut_off_and_hold_nobody_back() {
    let folder = Folder::new("slow");
    let board = Board::start(&folder);
    let created = board
        .client()
        .json("POST", "/api/boards", "{\"name\":\"Tea\"}");
    assert_eq!(created.status, 201, "{created:?}");
    let (mut head, mut body, mut reader) = (board.client(), board.client(), board.client());
    send(&mut head, "GET / HTTP/1.1\r\nhost: localhost\r\n");
    let begun = "POST /api/boards/0/messages HTTP/1.1\r\nhost: localhost\r\n\
                 content-type: application/json\r\ncontent-length: 100\r\n\r\n{\"author\":";
    send(&mut body, begun);
    let sent = requests_without_reading(&mut reader);
    assert!(sent > 0);
    // The slow clients do not delay others.
    let mut other = board.client();
    for number in 0..20 {
        let message = format!("{{\"author\":\"a\",\"text\":\"message {number}\"}}");
        let reply = other.json("POST", "/api/boards/0/messages", &message);
        assert_eq!(reply.status, 201, "{reply:?}");
        assert!(other.get("/boards/0").text.contains("message"));
    }
    assert_eq!(rest(&mut head), b"");
    let told = String::from_utf8_lossy(&rest(&mut body)).into_owned();
    assert!(told.starts_with("HTTP/1.1 408 "), "{told}");
    // The client starts to read too late, so it does not get all replies.
    std::thread::sleep(Duration::from_secs(20));
    let told = rest(&mut reader);
    let replies = String::from_utf8_lossy(&told)
        .matches("HTTP/1.1 200")
        .count();
    assert!(replies < sent, "{replies} of {sent}");
    assert_eq!(board.client().get("/boards/0").status, 200);
}
