//! Failures that the board survives: `kill -9`, and a port that is in use.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{Board, Folder};
use otp_bridge_novm as _;

/// Kills the VM while four clients write. Every acknowledged message must be there after the
/// restart.
#[test]
fn kill_9_loses_no_message_that_was_answered() {
    let folder = Folder::new("kill");
    let mut answered: Vec<Vec<u64>> = vec![Vec::new(); 4];
    for round in 0..3 {
        let mut board = Board::start(&folder);
        if round == 0 {
            let created = board
                .client()
                .json("POST", "/api/boards", "{\"name\":\"Tea\"}");
            assert_eq!(created.status, 201, "{created:?}");
        }
        for (thread, numbers) in answered.iter().enumerate() {
            for number in numbers {
                let path = format!("/api/boards/0/messages/{number}");
                let reply = board.client().get(&path);
                assert!(
                    reply.text.contains(&format!("by {thread}")),
                    "{number}: {reply:?}"
                );
            }
        }
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (port, ends) = (board.port, &ends);
            for (thread, numbers) in answered.iter_mut().enumerate() {
                scope.spawn(move || write(port, thread, numbers, ends));
            }
            std::thread::sleep(Duration::from_millis(300 + 200 * round));
            board.kill();
            ends.store(true, Ordering::Relaxed);
        });
    }
    let total: usize = answered.iter().map(Vec::len).sum();
    assert!(total > 20, "{total} messages");
}

/// Writes messages until the server is gone.
fn write(port: u16, thread: usize, numbers: &mut Vec<u64>, ends: &AtomicBool) {
    let text = format!("{{\"author\":\"a\",\"text\":\"by {thread}\"}}");
    let request = format!(
        "POST /api/boards/0/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    );
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", port)) else {
        return;
    };
    let mut buffer = [0; 2048];
    while !ends.load(Ordering::Relaxed) && stream.write_all(request.as_bytes()).is_ok() {
        let Ok(length @ 1..) = stream.read(&mut buffer) else {
            return;
        };
        let reply = String::from_utf8_lossy(&buffer[..length]).into_owned();
        let number = reply
            .split("{\"number\":")
            .nth(1)
            .and_then(|it| it.split('}').next());
        if let (true, Some(Ok(number))) = (reply.contains(" 201 "), number.map(str::parse)) {
            numbers.push(number);
        }
    }
}

/// If the port is in use, the board reports that at its start.
#[test]
fn a_port_in_use_is_said() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let folder = Folder::new("taken");
    let path = folder.0.display().to_string();
    let program = std::env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
    let ran = std::process::Command::new(program)
        .args(["otp", "run", "--", "--port", &port, "--folder", &path])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo otp");
    let said = [ran.stderr, ran.stdout].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(!ran.status.success());
    assert!(
        said.contains(&format!("127.0.0.1:{port}")) && said.contains("in use"),
        "{said}"
    );
}
