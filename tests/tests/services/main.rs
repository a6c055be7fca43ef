//! The HTTP server of otp-bridge-axum on the real Erlang VM, with the application `services`.

mod hand_over;
mod metrics;
mod telemetry;

use std::io::{Read, Write};
use std::net::TcpStream;

use otp_bridge_novm as _;
use otp_tests::application::{build, cargo_otp, text};
use otp_tests::running::Running;
use serde_json::Value;

const APPLICATION: &str = "tests/apps/services";

#[test]
fn an_http_server_is_a_process() {
    let tested = cargo_otp(APPLICATION, &["test"]);
    let (printed, told) = (text(&tested.stdout), text(&tested.stderr));
    assert!(tested.status.success(), "{printed}\n{told}");
    assert!(printed.contains("42 passed"), "{printed}");
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    reply
}

/// Returns the next event of the log.
fn event(running: &Running) -> Value {
    let rest = running.line("{");
    serde_json::from_str(&format!("{{{rest}")).unwrap_or_else(|error| panic!("{error}: {rest}"))
}

/// The events of all processes that work for a request have its span. The message of a timer has
/// none.
fn spans_travel_with_calls(running: &Running, address: &str) {
    assert!(get(address, "/traced").ends_with("\r\n\r\n7"));
    let mut found: Vec<String> = (0..9)
        .map(|_| {
            let event = event(running);
            let spans = event["spans"].as_array().cloned().unwrap_or_default();
            let spans = spans.iter().map(|span| match &span["name"] {
                Value::String(name) if name == "request" => span["path"].to_string(),
                Value::String(name) => format!("{name} {}", span["number"]),
                other => other.to_string(),
            });
            let spans = spans.collect::<Vec<_>>().join(", ");
            format!("{} {spans}", event["message"])
        })
        .collect();
    found.sort();
    let expected = [
        r#""answered" "/traced""#,
        r#""asked" "/traced", step 1"#,
        r#""begins" "/traced""#,
        r#""goes on" "/traced""#,
        r#""in a task" "/traced""#,
        r#""later" "#,
        r#""noted" "/traced""#,
        r#""noted" "/traced", step 1"#,
        r#""on Tokio" "/traced", wait null"#,
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_log_is_an_object_of_json_on_each_line() {
    let ebin = build(APPLICATION);
    let flags = "-otp_rs_log_level info -otp_rs_log_format json";
    let flags: Vec<&str> = flags.split(' ').collect();
    let running = Running::start_vm("services", &ebin, &flags, &["0"]);
    let listens = event(&running);
    let message = listens["message"].as_str().expect("a text");
    let address = message.strip_prefix("the HTTP server listens at http://");
    let address = address.expect("an address").to_owned();
    assert_eq!(
        (&listens["level"], &listens["mfa"]),
        (&"info".into(), &"http:init/1".into())
    );
    let file = listens["file"].as_str().expect("a file");
    assert!(!file.starts_with('/'), "{file}");
    assert_eq!(event(&running)["mfa"], "later:init/1");
    assert!(get(&address, "/next").ends_with("\r\n\r\n1"));
    let answered = event(&running);
    assert_eq!(answered["status"], 200);
    assert_eq!(answered["spans"][0]["path"], "/next");
    spans_travel_with_calls(&running, &address);
    assert!(get(&address, "/panics").starts_with("HTTP/1.1 500"));
    let panicked = event(&running);
    let message = panicked["message"].as_str().expect("a text");
    assert!(message.contains("the handler's own words"), "{message}");
    assert_eq!(panicked["file"], "services/src/http.rs");
    let (status, _) = running.stop();
    assert!(status.success(), "{status}");
}
