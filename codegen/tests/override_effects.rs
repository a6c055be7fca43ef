//! An override changes one type, or one function, and no other.
//!
//! Every type and function of a few modules gets every possible override, one at a time. Generated
//! items that do not mention the overridden item stay unchanged. Those that do mention it keep
//! their names, their parts, and the roles of their arguments.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::{
    FunctionOverride, NameKind, Options, Output, Overrides, Target, TypeOverride, generate,
};
use otp_specs::types::Module;
use support::parts::{Part, parts, words};
use support::{installed_module, module_named, options};

/// The new name in the tests.
const OTHER: &str = "Renamed9";

/// `cowboy_rest`, reduced: every callback receives a request and a state, and the name of the state
/// is also used for any term.
const HANDLER: &str = "\
-export_type([req/0, opts/0]).
-type req() :: #{method := binary(), opts := opts(), peer => {ip(), 0..65535}}.
-type ip() :: {byte(), byte(), byte(), byte()} | undefined.
-type opts() :: any().
-callback init(Req, any()) -> {ok, Req, any()} | {handler, Req, any()} when Req :: req().
-callback info(Info :: any(), Req :: req(), State :: any()) ->
    {ok, Req :: req(), State :: any()} | {stop, Req :: req(), State :: any()}.
-callback terminate(Reason :: any(), Req :: req(), State :: any()) -> ok.
-optional_callbacks([info/3, terminate/3]).
";

