//! How examples respond to `--help`, and to a port that is in use.

use std::net::TcpListener;

use crate::support::{cargo_otp_of_example, said};

#[test]
fn help_is_not_an_error_and_a_taken_port_is_named() {
    let run = |argument: &str| {
        said(cargo_otp_of_example(
            "line_server",
            &["run", "--", argument],
        ))
    };
    for help in ["--help", "-h"] {
        let helped = run(help);
        helped.succeeded();
        assert_eq!(helped.out, "usage: cargo otp run -- PORT\n");
        assert!(!helped.err.contains("did not start"), "{}", helped.err);
    }
    run("--hlep").failed(&["did not start", "usage: cargo otp run -- PORT"]);

    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("its address").port();
    let text = format!("{{<<\"127.0.0.1:{port} cannot be used\">>,eaddrinuse}}");
    run(&port.to_string()).failed(&["did not start", &text]);
}
