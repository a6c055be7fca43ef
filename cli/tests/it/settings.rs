//! An application's environment: `[env]` of otp.toml, `--config`, `--env`, and the struct that
//! reads it.

use std::path::Path;

use crate::support::{Said, Scratch, cargo_otp, said};

const SETTINGS: &str = r#"//! The environment.
use otp_bridge::Env;

/// All of it.
#[derive(Debug, Env)]
pub struct Settings {
    pub port: u16,
    #[env(default = "localhost")]
    pub host: String,
    pub limit: Option<u32>,
    pub level: Option<otp_bridge::Atom>,
    #[env(default)]
    pub store: Store,
}

/// The value of `store`.
#[derive(Debug, Env)]
#[env(nested)]
pub struct Store {
    #[env(default = 100)]
    pub size: u64,
}
"#;

/// Prints the environment and ends, or fails.
const WORKER: &str = r#"//! A server that reads the environment.
use otp_bridge::atom;
use otp_bridge::atoms::{normal, ok};
use otp_bridge::gen_server::prelude::*;

use crate::settings::Settings;

/// Nothing.
#[derive(Debug)]
pub struct Worker;

#[gen_server]
impl GenServer for Worker {
    type Args = Vec<String>;

    async fn init(arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        if arguments.first().is_some_and(|it| it == "fail") {
            return Err(Exit::new((atom!("no_such_file"), "prices")));
        }
        println!("{:?}", cx.env::<Settings>().await?);
        println!("node {:?}", cx.apply::<Atom, _>("erlang", "node", ()).await?);
        println!("nodes {:?}", cx.apply::<Vec<Atom>, _>("erlang", "nodes", ()).await?);
        match arguments.first() {
            Some(_) => Ok((ok, Worker, Timeout::Infinity)),
            None => Ok((ok, Worker, Timeout::Milliseconds(0))),
        }
    }

    fn handle_info(&mut self, _: otp_bridge::messages::Timeout) -> HandleInfo {
        stop(normal)
    }
}
"#;

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

/// Starts the worker, and ends with it.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl InitReturn {
        let worker = ChildSpec::of::<crate::worker::Worker>(arguments);
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        (ok, (flags, vec![worker.restart(temporary).significant(true)]))
    }
}
"#;

