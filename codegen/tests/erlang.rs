//! The Erlang side of an application, as text.

use otp_codegen::erlang::{
    Documentation, application_module, callback_module, library_module, run_module, wrong_types,
};
use otp_contract::manifest::Manifest;

/// A library's manifest, from which the modules are written.
const MANIFEST: &str = r#"{"modules": [
    {
        "module": "door", "behaviour": "gen_statem", "rust_path": "shop::door::Door", "location": {"file": "src/door.rs", "line": 3, "column": 1},
        "state": "data", "left_out": [
            {"name": "format_status", "arity": 1, "facts": {"kind": "status"}, "signature": {"arguments": ["gen_statem:format_status()"], "returns": ["gen_statem:format_status()"]}},
            {"name": "code_change", "arity": 4, "facts": {"kind": "change", "chosen": 1, "state": 2, "has_error": true}, "signature": {"arguments": ["term()", "state()", "data()", "term()"], "returns": ["{ok, state(), data()}", "term()"]}}
        ],
        "types": [
            {"name": "state", "text": "open | closed"},
            {"name": "end", "text": "'end'"},
            {"name": "by", "text": "<<_:_*8>>"},
            {"name": "event", "text": "{opened, by(), non_neg_integer()} | {closed, undefined | by()} | 'left | open' | #{seen := [state() | data()]}"}
        ],
        "callbacks": [
            {"id": 0, "name": "init", "arity": 1, "facts": {"kind": "init"},
             "signature": {"arguments": ["{}"], "returns": ["{ok, state(), data()}", "ignore"]}},
            {"id": 1, "name": "callback_mode", "arity": 0, "facts": {"kind": "mode"}, "answer": ["state_functions", "state_enter"],
             "signature": {"arguments": [], "returns": ["[state_functions | state_enter, ...]"]}},
            {"id": 2, "name": "half open", "arity": 3, "facts": {"kind": "event", "event_type": 0, "message": 1, "state": 2},
             "signature": {"arguments": ["cast | {call, gen_statem:from()}", "'end'() | #{an_association := integer(), another => [binary()]}", "data()"],
                           "returns": ["{next_state, state(), data()}", "keep_state_and_data", "{stop, term()}"]}}
        ],
        "start": [
            {"name": "start_link", "arguments": ["Module", "Args", "Opts"],
             "signature": {"arguments": ["{}", "[gen_statem:start_opt()]"], "returns": ["gen_statem:start_ret()"]}}
        ]
    },
    {
        "module": "life", "behaviour": "application", "rust_path": "shop::life::Life", "location": {"file": "src/life.rs", "line": 3, "column": 1},
        "state": "state", "types": [], "start": [],
        "callbacks": [
            {"id": 3, "name": "start", "arity": 2,
             "signature": {"arguments": ["application:start_type()", "[binary()]"],
                           "returns": ["{ok, pid()}", "{ok, pid(), state()}", "{error, term()}"]}},
            {"id": 4, "name": "stop", "arity": 1, "facts": {"kind": "end", "state": 0}, "signature": {"arguments": ["state()"], "returns": ["term()"]}},
            {"id": 8, "name": "start_phase", "arity": 3, "facts": {"kind": "phase"},
             "signature": {"arguments": ["open | fill", "application:start_type()", "{} | integer()"], "returns": ["ok", "{error, term()}"]}},
            {"id": 9, "name": "prep_stop", "arity": 1, "signature": {"arguments": ["state()"], "returns": ["state()"]}},
            {"id": 10, "name": "config_change", "arity": 3,
             "signature": {"arguments": ["[{atom(), term()}]", "[{atom(), term()}]", "[atom()]"], "returns": ["ok"]}}
        ]
    },
    {
        "module": "root", "behaviour": "supervisor", "rust_path": "shop::root::Root", "location": {"file": "src/root.rs", "line": 3, "column": 1},
        "state": null, "types": [],
        "callbacks": [
            {"id": 5, "name": "init", "arity": 1, "facts": {"kind": "init"},
             "signature": {"arguments": ["[binary()]"], "returns": ["{ok, {supervisor:sup_flags(), [supervisor:child_spec()]}}", "ignore"]}}
        ],
        "start": []
    },
    {
        "module": "elder", "behaviour": "gen_server", "rust_path": "shop::elder::Elder", "location": {"file": "src/elder.rs", "line": 3, "column": 1},
        "state": "state", "left_out": [
            {"name": "handle_continue", "arity": 2, "facts": {"kind": "continue", "message": 0, "state": 1}, "signature": {"arguments": ["term()", "state()"], "returns": ["{noreply, state()}"]}},
            {"name": "handle_info", "arity": 2, "facts": {"kind": "info", "message": 0, "state": 1}, "signature": {"arguments": ["term()", "state()"], "returns": ["{noreply, state()}"]}},
            {"name": "code_change", "arity": 3, "facts": {"kind": "change", "state": 1, "has_error": true}, "signature": {"arguments": ["term()", "term()", "term()"], "returns": ["{ok, state()}", "{error, term()}"]}}
        ], "types": [], "start": [
            {"name": "start_link", "arguments": ["Module", "Args", "Options"],
             "signature": {"arguments": ["pid()", "[gen_server:start_opt()]"], "returns": ["gen_server:start_ret()"]}}
        ],
        "callbacks": [
            {"id": 11, "name": "init", "arity": 1, "facts": {"kind": "init"},
             "signature": {"arguments": ["pid()"], "returns": ["{ok, state()}", "{ok, state(), timeout() | hibernate | {continue, term()}}"]}},
            {"id": 12, "name": "handle_start", "arity": 2, "facts": {"kind": "start", "state": 1},
             "signature": {"arguments": ["pid()", "state()"], "returns": ["{noreply, state()}", "{stop, term(), state()}"]}}
        ]
    },
    {
        "module": "younger", "behaviour": "gen_statem", "rust_path": "shop::younger::Younger", "location": {"file": "src/younger.rs", "line": 3, "column": 1},
        "state": "data", "left_out": [{"name": "code_change", "arity": 4, "facts": {"kind": "change", "chosen": 1, "state": 2, "has_error": true}, "signature": {"arguments": ["term()", "state()", "data()", "term()"], "returns": ["{ok, state(), data()}", "term()"]}}], "types": [{"name": "state", "text": "begun | ready"}], "start": [
            {"name": "start_link", "arguments": ["Module", "Args", "Options"],
             "signature": {"arguments": ["pid()", "[gen_statem:start_opt()]"], "returns": ["gen_statem:start_ret()"]}}
        ],
        "callbacks": [
            {"id": 13, "name": "init", "arity": 1, "facts": {"kind": "init"}, "signature": {"arguments": ["pid()"], "returns": ["{ok, state(), data()}"]}},
            {"id": 14, "name": "callback_mode", "arity": 0, "facts": {"kind": "mode"}, "answer": ["state_functions"],
             "signature": {"arguments": [], "returns": ["[state_functions, ...]"]}},
            {"id": 15, "name": "begun", "arity": 3, "facts": {"kind": "event", "event_type": 0, "message": 1, "state": 2},
             "signature": {"arguments": ["cast", "push", "data()"], "returns": ["keep_state_and_data"]}},
            {"id": 16, "name": "handle_start", "arity": 3, "facts": {"kind": "start", "state": 1},
             "signature": {"arguments": ["pid()", "state()", "data()"], "returns": ["{next_state, state(), data()}"]}}
        ]
    },
    {
        "module": "Elixir.Shop.Geometry", "behaviour": null, "rust_path": "shop::geometry::functions", "location": {"file": "src/geometry.rs", "line": 3, "column": 1}, "doc": "Areas.\n\nOf `\"shapes\"`.",
        "state": null, "start": [],
        "types": [{"name": "index", "text": "reference()", "is_opaque": true, "doc": "Shapes by their area."}],
        "callbacks": [
            {"id": 6, "name": "area", "arity": 1, "doc": "The area in <m2>.",
             "signature": {"arguments": ["Shape :: {circle, float()}"], "returns": ["float()"]}},
            {"id": 7, "name": "find", "arity": 2,
             "signature": {"arguments": ["Index :: index()", "Area :: float()"], "returns": ["{ok, binary()} | {error, none}"]}}
        ]
    }
]}"#;

