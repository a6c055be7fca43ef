//! Nodes that run different builds of an application, and funs from another node.

use std::process::id;

use crate::nodes::{Node, cookie};
use crate::settings::run;
use crate::support::{Scratch, cargo_otp};

const LIBRARY: &str = r#"//! An application whose messages have another type in each build.

use std::time::Duration;

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Name, atom, gen_server, module, supervisor};

otp_bridge::application!();

/// An order.
type Order = @TYPE@;

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl supervisor::InitReturn {
        let flags = SupFlags::one_for_one().intensity(1000).auto_shutdown(any_significant);
        let desk = ChildSpec::of::<Desk>(()).registered(&Server::<Desk>::registered());
        let asker = arguments.into_iter().map(|node| {
            ChildSpec::of::<Asker>(node).restart(temporary).significant(true)
        });
        (ok, (flags, [desk].into_iter().chain(asker).collect::<Vec<_>>()))
    }
}

#[derive(Debug)]
pub struct Desk(Order);

/// `{put, Order}`
#[derive(Debug, Term)]
#[reply(Order)]
pub struct Put(pub Order);

/// `last`
#[derive(Debug, Term)]
#[reply(Order)]
pub struct Last;

#[gen_server]
impl GenServer for Desk {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl gen_server::InitReturn<Self>> {
        println!("node {}", cx.node().await?);
        Ok((ok, Desk(Order::default())))
    }

    fn handle_call(&mut self, Put(order): Put) -> HandleCall<Order> {
        self.0 = order.clone();
        reply(order)
    }

    fn handle_call(&mut self, _: Last) -> HandleCall<Order> {
        reply(self.0.clone())
    }
}

/// Asks the desk of another node.
#[derive(Debug)]
pub struct Asker;

#[gen_server]
impl GenServer for Asker {
    type Args = String;

    fn init(_: String) -> impl gen_server::InitReturn<Self> {
        (ok, Asker)
    }

    async fn handle_start(&mut self, node: String, cx: &Cx<'_>) -> Result<HandleStart> {
        let node = Atom::new(&node)?;
        let desk = Server::<Desk>::on_node(atom!("desk"), node.clone());
        // When nodes connect, they tell each other which build they run.
        for _ in 0..500 {
            let reply = refusal(cx.call(&desk, Last).await);
            let request = refusal(cx.call(&desk, Put(Order::default())).await);
            let alike = cx.call(&desk, Put(Order::default())).await.is_ok();
            if alike || reply.contains(" runs ") && request.contains(" runs ") {
                println!("reply: {reply}");
                println!("request: {request}");
                break;
            }
            cx.sleep(Duration::from_millis(20)).await?;
        }
        println!("doubled: {}", functions::on_node::doubled(cx, node.clone(), 4).await?);
        println!("named: {:?}", functions::on_node::named(cx, node.clone(), "a", &[1, 2].to_vec()).await?);
        println!("checked: {:?}", functions::on_node::checked(cx, node.clone(), 0).await?);
        println!("noted: {:?}", functions::on_node::note(cx, node.clone()).await?);
        println!("raised: {}", functions::on_node::raised(cx, node, 1).await.unwrap_err().reason());
        stop(otp_bridge::atoms::normal)
    }
}

fn refusal(outcome: Result<Order>) -> String {
    outcome.map_or_else(|exit| exit.reason().to_string(), |order| format!("{order:?}"))
}

/// Functions that another node calls.
#[module("sums")]
pub mod functions {
    use otp_bridge::Cx;

    pub async fn doubled(number: u64, cx: &Cx<'_>) -> otp_bridge::Result<u64> {
        cx.checkpoint().await;
        Ok(2 * number)
    }

    #[erlang(name = "called")]
    pub fn named(name: &str, numbers: &Vec<u64>) -> Result<String, u64> {
        Ok(format!("{name}{}", numbers.len()))
    }

    pub fn checked(number: u64) -> Result<(), String> {
        match number {
            0 => Err("zero".to_owned()),
            _ => Ok(()),
        }
    }

    pub fn note() {}

    #[raises]
    pub fn raised(number: u64) -> Result<u64, (u64, bool)> {
        Err((number, true))
    }
}
"#;

fn write(scratch: &Scratch, ty: &str, version: &str) {
    let library = LIBRARY.replace("@TYPE@", ty);
    scratch.write("rebuilt/src/lib.rs", &library);
    let manifest = scratch.read("rebuilt/Cargo.toml");
    let version = format!("version = \"{version}\"\nedition");
    let (before, rest) = manifest.split_once("version = ").expect("a version");
    let (_, after) = rest.split_once("edition").expect("an edition");
    scratch.write("rebuilt/Cargo.toml", &format!("{before}{version}{after}"));
}

#[test]
fn a_term_of_another_build_is_refused_with_both_builds_named() {
    let scratch = Scratch::with_application_named("rebuilt");
    cookie(&scratch, "rebuilt/cookie", "a_cookie_of_builds\n");
    let folder = scratch.path("rebuilt");
    let (old, new) = (format!("old{}", id()), format!("new{}", id()));
    write(&scratch, "u64", "0.1.0");
    let is = ["run", "--sname", &old, "--cookie", "cookie"];
    let (node, name) = Node::named(cargo_otp(&folder, &is));

    let ask = || {
        run(
            &folder,
            &[
                "--sname",
                &new,
                "--cookie",
                "cookie",
                "--connect",
                &old,
                "--",
                &name,
            ],
        )
    };
    let alike = ask();
    alike.succeeded();
    for line in [
        "reply: 0",
        "doubled: 8",
        "named: Ok(\"a2\")",
        "checked: Err(\"zero\")",
        "noted: ok",
        "raised: {exception,{1,true},[{sums,raised,1,",
    ] {
        let is_there = alike.out.lines().any(|told| told.starts_with(line));
        assert!(is_there, "no `{line}` in\n{}{}", alike.out, alike.err);
    }

    write(&scratch, "String", "0.2.0");
    let differs = ask();
    differs.succeeded();
    let told = |start: &str| {
        let mut lines = differs.out.lines();
        let line = lines.find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("no `{start}` in {}", differs.out))
            .to_owned()
    };
    let (reply, request) = (told("reply: "), told("request: "));
    let builds = |of: &str, theirs: &str, ours: &str| {
        [
            format!("sent by {of}"),
            format!("which runs rebuilt {theirs} (build "),
            format!("this is rebuilt {ours} (build "),
        ]
    };
    for text in builds(&name, "0.1.0", "0.2.0") {
        assert!(reply.contains(&text), "no `{text}` in {reply}");
    }
    for text in builds(&new, "0.2.0", "0.1.0") {
        assert!(request.contains(&text), "no `{text}` in {request}");
    }
    assert_eq!(node.stop(), Some(0));
}
