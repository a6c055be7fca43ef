//! The application's command line.

/// The parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// The port at 127.0.0.1.
    pub port: u16,
    /// Path of the folder with the boards.
    pub folder: String,
}

const USAGE: &str = "usage: cargo otp run --release -- [--port PORT] [--folder FOLDER]";

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    /// A message about the first mistake.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Options {
            port: 8080,
            folder: "board_data".to_owned(),
        };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let value = words.next();
            match (word, value, value.and_then(|value| value.parse().ok())) {
                ("--port", _, Some(port)) => options.port = port,
                ("--port", ..) => return Err(format!("--port wants a port; {USAGE}")),
                ("--folder", Some(folder), _) => options.folder = folder.to_owned(),
                _ => return Err(format!("{word} is not an option, or has no value; {USAGE}")),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Options, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Options::read(&words)
    }

    #[test]
    fn options_are_read() {
        let options = read(&["--folder", "here", "--port", "7000"]);
        let folder = "here".to_owned();
        assert_eq!(options, Ok(Options { port: 7000, folder }));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for words in [
            &["--prot", "1"][..],
            &["--port"],
            &["--port", "x"],
            &["--folder"],
        ] {
            let why = read(words).expect_err("it is wrong");
            assert!(why.contains(words[0]) && why.contains("usage:"), "{why}");
        }
    }
}
