//! The server's command line.

use std::thread::available_parallelism;

use crate::cluster::read_ranges;

/// The parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// The port at 127.0.0.1.
    pub port: u16,
    /// Number of reactors.
    pub reactors: u16,
    /// Folder of the append-only file, if there is one.
    pub log: Option<String>,
    /// Folder of the server's files.
    pub folder: String,
    /// Whether DEBUG is allowed.
    pub may_debug: bool,
    /// The initial slots, if the server is a node of a cluster.
    pub cluster: Option<Vec<(u16, u16)>>,
    /// The port of the initial master.
    pub master: Option<u16>,
    /// Parameters in the form of CONFIG SET.
    pub parameters: Vec<(String, String)>,
}

const USAGE: &str = "usage: cargo otp run --release -- [--port PORT] [--reactors COUNT] \
    [--appendonly yes|no] [--appendfsync always|everysec|no] [--dir FOLDER] \
    [--maxmemory BYTES] [--maxmemory-policy POLICY] [--maxclients COUNT] \
    [--requirepass PASSWORD] [--slowlog-log-slower-than MICROSECONDS] [--enable-debug-command yes|no] \
    [--replicaof '127.0.0.1 PORT'] [--cluster-enabled yes|no] [--cluster-slots SLOTS] [--cluster-node-timeout MILLISECONDS]";

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    /// A message about the first mistake.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        // One core stays free. With a reactor for each core, other threads would delay the
        // reactors.
        let reactors = cores.saturating_sub(1).clamp(1, 64);
        let mut options = Options {
            port: 6379,
            reactors: u16::try_from(reactors).unwrap_or(1),
            log: None,
            folder: ".".to_owned(),
            may_debug: false,
            cluster: None,
            master: None,
            parameters: Vec::new(),
        };
        let (mut has_log, mut folder) = (false, ".");
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let value = words.next();
            let number = value.and_then(|value| value.parse().ok());
            match (word, value, number) {
                ("--port", _, Some(port)) => options.port = port,
                ("--reactors", _, Some(count @ 1..=64)) => options.reactors = count,
                ("--port", ..) => return Err(format!("--port wants a port; {USAGE}")),
                ("--reactors", ..) => return Err(format!("--reactors wants 1 to 64; {USAGE}")),
                ("--appendonly", Some("yes"), _) => has_log = true,
                ("--appendonly", Some("no"), _) => has_log = false,
                ("--dir", Some(path), _) => folder = path,
                ("--enable-debug-command", Some("yes" | "local"), _) => options.may_debug = true,
                ("--enable-debug-command", Some("no"), _) => options.may_debug = false,
                (
                    "--appendfsync"
                    | "--maxmemory"
                    | "--maxmemory-policy"
                    | "--maxclients"
                    | "--requirepass"
                    | "--slowlog-log-slower-than"
                    | "--cluster-node-timeout",
                    Some(value),
                    _,
                ) => {
                    let name = word.trim_start_matches('-').to_owned();
                    options.parameters.push((name, value.to_owned()));
                }
                _ => options.of_nodes(word, value)?,
            }
        }
        folder.clone_into(&mut options.folder);
        options.log = has_log.then(|| format!("{folder}/appendonlydir"));
        Ok(options)
    }

    fn of_nodes(&mut self, word: &str, value: Option<&str>) -> Result<(), String> {
        match (word, value) {
            ("--cluster-enabled", Some("yes")) => {
                self.cluster.get_or_insert_default();
            }
            ("--cluster-enabled", Some("no")) => self.cluster = None,
            ("--replicaof", Some(text)) => {
                let port = text.strip_prefix("127.0.0.1 ");
                let port = port.and_then(|it| it.parse().ok());
                let why = "--replicaof wants a master, as in '127.0.0.1 7000'";
                self.master = Some(port.ok_or(why)?);
            }
            ("--cluster-slots", Some("")) => self.cluster = Some(Vec::new()),
            ("--cluster-slots", Some(text)) => {
                let why = "--cluster-slots wants slots, as in 0-8191,9000";
                self.cluster = Some(read_ranges(text).ok_or(why)?);
            }
            _ => return Err(format!("{word} is not an option, or has no value; {USAGE}")),
        }
        Ok(())
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
                reactors: 3,
                log: None,
                folder: ".".to_owned(),
                may_debug: false,
                cluster: None,
                master: None,
                parameters: vec![],
            })
        );
        let log = read(&[
            "--appendonly",
            "yes",
            "--dir",
            "/tmp/x",
            "--appendfsync",
            "always",
        ]);
        assert!(log.is_ok_and(
            |it| it.log.as_deref() == Some("/tmp/x/appendonlydir") && it.parameters.len() == 1
        ));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = [
            &["--prot", "1"][..],
            &["--port"],
            &["--reactors", "0"],
            &["--appendonly", "on"],
        ];
        for words in wrong {
            let why = read(words).expect_err("it is wrong");
            assert!(why.contains(words[0]) && why.contains("usage:"), "{why}");
        }
    }
}
