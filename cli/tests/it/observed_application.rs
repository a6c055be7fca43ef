//! The application in the tests of `cargo otp observe`.

use crate::nodes::cookie;
use crate::support::Scratch;

/// A counter, whose state derives only `Debug`, and which prints when it runs.
const COUNTER: &str = r#"//! A counter.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Its state.
#[derive(Debug)]
pub struct Counter {
    count: u64,
}

/// `{add, By}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

/// `{hold, Milliseconds}`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Hold(pub u64);

/// `{nap, Milliseconds}`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Nap(pub u64);

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        println!("node {:?}", cx.apply::<Atom, _>("erlang", "node", ()).await?);
        Ok((ok, Counter { count: 1 }))
    }

    fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
        self.count += by;
        reply(self.count)
    }

    async fn handle_call(&mut self, Nap(milliseconds): Nap, cx: &Cx<'_>) -> Result<HandleCall<ok>> {
        cx.sleep(std::time::Duration::from_millis(milliseconds)).await?;
        reply(ok)
    }

    #[normal]
    fn handle_call(&mut self, Hold(milliseconds): Hold) -> HandleCall<ok> {
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        reply(ok)
    }
}
"#;

/// A server with a secret state.
const VAULT: &str = r#"//! A vault.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Its state.
#[derive(Debug, Term)]
pub struct Vault {
    key: String,
}

/// `{open, Key}`
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Open(pub String);

#[gen_server(secret)]
impl GenServer for Vault {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Vault { key: "open sesame".to_owned() })
    }

    fn handle_call(&mut self, Open(key): Open) -> HandleCall<bool> {
        reply(key == self.key)
    }
}
"#;

pub(crate) fn application() -> Scratch {
    let scratch = Scratch::with_application_named("observed");
    for (name, text) in [("counter", COUNTER), ("vault", VAULT)] {
        let add = ["add", name, "gen_server"];
        scratch.cargo_otp("observed", &add).succeeded();
        scratch.write(&format!("observed/src/{name}.rs"), text);
    }
    let root = scratch.read("observed/src/stroot.rs");
    let child = |module: &str| {
        format!(
            "ChildSpec::of::<crate::{module}>(()).registered(&Server::<crate::{module}>::registered())"
        )
    };
    let children = format!(
        "vec![{}, {}]",
        child("counter::Counter"),
        child("vault::Vault")
    );
    let root = root
        .replace("vec![]", &children)
        .replace("intensity(1)", "intensity(10)");
    scratch.write("observed/src/stroot.rs", &root);
    for file in ["observed/ours", "ours"] {
        cookie(&scratch, file, "a_secret_of_this_page\n");
    }
    scratch
}
