//! Access control of `cargo otp observe`, and the traces that it leaves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio, id};

use crate::nodes::{cookie, end_group, in_group};
use crate::observe::{Observing, eval, has_gone, observe, signal};
use crate::support::{Scratch, on_path, said};

/// A VM with only Erlang, which ends with the test.
struct Erlang(Child);

impl Erlang {
    /// A node with a supervisor `top`, its child `idle`, and `stuck`, a process without a
    /// supervisor.
    fn start(scratch: &Scratch, name: &str) -> Self {
        scratch.write("seen.erl", SEEN);
        cookie(scratch, "ours", "a_secret_of_this_page");
        let mut erl = Command::new("erl");
        erl.args([
            "-noinput",
            "-sname",
            name,
            "-setcookie",
            "a_secret_of_this_page",
        ]);
        erl.args(["-eval", "{ok, seen} = compile:file(seen), seen:boot()."]);
        erl.current_dir(scratch.path("")).stdout(Stdio::piped());
        let mut child = Self(in_group(&mut erl).spawn().expect("erl"));
        let out = child.0.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        child
    }
}

impl Drop for Erlang {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}

const SEEN: &str = r#"
-module(seen).
-behaviour(supervisor).
-export([boot/0, start/2, stop/1, init/1, idle/0]).

boot() ->
    ok = application:load({application, seen, [{mod, {seen, []}}, {applications, [kernel, stdlib]}]}),
    ok = application:start(seen),
    io:format("ready~n").