fn manifest() -> Manifest {
    Manifest::from_json(MANIFEST).expect("a manifest")
}

#[test]
fn callback_modules() {
    let modules = manifest().modules;
    let texts: Vec<String> = modules
        .iter()
        .map(|module| callback_module("shop", module, Documentation::Attributes))
        .collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn documentation_before_otp_27() {
    let modules = manifest().modules;
    let functions = modules.last().expect("a module of functions");
    insta::assert_snapshot!(callback_module("shop", functions, Documentation::Edoc));
}

#[test]
fn the_librarys_module() {
    insta::assert_snapshot!(library_module("shop", "0.1.0", "libshop-0123456789abcdef"));
}

#[test]
fn the_applications_modules() {
    let modules = manifest().modules;
    let environment = [("port".to_owned(), "8080".to_owned())];
    let own = application_module("shop", "root", Some(&modules[1]), &environment);
    let plain = application_module("shop", "root", None, &[]);
    insta::assert_snapshot!([own, plain, run_module("shop", "root")].join("\n"));
}

#[test]
fn every_function_has_its_types() {
    let modules = manifest().modules;
    let environment = [("port".to_owned(), "8080".to_owned())];
    let mut texts: Vec<String> = modules
        .iter()
        .map(|module| callback_module("shop", module, Documentation::Attributes))
        .collect();
    texts.push(library_module("shop", "0.1.0", "libshop-0123456789abcdef"));
    texts.push(application_module("shop", "root", None, &[]));
    texts.push(application_module(
        "shop",
        "root",
        Some(&modules[1]),
        &environment,
    ));
    texts.push(run_module("shop", "root"));
    for text in texts {
        let lines: Vec<&str> = text.lines().collect();
        let mut functions = 0;
        for (place, line) in lines.iter().enumerate() {
            let starts =
                line.starts_with(|first: char| first.is_ascii_lowercase() || first == '\'');
            let name = line.split('(').next().unwrap_or_default();
            let earlier = &lines[..place];
            if starts
                && !earlier
                    .iter()
                    .any(|line| line.starts_with(&format!("{name}(")))
            {
                functions += 1;
                let spec = format!("-spec {name}(");
                assert!(
                    earlier.iter().any(|line| line.starts_with(&spec)),
                    "{name} in\n{text}"
                );
            }
        }
        assert!(functions > 0, "{text}");
    }
}

#[test]
fn a_manifest_without_types_is_refused() {
    let old = MANIFEST.replace("\"types\": [],", "");
    let refused = Manifest::from_json(&old).expect_err("no types");
    assert!(refused.contains("missing field `types`"), "{refused}");
}

#[test]
fn a_text_that_is_no_type_is_found_with_its_line() {
    let wrong_in = |from: &str, to: &str| {
        assert!(MANIFEST.contains(from));
        let manifest = Manifest::from_json(&MANIFEST.replace(from, to)).expect("a manifest");
        wrong_types(&manifest.modules[0])
    };
    assert_eq!(wrong_in("open | closed", "open | shut"), [""; 0]);
    assert_eq!(
        wrong_in("open | closed", "open | half open"),
        ["syntax error before `open`: -type state() :: open | half open."]
    );
    assert_eq!(
        wrong_in("open | closed", "open | door()"),
        ["undefined type `door/0`: -type state() :: open | door()."]
    );
    assert_eq!(
        wrong_in(
            "\"returns\": [\"{ok, state()",
            "\"returns\": [\"{ok, (state()"
        ),
        ["syntax error before `,`: -spec init({}) -> {ok, (state(), data()} | ignore."]
    );
}
