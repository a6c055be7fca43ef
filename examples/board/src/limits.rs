//! How much there may be of everything.

use std::time::Duration;

use crate::messages::BoardError;

/// Characters in the name of a board, and in that of an author.
pub const NAME: usize = 80;
/// Characters in a message.
pub const TEXT: usize = 10_000;
/// Boards.
pub const BOARDS: u64 = 1_000;
/// Messages on a page.
pub const PAGE: usize = 50;
/// Bytes of pages that are kept rendered.
pub const RENDERED: usize = 32 << 20;
/// Bytes of a page that is compressed: a thread of the server does nothing else meanwhile.
pub const ZIPPED: usize = 256 << 10;
/// Bytes in a request: a message whose characters are all written with percent signs.
pub const BODY: u64 = TEXT as u64 * 12 + 4_096;
/// Connections. For another one, the one that has been idle longest is closed.
pub const CONNECTIONS: u32 = 4_096;
/// Those of one address. A browser has six, and a proxy on this machine one for each visitor.
pub const OF_ADDRESS: u32 = 2_048;
/// Connections that only wait for events.
pub const VIEWERS: usize = 1_000;
/// Changes that wait to be sent to the process of the boards.
pub const CHANGES: usize = 2_000;
/// Changes that are sent to it in one call, which must not hold a scheduler for long.
pub const TOGETHER: usize = 256;
/// Calls to it that are under way: the changes of one are written to the disk, while those of the
/// next one are made.
pub const CALLS: usize = 2;
/// How long a client may take for a request, for the next one, or for reading what is sent to it.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// How long a stream of events lives. The browser then asks for another one.
pub const EVENTS: Duration = Duration::from_secs(600);

/// One line, without spaces around it.
pub(crate) fn line(what: &str, text: &str) -> Result<String, BoardError> {
    let text = text.trim();
    match text.chars().any(char::is_control) {
        true => Err(BoardError::NotText(what.to_owned())),
        false => sized(what, text, NAME),
    }
}

/// Any number of lines.
pub(crate) fn text(what: &str, text: &str) -> Result<String, BoardError> {
    let text = text.replace("\r\n", "\n");
    let is_wrong = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    match text.chars().any(is_wrong) {
        true => Err(BoardError::NotText(what.to_owned())),
        false => sized(what, text.trim(), TEXT),
    }
}

fn sized(what: &str, text: &str, limit: usize) -> Result<String, BoardError> {
    match text.chars().count() {
        0 => Err(BoardError::Empty(what.to_owned())),
        count if count > limit => Err(BoardError::TooLong(what.to_owned(), limit as u64)),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused() {
        assert_eq!(line("name", "  tea \n"), Ok("tea".to_owned()));
        assert_eq!(
            line("name", " \t"),
            Err(BoardError::Empty("name".to_owned()))
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
