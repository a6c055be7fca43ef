//! The loads of the measurements.

use super::servers::Server;

/// A run of redis-benchmark.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// A short name, for narrow places.
    short: &'static str,
    clients: u32,
    /// The number of commands in a packet.
    pipeline: u32,
    /// The number of requests for each command.
    requests: u32,
    /// The size of a value.
    bytes: u32,
    /// The names of redis-benchmark's tests, and the result lines to show.
    tests: &'static [(&'static str, &'static str)],
}

const SET_AND_GET: &[(&str, &str)] = &[("set", "SET"), ("get", "GET")];

const BASE: Case = Case {
    name: "",
    short: "",
    clients: 50,
    pipeline: 1,
    requests: 50_000,
    bytes: 3,
    tests: SET_AND_GET,
};

/// 50 clients, as in S3's comparison.
pub(super) const SHORT: &[Case] = &[
    Case {
        name: "-P 1",
        ..BASE
    },
    Case {
        name: "-P 16",
        short: "×16",
        pipeline: 16,
        requests: 400_000,
        ..BASE
    },
];

pub(super) const LONG: &[Case] = &[
    Case {
        name: "1 kB",
        short: "1 kB",
        bytes: 1_000,
        ..BASE
    },
    Case {
        name: "100 kB",
        short: "100 kB",
        bytes: 100_000,
        requests: 10_000,
        ..BASE
    },
    Case {
        name: "1,000 clients",
        short: "1k con.",
        clients: 1_000,
        ..BASE
    },
    Case {
        name: "10,000 clients",
        short: "10k con.",
        clients: 9_900,
        ..BASE
    },
    Case {
        name: "types",
        tests: &[
            ("incr", "INCR"),
            ("lpush", "LPUSH"),
            ("rpop", "RPOP"),
            ("sadd", "SADD"),
            ("hset", "HSET"),
            ("zadd", "ZADD"),
        ],
        ..BASE
    },
    Case {
        name: "10 keys",
        tests: &[("mset", "MSET (10 keys)")],
        ..BASE
    },
];

impl Case {
    /// Returns the options of redis-benchmark.
    pub(super) fn arguments(&self) -> Vec<String> {
        let names: Vec<&str> = self.tests.iter().map(|(name, _)| *name).collect();
        let numbers = [
            ("-c", self.clients),
            ("-P", self.pipeline),
            ("-n", self.requests),
            ("-d", self.bytes),
        ];
        let numbers = numbers.map(|(option, number)| [option.to_owned(), number.to_string()]);
        let mut arguments = numbers.concat();
        // Uses keys of all shards if a command has several keys.
        if self.tests.iter().any(|(name, _)| *name == "mset") {
            arguments.extend(["-r".to_owned(), "100000".to_owned()]);
        }
        arguments.extend(["-t".to_owned(), names.join(",")]);
        arguments
    }

    /// Returns the lines to show.
    pub(super) fn tests(&self) -> impl Iterator<Item = &'static str> {
        self.tests.iter().map(|(_, line)| *line)
    }

    /// Returns the label of a test.
    pub(super) fn label(&self, test: &str) -> String {
        let command = test.split(' ').next().unwrap_or(test);
        format!("{command} {}", self.short).trim_end().to_owned()
    }

    /// Returns whether a server supports the commands and this number of clients.
    pub(super) fn is_for(&self, server: &Server) -> bool {
        let has_commands = server.is_whole || self.tests == SET_AND_GET;
        has_commands && self.clients <= server.most_clients
    }
}
