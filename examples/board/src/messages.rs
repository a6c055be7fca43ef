//! Messages to the process of the boards, and the data that the pages and the API show.

use std::fmt;

use otp_bridge::Term;

/// Reasons why a request failed. It has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum BoardError {
    /// `{no_board, Board}`
    NoBoard(u64),
    /// `{no_message, Message}`
    NoMessage(u64),
    /// `{empty, Field}`
    Empty(String),
    /// `{too_long, Field, Characters}`
    TooLong(String, u64),
    /// `{not_text, Field}`: the field contains control characters.
    NotText(String),
    /// `{too_many_boards, Limit}`
    TooManyBoards(u64),
    /// `{edited_meanwhile, Version}`: another visitor has edited the message.
    EditedMeanwhile(u64),
    /// `{storage, Why}`: an error of the disk.
    Storage(String),
    /// `unavailable`: the boards are still being opened.
    Unavailable,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::NoBoard(board) => write!(f, "there is no board {board}"),
            BoardError::NoMessage(message) => write!(f, "there is no message {message}"),
            BoardError::Empty(field) => write!(f, "the {field} is empty"),
            BoardError::TooLong(field, limit) => {
                write!(f, "the {field} has more than {limit} characters")
            }
            BoardError::NotText(field) => write!(f, "the {field} has control characters"),
            BoardError::TooManyBoards(limit) => write!(f, "there are {limit} boards already"),
            BoardError::EditedMeanwhile(_) => {
                f.write_str("somebody else has edited the message meanwhile")
            }
            BoardError::Storage(why) => write!(f, "it cannot be stored: {why}"),
            BoardError::Unavailable => f.write_str("the boards are being opened, try again"),
        }
    }
}

/// Result of a change: the number of the board or message that was created or deleted, or the new
/// version of an edited message.
pub type Answer = Result<u64, BoardError>;

/// A change of the boards.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
#[reply(Answer)]
pub enum Change {
    /// `{create_board, Name}`
    CreateBoard(String),
    /// `{create_message, Board, Message}`
    CreateMessage(u64, NewMessage),
    /// `{edit_message, Board, Message, Edit}`
    EditMessage(u64, u64, Edit),
    /// `{delete_board, Board}`: deletes a board with its messages.
    DeleteBoard(u64),
    /// `{delete_message, Board, Message}`
    DeleteMessage(u64, u64),
}

/// `{changes, Changes}`: makes several changes, with an answer for each. A refused change does not
/// affect the others.
#[derive(Debug, Clone, Term)]
#[reply(Vec<Answer>)]
pub struct Changes(pub Vec<Change>);

/// A request to create a board.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct NewBoard {
    pub name: String,
}

/// A request to create a message.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct NewMessage {
    pub author: String,
    pub text: String,
}

/// A request to replace a message's text. `version` is the version that the text was based on.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Edit {
    pub text: String,
    pub version: u64,
}

/// A board.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Board {
    pub id: u64,
    pub name: String,
    /// Number of messages.
    pub messages: u64,
    /// Time of creation in milliseconds since 1970.
    pub created: u64,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Message {
    pub id: u64,
    pub author: String,
    pub text: String,
    /// Time of creation in milliseconds since 1970.
    pub created: u64,
    /// Time of the last edit in milliseconds since 1970.
    pub edited: Option<u64>,
    /// Number of edits.
    pub version: u64,
}

/// A page of a board's messages, the newest one first.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct MessagePage {
    pub board: Board,
    pub messages: Vec<Message>,
    /// The next page has the messages with smaller numbers than this.
    pub next: Option<u64>,
}

/// Confirmation that something was created or edited.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Done {
    /// The number of a board or message, or the version of an edited message.
    pub number: u64,
}

/// The reason why a request to the API failed.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Refused {
    pub error: String,
}
