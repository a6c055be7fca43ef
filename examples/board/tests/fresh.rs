//! The cache never sends stale pages: a page includes every change that was acknowledged before the
//! page was requested.

mod common;

use std::thread;

use common::{Board, Client, Folder, Reply};
use otp_bridge_novm as _;

const GZIP: (&str, &str) = ("accept-encoding", "gzip, deflate, br");

/// A browser that caches the last page.
struct Browser {
    client: Client,
    path: String,
    tag: String,
}

impl Browser {
    fn new(board: &Board, path: &str) -> Self {
        let mut client = board.client();
        client.get("/");
        Browser {
            client,
            path: path.to_owned(),
            tag: String::new(),
        }
    }

    /// Requests the page, if it differs from the cached one.
    fn ask(&mut self) -> Reply {
        let known = [GZIP, ("if-none-match", &self.tag)];
        let reply = self.client.ask("GET", &self.path, &known, "");
        self.tag = reply.header("etag").to_owned();
        reply
    }

    /// Checks that the server sends a new page, which contains the text.
    fn shows(&mut self, text: &str) {
        let reply = self.ask();
        assert_eq!(reply.status, 200, "{}, {text}: {reply:?}", self.path);
        assert!(
            reply.text.contains(text),
            "{}, {text}: {reply:?}",
            self.path
        );
    }
}

fn write(client: &mut Client, method: &str, path: &str, text: &str) -> u64 {
    let reply = client.json(method, path, text);
    assert!(matches!(reply.status, 200 | 201), "{reply:?}");
    let number = reply.text.trim_start_matches("{\"number\":");
    number.trim_end_matches('}').parse().expect("a number")
}

/// Writes and edits messages, and checks all pages that show them after each acknowledgement.
fn author(board: &Board, author: usize, count: u64) {
    let mut client = board.client();
    let [mut list, mut page] = ["/", "/boards/0"].map(|path| Browser::new(board, path));
    for turn in 0..count {
        let text = format!("{author}-{turn}.");
        let message = format!("{{\"author\":\"a\",\"text\":\"{text}\"}}");
        let number = write(&mut client, "POST", "/api/boards/0/messages", &message);
        page.shows(&text);
        let all = list.ask();
        let shown = all
            .text
            .split("<span>")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let shown = shown.and_then(|it| it.parse().ok());
        assert!(shown > Some(number), "{number}: {all:?}");
        let path = format!("/boards/0/{number}");
        let mut one = Browser::new(board, &path);
        one.shows(&text);
        for version in 0..3 {
            let text = format!("{author}-{turn}-{version}.");
            let edit = format!("{{\"text\":\"{text}\",\"version\":{version}}}");
            write(
                &mut client,
                "PUT",
                &format!("/api{}", path.replacen("/0/", "/0/messages/", 1)),
                &edit,
            );
            one.shows(&text);
            page.shows(&text);
        }
    }
}

#[test]
fn no_page_is_older_than_what_was_answered_before() {
    let folder = Folder::new("fresh");
    let mut board = Board::start(&folder);
    write(
        &mut board.client(),
        "POST",
        "/api/boards",
        "{\"name\":\"Tea\"}",
    );
    thread::scope(|scope| {
        for number in 0..3 {
            let board = &board;
            scope.spawn(move || author(board, number, 12));
        }
    });
    let mut known = Browser::new(&board, "/boards/0");
    let before = known.ask().text;
    assert_eq!(known.ask().status, 304);
    // A restart changes nothing about that.
    board.kill();
    let board = Board::start(&folder);
    known.client = Client {
        cookie: known.client.cookie,
        ..board.client()
    };
    let after = known.ask();
    assert_eq!((after.status, after.text), (200, before));
    author(&board, 9, 2);
    known.shows("9-1-2.");
}

#[test]
fn visitors_have_their_own_tokens_in_a_page_that_is_kept_once() {
    let folder = Folder::new("visitors");
    let board = Board::start(&folder);
    let mut client = board.client();
    write(&mut client, "POST", "/api/boards", "{\"name\":\"Tea\"}");
    for path in ["/", "/boards/0"] {
        let [mut one, mut other] = [0, 1].map(|_| Browser::new(&board, path));
        // The second request for a page makes the server compress it.
        board.client().get(path);
        for _ in 0..2 {
            for browser in [&mut one, &mut other] {
                let (page, cookie) = (browser.ask(), browser.client.cookie.clone());
                assert_eq!(
                    (page.status, cookie),
                    (200, format!("board={}", page.token()))
                );
                assert_eq!(browser.ask().status, 304);
                let plain = browser.client.get(path);
                assert_eq!(plain.header("content-encoding"), "");
                assert_eq!(plain.text, page.text);
                assert_ne!(plain.header("etag"), browser.tag, "they differ");
                browser.tag.clear();
            }
        }
        // A browser whose cookie has changed since must not get the form of its cached page.
        one.ask();
        one.client.cookie.clone_from(&other.client.cookie);
        let page = one.ask();
        assert_eq!(
            (page.status, page.token()),
            (200, other.client.get(path).token())
        );
        assert_eq!(page.header("content-encoding"), "gzip");
        assert_eq!(page.header("cache-control"), "private, no-cache");
        // No cache may keep the first page, because it sets the cookie.
        let first = board.client().get(path);
        assert_eq!(
            (first.header("cache-control"), first.header("etag")),
            ("no-store", "")
        );
        one.client.send("HEAD", path, &[GZIP], "");
        let head = one.client.head();
        assert_eq!((head.status, head.header("etag")), (200, one.tag.as_str()));
        assert_eq!(one.ask().status, 304, "no body has come before");
    }
}
