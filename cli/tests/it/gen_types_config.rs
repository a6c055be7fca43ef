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

/// Every kind of type, by itself and inside of others.
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

/// What a user writes with the types of `door`.
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

    pub async fn close(cx: &Cx, handle: Handle) -> bool {
        shut(cx, handle, Tool::Passepartout).await.is_ok()
    }
}
pub use use_of_it::{all, close};
";

fn gen_types(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(&["gen-types"]);
    command.args(arguments).current_dir(scratch.path(""));
    said(command)
}

fn with_door() -> Scratch {
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
    // From a folder below: the file is found upwards.
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

    // The application's own commands take the file as it is, and keep what is in it.
    scratch
        .cargo_otp("chosen", &["add", "worker", "gen_server"])
        .succeeded();
    let added = scratch.read("chosen/otp.toml");
    assert!(added.contains("worker = \"gen_server\"\n"), "{added}");
    assert!(added.contains(CHOICES.trim()), "{added}");
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
    // A file of another name, which the head of the files then says.
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

/// Every mistake with its line, all of them at once, and nothing written.
#[test]
fn mistakes_are_shown_at_their_lines_and_nothing_is_written() {
    let scratch = with_door();
    scratch.write(
        "otp.toml",
        "[types.\"door:keys\"]\nskip = true\n[types.\"dor:key\"]\nskip = true\n",
    );
    let before = scratch.everything();
    gen_types(&scratch, &["door.erl", "--out", "src/otp"]).refused(&[
        "`door` has no type `keys` in this run",
        "otp.toml:1:8",
        "did you mean `key`",
        "the module `dor` is not generated in this run",
        "otp.toml:3:8",
        "did you mean `door`",
    ]);
    assert_eq!(scratch.everything(), before);
}

#[track_caller]
fn refused(choices: &str, texts: &[&str]) {
    let scratch = with_door();
    scratch.write("otp.toml", choices);
    let said = gen_types(&scratch, &["door.erl", "--functions", "--out", "src/otp"]);
    said.refused(texts);
    assert!(!scratch.path("src").exists());
}

#[test]
fn what_matches_nothing() {
    refused(
        "[functions.\"door:opens/1\"]\nskip = true\n",
        &[
            "no function `door:opens/1` is bound",
            "otp.toml:1:12",
            "did you mean `open`",
        ],
    );
    refused(
        "[types.\"door:key/3\"]\nskip = true\n",
        &["there is no `door:key/3`", "there is `door:key/0`"],
    );
    refused(
        "[types.\"door:pair\"]\nrename = \"P\"\n",
        &["which `door:pair`?", "`door:pair/1` and `door:pair/2`"],
    );
    refused(
        "[types.\"door:#locks\"]\nrename = \"L\"\n",
        &["`door` has no type `#locks`", "did you mean `#lock`"],
    );
    refused(
        "[types.\"door:SmalOrLarge\"]\nrename = \"L\"\n",
        &[
            "`door` has no type `SmalOrLarge`",
            "did you mean `SmallOrLarge`",
        ],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Kee = \"K\" }\n",
        &[
            "it has no variant `Kee`",
            "otp.toml:2:14",
            "did you mean `Key`",
        ],
    );
    refused(
        "[types.\"door:spec\"]\nfields.sise = \"k\"\n",
        &[
            "it has no field `sise`",
            "otp.toml:2:8",
            "did you mean `size`",
        ],
    );
    refused(
        "[types]\nderives = [\"Eq\"]\n[types.\"door:handle\"]\nno_derives = [\"Hash\"]\n",
        &[
            "`Hash` is not among the derives of all types",
            "otp.toml:4:15",
        ],
    );
    refused(
        "[types.\"door:key\"]\n",
        &["changes nothing", "otp.toml:1:8"],
    );
    refused(
        "[functions.\"door:open\"]\n",
        &["changes nothing", "otp.toml:1:12"],
    );
    let scratch = with_door();
    scratch.write("otp.toml", "[functions.\"door:open/1\"]\nskip = true\n");
    gen_types(&scratch, &["door.erl"]).refused(&["no function `door:open/1`", "--functions"]);
}

#[test]
fn names_that_are_not_rust() {
    refused(
        "[types.\"door:key\"]\nrename = \"a key\"\n",
        &["`a key` is no name of a Rust type", "otp.toml:2:10"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Key = \"Self\" }\n",
        &[
            "`Self` is no name of a Rust type or variant",
            "otp.toml:2:14",
        ],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { size = \"type\" }\n",
        &["`type` is no name of a Rust field", "otp.toml:2:12"],
    );
    refused(
        "[functions.\"door:open\"]\nrename = \"fn\"\n",
        &[
            "`fn` is no name of a Rust field or function",
            "otp.toml:2:10",
        ],
    );
    refused(
        "[types]\nderives = [\"Eq\", \"E q\"]\n",
        &["`E q` is no path of a derive", "otp.toml:2:18"],
    );
    refused(
        "[types.\"door:address\"]\nrust = \"crate::\"\n",
        &["`crate::` is no Rust type", "otp.toml:2:8"],
    );
    refused(
        "[types.\"door:address\"]\nrust = \"Vec<Address>\"\n",
        &["`Vec` in `Vec<Address>` means something else", "whole path"],
    );
}

#[test]
fn names_that_are_taken() {
    refused(
        "[types.\"door:key\"]\nrename = \"Spec\"\n",
        &["something else in `door` is called `Spec`", "otp.toml:2:10"],
    );
    refused(
        "[types.\"door:key\"]\nrename = \"InitReturn\"\n",
        &["something else in `door` is called `InitReturn`"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Key = \"Master\" }\n",
        &["another variant is called `Master`", "otp.toml:2:14"],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { at = \"size\" }\n",
        &["another field is called `size`"],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { at = \"new\" }\n",
        &[
            "`new` is the function that makes such a map",
            "otp.toml:2:12",
        ],
    );
    refused(
        "[functions.\"door:open\"]\nrename = \"close\"\n",
        &[
            "another function of `door` is called `close`",
            "otp.toml:2:10",
        ],
    );
    refused(
        "[types.\"door:key\"]\nrename = \"K\"\n[types.\"door:key/0\"]\nskip = true\n",
        &[
            "an entry before this one is about `door:key/0` too",
            "otp.toml:3:8",
        ],
    );
    // Two names may change places.
    let scratch = with_door();
    let swapped =
        "[types.\"door:key\"]\nrename = \"Handle\"\n[types.\"door:handle\"]\nrename = \"Key\"\n";
    scratch.write("otp.toml", swapped);
    let said = gen_types(&scratch, &["door.erl"]);
    said.succeeded();
    assert!(said.out.contains("pub enum Handle {"), "{}", said.out);
    assert!(said.out.contains("pub struct Key("), "{}", said.out);
}

#[test]
fn keys_that_do_not_go_together() {
    refused(
        "[types.\"door:key\"]\nskip = true\nrename = \"K\"\n",
        &["what is skipped has no `rename`", "otp.toml:3:10"],
    );
    refused(
        "[types.\"door:key\"]\nrust = \"u8\"\nderives = [\"Eq\"]\n",
        &[
            "a type that exists in Rust gets no `derives` here",
            "otp.toml:3:11",
        ],
    );
    refused(
        "[types.\"door:port_number\"]\nderives = [\"Eq\"]\n",
        &["it is another name for a type", "otp.toml:2:11"],
    );
    refused(
        "[types.\"door:#lock\"]\nskip = true\n",
        &["`skip` is for types that have a -type", "otp.toml:1:8"],
    );
    refused(
        "[functions.\"door:open\"]\nskip = true\nrename = \"f\"\n",
        &["what is skipped has no `rename`", "otp.toml:3:10"],
    );
}

#[test]
fn what_the_file_cannot_say() {
    refused(
        "[types]\nderive = [\"Eq\"]\n",
        &["`derive` names nothing", "otp.toml:2:1"],
    );
    refused(
        "[types]\nderives = \"Eq\"\n",
        &["`derives` must be a list", "otp.toml:2:11"],
    );
    refused(
        "[types.\"door:key\"]\nrenames = \"K\"\n",
        &[
            "unknown key `types.\"door:key\".renames`",
            "did you mean `rename`",
        ],
    );
    refused(
        "[types.\"door:key\"]\nskip = 1\n",
        &["`skip` must be `true` or `false`"],
    );
    refused(
        "[types.\"door:key\"]\nrename = 1\n",
        &["`rename` must be a text"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = 1\n",
        &["`variants` must be a table"],
    );
    refused(
        "[types]\n\"door:key\" = \"K\"\n",
        &["must be a table", "otp.toml:2:1"],
    );
    refused("[type]\n", &["unknown key `type`", "did you mean `types`"]);
    refused("types = 1\n", &["`types` must be a table"]);
}
