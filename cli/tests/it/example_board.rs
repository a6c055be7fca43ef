//! The bulletin boards of `examples/board` in a real browser.

use serde_json::json;

use crate::browser::Browser;
use crate::running::Running;
use crate::support::cargo_otp_of_example;

/// Fills in a form's fields, sends the form like a user, and waits for the page that answers. The
/// old page may show the message before that, because it follows the board.
fn send(browser: &mut Browser, fields: &[(&str, &str)]) {
    for (name, text) in fields {
        let field = json!(format!("[name={name}]"));
        browser.until(&format!("document.querySelector({field})"));
        let text = json!(text);
        browser.value(&format!("document.querySelector({field}).value = {text}"));
    }
    browser.value("window.isOld = true");
    browser.press("form button");
    browser.until("!window.isOld && document.readyState == 'complete'");
}

/// Whether text of this colour is lighter than its page.
const IS_DARK: &str = "(() => { const sum = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0); \
    const style = getComputedStyle(document.body); return sum(style.backgroundColor) < sum(style.color); })()";

/// Users write and edit in a browser, with scripts and without. Messages of other users appear by
/// themselves. The page fits a phone, and is dark if the system is.
#[test]
fn boards_are_written_in_a_browser_with_and_without_scripts() {
    let Some(mut browser) = Browser::or_say() else {
        return;
    };
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().display().to_string();
    let arguments = ["run", "--", "--port", "0", "--folder", &folder];
    let mut running = Running::start(cargo_otp_of_example("board", &arguments));
    let address = running.line_with("http://").trim().to_owned();

    browser.open(&address);
    send(&mut browser, &[("name", "Tea <& biscuits>")]);
    browser.shows("h1", "Tea <& biscuits>");
    send(
        &mut browser,
        &[("author", "Ada"), ("text", "Who has\nDarjeeling?")],
    );
    browser.shows("#m0 .text", "Who has\nDarjeeling?");
    let script =
        "<img src=x onerror=\"document.title = 'taken'\"><script>document.title = 'taken'</script>";
    send(&mut browser, &[("text", script)]);
    browser.shows("#m1 .text", script);
    browser.until("document.querySelectorAll('.message img, .message script').length == 0");
    assert_ne!(browser.value("document.title"), "taken");
    // The name is known from the previous message.
    browser.shows("#m1 .by", "Ada");

    // A message of another user appears by itself.
    browser.until("document.querySelector('#messages').dataset.live == 'yes'");
    let other = "fetch('/api/boards/0/messages', { method: 'POST', headers: { 'content-type': 'application/json' }, \
        body: JSON.stringify({ author: 'Grace', text: 'I have some.' }) }).then((reply) => reply.status)";
    assert_eq!(browser.value(other), 201);
    browser.shows("#m2 .text", "I have some.");

    browser.press("#m2 .edit");
    browser.shows("h1", "Message 2 of Grace");
    send(&mut browser, &[("text", "I have a little.")]);
    browser.shows("#m2 .text", "I have a little.");
    browser.shows("#m2 .by", "edited");
    browser.picture("board.webp");

    // Everything fits the width of a phone, even a longer word.
    browser.width(360);
    send(
        &mut browser,
        &[("author", "Ada"), ("text", &"wide".repeat(100))],
    );
    browser.shows("#m3 .text", "widewide");
    browser.until("document.documentElement.scrollWidth <= 360");

    assert_eq!(browser.value(IS_DARK), false);
    browser.media("prefers-color-scheme", "dark");
    browser.until(IS_DARK);

    // Without scripts.
    browser.scripts(false);
    browser.open(&format!("{address}/boards/0"));
    browser.until(
        "document.querySelector('#messages') && !document.querySelector('#messages').dataset.live",
    );
    send(&mut browser, &[("author", "Linus"), ("text", "by hand")]);
    browser.shows("#m4 .text", "by hand");
    running.signal("-TERM");
    assert_eq!(running.end().code, Some(0));
}
