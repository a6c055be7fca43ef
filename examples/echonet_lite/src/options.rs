//! The application's command line.

use std::net::Ipv4Addr;

/// The parsed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Address of the controller.
    pub interface: Ipv4Addr,
    /// Addresses of the nodes.
    pub nodes: Vec<Ipv4Addr>,
    /// Port of ECHONET Lite.
    pub port: u16,
    /// Port of the web page at 127.0.0.1; 0 stands for any free port.
    pub web: u16,
}

const USAGE: &str =
    "usage: cargo otp run -- [--interface ADDRESS] [--node ADDRESS]... [--port PORT] [--web PORT]";

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    /// A message about the first mistake.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Options {
            interface: Ipv4Addr::LOCALHOST,
            nodes: Vec::new(),
            port: 3610,
            web: 8036,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().map_or("", String::as_str);
            let wrong = |what: &str| format!("{word} wants {what}; {USAGE}");
            match word.as_str() {
                "--interface" => {
                    options.interface = value.parse().map_err(|_| wrong("an address"))?
                }
                "--node" => options
                    .nodes
                    .push(value.parse().map_err(|_| wrong("an address"))?),
                "--port" => options.port = value.parse().map_err(|_| wrong("a port"))?,
                "--web" => options.web = value.parse().map_err(|_| wrong("a port"))?,
                _ => return Err(format!("{word} is not an option; {USAGE}")),
            }
        }
        if options.nodes.is_empty() {
            options.nodes = vec![Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)];
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
        let options = read(&["--node", "127.0.0.9", "--web", "0"]).expect("they are right");
        assert_eq!(options.nodes, [Ipv4Addr::new(127, 0, 0, 9)]);
        assert_eq!((options.port, options.web), (3610, 0));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for words in [&["--prot", "1"][..], &["--port"], &["--node", "here"]] {
            let why = read(words).expect_err("it is wrong");
            assert!(why.contains(words[0]) && why.contains("usage:"), "{why}");
        }
    }
}
