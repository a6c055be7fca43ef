//! Servers on Erlang nodes that are connected to each other.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

use super::{Client, Folder, PATIENCE, Server};

/// Options of a node in a cluster. The long timeout keeps the others from taking a node for lost on
/// a busy machine.
pub const ENABLED: [&str; 4] = [
    "--cluster-enabled",
    "yes",
    "--cluster-node-timeout",
    "30000",
];

/// Connected nodes.
pub struct Nodes {
    pub all: Vec<Server>,
    pub names: Vec<String>,
    pub folder: Folder,
    /// Whether the nodes are started without knowing each other.
    is_apart: bool,
}

impl Nodes {
    /// Starts nodes with these options.
    pub fn start(name: &str, options: &[&[&str]]) -> Self {
        let mut nodes = Nodes::named(name, options.len());
        for (number, options) in options.iter().enumerate() {
            let server = nodes.server(number, options);
            nodes.all.push(server);
        }
        nodes
    }

    /// Starts nodes of clusters that do not know each other yet.
    pub fn apart(name: &str, count: usize) -> Self {
        let mut nodes = Nodes::named(name, count);
        nodes.is_apart = true;
        let started = std::thread::scope(|scope| {
            let nodes = &nodes;
            let start = |number| scope.spawn(move || nodes.server(number, &ENABLED));
            let starting: Vec<_> = (0..count).map(start).collect();
            let started = starting.into_iter().map(|it| it.join());
            started.collect::<Result<Vec<Server>, _>>()
        });
        nodes.all = started.expect("they start");
        nodes
    }

    fn named(name: &str, count: usize) -> Self {
        let folder = Folder::new(name);
        let mut file = std::fs::OpenOptions::new();
        let file = file
            .write(true)
            .create_new(true)
            .mode(0o400)
            .open(folder.0.join("cookie"));
        std::io::Write::write_all(&mut file.expect("a file"), b"a_cookie_of_a_test")
            .expect("it is written");
        let name = |number| format!("{name}{number}_{}@127.0.0.1", std::process::id());
        Nodes {
            all: Vec::new(),
            names: (0..count).map(name).collect(),
            folder,
            is_apart: false,
        }
    }

    /// Returns the folder of a node's files.
    pub fn folder_of(&self, number: usize) -> String {
        let path = self.folder.0.join(number.to_string());
        std::fs::create_dir_all(&path).expect("a folder");
        path.display().to_string()
    }

    /// Returns the address of a node, in the form for redis-cli.
    pub fn address(&self, number: usize) -> String {
        format!("127.0.0.1:{}", self.all[number].port)
    }

    /// Starts one of the nodes, and connects it to a running one.
    pub fn server(&self, number: usize, options: &[&str]) -> Server {
        let cookie = self.folder.0.join("cookie").display().to_string();
        let mut of_run = vec!["--name", &self.names[number], "--cookie", &cookie];
        let other = usize::from(number == 0);
        if self.all.len() > other && !self.is_apart {
            of_run.extend(["--connect", &self.names[other]]);
        }
        let folder = self.folder_of(number);
        let options = [&["--reactors", "2", "--dir", &folder], options].concat();
        Server::node(&of_run, &options)
    }

    /// Restarts one of the nodes.
    pub fn restart(&mut self, number: usize, options: &[&str]) {
        self.all[number] = self.server(number, options);
    }

    /// Connects two nodes.
    pub fn connect(&self, one: usize, other: usize) {
        let other = &self.names[other];
        self.run(&format!(
            "true = rpc:call('{}', net_kernel, connect_node, ['{other}'])",
            self.names[one]
        ));
    }

    /// Disconnects two nodes.
    pub fn disconnect(&self, one: usize, other: usize) {
        let other = &self.names[other];
        self.run(&format!(
            "true = rpc:call('{}', erlang, disconnect_node, ['{other}'])",
            self.names[one]
        ));
    }

    /// Evaluates a line of Erlang on a node that can connect to the others.
    pub fn run(&self, code: &str) {
        let cookie = std::fs::read_to_string(self.folder.0.join("cookie")).expect("it is there");
        let code = format!("{code}, halt().");
        let name = format!("asks{}@127.0.0.1", std::process::id());
        let done = std::process::Command::new("erl")
            .args(["-noshell", "-hidden", "-name", &name, "-setcookie", &cookie])
            .args(["-eval", &code])
            .status();
        assert!(done.is_ok_and(|it| it.success()));
    }

    /// Starts a cluster with these slots, and waits until all nodes know each other.
    pub fn cluster(name: &str, slots: &[&str], more: &[&str]) -> Self {
        let options: Vec<Vec<&str>> = slots
            .iter()
            .map(|it| [&["--cluster-slots", it], more].concat())
            .collect();
        let options: Vec<&[&str]> = options.iter().map(|it| &**it).collect();
        let nodes = Nodes::start(name, &options);
        nodes.agree();
        nodes
    }

    /// Waits until all nodes of a cluster agree.
    pub fn agree(&self) {
        let count = self.all.len();
        for node in &self.all {
            wait(|| {
                let info = node.client().ask("CLUSTER INFO");
                let is_all = info.contains(&format!("cluster_known_nodes:{count}\r"));
                is_all && info.contains("cluster_state:ok")
            });
        }
    }

    pub fn ids(&self) -> Vec<String> {
        let ids = self.all.iter().map(|it| it.client().ask("CLUSTER MYID"));
        ids.collect()
    }

    /// Sends a request and follows redirections, as clients of clusters do. Returns the reply,
    /// which is empty if the node is down, and the number of redirections.
    pub fn ask(&self, clients: &mut BTreeMap<u16, Client>, line: &str) -> (String, usize) {
        let mut port = self.all[1].port;
        let mut asks = false;
        for sent in 0..20 {
            if let Entry::Vacant(vacant) = clients.entry(port) {
                let Some(client) = self.by_port(port).client_now() else {
                    return (String::new(), sent);
                };
                vacant.insert(client);
            }
            let client = clients.get_mut(&port).expect("it is there");
            if std::mem::take(&mut asks) {
                assert_eq!(client.ask("ASKING"), "+OK");
            }
            let reply = client.ask(line);
            let is_elsewhere = reply.starts_with("-MOVED ") || reply.starts_with("-ASK ");
            if !is_elsewhere {
                return (reply, sent);
            }
            asks = reply.starts_with("-ASK ");
            port = reply
                .rsplit(':')
                .next()
                .and_then(|it| it.parse().ok())
                .expect("a port");
        }
        panic!("{line}: it is sent from one to another");
    }

    fn by_port(&self, port: u16) -> &Server {
        let mut nodes = self.all.iter();
        nodes.find(|it| it.port == port).expect("one of the nodes")
    }
}

/// Waits for a condition.
pub fn wait(mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < PATIENCE, "it does not become true");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs a program. Returns its success and its output, or `None` if it is not installed.
pub fn run(program: &str, words: &[&str]) -> Option<(bool, String)> {
    let ran = std::process::Command::new(program)
        .args(words)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    Some((
        ran.status.success(),
        text + &String::from_utf8_lossy(&ran.stderr),
    ))
}

/// Returns whether Python has redis-py, or can install it into a folder.
pub fn has_redis_py(folder: &str) -> bool {
    if run("python3", &["-c", "import redis"]).is_some_and(|it| it.0) {
        return true;
    }
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--timeout",
        "10",
        "--retries",
        "1",
        "--target",
        folder,
        "redis==5.0.8",
    ];
    run("python3", &install).is_some_and(|it| it.0)
}
