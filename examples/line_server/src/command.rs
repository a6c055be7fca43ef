//! Parses the lines that clients send.

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command<'line> {
    /// `set KEY VALUE`: the value is the rest of the line.
    Set(&'line str, &'line str),
    /// `get KEY`
    Get(&'line str),
    /// `clients`: returns the number of clients.
    Clients,
    /// `quit`
    Quit,
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
            ("set", Some((key, value))) if !key.is_empty() => Ok(Command::Set(key, value)),
            ("set", _) => Err("error: set KEY VALUE"),
            ("get", None) if !rest.is_empty() => Ok(Command::Get(rest)),
            ("get", _) => Err("error: get KEY"),
            ("clients", None) if rest.is_empty() => Ok(Command::Clients),
            ("quit", None) if rest.is_empty() => Ok(Command::Quit),
            _ => Err("error: set KEY VALUE, get KEY, clients or quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn a_value_is_the_rest_of_the_line() {
        let set = Command::read("set colour dark blue\r\n");
        assert_eq!(set, Ok(Command::Set("colour", "dark blue")));
        assert_eq!(Command::read("get colour\n"), Ok(Command::Get("colour")));
        assert_eq!(Command::read("clients\n"), Ok(Command::Clients));
        assert_eq!(Command::read("quit\n"), Ok(Command::Quit));
    }

    #[test]
    fn other_lines_are_answered_with_what_there_is() {
        for (line, answer) in [
            ("set colour\n", "error: set KEY VALUE"),
            ("set  blue\n", "error: set KEY VALUE"),
            ("get\n", "error: get KEY"),
            ("get two keys\n", "error: get KEY"),
            ("\n", "error: set KEY VALUE, get KEY, clients or quit"),
            (
                "quit now\n",
                "error: set KEY VALUE, get KEY, clients or quit",
            ),
        ] {
            assert_eq!(Command::read(line), Err(answer), "{line:?}");
        }
    }
}
