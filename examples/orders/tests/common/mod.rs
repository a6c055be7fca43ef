//! A PostgreSQL of a test's own, and the service beside it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;

/// How long anything may take on a busy machine.
pub const LONG: Duration = Duration::from_secs(240);

/// A database cluster in a temporary folder, which ends with this value.
pub struct Database {
    folder: PathBuf,
    programs: PathBuf,
    port: u16,
}

impl Database {
    /// `None`, with a word about it, if PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
        let versions = versions.flatten().map(|version| version.path().join("bin"));
        let Some(programs) = versions.max() else {
            eprintln!("left out: PostgreSQL is not installed (`apt-get install postgresql`)");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = port.expect("a free port").port();
        let folder = env::temp_dir().join(format!("otp-rs-orders-{port}"));
        fs::create_dir_all(&folder).expect("a folder");
        // PostgreSQL does not run as root.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("it is ours");
        #[rustfmt::skip]
        let database = Database { folder, programs, port };
        database.run("initdb -A trust -U postgres -N -D data");
        database.up();
        database.create("orders");
        Some(database)
    }

    pub fn create(&self, name: &str) {
        self.run(&format!(
            "createdb -h 127.0.0.1 -U postgres -p {} {name}",
            self.port
        ));
    }

    pub fn url(&self, name: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    pub fn up(&self) {
        self.run("pg_ctl -D data -o PG_OPTIONS -l log -w -t 240 start");
    }

    /// Stops it as a crash does.
    pub fn down(&self) {
        self.run("pg_ctl -D data -m immediate stop");
    }

    fn run(&self, line: &str) {
        let mut words = line.split(' ');
        let program = self.programs.join(words.next().unwrap_or_default());
        let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
        let mut command = Command::new(if is_root {
            "runuser".into()
        } else {
            program.clone()
        });
        if is_root {
            command.args(["-u", "postgres", "--"]).arg(program);
        }
        let options = format!("-p {} -k {} -h 127.0.0.1", self.port, self.folder.display());
        command.args(words.map(|word| if word == "PG_OPTIONS" { &options } else { word }));
        let status = command
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .status();
        // A panic of `Drop` would hide the one that has caused it.
        assert!(
            thread::panicking() || status.is_ok_and(|it| it.success()),
            "{command:?}"
        );
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.down();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A server that has printed where it listens. It is killed with this value, and so is the VM that
/// `cargo otp run` has started.
pub struct Service {
    child: Child,
    pub port: u16,
}

/// `cargo otp VERB` in the folder of the example.
pub fn cargo_otp(verb: &str) -> Command {
    // `cargo otp test` and the project's own check name the program.
    let program = env::var_os("CARGO_OTP").unwrap_or_else(|| env!("CARGO").into());
    let mut command = Command::new(program);
    command
        .args(["otp", verb])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

impl Service {
    /// The application, with more options of `cargo otp run`.
    pub fn start(database: &Database, options: &[&str]) -> Self {
        let url = format!("database={}", database.url("orders"));
        let mut command = cargo_otp("run");
        command
            .args(["--env", &url])
            .args(options)
            .args(["--", "0"]);
        Self::start_program(&mut command)
    }

    pub fn start_program(command: &mut Command) -> Self {
        let command = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let (sends, ports) = mpsc::channel();
        let out = child
            .stdout
            .take()
            .map(|it| Box::new(it) as Box<dyn Read + Send>);
        let err = child
            .stderr
            .take()
            .map(|it| Box::new(it) as Box<dyn Read + Send>);
        for stream in [out, err].into_iter().flatten() {
            let sends = sends.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    eprintln!("{line}");
                    let port = line
                        .split_once("http://127.0.0.1:")
                        .map(|(_, port)| port.parse());
                    port.map(|port| port.map(|port: u16| sends.send(port)));
                }
            });
        }
        let port = ports.recv_timeout(2 * LONG).expect("it prints its address");
        Service { child, port }
    }

    /// The number of the process: of the VM if `cargo otp run` has started it.
    pub fn process(&self) -> String {
        let parent = self.child.id().to_string();
        let children = Command::new("pgrep")
            .args(["-P", &parent])
            .output()
            .expect("pgrep");
        let child = String::from_utf8_lossy(&children.stdout)
            .lines()
            .next()
            .map(str::to_owned);
        child.unwrap_or(parent)
    }

    /// As `kill -9` does it.
    pub fn kill(&mut self) {
        let _ = Command::new("kill").args(["-9", &self.process()]).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The status and the body of a reply.
    pub fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let agent = ureq::Agent::config_builder().http_status_as_error(false);
        ask(
            &agent.timeout_global(Some(LONG)).build().into(),
            self.port,
            method,
            path,
            body,
        )
    }

    /// Asks until the reply has this status.
    pub fn until(&self, status: u16, method: &str, path: &str) {
        let begins = Instant::now();
        loop {
            match self.ask(method, path, None) {
                (it, _) if it == status => return,
                reply => assert!(begins.elapsed() < LONG, "{path}: {reply:?}"),
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The status and the body of a reply: JSON, or else a text.
pub fn ask(
    agent: &ureq::Agent,
    port: u16,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> (u16, Value) {
    let url = format!("http://127.0.0.1:{port}{path}");
    let reply = match (method, body) {
        ("GET", _) => agent.get(url).call(),
        (_, Some(body)) => agent.post(url).send_json(body),
        (_, None) => agent.post(url).send_empty(),
    };
    let mut reply = reply.expect("a reply");
    let text = reply.body_mut().read_to_string().expect("a text");
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    (reply.status().as_u16(), body)
}
