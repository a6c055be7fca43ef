//! Limits of everything that users can make grow.

use std::time::Duration;

use crate::messages::BoardError;

/// Maximum number of characters in the name of a board, and in that of an author.
pub const NAME: usize = 80;
/// Maximum number of characters in a message.
pub const TEXT: usize = 10_000;
/// Maximum number of boards.
pub const BOARDS: u64 = 1_000;
/// Maximum number of messages on a page.
pub const PAGE: usize = 50;
/// Maximum number of bytes of cached pages.
pub const RENDERED: usize = 32 << 20;
/// Maximum size of a page that is compressed, in bytes. Compressing occupies a thread of the
/// server.
pub const ZIPPED: usize = 256 << 10;
/// Maximum size of a request in bytes: enough for a message with percent signs for all characters.
pub const BODY: u64 = TEXT as u64 * 12 + 4_096;
/// Maximum number of connections. A further one replaces the connection that has been idle longest.
pub const CONNECTIONS: u32 = 4_096;
/// Maximum number of connections from one address. A browser opens six, but a proxy on this machine
/// opens one for each visitor.
pub const OF_ADDRESS: u32 = 2_048;
/// Maximum number of connections that only wait for events.
pub const VIEWERS: usize = 1_000;
/// Maximum number of changes that wait to be sent to the process of the boards.
pub const CHANGES: usize = 2_000;
/// Maximum number of changes in one call to that process. A call must not occupy a scheduler for
/// long.
pub const TOGETHER: usize = 256;
/// Number of concurrent calls to that process: while the changes of one call are written to the
/// disk, those of the next one are made.
pub const CALLS: usize = 2;
/// Time that a client has for sending a request, for starting the next one, and for reading a
/// reply.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// Lifetime of a stream of events. The browser then requests another one.
pub const EVENTS: Duration = Duration::from_secs(600);

/// Returns the text as one line without spaces around it. `http/openapi.rs` describes the rule.
pub(crate) fn line(what: &str, text: &str) -> Result<String, BoardError> {
    match text.chars().any(char::is_control) {
        true => Err(BoardError::NotText(what.to_owned())),
        false => sized(what, text, NAME),
    }
}

/// Returns a text of any number of lines.
pub(crate) fn text(what: &str, text: &str) -> Result<String, BoardError> {
    let text = text.replace("\r\n", "\n");
    let is_wrong = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    match text.chars().any(is_wrong) {
        true => Err(BoardError::NotText(what.to_owned())),
        false => sized(what, &text, TEXT),
    }
}

/// Checks the length of a text of the API. A line break of two characters counts as two, as in JSON
/// Schema, and as one in a form, as in a browser.
pub(crate) fn within(what: &str, text: &str, limit: usize) -> Result<(), BoardError> {
    match text.chars().count() > limit {
        true => Err(BoardError::TooLong(what.to_owned(), limit as u64)),
        false => Ok(()),
    }
}

/// Returns the text without spaces around it. The spaces count as well.
fn sized(what: &str, text: &str, limit: usize) -> Result<String, BoardError> {
    within(what, text, limit)?;
    match text.trim() {
        "" => Err(BoardError::Empty(what.to_owned())),
        text => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused() {
        assert_eq!(line("name", "  tea \u{2003}"), Ok("tea".to_owned()));
        assert_eq!(
            line("name", " \u{3000}"),
            Err(BoardError::Empty("name".to_owned()))
        );
        assert_eq!(
            line("name", "tea\n"),
            Err(BoardError::NotText("name".to_owned()))
        );
        assert_eq!(
            line("name", "a\nb"),
            Err(BoardError::NotText("name".to_owned()))
        );
        assert_eq!(text("text", "a\r\nb\n"), Ok("a\nb".to_owned()));
        assert_eq!(
            text("text", "a\0"),
            Err(BoardError::NotText("text".to_owned()))
        );
        assert_eq!(text("text", &"ö".repeat(TEXT)), Ok("ö".repeat(TEXT)));
        let long = Err(BoardError::TooLong("text".to_owned(), TEXT as u64));
        assert_eq!(text("text", &"ö".repeat(TEXT + 1)), long);
    }
}
