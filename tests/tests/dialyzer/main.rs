//! Checks generated Erlang modules with OTP's own compiler and dialyzer.

mod erlang_folder;
mod library;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use otp_bridge::module::{Behaviour, Form, Signature};
use otp_bridge::{application, gen_event, gen_server, gen_statem, supervisor, supervisor_bridge};
use otp_bridge_novm as _;

use otp_tests::application::{lints, root, text};
use tools::{cargo_otp, compile, dialyzer, target};

/// Builds an application of this repository with `cargo otp build`. Returns its folder.
fn build(application: &str) -> PathBuf {
    let mut command = cargo_otp(&root().join(application), &["build"]);
    let built = command.envs(lints()).output().expect("cargo otp runs");
    assert!(built.status.success(), "{}", text(&built.stderr));
    let name = application.rsplit('/').next().unwrap_or(application);
    target().join("otp/debug").join(name)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|known| known == ending))
        .collect();
    paths.sort();
    paths
}

/// Returns an empty folder of this name.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("dialyzer")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Checks that every function has types, and that dialyzer finds none of them wrong, too wide or
/// unknown.
fn passes(application: &Path) {
    passes_with(application, Vec::new());
}

/// Like `passes`, for an application with Erlang modules of its own, which are analysed first.
fn passes_with(application: &Path, own: Vec<PathBuf>) {
    let name = application.file_name().expect("a name");
    let folder = scratch(&format!("of_{}", name.display()));
    let generated = files(&application.join("src"), "erl");
    assert!(generated.len() >= 3, "{generated:?}");
    let sources = [own, generated].concat();
    let compiled = compile(
        &sources,
        &folder,
        &["+warn_missing_spec_all", "+warnings_as_errors"],
    );
    assert_eq!(compiled, "");
    let messages = dialyzer(&files(&folder, "beam"));
    assert_eq!(messages, "");
}

#[test]
fn dialyzer_has_nothing_to_say_of_generated_modules() {
    passes(&build("tests/apps/probe"));
    passes(&build("tests/apps/geometry"));
    passes(&build("examples/thread_ring"));
    let own = files(&root().join("tests/apps/behaviours/erlang"), "erl");
    passes_with(&build("tests/apps/behaviours"), own);
}

/// Checks the templates, one for each behaviour, as a user's first application. Also checks the
/// modules of pages, which must contain the Erlang lines that the pages and modules.txt show.
#[test]
fn nor_of_a_module_of_each_behaviour() {
    let folder = scratch("new");
    let make = |within: &Path, arguments: &[&str]| {
        let made = cargo_otp(within, arguments).output();
        let made = made.expect("cargo otp runs");
        assert!(made.status.success(), "{}", text(&made.stderr));
    };
    make(&folder, &["new", "typed"]);
    let folder = folder.join("typed");
    // The lock file keeps the versions that are already built.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    for (module, behaviour) in [
        ("typed_server", "gen_server"),
        ("typed_machine", "gen_statem"),
        ("typed_handler", "gen_event"),
        ("typed_supervisor", "supervisor"),
        ("typed_bridge", "supervisor_bridge"),
        ("typed_life", "application"),
    ] {
        make(&folder, &["add", module, behaviour]);
    }
    make(&folder, &["add", "typed_functions", "module"]);
    let shown = shown(&[
        ("docs/modules.md", &[("geometry", "module")]),
        (
            "tests/tests/dialyzer/modules.txt",
            &[
                ("counter", "gen_server"),
                ("search", "module"),
                ("till", "gen_server"),
            ],
        ),
    ]);
    for Shown {
        module,
        kind,
        source,
        ..
    } in &shown
    {
        make(&folder, &["add", module, kind]);
        let path = folder.join(format!("src/{module}.rs"));
        fs::write(path, format!("//! Of a page.\n{source}")).expect("a source");
    }
    make(&folder, &["build"]);
    let built = target().join("otp/debug/typed");
    passes(&built);
    for Shown { module, erlang, .. } in &shown {
        let path = built.join(format!("src/{module}.erl"));
        let module = fs::read_to_string(path).expect("the module");
        for part in erlang.split("\n\n") {
            assert!(module.contains(part), "no\n{part}\nin\n{module}");
        }
    }
}

