use std::fs;

use super::*;

fn sources(text: &str) -> RustSources {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), text).unwrap();
    RustSources::below(&folder.path().join("src"), folder.path())
}

#[test]
fn a_call_has_its_surroundings() {
    let found = sources(
        r#"
use otp_bindings::{crypto, gen_tcp::{self, Socket}};
otp_bridge::task_pool!(pub static POOL;);
static DESK: gen_server::Server<Desk> = Server::registered();
#[env(application = "shop")]
struct Settings;
impl<'a> GenServer for Desk {
    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<&'static str>> {
        Group::<Desk>::in_scope(atom!("chat"), ("room", 1)).join(cx).await?;
        cx.spawn_task(async move |cx| cx.apply("lists", "sum", (vec![1, 2],)).await);
    }
}
"#,
    );
    let call = |name: &str| {
        let mut calls = found.calls.iter();
        calls.find(|it| it.function == name).expect(name)
    };
    let scope = call("in_scope");
    assert_eq!(scope.text(0).as_deref(), Some("chat"));
    assert!(scope.is_of("Group") && !scope.is_method && !scope.is_in_closure);
    assert_eq!(
        (scope.next.as_str(), scope.within.as_str()),
        ("join", "init")
    );
    assert_eq!(scope.location.to_string(), "src/lib.rs:9:24");
    let apply = call("apply");
    assert!(apply.is_of("cx") && apply.is_method && apply.is_in_closure);
    assert_eq!(apply.arguments.len(), 3);
    assert_eq!(
        (apply.block.as_str(), apply.outer.as_str()),
        ("Desk", "spawn_task")
    );
    let statics: Vec<(&str, &str)> = found
        .statics
        .iter()
        .map(|(name, (ty, _))| (name.as_str(), ty.as_str()))
        .collect();
    assert_eq!(statics, [("DESK", "Server"), ("POOL", "TaskPool")]);
    let modules: Vec<&String> = found.bindings.keys().collect();
    assert_eq!(modules, ["crypto", "gen_tcp"]);
    assert_eq!(found.environments[0].0, "shop");
}

#[test]
fn tests_and_definitions_of_macros_are_not_read() {
    let found = sources(
        r#"
#[cfg(test)]
mod tests {
    fn a() { cx.apply("a", "b", ()) }
}
#[otp_bridge::test]
async fn b(cx: &Cx<'_>) { cx.apply("a", "b", ()).await }
macro_rules! c { ($x:expr) => { cx.apply("a", $x, ()) } }
fn d(cx: &Cx<'_>) { cx.apply("c", "d", ()) }
"#,
    );
    let applied: Vec<Option<String>> = found.calls.iter().map(|it| it.text(0)).collect();
    assert_eq!(applied, [Some("c".to_owned())]);
}

#[test]
fn the_option_of_a_socket_is_the_atom() {
    let numbers = |text: &str| {
        let found = sources(text).packets;
        found.iter().map(|it| it.0).collect::<Vec<_>>()
    };
    let imported =
        "use otp_bindings::atoms::{active, packet}; fn a() { list![(packet, 3), (active, 3)] }";
    assert_eq!(numbers(imported), [3]);
    assert_eq!(numbers("fn a() { b((atoms::packet, 2)) }"), [2]);
    assert!(numbers("fn a(packet: u8) { (packet, 3) }").is_empty());
}