/// Things that an override could disturb: names of types that Erlang does not name, boxes, options,
/// the kinds of an opaque type, the order of a union, results behind names, overloads.
const SHAPES: &str = "\
-export([open/1, open/2, shut/0, find/1, later/1]).
-export_type([key/0, box/1, sealed/0]).
-record(lock, {level :: 1..9, next :: #lock{} | undefined}).
-type key() :: {key, 1..9} | 'Master'.
-type box(T) :: {box, T, key()} | empty.
-type tree() :: leaf | {node, tree(), #lock{}}.
-type chain() :: [link()].
-type link() :: {link, chain()} | none.
-opaque sealed() :: key().
-type maybe_key() :: undefined | key().
-type pair() :: {pair, {on | off, up | down}}.
-type other_pair() :: {other, {on | off, up | down}}.
-type found() :: ok | {error, not_found | closed}.
-type mixed() :: key() | [key()] | [pair()] | {pair, any()}.
-type settings() :: #{key := key() | pair(), {on | off} => found()}.
-spec open(a) -> box(key()); (b) -> key().
-spec open(settings(), tree()) -> maybe_key().
-spec shut() -> ok.
-spec find(on | off | key()) -> found().
-spec later(timer:time()) -> #{mode := on | off | key(), lock => #lock{}}.
";

/// A state behind names, and results that are types of their own.
const MACHINE: &str = "\
-export_type([state/0, data/0]).
-type state() :: name() | term().
-type name() :: atom().
-type data() :: term().
-type event() :: {call, From :: gen_server:from()} | cast.
-callback init(Args :: term()) -> {ok, State :: state(), Data :: data()} | ignore.
-callback handle(event(), Content :: term(), CurrentState :: state(), data()) ->
    {next, NextState :: state(), NewData :: data()} | event().
-callback check(event(), Data :: data()) -> {ok, NewData :: data()} | stop.
-callback terminate(Reason :: term(), state(), data()) -> any().
";

fn modules() -> Vec<Vec<Module>> {
    vec![
        vec![module_named("handler", HANDLER)],
        vec![module_named("shapes", SHAPES)],
        vec![module_named("machine", MACHINE)],
        vec![installed_module("supervisor_bridge")],
    ]
}

fn output(modules: &[Module], overrides: Overrides) -> Output {
    let options = Options {
        // Items that otp-bridge has are written in full.
        provided: BTreeMap::new(),
        // OTP has too many of them.
        functions: modules.iter().all(|module| module.name == "shapes"),
        overrides,
        ..options()
    };
    generate(modules, &options)
}

/// The items that an override may change: the item with this Rust name, and all that mention it.
struct Subject<'s> {
    what: String,
    rust: &'s str,
    erlang: &'s str,
}

/// Compares the output without the override and with it.
fn compare(subject: &Subject<'_>, before: &Output, after: &Output) {
    let what = &subject.what;
    assert_eq!(after.override_diagnostics, [], "{what}");
    assert_eq!(after.diagnostics, before.diagnostics, "{what}");
    let ((before, roles), (after, roles_after)) = (parts(before), parts(after));
    assert_eq!(roles, roles_after, "{what}");
    let into = format!("Into{}", subject.rust);
    let rust = BTreeSet::from([subject.rust.to_owned(), into]);
    let is_subject = |path: &str| path.rsplit(' ').next() == Some(subject.rust);
    for (path, part) in &before {
        let Some(now) = after.get(path) else {
            // Items that only the subject uses disappear with it.
            let name = path.rsplit(' ').next().expect("a name");
            let mut all = after.values();
            let is_used = all.any(|part| words(&part.code).any(|word| word == name));
            let is_type = path.contains(" type ") && !part.docs.contains("`-");
            assert!(
                is_subject(path) || is_type && !is_used,
                "{what}: {path} is gone"
            );
            continue;
        };
        if is_subject(path) {
            continue;
        }
        if part.mentions(&rust, subject.erlang) {
            // Any term may be returned if the type was the whole result.
            let is_result = path.ends_with("Return");
            assert!(
                is_result || part.parts == now.parts,
                "{what}: the parts of {path}"
            );
        } else {
            assert_eq!(part.code, now.code, "{what}: {path}");
        }
    }
    for path in after.keys().filter(|path| !before.contains_key(*path)) {
        assert!(path.ends_with(OTHER), "{what}: {path} is new");
    }
}

/// Returns every override that a type of this module can have.
fn overrides_of_type(
    output: &Output,
    module: &str,
    name: &str,
    arity: Option<usize>,
    rust: &str,
) -> Vec<(String, TypeOverride)> {
    let target = Target {
        module: module.to_owned(),
        name: name.to_owned(),
        arity,
    };
    let plain = TypeOverride {
        target,
        ..TypeOverride::default()
    };
    let rename = TypeOverride {
        rename: Some(OTHER.to_owned()),
        ..plain.clone()
    };
    let mut all = vec![("rename", rename)];
    if arity.is_some() {
        let own = TypeOverride {
            rust: Some("crate::user::Own".to_owned()),
            ..plain.clone()
        };
        let skip = TypeOverride {
            skip: true,
            ..plain.clone()
        };
        all.extend([("rust", own), ("skip", skip)]);
    }
    let text = output
        .files
        .iter()
        .map(|(_, text)| text)
        .collect::<String>();
    let is_item = |line: &str| {
        let line = line
            .strip_prefix("pub enum ")
            .or(line.strip_prefix("pub struct "));
        line.is_some_and(|line| words(line).next() == Some(rust))
    };
    if text.lines().any(is_item) {
        let derives = TypeOverride {
            derives: vec!["serde::Serialize".to_owned()],
            ..plain.clone()
        };
        all.push(("derives", derives));
    }
    for (key, kind) in [("variants", NameKind::Variant), ("fields", NameKind::Field)] {
        let mut names = output.names.iter();
        let inside =
            names.find(|one| one.module == module && one.kind == kind && one.within == rust);
        if let Some(inside) = inside {
            let mut of_key = plain.clone();
            let (names, new) = match key {
                "variants" => (&mut of_key.variants, "Other9"),
                _ => (&mut of_key.fields, "other9"),
            };
            names.insert(inside.rust.clone(), new.to_owned());
            all.push((key, of_key));
        }
    }
    let all = all.into_iter();
    all.map(|(key, of_type)| (format!("{module}:{name} {key}"), of_type))
        .collect()
}

#[test]
fn an_override_of_a_type_changes_that_type_and_nothing_else() {
    let mut count = 0;
    for modules in modules() {
        let before = output(&modules, Overrides::default());
        let text: String = before.files.iter().map(|(_, text)| text).collect();
        assert_eq!(before.override_diagnostics, []);
        for module in &modules {
            let types = module
                .types
                .iter()
                .map(|ty| (ty.name.clone(), Some(ty.params.len())));
            let records = module
                .records
                .iter()
                .map(|record| (format!("#{}", record.name), None));
            for (name, arity) in types.chain(records) {
                let is_form = |erlang: &str| match arity {
                    Some(_) => erlang_name(erlang) == Some((&name, arity.unwrap_or_default())),
                    None => erlang.starts_with(&format!("{name}{{}}")),
                };
                let mut names = before.names.iter().filter(|one| one.kind == NameKind::Type);
                let found = names.find(|one| one.module == module.name && is_form(&one.erlang));
                // `otp-bridge` has some that are hand-written.
                let by_hand = |rust: &str| text.contains(&format!("pub use rt::{rust};"));
                let Some(found) = found.filter(|found| !by_hand(&found.rust)) else {
                    continue;
                };
                for (what, of_type) in
                    overrides_of_type(&before, &module.name, &name, arity, &found.rust)
                {
                    if makes_clauses(&what) {
                        continue;
                    }
                    let overrides = Overrides {
                        types: vec![of_type],
                        ..Overrides::default()
                    };
                    let subject = Subject {
                        what,
                        rust: &found.rust,
                        erlang: name.trim_start_matches('#'),
                    };
                    compare(&subject, &before, &output(&modules, overrides));
                    count += 1;
                }
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// The name and arity of the form that a type's documentation quotes.
fn erlang_name(form: &str) -> Option<(&str, usize)> {
    let rest = form.split_once(' ')?.1;
    let (name, rest) = rest.split_once('(')?;
    let parameters = rest.split_once(')')?.0;
    let arity = if parameters.is_empty() {
        0
    } else {
        parameters.split(',').count()
    };
    Some((name, arity))
}

#[test]
fn an_override_of_a_function_changes_that_function_and_nothing_else() {
    let mut count = 0;
    let modules = [module_named("shapes", SHAPES)];
    let before = output(&modules, Overrides::default());
    for function in &modules[0].functions {
        for skip in [true, false] {
            let target = Target {
                module: "shapes".to_owned(),
                name: function.name.clone(),
                arity: Some(function.arity),
            };
            let of_function = FunctionOverride {
                target,
                rename: (!skip).then(|| "renamed9".to_owned()),
                skip,
            };
            let overrides = Overrides {
                functions: vec![of_function],
                ..Overrides::default()
            };
            let after = output(&modules, overrides);
            let what = format!("{}/{} skip = {skip}", function.name, function.arity);
            assert_eq!(after.override_diagnostics, [], "{what}");
            only_function(&what, &function.erlang, &parts(&before).0, &parts(&after).0);
            count += 1;
        }
    }
    assert_eq!(count, 10);
}

/// Everything but the functions of this form is unchanged.
fn only_function(
    what: &str,
    form: &str,
    before: &BTreeMap<String, Part>,
    after: &BTreeMap<String, Part>,
) {
    for (path, part) in before {
        match after.get(path) {
            Some(now) => assert_eq!(part.code, now.code, "{what}: {path}"),
            None if path.contains(" fn ") => {
                let name = form["-spec ".len()..].split('(').next().expect("a name");
                assert!(part.docs.contains(name), "{what}: {path} is gone");
            }
            None => {
                let name = path.rsplit(' ').next().expect("a name");
                let mut all = after.values();
                let is_used = all.any(|part| words(&part.code).any(|word| word == name));
                assert!(
                    !is_used && !part.docs.contains("`-"),
                    "{what}: {path} is gone"
                );
            }
        }
    }
    let is_new = |path: &&String| !before.contains_key(*path) && !path.contains("renamed9");
    let new: Vec<&String> = after.keys().filter(is_new).collect();
    assert!(new.is_empty(), "{what}: {new:?}");
}

/// Whether callbacks have clauses for each variant of the type. Another type does not have them.
fn makes_clauses(what: &str) -> bool {
    ["machine:event skip", "machine:event rust"].contains(&what)
}

const KEEPER: &str = "\
-type kept(S) :: {keep, S} | stop.
-type mode(A) :: {mode, A} | none.
-callback init(Args :: term()) -> kept(State :: term()).
-callback check(State :: term()) -> {ok, NewState :: term()} | kept(NewState :: term()).
-callback mode(State :: term()) -> off | mode(integer()).
";

/// Rust and OTP share the state through the clauses of the result, which another type would hide.
#[test]
fn a_type_in_which_callbacks_return_their_state_cannot_be_replaced() {
    let modules = [module_named("keeper", KEEPER)];
    let replaced = |name: &str, skip: bool| {
        let of_type = TypeOverride {
            target: Target {
                module: "keeper".to_owned(),
                name: name.to_owned(),
                arity: None,
            },
            skip,
            rust: (!skip).then(|| "crate::user::Own".to_owned()),
            ..TypeOverride::default()
        };
        let overrides = Overrides {
            types: vec![of_type],
            ..Overrides::default()
        };
        output(&modules, overrides)
    };
    for (skip, key) in [(true, "skip"), (false, "rust")] {
        let refused = replaced("kept", skip).override_diagnostics;
        let codes: Vec<_> = refused.iter().map(|one| (one.code, one.key)).collect();
        assert_eq!(codes, [("E0622", Some(key))]);

        let other = replaced("mode", skip);
        assert_eq!(other.override_diagnostics, []);
        let text = other.files.get("keeper.rs").expect("the module's file");
        let expected = ["Mode(rt::Term),", "Mode(crate::user::Own),"][usize::from(!skip)];
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}