/// A module on a page of the documentation, and the Erlang lines that the page shows beside it.
struct Shown {
    module: &'static str,
    kind: &'static str,
    source: String,
    erlang: String,
}

/// Returns the modules of each page: its Rust blocks, in order.
fn shown(pages: &[(&str, &[(&'static str, &'static str)])]) -> Vec<Shown> {
    let mut shown = Vec::new();
    for (page, modules) in pages {
        let text = fs::read_to_string(root().join(page)).expect("the page");
        // All other blocks are parts of functions.
        let rust = blocks(&text, "rust").into_iter();
        let rust: Vec<_> = rust.filter(|block| block.starts_with("use ")).collect();
        let mut erlang = blocks(&text, "erlang").into_iter();
        assert_eq!(rust.len(), modules.len(), "{page}");
        for ((module, kind), source) in modules.iter().zip(rust) {
            shown.push(Shown {
                module,
                kind,
                source: source.to_owned(),
                erlang: erlang.next().unwrap_or_default().to_owned(),
            });
        }
    }
    shown
}

/// Returns the blocks of a page in this language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    let parts = page.split(&begin).skip(1);
    parts
        .map(|rest| rest.split_once("\n```").expect("an end").0)
        .collect()
}

/// Checks each callback of each behaviour, including those that no application here implements, and
/// each start function: writes a module with the types that an implementation gets for them.
#[test]
fn nor_of_any_callback_that_there_is() {
    let behaviours: [&Behaviour; 6] = [
        &application::BEHAVIOUR,
        &gen_event::BEHAVIOUR,
        &gen_server::BEHAVIOUR,
        &gen_statem::BEHAVIOUR,
        &supervisor::BEHAVIOUR,
        &supervisor_bridge::BEHAVIOUR,
    ];
    let folder = scratch("every");
    let mut sources = Vec::new();
    for behaviour in behaviours {
        let path = folder.join(format!("every_{}.erl", behaviour.name));
        fs::write(&path, every_callback(behaviour)).expect("a source");
        sources.push(path);
    }
    // A behaviour may have callbacks that later releases deprecate.
    let options = ["+warnings_as_errors", "+nowarn_deprecated_callback"];
    assert_eq!(compile(&sources, &folder, &options), "");
    assert_eq!(dialyzer(&files(&folder, "beam")), "");
}

fn every_callback(behaviour: &Behaviour) -> String {
    let name = behaviour.name;
    let mut text = format!(
        "-module(every_{name}).\n-behaviour({name}).\n-compile(export_all).\n\
         -compile(nowarn_export_all).\n-export_type([own/0]).\n\n-opaque own() :: reference().\n"
    );
    // An implementation chooses the state of a `gen_statem`. Here, the state may name functions.
    let bound = [
        (behaviour.state, "own()".to_owned()),
        ("State", "atom()".to_owned()),
    ];
    let mut add = |name: &str, form: &Form| {
        let Signature { arguments, returns } = form.with(&bound);
        let names = vec!["_"; arguments.len()].join(", ");
        text += &format!(
            "\n-spec {name}({}) -> {}.\n{name}({names}) -> erlang:nif_error(not_loaded).\n",
            arguments.join(", "),
            returns.join(" | "),
        );
    };
    for callback in behaviour.callbacks {
        add(callback.name, &callback.form);
    }
    for start in behaviour.start {
        add(start.name, &start.form);
    }
    assert!(!behaviour.callbacks.is_empty(), "{name}");
    text
}

/// A name, Erlang code with a mistake, and dialyzer's messages about it.
type Wrong = (&'static str, &'static str, &'static [&'static str]);

/// Wrong calls of functions of the application `geometry`.
const WRONG_CALLS: &[Wrong] = &[
    (
        "argument",
        "geometry:area({square, 1.0})",
        &["geometry:area", "breaks the contract", "Shape :: shape()"],
    ),
    (
        "result",
        "case geometry:diameter(1.0) of none -> ok end",
        &["'none' can never match", "{'error', binary()}"],
    ),
    (
        "elixir",
        "'Elixir.Geometry.Distance':between({0.0, 0.0}, there)",
        &["between", "breaks the contract", "'there'"],
    ),
    (
        "opaque",
        "Index = search:new(), if is_reference(Index) -> Index end",
        &["is_reference", "breaks the opacity", "search:index()"],
    ),
    (
        "resource",
        "rude:is_rude(search:new())",
        &["rude:is_rude", "search:map_resource()", "search:index()"],
    ),
];

