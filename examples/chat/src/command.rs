//! Parses the lines that clients send.

/// A parsed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command<'line> {
    /// `/nick NAME`: takes a name, which must be unused.
    Nick(&'line str),
    /// `/join ROOM`
    Join(&'line str),
    /// `/leave`: leaves the room.
    Leave,
    /// `/who`: lists the others in the room.
    Who,
    /// `/tell NAME TEXT`: sends a text to one user, in any room.
    Tell(&'line str, &'line str),
    /// `/quit`
    Quit,
    /// Any other line: says it in the room.
    Say(&'line str),
}

impl<'line> Command<'line> {
    /// Parses a line, with or without its end.
    ///
    /// # Errors
    /// The answer to a line that is not a valid command.
    pub fn read(line: &'line str) -> Result<Self, &'static str> {
        let line = line.trim_end_matches(['\r', '\n']);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.split_once(' ')) {
            ("/nick", None) if !rest.is_empty() => Ok(Command::Nick(rest)),
            ("/join", None) if !rest.is_empty() => Ok(Command::Join(rest)),
            ("/leave", None) if rest.is_empty() => Ok(Command::Leave),
            ("/who", None) if rest.is_empty() => Ok(Command::Who),
            ("/tell", Some((name, text))) if !name.is_empty() => Ok(Command::Tell(name, text)),
            ("/quit", None) if rest.is_empty() => Ok(Command::Quit),
            _ if word.starts_with('/') => {
                Err("! /nick NAME, /join ROOM, /leave, /who, /tell NAME TEXT or /quit")
            }
            _ => Ok(Command::Say(line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn a_line_without_a_slash_is_said() {
        let said = "not /quit\r\n";
        assert_eq!(Command::read(said), Ok(Command::Say("not /quit")));
        assert_eq!(Command::read("/join rust\n"), Ok(Command::Join("rust")));
        let tell = Command::read("/tell bob see you there");
        assert_eq!(tell, Ok(Command::Tell("bob", "see you there")));
    }

    #[test]
    fn other_commands_are_answered_with_what_there_is() {
        for line in ["/nick", "/nick a b", "/join", "/tell bob", "/quit now", "/"] {
            let hint = Command::read(line).expect_err(line);
            assert!(hint.starts_with("! /nick NAME"), "{line:?}");
        }
    }
}
