//! `cargo otp package`: Hex, rebar3, mix and a plain `erl` use a package, without cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Said, Scratch, cargo_otp, said, target};

/// Unpacks a package with the library that rebar3 uses for Hex, and prints its checksum.
const UNPACK: &str = "
    [Rebar3, Package, Folder] = init:get_plain_arguments(),
    {ok, Parts} = escript:extract(Rebar3, []),
    {archive, Archive} = lists:keyfind(archive, 1, Parts),
    {ok, Files} = zip:unzip(Archive, [memory]),
    [{module, _} = code:load_binary(list_to_atom(filename:basename(File, \".beam\")), File, Code) ||
        {File, Code} <- Files, string:prefix(filename:basename(File), \"r3_\") =/= nomatch,
        filename:extension(File) =:= \".beam\"],
    {ok, Bytes} = file:read_file(Package),
    {ok, #{metadata := Metadata, outer_checksum := Checksum}} = r3_hex_tarball:unpack(Bytes, Folder),
    #{<<\"name\">> := Name, <<\"version\">> := Version, <<\"licenses\">> := Licences} = Metadata,
    io:format(\"~ts ~ts ~0p ~ts\", [Name, Version, Licences, r3_hex_tarball:format_checksum(Checksum)]),
    halt().";

/// Starts the application, calls a module of its author, and prints what the root supervisor, which
/// is written in Rust, has started.
const START: &str = "
    {ok, _} = application:ensure_all_started(wrapped),
    io:format(\"~ts ~0p\", [greeting:text(), supervisor:count_children(stroot)]),
    halt().";

const STARTED: &str = "hello [{specs,0},{active,0},{supervisors,0},{workers,0}]";

const MIX_EXS: &str = "\
defmodule User.MixProject do
  use Mix.Project
  def project, do: [app: :user, version: \"0.1.0\", deps: [{:wrapped, path: \"../unpacked\"}]]
  def application, do: []
end
";

/// An application with a module in Erlang, a header, a description with other characters than
/// those of ASCII, and a licence.
fn application() -> Scratch {
    let scratch = Scratch::with_application_named("wrapped");
    scratch.write(
        "wrapped/erlang/greeting.erl",
        "-module(greeting).\n-export([text/0]).\n-include(\"greeting.hrl\").\ntext() -> ?TEXT.\n",
    );
    scratch.write("wrapped/erlang/greeting.hrl", "-define(TEXT, \"hello\").\n");
    scratch.write("wrapped/README.md", "# Wrapped\n");
    let manifest = scratch.read("wrapped/Cargo.toml");
    let manifest = manifest.replace(
        "An OTP application in Rust",
        "Wrapped \\\"paper\\\", cr\u{ea}pe",
    );
    let manifest = manifest.replace("edition =", "license = \"MIT OR Apache-2.0\"\nedition =");
    scratch.write("wrapped/Cargo.toml", &manifest);
    scratch
}

fn archive() -> PathBuf {
    target().join("otp/packages/wrapped-0.1.0.tar")
}

fn package(scratch: &Scratch) -> Said {
    let said = said(cargo_otp(
        &scratch.path("wrapped"),
        &["package", "--profile", "dev"],
    ));
    said.succeeded();
    said
}

/// Returns a command in whose environment neither cargo nor a project of the user's is found.
fn without_cargo(program: &str, folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("HOME", home);
    command
}

fn tar(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("tar").args(arguments).output();
    let output = output.expect("tar runs");
    assert!(output.status.success(), "tar {arguments:?}");
    output.stdout
}

fn sha256(bytes: &[u8], scratch: &Scratch) -> String {
    let path = scratch.path("summed");
    fs::write(&path, bytes).expect("a file");
    let mut program = Command::new("sha256sum");
    program.arg(&path);
    let text = said(program).out;
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Whether a program is installed. If not, this prints a line that a part of the test is left out.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see what is left out"
)]
fn has(program: &str) -> bool {
    let is_there = Path::new("/usr/bin").join(program).is_file();
    if !is_there {
        eprintln!("left out: {program} is not installed (`cargo xtask test` installs it)");
    }
    is_there
}

#[test]
fn a_package_is_used_by_every_tool_without_cargo() {
    let scratch = application();
    let first = package(&scratch);
    assert!(!first.err.contains("hex.pm needs"), "{}", first.err);
    let bytes = fs::read(archive()).expect("the package");
    assert!(
        first.err.contains(&sha256(&bytes, &scratch)),
        "{}",
        first.err
    );
    fs::remove_dir_all(target().join("otp/debug/wrapped")).expect("the build folder");
    package(&scratch);
    let again = fs::read(archive()).expect("the package");
    assert!(bytes == again, "other bytes");

    let folder = unpacked_by_tar(&scratch);
    let mut erl = without_cargo("erl", &folder, &scratch.path(""));
    erl.args(["-noinput", "-pa", "ebin", "-eval", START]);
    assert_eq!(said(erl).out, STARTED);
    the_manifest_describes_the_library(&scratch);
    if has("rebar3") {
        hex_reads_it(&scratch);
        rebar3_compiles_it(&scratch);
    }
    if has("mix") {
        mix_compiles_it(&scratch);
    }

    scratch.cargo_otp("wrapped", &["clean"]).succeeded();
    assert!(!archive().exists());
}

/// Compares the checksum inside with the specification, and returns the folder with the files.
fn unpacked_by_tar(scratch: &Scratch) -> PathBuf {
    let path = archive();
    let path = path.to_str().expect("UTF-8");
    let inner = ["VERSION", "metadata.config", "contents.tar.gz"];
    let inner = inner.map(|file| tar(&["-xOf", path, file])).concat();
    let checksum = String::from_utf8(tar(&["-xOf", path, "CHECKSUM"])).expect("UTF-8");
    assert_eq!(checksum, sha256(&inner, scratch).to_uppercase());
    fs::write(
        scratch.path("contents.tar.gz"),
        tar(&["-xOf", path, "contents.tar.gz"]),
    )
    .expect("a file");
    let folder = scratch.path("unpacked");
    fs::create_dir_all(&folder).expect("a folder");
    let to = folder.to_str().expect("UTF-8");
    let contents = scratch.path("contents.tar.gz");
    tar(&["-xzf", contents.to_str().expect("UTF-8"), "-C", to]);
    for file in ["README.md", "native/Cargo.lock", "native/src/lib.rs"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    let compiled = fs::read(folder.join("ebin/greeting.beam")).expect("a module");
    let built_in = scratch.path("").display().to_string();
    let mut windows = compiled.windows(built_in.len());
    assert!(
        !windows.any(|window| window == built_in.as_bytes()),
        "a module contains the path of this machine"
    );
    folder
}

fn the_manifest_describes_the_library(scratch: &Scratch) {
    let manifest = scratch.read("unpacked/priv/native.config");
    let field = |key: &str| {
        let (_, rest) = manifest.split_once(&format!("{key} => ")).expect(key);
        let end = rest.find([',', '\n']).expect("the end of the field");
        let value = rest[..end].trim_matches(['<', '>', '"']);
        value.to_owned()
    };
    let library = fs::read(scratch.path("unpacked").join(field("file"))).expect("the library");
    assert_eq!(field("size"), library.len().to_string());
    assert_eq!(field("sha256"), sha256(&library, scratch));
    assert_eq!(field("nif_version"), "2.15");
    assert_eq!(field("otp"), "25");
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV");
    let host = format!("host: {}\n", field("target"));
    assert!(said(rustc).out.contains(&host), "{manifest}");
}

fn hex_reads_it(scratch: &Scratch) {
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-eval", UNPACK, "-extra", "/usr/bin/rebar3"]);
    erl.args([archive(), scratch.path("by_hex")]);
    let read = said(erl);
    let bytes = fs::read(archive()).expect("the package");
    let checksum = sha256(&bytes, scratch).to_uppercase();
    let expected = format!("wrapped 0.1.0 [<<\"MIT\">>,<<\"Apache-2.0\">>] {checksum}");
    assert_eq!(read.out, expected, "{}", read.err);
    let metadata = scratch.read("by_hex/hex_metadata.config");
    let description = "<<\"Wrapped \\\"paper\\\", cr\u{ea}pe\"/utf8>>";
    assert!(metadata.contains(description), "{metadata}");
}

fn rebar3_compiles_it(scratch: &Scratch) {
    scratch.write("user/rebar.config", "{deps, [wrapped]}.\n");
    scratch.write(
        "user/src/user.app.src",
        "{application, user, [{description, \"\"}, {vsn, \"1\"}, {applications, [kernel, stdlib, wrapped]}]}.\n",
    );
    let checkouts = scratch.path("user/_checkouts");
    fs::create_dir_all(&checkouts).expect("a folder");
    fs::rename(scratch.path("by_hex"), checkouts.join("wrapped")).expect("it is moved");
    let user = scratch.path("user");
    let mut rebar3 = without_cargo("rebar3", &user, &scratch.path(""));
    rebar3.arg("compile");
    said(rebar3).succeeded();
    let mut erl = without_cargo("erl", &user, &scratch.path(""));
    erl.args(["-noinput", "-eval", START]);
    erl.env("ERL_LIBS", "_build/default/checkouts");
    assert_eq!(said(erl).out, STARTED);
}

fn mix_compiles_it(scratch: &Scratch) {
    scratch.write("mixed/mix.exs", MIX_EXS);
    let project = scratch.path("mixed");
    let mut mix = without_cargo("mix", &project, &scratch.path(""));
    mix.args(["run", "-e"])
        .arg("IO.inspect {:greeting.text(), Supervisor.count_children(:stroot)}");
    let ran = said(mix);
    ran.succeeded();
    let expected = "{\"hello\", %{active: 0, specs: 0, supervisors: 0, workers: 0}}";
    let printed = ran.out.replace("'hello'", "\"hello\"");
    let printed = printed.replace("~c\"hello\"", "\"hello\"");
    assert!(printed.contains(expected), "{}{}", ran.out, ran.err);
}