start(_, _) -> supervisor:start_link({local, top}, ?MODULE, top).
stop(_) -> ok.
init(top) -> {ok, {#{intensity => 10}, [#{id => idle, start => {seen, idle, []}}]}}.
idle() ->
    Pid = proc_lib:spawn_link(fun() -> receive stop -> ok end end),
    register(idle, Pid),
    {ok, Pid}.
"#;

/// The status and the text of a server's response to a request, with a body or without.
fn http(host: &str, first: &str, headers: &[&str], body: &str) -> (u16, String) {
    let mut socket = TcpStream::connect(host).expect("a server");
    let lines: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let length = body.len();
    let request = format!("{first} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n{body}");
    socket.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
    (status.expect("a status"), answer)
}

#[test]
fn only_who_has_the_address_may_look_and_once() {
    let scratch = Scratch::new();
    let name = format!("seen{}", id());
    let _node = Erlang::start(&scratch, &name);
    let observing = Observing::start(&scratch, &name, &[]);
    let host = observing.host().to_owned();
    let path = observing.address.split_once(&host).expect("a path").1;
    let own = format!("Host: {host}");
    let port = host.split(':').nth(1).expect("a port");

    // Another name, no name, another page, another method, another token, no token.
    for (first, headers, status) in [
        (
            format!("GET {path}"),
            vec!["Host: evil.example:80".to_owned()],
            421,
        ),
        (
            format!("GET {path}"),
            vec![format!("Host: evil.example:{port}")],
            421,
        ),
        (format!("GET {path}"), vec![], 421),
        (
            format!("GET {path}"),
            vec![own.clone(), "Origin: http://evil.example".to_owned()],
            403,
        ),
        (
            format!("GET {path}"),
            vec![own.clone(), "Origin: null".to_owned()],
            403,
        ),
        (
            format!("GET {path}"),
            vec![own.clone(), "Sec-Fetch-Site: cross-site".to_owned()],
            403,
        ),
        (
            "GET /x/events".to_owned(),
            vec![
                own.clone(),
                "Sec-Fetch-Site: same-site".to_owned(),
                "Sec-Fetch-Mode: navigate".to_owned(),
            ],
            403,
        ),
        (format!("GET {path}"), vec![own.clone(), own.clone()], 400),
        (format!("POST {path}"), vec![own.clone()], 403),
        (format!("DELETE {path}"), vec![own.clone()], 405),
        (format!("GET {path}x"), vec![own.clone()], 403),
        ("GET /".to_owned(), vec![own.clone()], 403),
        ("GET /events".to_owned(), vec![own.clone()], 403),
        ("GET nonsense".to_owned(), vec![own.clone()], 400),
        (
            "GET /".to_owned(),
            vec![own.clone(), format!("X: {}", "x".repeat(20000))],
            431,
        ),
    ] {
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let (found, answer) = http(&host, &first, &headers, "");
        assert_eq!(found, status, "{first} {headers:?}: {answer}");
    }
    let too_long = http(&host, "POST /", &[&own], &"x".repeat(5000));
    assert_eq!(too_long.0, 413);

    // The first use gives a session, the second one is refused.
    let (status, entered) = http(&host, &format!("GET {path}"), &[&own], "");
    assert_eq!(status, 200);
    let cookie = entered
        .lines()
        .find_map(|line| line.strip_prefix("Set-Cookie: "))
        .expect("a cookie");
    assert!(cookie.ends_with("/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert_eq!(http(&host, &format!("GET {path}"), &[&own], "").0, 403);

    // The session is limited to its folder, and needs its cookie.
    let (session, rest) = cookie.split_once("; Path=").expect("a path");
    let folder = rest.split(';').next().expect("a folder");
    let cookie = format!("Cookie: other=1; {session}");
    let get = |path: &str, more: &[&str]| {
        http(
            &host,
            &format!("GET {path}"),
            &[&[own.as_str()], more].concat(),
            "",
        )
    };
    let (status, page) = get(folder, &[&cookie]);
    assert_eq!(status, 200);
    assert!(
        page.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"),
        "{page}"
    );
    assert!(
        page.contains("<!doctype html>") && !page.contains("http://") && !page.contains("https://")
    );
    assert_eq!(get(folder, &[]).0, 403);
    assert_eq!(get("/events", &[&cookie]).0, 403);
    assert_eq!(get(folder, &[&cookie[..cookie.len() - 1]]).0, 403);
    assert_eq!(get(&format!("{folder}../page.css"), &[&cookie]).0, 404);
    let details = |pid: &str| get(&format!("{folder}process?pid={pid}&since="), &[&cookie]).1;
    assert!(details("%3C0.0.0%3E").contains("\"name\":\"init\""));
    for pid in [
        "%3C0.999999.0%3E",
        "init",
        "%3C1.2.3%3E",
        "%3C0.99999999999999.0%3E",
        "%3C0.1.0%3E%0A",
    ] {
        assert!(details(pid).contains("\"ended\":true"), "{pid}");
    }
    assert!(details("%FF").starts_with("HTTP/1.1 400 "));

    // Nothing can be changed, whatever a page sends.
    let origin = format!("Origin: http://{host}");
    let kill = http(
        &host,
        &format!("POST {folder}action"),
        &[&own, &cookie, &origin],
        "action=kill&pid=%3C0.0.0%3E",
    );
    assert_eq!(kill.0, 403, "{}", kill.1);

    others(&scratch, &name, (&host, port), &get(folder, &[&cookie]).1);
    // A command that is killed leaves no traces, either.
    signal("-KILL", &observing.child);
    let waits = "fun W() -> case whereis(otp_rs_observer) of undefined -> timer:sleep(500); _ -> timer:sleep(50), W() end end()";
    eval(&scratch, &name, waits);
    has_gone(&scratch, &name, &host);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    said(observe(&scratch, &name, &["--port", &port])).refused(&[
        "error[E1071]: the node",
        &port,
        "address already in use",
    ]);
    said(observe(&scratch, "nobody_is_called_so", &[])).refused(&["error[E1040]", "no node"]);
    ended_in_the_node(&scratch, &name);
}

/// The session for an address: its folder, and its cookie as a header.
fn session(observing: &Observing) -> (String, String) {
    let host = observing.host();
    let path = observing.address.split_once(host).expect("a path").1;
    let (status, entered) = http(
        host,
        &format!("GET {path}"),
        &[&format!("Host: {host}")],
        "",
    );
    assert_eq!(status, 200, "{entered}");
    let mut lines = entered.lines();
    let cookie = lines.find_map(|line| line.strip_prefix("Set-Cookie: "));
    let (session, rest) = cookie
        .and_then(|it| it.split_once("; Path="))
        .expect("a path");
    let folder = rest.split(';').next().expect("a folder");
    (folder.to_owned(), format!("Cookie: {session}"))
}

/// More commands observe the node on the same port, each with its own session, and end.
fn others(scratch: &Scratch, name: &str, (host, port): (&str, &str), page: &str) {
    let second = Observing::start(scratch, name, &["--write"]);
    assert_eq!(second.host(), host);
    let (folder, cookie) = session(&second);
    let own = format!("Host: {host}");
    let get = |path: &str, cookie: &str| http(host, &format!("GET {path}"), &[&own, cookie], "").0;
    assert_eq!(get(&folder, &cookie), 200);
    assert!(!page.contains(&folder));
    // Its session is not valid for another command's folder, and its page has more permissions.
    let third = Observing::start(scratch, name, &["--port", port]);
    let (other, other_cookie) = session(&third);
    assert_eq!(
        (get(&other, &cookie), get(&other, &other_cookie)),
        (403, 200)
    );
    let origin = format!("Origin: http://{host}");
    let collect = |folder: &str, cookie: &str| {
        let path = format!("POST {folder}action");
        let headers = [own.as_str(), cookie, &origin];
        http(host, &path, &headers, "action=collect&pid=%3C0.0.0%3E").0
    };
    // It is allowed, but the node has no application in Rust.
    assert_eq!(collect(&folder, &cookie), 409);
    assert_eq!(collect(&other, &other_cookie), 403);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let free = listener
        .local_addr()
        .expect("an address")
        .port()
        .to_string();
    said(observe(scratch, name, &["--port", &free])).refused(&[
        "error[E1071]: the node",
        "it is observed already, at port",
        port,
    ]);
    stalled(scratch, name, (host, port), (&folder, &cookie));
    slow(host, (&folder, &cookie));
    // Ending one does not end the others.
    let events = stream(host, (&other, &other_cookie));
    assert_eq!(second.stop(), Some(0));
    assert_eq!(get(&folder, &cookie), 403);
    let mut lines = BufReader::new(events).lines().map_while(Result::ok);
    let mut news = lines.by_ref().filter(|line| line.starts_with("data: {"));
    assert!(news.nth(3).is_some(), "it goes on");
    drop(lines);
    let mut more = Vec::new();
    for _ in 0..6 {
        more.push(Observing::start(scratch, name, &[]));
    }
    said(observe(scratch, name, &[]))
        .refused(&["error[E1070]: the node", "is observed by as many commands"]);
    assert_eq!(third.stop(), Some(0));
    for one in more {
        assert_eq!(one.stop(), Some(0));
    }
}

/// The events for a page.
fn stream(host: &str, (folder, cookie): (&str, &str)) -> TcpStream {
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request = format!("GET {folder}events HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    stream
}

/// A page that reads no events of a node with many: its connection is closed, and it does not block
/// other viewers.
fn stalled(scratch: &Scratch, name: &str, (host, port): (&str, &str), viewer: (&str, &str)) {
    let crowd = "[spawn(fun() -> register(list_to_atom(lists:duplicate(200, $x) ++ integer_to_list(N)), self()), \
        receive after infinity -> ok end end) || N <- lists:seq(1, 9000)], ok";
    eval(scratch, name, crowd);
    let silent = stream(host, viewer);
    let own = silent.local_addr().expect("an address").port();
    // The node has begun to respond.
    assert_eq!(silent.peek(&mut [0]).expect("a byte"), 1);
    let reads = BufReader::new(stream(host, viewer));
    let reading = std::thread::spawn(move || {
        let mut lines = reads.lines().map_while(Result::ok);
        lines.any(|line| line.contains("xxxxx") && line.ends_with('}'))
    });
    // Waits until its end of the connection is gone.
    let gone = format!(
        "fun W() -> case [P || P <- erlang:ports(), {{ok, {{_, {port}}}}} <- [catch inet:sockname(P)], \
         {{ok, {{_, {own}}}}} <- [catch inet:peername(P)]] of [] -> ok; _ -> timer:sleep(50), W() end end()"
    );
    eval(scratch, name, &gone);
    assert!(reading.join().expect("it reads"));
    drop(silent);
    let ends = "[exit(whereis(Name), kill) || Name <- registered(), lists:prefix(\"xxxx\", atom_to_list(Name))], ok";
    eval(scratch, name, ends);
}

/// Connections that send no request, or half of one, do not block other viewers.
fn slow(host: &str, (folder, cookie): (&str, &str)) {
    let connections: Vec<TcpStream> = (0..200)
        .map(|number| {
            let mut connection = TcpStream::connect(host).expect("a connection");
            let part = if number % 2 == 0 { "" } else { "GET / HT" };
            // A connection that had to make room is closed.
            let _ = connection.write_all(part.as_bytes());
            connection
        })
        .collect();
    let own = format!("Host: {host}");
    let (status, answer) = http(host, &format!("GET {folder}"), &[&own, cookie], "");
    assert_eq!(status, 200, "{answer}");
    drop(connections);
}

/// The observer is killed, and there is no program for `--open`.
fn ended_in_the_node(scratch: &Scratch, name: &str) {
    let mut command = observe(scratch, name, &["--open"]);
    std::fs::create_dir(scratch.path("only")).expect("a folder");
    std::os::unix::fs::symlink(on_path("erl"), scratch.path("only/erl")).expect("a link");
    command.env("PATH", scratch.path("only"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = in_group(&mut command).spawn().expect("it starts");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    out.read_line(&mut line).expect("a line");
    eval(scratch, name, "exit(whereis(otp_rs_observer), kill)");
    let ended = child.wait_with_output().expect("its end");
    let err = String::from_utf8(ended.stderr).expect("UTF-8");
    assert_eq!(ended.status.code(), Some(1), "{err}");
    assert!(
        err.contains("warning[E1073]: no browser can be opened: xdg-open"),
        "{err}"
    );
    assert!(
        err.contains("error[E1072]: the observer on the node"),
        "{err}"
    );
    assert!(err.contains("killed"), "{err}");
    let host = line
        .trim_start_matches("http://")
        .split('/')
        .next()
        .expect("a host");
    has_gone(scratch, name, host);
}
