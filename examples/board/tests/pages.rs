//! The pages and the API on the Erlang VM, tested with a small client.

mod common;

use std::io::Write;

use common::{Board, Client, Folder, Reply};
use otp_bridge_novm as _;

fn start(name: &str) -> (Folder, Board, Client) {
    let folder = Folder::new(name);
    let board = Board::start(&folder);
    let client = board.client();
    (folder, board, client)
}

/// Creates a board with this name. Returns its path, and the token.
fn create(client: &mut Client, name: &str) -> (String, String) {
    let token = client.get("/").token();
    let created = client.form("/", &token, &[("name", name)]);
    assert_eq!(created.status, 303, "{created:?}");
    (created.header("location").to_owned(), token)
}

#[test]
fn messages_are_written_shown_and_edited() {
    let (_folder, board, mut client) = start("written");
    assert!(client.get("/").text.contains("There are no boards yet"));
    let (path, token) = create(&mut client, "Tea & biscuits");
    assert!(client.get("/").text.contains("Tea &#38; biscuits"));
    let sent = client.form(
        &path,
        &token,
        &[("author", "Ada"), ("text", "Earl\r\nGrey?")],
    );
    assert_eq!((sent.status, sent.header("location")), (303, path.as_str()));
    let page = client.get(&path);
    assert!(page.text.contains("<strong>Ada</strong>") && page.text.contains("Earl\nGrey?"));
    assert!(!page.text.contains("edited"), "{}", page.text);

    // Another visitor opens the message before it is edited, and is then told about the edit.
    let one = format!("{path}/0");
    assert!(
        client
            .get(&one)
            .text
            .contains("name=\"version\" value=\"0\"")
    );
    let edited = client.form(&one, &token, &[("version", "0"), ("text", "Darjeeling")]);
    assert_eq!(
        (edited.status, edited.header("location")),
        (303, format!("{path}#m0").as_str())
    );
    assert!(client.get(&path).text.contains("edited"));
    let late = client.form(&one, &token, &[("version", "0"), ("text", "Assam")]);
    assert_eq!(late.status, 409);
    assert!(
        late.text.contains("somebody else") && late.text.contains("Assam"),
        "{}",
        late.text
    );
    assert!(client.get(&path).text.contains("Darjeeling"));

    // Another browser sees the edit as well.
    assert!(board.client().get(&path).text.contains("Darjeeling"));
}

#[test]
fn html_and_scripts_stay_text() {
    let (_folder, _board, mut client) = start("escaped");
    let script = "<script>alert('1')</script>\"><img src=x onerror=alert(2)> {{ token }} &amp;";
    let (path, token) = create(&mut client, script);
    let fields = [("author", "<b>Eve</b>"), ("text", script)];
    assert_eq!(client.form(&path, &token, &fields).status, 303);
    for path in ["/", &path, &format!("{path}/0")] {
        let page = client.get(path);
        assert!(
            page.header("content-security-policy")
                .starts_with("default-src 'self'")
        );
        assert!(!page.text.contains("<script>alert") && !page.text.contains("<img src=x"));
        assert!(!page.text.contains("<b>Eve"), "{}", page.text);
        assert!(page.text.contains("&#60;script&#62;"), "{}", page.text);
        assert!(
            page.text.contains("&#38;amp;"),
            "what looks escaped is escaped, too"
        );
    }
}

#[test]
fn forms_of_other_pages_are_refused() {
    let (_folder, board, mut client) = start("forms");
    let (path, token) = create(&mut client, "Tea");
    let mut fields = vec![("author", "Eve"), ("text", "hello")];
    let refused = |reply: Reply| assert_eq!(reply.status, 403, "{reply:?}");
    refused(client.form(&path, "", &fields));
    refused(client.form(&path, &token.replace(&token[..1], "g"), &fields));
    let other = board.client().get("/").token();
    refused(client.form(&path, &other, &fields));
    // Without the cookie, as for a form on another site, the request is refused.
    refused(board.client().form(&path, &token, &fields));
    fields.push(("token", &token));
    refused(client.form(&path, "", &fields));
    assert!(
        client
            .get(&path)
            .text
            .contains("Nobody has written anything")
    );
    assert!(
        client.get("/").header("set-cookie").is_empty(),
        "it has one already"
    );
}

#[test]
fn a_thousand_messages_have_pages() {
    let (_folder, board, mut client) = start("pages");
    let (path, _) = create(&mut client, "Many");
    let api = format!("/api{path}/messages");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (mut client, api) = (board.client(), &api);
            scope.spawn(move || {
                for number in 0..250 {
                    let text =
                        format!("{{\"author\":\"a\",\"text\":\"message {thread}-{number}.\"}}");
                    let reply = client.json("POST", api, &text);
                    assert_eq!(reply.status, 201, "{reply:?}");
                }
            });
        }
    });
    let (mut next, mut found) = (Some(path.clone()), Vec::new());
    while let Some(page) = next {
        let reply = client.get(&page);
        assert_eq!(reply.status, 200);
        let ids = reply
            .text
            .split("<article class=\"card message\" id=\"m")
            .skip(1);
        let ids = ids.map(|rest| rest.split('"').next().unwrap_or_default().parse::<u64>());
        found.push(ids.map(|id| id.expect("a number")).collect::<Vec<_>>());
        let link = reply.text.split_once("rel=\"next\" href=\"");
        next = link.and_then(|(_, rest)| Some(rest.split('"').next()?.to_owned()));
    }
    assert_eq!(found.len(), 20);
    let all: Vec<u64> = found.concat();
    assert_eq!(all, (0..1000).rev().collect::<Vec<_>>());
    let shown = client.get("/").text;
    assert!(shown.contains("1000 messages"), "{shown}");
    let odd = client.get(&format!("{path}?before=7&before=x"));
    assert_eq!(odd.text.matches("<article").count(), 7);
    assert_eq!(
        client
            .get(&format!("{path}?before=-1"))
            .text
            .matches("<article")
            .count(),
        50
    );
    assert_eq!(
        client
            .get(&format!("{path}?before=0"))
            .text
            .matches("<article")
            .count(),
        0
    );
}

