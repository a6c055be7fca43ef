//! The command line.

use std::thread::available_parallelism;

/// What it says.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// The port at 127.0.0.1.
    pub port: u16,
    /// How many reactors there are.
    pub reactors: u16,
}

const USAGE: &str = "usage: cargo otp run --release -- [--port PORT] [--reactors COUNT]";

impl Options {
    /// Reads it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        let mut options = Options {
            port: 6379,
            reactors: u16::try_from(cores).unwrap_or(1),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().and_then(|value| value.parse().ok());
            match (word.as_str(), value) {
                ("--port", Some(port)) => options.port = port,
                ("--reactors", Some(count @ 1..=64)) => options.reactors = count,
                ("--port", None) => return Err(format!("--port wants a port; {USAGE}")),
                ("--reactors", _) => return Err(format!("--reactors wants 1 to 64; {USAGE}")),
                _ => return Err(format!("{word} is not an option; {USAGE}")),
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
        let options = read(&["--reactors", "3", "--port", "7000"]);
        assert_eq!(
            options,
            Ok(Options {
                port: 7000,
                reactors: 3
            })
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = [&["--prot", "1"][..], &["--port"], &["--reactors", "0"]];
        for words in wrong {
            let why = read(words).expect_err("it is wrong");
            assert!(why.contains(words[0]) && why.contains("usage:"), "{why}");
        }
    }
}
