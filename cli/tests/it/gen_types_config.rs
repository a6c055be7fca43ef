//! `otp-rs gen-types` and otp.toml's `[types]` and `[functions]`

use std::fs;
use std::process::Command;

use crate::support::{Said, Scratch, otp_rs, said, target};

const DOOR: &str = "-module(door).
-export([open/1, close/2, knock/1]).
-export_type([key/0, port_number/0, spec/0, pair/2, pair/1]).
-record(lock, {kind :: brass | steel, level = 1 :: 1..9}).
-type key() :: {key, 1..9} | 'Master'.
-type port_number() :: 0..65535.
-type address() :: {inet, binary(), port_number()} | none.
-type secret() :: {secret, term()}.
-type handle() :: {handle, #lock{}, float()}.
-type spec() :: #{type := key() | secret(), at => address() | string(), size => small | large}.
-type pair(A, B) :: {A, B}.
-type pair(A) :: {A, A}.
-callback init(spec()) -> {ok, handle()} | {error, secret()}.
-spec open(spec()) -> {ok, handle()} | {error, address()}.
open(_) -> ok.
-spec close(handle(), key()) -> ok.
close(_, _) -> ok.
-spec knock(handle()) -> ok.
knock(_) -> ok.
";

const CHOICES: &str = "
[types]
derives = [\"::core::cmp::Eq\", \"std::hash::Hash\", \"PartialOrd\", \"Ord\", \"Copy\"]

[types.\"door:key/0\"]
rename = \"Tool\"
derives = [\"PartialOrd\", \"Hash\"]
no_derives = [\"Ord\"]
variants = { Master = \"Passepartout\" }

[types.\"door:port_number\"]
rename = \"Port\"

[types.\"door:address\"]
rust = \"crate::net::Address\"

[types.\"door:secret\"]
skip = true

[types.\"door:handle\"]
no_derives = [\"PartialOrd\"]

[types.\"door:spec\"]
fields = { type = \"tool\", size = \"width\" }

[types.\"door:#lock\"]
rename = \"Lock\"

[types.\"door:SmallOrLarge\"]
rename = \"Width\"

[functions.\"door:close/2\"]
rename = \"shut\"

[functions.\"door:knock\"]
skip = true
";

/// Every kind of type, alone and inside others.
const KINDS: &str = "-module(kinds).
-export_type([all/0]).
-record(r, {a :: float(), b :: atom()}).
-type all() :: #{a => one(float()), b => one(number()), c => one(term()), d => one(tuple()),
    e => one(map()), f => one(fun()), g => one(fun((float()) -> float())), h => one(#{pid() => 1}),
    i => one(binary()), j => one(bitstring()), k => one(<<_:3, _:_*8>>), l => one(string()),
    m => one(integer()), n => one(neg_integer()), o => one(1..9), p => one(7), q => one(ok),
    r => one(pid() | port()), s => one(reference()), t => one(iodata()), u => one([]),
    v => one([pid(), ...]), w => one(maybe_improper_list()), x => one(timeout()), y => one(#r{}),
    z => one(none()), aa => one({float(), 1}), bb => one(char()), cc => one(#{}),
    dd => one(iolist()), ee => one(nonempty_string()), ff => one(identifier()), gg => one(mfa())}.
-type one(T) :: {one, T} | none.
-type float_() :: {f, float()}.
-type number_() :: {n, number()} | none.
-type term_() :: {t, term()}.
-type tuple_() :: {t, tuple()}.
-type fun_() :: {f, fun()}.
-type typed() :: {f, fun((float()) -> float())}.
-type any_() :: {f, fun((...) -> float())}.
-type open() :: #{a => 1, atom() => 1}.
-type closed() :: #{a => 1, b => float_()}.
-type held() :: {h, open(), [closed()]}.
-type small() :: {s, 1..9, ok | error, char(), timeout(), neg_integer(), []} | #{}.
-type bits() :: {b, <<_:3, _:_*8>>, nonempty_string(), bitstring()}.
-type tree() :: leaf | {node, tree(), tree()}.
-type lists() :: {l, [pid(), ...], maybe_improper_list(), iodata(), iolist()}.
";

/// A user's code with the types of `door`.
const USER: &str = "
pub mod net {
    #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, otp_bridge::Term)]
    #[term(tuple)]
    pub struct Address(pub String, pub u16);
}

mod use_of_it {
    use crate::net::Address;
    use crate::otp::door::{Handle, Lock, Port, Spec, Tool, Width, shut};
    use otp_bridge::Cx;

    fn eq<T: Eq>() {}
    fn ord<T: PartialOrd + std::hash::Hash>() {}
    fn copy<T: Copy + Ord>() {}

    pub fn all() -> (Spec, Port, Option<Lock>, Option<Handle>) {
        eq::<Spec>();
        eq::<Lock>();
        let mut spec = Spec::new(Tool::Passepartout).at(Address(\"a\".into(), 1));
        spec.width = Some(Width::Large);
        spec.tool = crate::otp::door::KeyOrSecret::Key(Tool::Passepartout);
        let _ = spec.tool.clone() == crate::otp::door::KeyOrSecret::from(Tool::Passepartout);
        ord::<Tool>();
        copy::<Width>();
        (spec, 7, None, None)
    }

    pub async fn close(cx: &Cx<'_>, handle: Handle) -> bool {
        shut(cx, handle, Tool::Passepartout).await.is_ok()
    }
}
pub use use_of_it::{all, close};
";

pub(crate) fn gen_types(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

pub(crate) fn with_door() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("door.erl", DOOR);
    scratch
}

#[test]
fn derives_names_types_and_gaps_compile_together_in_an_application() {
    let scratch = Scratch::with_application_named("chosen");
    scratch.write("chosen/erl/door.erl", DOOR);
    scratch.write("chosen/erl/kinds.erl", KINDS);
    let otp = scratch.read("chosen/otp.toml");
    scratch.write("chosen/otp.toml", &format!("{otp}{CHOICES}"));
    let folder = scratch.path("chosen");
    let mut command = otp_rs(&[
        "gen-types",
        "door",
        "kinds",
        "--src",
        "../erl",
        "--functions",
    ]);
    // From a subfolder: the file is searched upwards.
    command
        .args(["--out", "otp"])
        .current_dir(folder.join("src"));
    command.args(["--path", "crate::otp"]);
    let generated = said(command);
    generated.succeeded();
    let note = "door:knock/1 is not bound: otp.toml leaves it out";
    assert!(generated.err.contains(note), "{}", generated.err);
    let door = scratch.read("chosen/src/otp/door.rs");
    assert!(!door.contains("fn knock"), "{door}");
    assert!(door.contains("Secret(rt::Term)"), "{door}");
    assert!(!door.contains("pub struct Secret"), "{door}");

    let lib = scratch.read("chosen/src/lib.rs");
    let lib = lib.replace("pub mod stroot;", "pub mod otp;\npub mod stroot;");
    fs::write(folder.join("src/lib.rs"), format!("{lib}{USER}")).expect("lib.rs");
    let mut check = Command::new(env!("CARGO"));
    check
        .args(["clippy", "--", "-D", "warnings"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target());
    let checked = said(check);
    assert_eq!(checked.code, Some(0), "{}", checked.err);

    // The application's own commands accept the file.
    scratch
        .cargo_otp("chosen", &["add", "worker", "gen_server"])
        .succeeded();
    scratch.cargo_otp("chosen", &["build"]).succeeded();
}

#[test]
fn the_same_choices_are_made_again_for_check() {
    let scratch = with_door();
    scratch.write("otp.toml", CHOICES);
    let generate = ["door.erl", "--functions", "--out", "src/otp"];
    gen_types(&scratch, &generate).succeeded();
    let check = ["door.erl", "--functions", "--check", "src/otp"];
    gen_types(&scratch, &check).succeeded();
    let other = CHOICES.replace("\"Port\"", "\"Harbour\"");
    scratch.write("otp.toml", &other);
    gen_types(&scratch, &check).failed(&["are stale"]);
    // A file with another name, which the head of the files then contains.
    scratch.write("choices.toml", CHOICES);
    let named = ["door.erl", "--functions", "--config", "choices.toml"];
    let said = gen_types(&scratch, &named);
    said.succeeded();
    let head = "`otp-rs gen-types door.erl --functions --config choices.toml`";
    assert!(said.out.contains(head), "{:.200}", said.out);
    assert!(said.out.contains("pub type Port = u16;"), "{}", said.out);
    let said = gen_types(&scratch, &["door.erl", "--no-config"]);
    said.succeeded();
    assert!(
        said.out.contains("pub type PortNumber = u16;"),
        "{}",
        said.out
    );
    gen_types(&scratch, &["door.erl", "--config", "none.toml"]).refused(&["none.toml"]);
}