/// Wrong uses of the probe's modules.
const WRONG: &[Wrong] = &[
    (
        "start_argument",
        "probe:start_link({start, self(), sideways}, [])",
        &["probe:start_link", "breaks the contract", "'sideways'"],
    ),
    (
        "start_option",
        "probe:start_link({start, self(), plain}, [{timeout, soon}])",
        &["probe:start_link", "will never return", "'soon'"],
    ),
    (
        "start_result",
        "case probe:start_link({start, self(), plain}, []) of started -> ok end",
        &["'started' can never match", "'ignore'"],
    ),
    (
        "request",
        "fun(From, State) -> probe:handle_call({ech, 1}, From, State) end",
        &["probe:handle_call", "breaks the contract", "{'ech', 1}"],
    ),
    (
        "reply",
        "case probe:init({start, self(), plain}) of {noreply, S} -> S end",
        &["{'noreply', S} can never match"],
    ),
    (
        "state",
        "{ok, S} = probe:init({start, self(), plain}), if is_reference(S) -> S end",
        &["is_reference", "breaks the opacity", "probe:state()"],
    ),
];

#[test]
fn the_types_have_force() {
    refuses("tests/apps/probe", "wrong", WRONG);
}

#[test]
fn so_have_those_of_functions() {
    refuses("tests/apps/geometry", "wrong_calls", WRONG_CALLS);
}

fn refuses(application: &str, scratch_name: &str, wrong: &[Wrong]) {
    let probe = build(application);
    let folder = scratch(scratch_name);
    let mut sources = Vec::new();
    for (name, body, _) in wrong {
        let path = folder.join(format!("wrong_{name}.erl"));
        let source =
            format!("-module(wrong_{name}).\n-export([run/0]).\n\nrun() ->\n    {body}.\n");
        fs::write(&path, source).expect("a source");
        sources.push(path);
    }
    assert_eq!(compile(&sources, &folder, &[]), "");
    let beams = [files(&probe.join("ebin"), "beam"), files(&folder, "beam")].concat();
    let messages = dialyzer(&beams);
    for (name, _, expected) in wrong {
        let about = format!("wrong_{name}.erl");
        let lines = paragraph(&messages, &about);
        for part in *expected {
            assert!(
                lines.contains(part),
                "{name}: no `{part}` in:\n{lines}\n\nof:\n{messages}"
            );
        }
    }
}

/// Returns all messages about one file. The continuation lines of a warning are indented.
fn paragraph(messages: &str, file: &str) -> String {
    let mut found = String::new();
    let mut within = false;
    for line in messages.lines() {
        if !line.starts_with(' ') {
            within = line.starts_with(file);
        }
        if within {
            found += line.trim();
            found.push(' ');
        }
    }
    found
}

/// Correct calls of these modules pass.
#[test]
fn right_calls_pass() {
    let probe = build("tests/apps/probe");
    let folder = scratch("right");
    let source = folder.join("right.erl");
    fs::write(
        &source,
        "-module(right).
-export([run/1, first/1]).

-spec run(probe:how()) -> {ok, term()} | {error, term()}.
run(How) ->
    case probe:start_link({start, self(), How}, []) of
        {ok, Pid} -> {ok, gen_server:call(Pid, seen)};
        ignore -> {error, ignore};
        {error, Reason} -> {error, Reason}
    end.

-spec first(gen_server:from()) -> probe:state() | stopped.
first(From) ->
    case probe:init({start, self(), {timeout, 10}}) of
        {ok, State} -> again(probe:handle_call({echo, #{}}, From, State));
        {ok, State, _} -> State;
        _ -> stopped
    end.

again({reply, _, State}) -> State;
again(_) -> stopped.
",
    )
    .expect("a source");
    assert_eq!(compile(&[source], &folder, &[]), "");
    let beams = [files(&probe.join("ebin"), "beam"), files(&folder, "beam")].concat();
    assert_eq!(dialyzer(&beams), "");
}
