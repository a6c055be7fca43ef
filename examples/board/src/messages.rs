//! What the process of the boards is asked, and what the pages and the API show.

use std::fmt;

use otp_bridge::Term;

/// Why something was not done. Nothing has changed then.
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
    /// `{not_text, Field}`: it has control characters.
    NotText(String),
    /// `{too_many_boards, Limit}`
    TooManyBoards(u64),
    /// `{edited_meanwhile, Version}`: somebody else has edited the message.
    EditedMeanwhile(u64),
    /// `{storage, Why}`: the disk.
    Storage(String),
    /// `unavailable`: the boards are being opened.
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

/// What became of a change: the number of a board or message, also of one that is deleted, or the
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
    /// `{delete_board, Board}`: with its messages.
    DeleteBoard(u64),
    /// `{delete_message, Board, Message}`
    DeleteMessage(u64, u64),
}

/// `{changes, Changes}`: an answer for each. One that is refused holds none of the others back.
#[derive(Debug, Clone, Term)]
#[reply(Vec<Answer>)]
pub struct Changes(pub Vec<Change>);

/// A board to be created.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct NewBoard {
    pub name: String,
}

/// A message to be created.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct NewMessage {
    pub author: String,
    pub text: String,
}

/// Another text of a message, whose version says which one it takes the place of.
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
    /// How many messages it has.
    pub messages: u64,
    /// Milliseconds since 1970.
    pub created: u64,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Message {
    pub id: u64,
    pub author: String,
    pub text: String,
    /// Milliseconds since 1970.
    pub created: u64,
    /// When it was edited last.
    pub edited: Option<u64>,
    /// How often it was edited.
    pub version: u64,
}

/// Some of a board's messages, the newest one first.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct MessagePage {
    pub board: Board,
    pub messages: Vec<Message>,
    /// Messages that are older than this number are on the next page.
    pub next: Option<u64>,
}

/// What has been created or edited.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Done {
    /// The number of a board or message, or the version of an edited message.
    pub number: u64,
}

/// What was wrong with a request to the API.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Refused {
    pub error: String,
}