#[test]
fn viewers_are_told_of_changes() {
    let (_folder, board, mut client) = start("events");
    let (path, token) = create(&mut client, "Tea");
    let (other, _) = create(&mut client, "Coffee");
    let mut viewer = board.client();
    let asked = format!("GET {path}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    viewer
        .stream
        .get_mut()
        .write_all(asked.as_bytes())
        .expect("it is sent");
    let head = viewer.head();
    assert_eq!(
        (head.status, head.header("content-type")),
        (200, "text/event-stream")
    );
    let mut event = || loop {
        let line = viewer.line();
        if let Some(event) = line.strip_prefix("event: ") {
            return event.to_owned();
        }
    };
    assert_eq!(event(), "ready");
    let fields = [("author", "Ada"), ("text", "hello")];
    // The change of the other board is not an event here: it would be the first event that this
    // client reads.
    assert_eq!(client.form(&other, &token, &fields).status, 303);
    for _ in 0..3 {
        assert_eq!(client.form(&path, &token, &fields).status, 303);
        assert_eq!(event(), "changed");
    }
    assert_eq!(client.get("/boards/99/events").status, 404);
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let (_folder, board, mut client) = start("bad");
    let (path, token) = create(&mut client, "Tea");
    let long = "ö".repeat(10_001);
    for (author, text, status) in [
        ("", "hello", 422),
        ("Ada", "  \n", 422),
        ("Ada", long.as_str(), 422),
        ("Ada\u{7}", "hello", 422),
        (&long[..400], "hello", 422),
    ] {
        let reply = client.form(&path, &token, &[("author", author), ("text", text)]);
        assert_eq!(reply.status, status);
        assert!(reply.text.contains("role=\"alert\""), "{}", reply.text);
    }
    for path in [
        "/boards/9",
        "/boards/0/9",
        "/boards/x",
        "/boards/-1",
        "/nothing",
        "/boards/0/1/2",
    ] {
        let status = client.get(path).status;
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    let api = format!("/api{path}/messages");
    for (text, status) in [
        ("", 400),
        ("{\"author\":5,\"text\":\"x\"}", 400),
        ("{\"author\":\"a\"}", 400),
        ("[[[[[[[[", 400),
        ("{\"author\":\"a\",\"text\":\"\"}", 422),
    ] {
        let reply = client.json("POST", &api, text);
        assert_eq!(reply.status, status, "{text}: {reply:?}");
        assert!(reply.text.starts_with("{\"error\":"), "{reply:?}");
    }
    let plain = client.ask("POST", &api, &[("content-type", "text/plain")], "{}");
    assert_eq!(plain.status, 415, "a form of another site can send this");
    assert_eq!(client.ask("DELETE", &path, &[], "").status, 405);
    assert!(
        client
            .get(&path)
            .text
            .contains("Nobody has written anything")
    );

    let large = "a".repeat(200_000);
    let mut other = board.client();
    assert_eq!(other.json("POST", &api, &large).status, 413);
    let mut garbage = board.client();
    garbage
        .stream
        .get_mut()
        .write_all(b"\x00\xff hello\r\n\r\n")
        .expect("it is sent");
    assert_eq!(garbage.head().status, 400);
}

#[test]
fn the_api_describes_itself() {
    let (_folder, _board, mut client) = start("api");
    let created = client.json("POST", "/api/boards", "{\"name\":\"Tea\"}");
    assert_eq!(
        (created.status, created.text.as_str()),
        (201, "{\"number\":0}")
    );
    let text = "{\"author\":\"Ada\",\"text\":\"ok\"}";
    assert_eq!(
        client.json("POST", "/api/boards/0/messages", text).text,
        "{\"number\":0}"
    );
    let edit = "{\"text\":\"better\",\"version\":0}";
    assert_eq!(
        client.json("PUT", "/api/boards/0/messages/0", edit).text,
        "{\"number\":1}"
    );
    assert_eq!(
        client.json("PUT", "/api/boards/0/messages/0", edit).status,
        409
    );
    assert_eq!(
        client.json("PUT", "/api/boards/0/messages/5", edit).status,
        404
    );
    let read = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    let page = read(client.get("/api/boards/0/messages").text);
    assert_eq!(page["board"]["name"], "Tea");
    assert_eq!(page["messages"][0]["text"], "better");
    assert_eq!(read(client.get("/api/boards").text)[0]["messages"], 1);
    let document = read(client.get("/api/openapi.json").text);
    assert_eq!(document["openapi"], "3.1.0");
    for operation in ["createBoardMessage", "editMessage", "showBoardMessage"] {
        assert!(document.to_string().contains(operation), "{operation}");
    }
}