pub(crate) fn application(name: &str, environment: &str) -> Scratch {
    let scratch = Scratch::with_application_named(name);
    let add = ["add", "worker", "gen_server"];
    scratch.cargo_otp(name, &add).succeeded();
    for (file, text) in [("stroot", ROOT), ("worker", WORKER), ("settings", SETTINGS)] {
        scratch.write(&format!("{name}/src/{file}.rs"), text);
    }
    let lib = scratch.read(&format!("{name}/src/lib.rs"));
    scratch.write(
        &format!("{name}/src/lib.rs"),
        &format!("{lib}\npub mod settings;\n"),
    );
    let config = scratch.read(&format!("{name}/otp.toml"));
    scratch.write(
        &format!("{name}/otp.toml"),
        &format!("{config}\n{environment}"),
    );
    scratch
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Said {
    said(cargo_otp(folder, &[&["run"], arguments].concat()))
}

#[track_caller]
fn settings(said: &Said) -> String {
    said.succeeded();
    let line = said.out.lines().find(|line| line.starts_with("Settings"));
    line.expect("the settings").to_owned()
}

#[test]
fn the_command_line_comes_before_a_file_and_that_before_otp_toml() {
    let environment = "[env]\nport = 80\nlevel = { atom = \"info\" }\n\n[env.store]\nsize = 3\n";
    let scratch = application("settled", environment);
    let folder = scratch.path("settled");
    let of_file = r#"Settings { port: 80, host: "localhost", limit: None, level: Some(info), store: Store { size: 3 } }"#;
    let said = run(&folder, &[]);
    assert_eq!(settings(&said), of_file);
    // A normal end is not reported. A callback that was slow on a busy machine may be.
    let reports = ["=CRASH", "=ERROR", "=INFO", "=NOTICE", "=SUPERVISOR"];
    for word in reports.into_iter().chain(["exited", "shutdown"]) {
        assert!(
            !said.err.contains(word) && !said.out.contains(word),
            "{}{}",
            said.out,
            said.err
        );
    }
    scratch.write(
        "settled/sys.config",
        "[{settled, [{port, 81}, {limit, 7}, {store, #{}}]}].\n",
    );
    let config = ["--config", "sys.config"];
    let given = ["--env", "port=82", "--env", "host=h.example.org"];
    let changed = of_file
        .replace("limit: None", "limit: Some(7)")
        .replace("size: 3", "size: 100");
    let by_file = changed.replace("port: 80", "port: 81");
    assert_eq!(settings(&run(&folder, &config)), by_file);
    let by_line = changed
        .replace("port: 80", "port: 82")
        .replace("localhost", "h.example.org");
    assert_eq!(
        settings(&run(
            &folder,
            &[
                config,
                ["--env", "port=82"],
                ["--env", "host=h.example.org"]
            ]
            .concat()
        )),
        by_line
    );
    let wrong = run(
        &folder,
        &[
            &given[..2],
            &["--env", "limit=many", "--env", "port=\"82\""],
        ]
        .concat(),
    );
    wrong.failed(&[
        "settled did not start: limit: expected undefined | 0..4294967295, got <<\"many\">>",
        "port: expected 0..65535, got <<\"82\">>",
        "of settled::settings::Settings (src/settings.rs:5)",
    ]);
    assert_eq!(
        wrong.err.matches("got <<\"many\">>").count(),
        1,
        "{}",
        wrong.err
    );

    // A failure is reported once, with the line of Rust.
    let failed = run(&folder, &["--", "fail"]);
    let reason = "settled did not start: child worker: worker:init/1 (src/worker.rs:18): {no_such_file,<<\"prices\">>}";
    failed.failed(&[reason]);
    let everything = failed.out.clone() + &failed.err;
    assert_eq!(
        everything.matches("no_such_file").count(),
        1,
        "{everything}"
    );
}

#[test]
fn a_value_of_another_type_is_refused_when_the_application_is_built() {
    let environment = "[env]\nport = \"http\"\nhots = \"a\"\n";
    let scratch = application("unsettled", environment);
    scratch.cargo_otp("unsettled", &["build"]).refused(&[
        "error[E0921]: `[env]` does not fit the code",
        "otp.toml:6: port: expected 0..65535, got <<\"http\">>, says unsettled::settings::Settings (src/settings.rs:5)",
        "otp.toml:7: hots: no struct has this key; did you mean `host`?",
    ]);
    // Values that are missing in otp.toml may come from elsewhere.
    let config = scratch.read("unsettled/otp.toml");
    let config = config.replace("port = \"http\"\nhots", "host");
    scratch.write("unsettled/otp.toml", &config);
    scratch.cargo_otp("unsettled", &["build"]).succeeded();
    let folder = scratch.path("unsettled");
    run(&folder, &[]).failed(&["port: missing, expected 0..65535"]);
    assert!(settings(&run(&folder, &["--env", "port=1"])).contains("port: 1, host: \"a\""));
    run(&folder, &["--env", "prot=1"]).refused(&[
        "error[E0807]: `prot` is not a variable of the environment",
        "did you mean `port`?",
    ]);

    // The printed command runs it.
    let printed = run(&folder, &["--env", "port=3", "--print-command"]);
    printed.succeeded();
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(&printed.out).current_dir(&folder);
    assert!(settings(&said(shell)).contains("port: 3, host: \"a\""));
}

#[test]
fn mistakes_in_the_command_line_are_found_before_anything_is_built() {
    let scratch = Scratch::with_application_named("mistaken");
    scratch.write("mistaken/half.config", "[{mistaken, [\n");
    let twice = "[{mistaken, [{a, 1}, {a, 2}]}].\n";
    scratch.write("mistaken/twice.config", twice);
    scratch.write("mistaken/word.config", "[word].\n");
    scratch.script("mistaken/open", "secret");
    for (arguments, text) in [
        (
            &["--env", "port"][..],
            "error[E0807]: `port` is not a variable of the environment: it has no `=`",
        ),
        (&["--env", "born=1979-05-27"], "error[E0807]"),
        (
            &["--config", "half.config"],
            "error[E0817]: this is not a configuration file: ",
        ),
        (
            &["--config", "word.config"],
            "word is not {Application, [{Key, Value}]}",
        ),
        (&["--config", "twice.config"], "mistaken has a key twice"),
        (&["--config", "none.config"], "error[E0810]"),
        (&["--config", "otp.toml"], "its name must end in `.config`"),
        (
            &["--sname", "a b"],
            "error[E0808]: `a b` cannot name a node",
        ),
        (
            &["--sname", "a", "--cookie", "open"],
            "error[E0809]: this cannot be the cookie: others than its owner may read or write it",
        ),
        (&["--cookie", "open"], "--sname <NAME>"),
        (&["--sname", "a", "--name", "a@b.c"], "cannot be used with"),
    ] {
        let said = run(&scratch.path("mistaken"), arguments);
        said.refused(&[text]);
        assert!(!said.err.contains("Compiling"), "{}", said.err);
    }
}
