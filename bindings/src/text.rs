//! Text where a binding takes `io_lib:chars()`, a nested list of characters: a command of
//! `os:cmd/1`.

use otp_bridge::term::Char;

use crate::generated::io_lib::{CharOrChars, Chars};
use crate::generated::os::OsCommand;

impl From<&str> for Chars {
    fn from(text: &str) -> Self {
        let character = |character| CharOrChars::Char(Char::from(character));
        Chars(text.chars().map(character).collect())
    }
}

impl From<&str> for OsCommand {
    fn from(command: &str) -> Self {
        OsCommand::Chars(command.into())
    }
}

impl From<String> for OsCommand {
    fn from(command: String) -> Self {
        OsCommand::Chars(command.as_str().into())
    }
}
