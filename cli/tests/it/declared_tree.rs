//! `cargo otp tree` without a node: the tree that an application declares.

use std::process::Command;

use serde_json::Value;

use crate::support::{Said, Scratch, cargo_otp, said};

/// A root with a child of every kind.
const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::{ok, start_link, transient};
use otp_bridge::supervisor::prelude::*;

use crate::below::Below;
use crate::worker::Worker;

/// Starts all of them.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        println!("the root is asked");
        let Ok(number) = arguments.first().map_or(Ok(1), |text| text.parse::<u64>()) else {
            return Err(Exit::new("the argument is a number"));
        };
        let mut children = vec![
            ChildSpec::of::<Below>(number).registered(Name::local(atom!("lower"))),
            ChildSpec::erlang(atom!("pg"), start_link, ()).restart(transient),
            ChildSpec::erlang(atom!("kernel_safe_sup"), start_link, ()).id("foreign").supervisor(),
        ];
        for index in 0..number {
            children.push(ChildSpec::of::<Worker>(index).id(("worker", index)));
        }
        Ok((ok, (SupFlags::rest_for_one().intensity(3).period(7), children)))
    }
}
"#;

const BELOW: &str = r#"//! A supervisor with a template.
use otp_bridge::atoms::{ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::worker::Worker;

/// Starts workers on request.
pub struct Below;

#[supervisor]
impl Supervisor for Below {
    type Args = u64;
    type Child = Worker;

    fn init(number: u64) -> Result<impl InitReturn> {
        if number == 13 {
            return Err(Exit::new("unlucky"));
        }
        let worker = ChildSpec::template::<Worker>().restart(temporary);
        Ok((ok, (SupFlags::simple_one_for_one(), vec![worker])))
    }
}
"#;

const WORKER: &str = r#"//! A worker.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Never runs here.
#[derive(Debug)]
pub struct Worker(u64);

#[gen_server]
impl GenServer for Worker {
    type Args = u64;

    fn init(number: u64) -> impl InitReturn<Self> {
        println!("a worker is started");
        (ok, Worker(number))
    }

    fn handle_info(&mut self, _: otp_bridge::messages::Timeout) -> HandleInfo {
        self.0 += 1;
        noreply()
    }
}
"#;

fn application() -> Scratch {
    let scratch = Scratch::with_application_named("declaring");
    for (name, behaviour) in [("below", "supervisor"), ("worker", "gen_server")] {
        let add = ["add", name, behaviour];
        scratch.cargo_otp("declaring", &add).succeeded();
    }
    for (file, text) in [("stroot", ROOT), ("below", BELOW), ("worker", WORKER)] {
        scratch.write(&format!("declaring/src/{file}.rs"), text);
    }
    scratch
}

fn tree(scratch: &Scratch, arguments: &[&str]) -> Said {
    said(cargo_otp(
        &scratch.path("declaring"),
        &[&["tree"], arguments].concat(),
    ))
}

#[test]
fn an_application_shows_what_its_supervisors_declare() {
    let scratch = application();
    let text = tree(&scratch, &["--", "2"]);
    text.succeeded();
    let expected = "\
declaring
└── stroot supervisor, rest_for_one
    ├── lower (below) supervisor, simple_one_for_one, permanent
    │   └── worker worker, template, temporary
    ├── pg worker, transient
    ├── <<\"foreign\">> (kernel_safe_sup) supervisor, permanent
    │   └── … children unknown, started by kernel_safe_sup:start_link/0
    ├── {<<\"worker\">>,0} (worker) worker, permanent
    └── {<<\"worker\">>,1} (worker) worker, permanent
";
    assert_eq!(text.out, expected, "{}", text.err);
    assert!(!text.err.contains("a worker is started"), "{}", text.err);

    let json = tree(&scratch, &["--format", "json"]);
    json.succeeded();
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    let root = &json["applications"][0]["root"];
    assert_eq!(json.get("node"), None);
    let flags = ["strategy", "intensity", "period"].map(|key| root[key].to_string());
    assert_eq!(flags, ["\"rest_for_one\"", "3", "7"]);
    let below = &root["children"][0];
    assert_eq!(below["start"], "below:start_link/2");
    assert_eq!(below["shutdown"], "infinity");
    assert_eq!(below["children"][0]["restart"], "temporary");
    let worker = &root["children"][3];
    assert_eq!(
        (&worker["shutdown"], &worker["pid"]),
        (&"5000".into(), &Value::Null)
    );

    let below = tree(&scratch, &["--", "13"]);
    below.succeeded();
    let line = "│   └── … children unknown, below:init/1 fails: <<\"unlucky\">>";
    assert!(below.out.contains(line), "{}", below.out);
    tree(&scratch, &["--", "many"]).refused(&[
        "error[E1046]: `stroot:init/1` fails: <<\"the argument is a number\">>",
        "write them after `--`",
    ]);
    tree(&scratch, &["shop"]).refused(&["--live"]);
    tree(&scratch, &["--live", "left", "--", "2"]).refused(&["cannot be used with"]);
}

#[test]
fn the_picture_is_one_that_others_can_read() {
    let scratch = application();
    let svg = tree(&scratch, &["--format", "svg"]);
    svg.succeeded();
    assert!(svg.out.starts_with("<svg xmlns="), "{}", svg.out);
    for text in [
        "lower (below)</text>",
        "supervisor, rest_for_one</text>",
        "{&lt;&lt;&quot;worker&quot;&gt;&gt;,0}",
    ] {
        assert!(svg.out.contains(text), "no {text} in {}", svg.out);
    }
    scratch.write("tree.svg", &svg.out);
    let mut python = Command::new("python3");
    python
        .args([
            "-c",
            "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
            "tree.svg",
        ])
        .current_dir(scratch.path(""));
    said(python).succeeded();
}
