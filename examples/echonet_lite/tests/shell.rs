//! Values of properties as typed terms in a real Erlang shell, their schemas, and the application's
//! specs under dialyzer.

mod common;

use std::process::Command;

use common::network::Host;
use common::shell::{Shell, ebin, target};
use otp_bridge_novm as _;

const ROOM: &str = "<<\"127.0.0.62\">>";

fn start() -> Shell {
    let words = [
        "--interface",
        "127.0.0.61",
        "--node",
        "127.0.0.62",
        "--node",
        "127.0.0.63",
    ];
    Shell::start(&Host::Here, &[&words[..], &["--port", "23660"]].concat())
}

#[test]
fn properties_are_typed_terms_in_a_shell() {
    let mut shell = start();
    let light = format!("({ROOM}, <<\"029001\">>,");
    let air = format!("({ROOM}, <<\"013001\">>,");
    let thermometer = "(<<\"127.0.0.63\">>, <<\"001101\">>,";
    for (expression, value) in [
        (
            format!("echonet:get{light} <<\"operationStatus\">>)"),
            "{ok,false}",
        ),
        (
            format!("echonet:set{light} <<\"operationStatus\">>, true)"),
            "ok",
        ),
        (format!("echonet:get{light} 16#80)"), "{ok,true}"),
        (
            format!("echonet:get{light} <<\"rgb\">>)"),
            "{ok,#{<<\"blue\">> => 220,<<\"green\">> => 240,<<\"red\">> => 255}}",
        ),
        (
            format!(
                "echonet:set{light} <<\"rgb\">>, #{{<<\"red\">> => 1, <<\"green\">> => 2, <<\"blue\">> => 3}})"
            ),
            "ok",
        ),
        (
            format!("echonet:get{light} <<\"rgb\">>)"),
            "{ok,#{<<\"blue\">> => 3,<<\"green\">> => 2,<<\"red\">> => 1}}",
        ),
        (
            format!("echonet:get{air} <<\"operationMode\">>)"),
            "{ok,<<\"auto\">>}",
        ),
        (
            format!("echonet:set{air} <<\"operationMode\">>, <<\"cooling\">>)"),
            "ok",
        ),
        (
            format!("echonet:set{air} <<\"operationMode\">>, <<\"freezing\">>)"),
            "{error,not_a_value}",
        ),
        (
            format!("echonet:set{light} <<\"lightLevel\">>, 101)"),
            "{error,not_a_value}",
        ),
        (
            format!("echonet:set{light} <<\"lightLevel\">>, 33.5)"),
            "{error,not_a_value}",
        ),
        (
            format!("echonet:get{light} <<\"nothing\">>)"),
            "{error,unknown}",
        ),
        (
            format!("is_float(element(2, echonet:get{thermometer} <<\"value\">>)))"),
            "true",
        ),
        (
            format!("echonet:set{thermometer} <<\"value\">>, 20.5)"),
            "{error,refused}",
        ),
        (
            "echonet:schema(16#0290, 16#80)".to_owned(),
            "<<\"{\\\"type\\\":\\\"boolean\\\"}\">>",
        ),
        ("echonet:schema(16#0290, 16#F5)".to_owned(), "undefined"),
    ] {
        assert_eq!(shell.ask(&expression), value, "{expression}");
    }
    // For a term of a wrong type, the error names the argument. The controller is not affected.
    for wrong in [
        format!("echonet:set{light} \"lightLevel\", 30)"),
        format!("echonet:get{light} 256)"),
        "echonet:schema(light, 16#80)".to_owned(),
    ] {
        assert!(shell.ask(&wrong).contains("** exception"), "{wrong}");
    }
    assert_eq!(
        shell.ask(&format!("echonet:get{light} 16#80)")),
        "{ok,true}"
    );
    // The devices that are found are terms of the same types.
    shell.until(
        "lists:sort([O || #{object := O} <- echonet:devices()])",
        "[<<\"001101\">>,<<\"013001\">>,<<\"029001\">>,<<\"029002\">>]",
    );
    // Facts are parsed class by class, so no callback has held a scheduler.
    let said = shell.said();
    assert!(!said.contains("held its scheduler"), "{said}");
}

/// Modules of a user, and whether dialyzer should report a problem.
const USES: [(&str, &str, bool); 4] = [
    (
        "dims",
        "-spec dim(binary()) -> ok | {failed, echonet:failure()}.\n\
         dim(Node) -> case echonet:set(Node, <<\"029001\">>, <<\"lightLevel\">>, 30) of ok -> ok; {error, Why} -> {failed, Why} end.\n",
        false,
    ),
    (
        "names_by_strings",
        "dim(Node) -> echonet:set(Node, <<\"029001\">>, \"lightLevel\", 30).\n",
        true,
    ),
    (
        "matches_in_vain",
        "dim(Node) -> {ok, _} = echonet:set(Node, <<\"029001\">>, 16#B0, 30).\n",
        true,
    ),
    (
        "sets_an_atom",
        "dim(Node) -> echonet:set(Node, <<\"029001\">>, 16#80, [on]).\n",
        true,
    ),
];

#[test]
fn dialyzer_holds_users_to_the_specs() {
    if Command::new("dialyzer").arg("--version").output().is_err() {
        println!("SKIPPED: dialyzer is not installed, on Debian the package erlang-dialyzer");
        return;
    }
    let folder = target().join("echonet_peers/dialyzer");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let plt = folder.join("plt");
    let dialyzer = |arguments: &[&str], files: &[std::path::PathBuf]| {
        let output = Command::new("dialyzer")
            .args(arguments)
            .arg(&plt)
            .args(files)
            .output();
        let output = output.expect("it was there");
        // Exit code 2 means that dialyzer has found problems.
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // The application alone: dialyzer reports nothing about OTP functions, which it does not know
    // here.
    let own = ["echonet", "controller", "echonet_lite_nif"]
        .map(|it| ebin().join(it).with_extension("beam"));
    dialyzer(&["--build_plt", "--output_plt"], &own);
    for (module, function, is_wrong) in USES {
        let source = folder.join(module).with_extension("erl");
        let text = format!("-module({module}).\n-export([dim/1]).\n{function}");
        std::fs::write(&source, text).expect("it is written");
        let erlc = Command::new("erlc")
            .arg("+debug_info")
            .arg("-o")
            .arg(&folder)
            .arg(&source)
            .status();
        assert!(erlc.is_ok_and(|it| it.success()), "{module}");
        let said = dialyzer(
            &["--quiet", "--no_check_plt", "--plt"],
            &[source.with_extension("beam")],
        );
        let said: Vec<&str> = said
            .lines()
            .filter(|it| it.contains("dim/1") || it.contains("pattern"))
            .collect();
        assert_eq!(!said.is_empty(), is_wrong, "{module}: {said:?}");
    }
}
