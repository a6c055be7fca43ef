//! `cargo otp release`: a release runs without Erlang and without cargo.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, id};

use crate::settings::application;
use crate::support::{Said, Scratch, cargo_otp, said, target};

/// An application whose release has its own flags, files and logs.
const OTP_TOML: &str = "\
[application]
applications = [\"crypto\"]

[env]
port = 1

[vm]
processes = 20_000
args = [\"-shelf\", \"a b\"]

[release]
config = \"prod.config\"
applications = [\"runtime_tools\"]
log_bytes = 1000
log_files = 2
";

pub(crate) fn packed(name: &str) -> Scratch {
    let scratch = application(name, OTP_TOML);
    let config = format!("[{{{name}, [{{port, 2}}, {{host, <<\"packed\">>}}]}}].\n");
    scratch.write(&format!("{name}/prod.config"), &config);
    scratch
}

fn archive(name: &str) -> PathBuf {
    target().join(format!("otp/releases/{name}-0.1.0.tar.gz"))
}

pub(crate) fn unpack(name: &str, into: &Path) {
    fs::create_dir_all(into).expect("a folder");
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive(name)).arg("-C").arg(into);
    said(tar).succeeded();
}

/// An unpacked release, with a node name that no other test uses.
pub(crate) struct Unpacked {
    program: PathBuf,
    pub(crate) node: String,
}

impl Unpacked {
    pub(crate) fn new(name: &str, folder: &Path) -> Self {
        unpack(name, folder);
        Unpacked {
            program: folder.join(format!("{name}-0.1.0/bin/{name}")),
            node: format!("{name}{}@127.0.0.1", id()),
        }
    }

    /// Returns a command whose environment contains no path to Erlang or cargo.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null());
        let prefix = self.program.file_name().expect("a name").to_string_lossy();
        command.env(format!("{}_NODE", prefix.to_uppercase()), &self.node);
        command
    }

    pub(crate) fn says(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments))
    }

    pub(crate) fn eval(&self, expression: &str) -> String {
        let said = self.says(&["eval", expression]);
        said.succeeded();
        said.out.trim().to_owned()
    }
}

/// Leaves no node behind, however the test ends.
impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = self.command(&["stop"]).output();
    }
}

#[test]
fn a_release_lives_where_neither_erlang_nor_cargo_is() {
    let scratch = packed("packed");
    let folder = scratch.path("packed");
    let first = said(cargo_otp(&folder, &["release"]));
    first.succeeded();
    assert!(first.err.contains("`release` profile"), "{}", first.err);
    for library in ["libcrypto.so", "libc.so.6"] {
        assert!(first.err.contains(library), "{}", first.err);
    }
    let bytes = fs::read(archive("packed")).expect("the archive");

    // A node that runs from the folder prevents its replacement, and its data is kept.
    let in_place = Unpacked {
        program: target().join("otp/releases/packed-0.1.0/bin/packed"),
        node: format!("packed_in_place{}@127.0.0.1", id()),
    };
    in_place.says(&["start", "stay"]).succeeded();
    in_place.eval("file:write_file(\"ledger\", \"precious\")");
    for command in ["release", "clean"] {
        let words = ["error[E1035]", "packed-0.1.0, as process ", "packed stop"];
        said(cargo_otp(&folder, &[command])).refused(&words);
    }
    assert_eq!(in_place.eval("1 + 1"), "2");
    in_place.says(&["stop"]).succeeded();

    // Everything is done again, except for cargo's build. Remains of a killed command are removed.
    let left = target().join("otp/releases/.release-killed");
    fs::create_dir_all(&left).expect("a folder");
    fs::remove_dir_all(target().join("otp/release/packed")).expect("the build folder");
    said(cargo_otp(&folder, &["release"])).succeeded();
    assert!(
        bytes == fs::read(archive("packed")).expect("the archive"),
        "other bytes"
    );
    assert!(!left.exists());
    let in_target = target().join("otp/releases/packed-0.1.0");
    let ledger = fs::read_to_string(in_target.join("var/ledger"));
    assert_eq!(ledger.expect("its data"), "precious");
    fs::remove_dir_all(&in_target).expect("it is removed");

    let release = Unpacked::new("packed", &scratch.path("é moved"));
    let data = scratch.path("é moved/packed-0.1.0/var");
    let version = release.says(&["version"]);
    version.succeeded();
    assert!(
        version.out.starts_with("packed 0.1.0, Erlang/OTP "),
        "{}",
        version.out
    );
    release.says(&["stop"]).refused(&["is not running"]);
    release.says(&["start", "stay", "a b"]).succeeded();
    release.says(&["start"]).refused(&["is running already"]);

    assert_eq!(release.eval("node()"), format!("'{}'", release.node));
    assert_eq!(
        release.eval("application:get_env(packed, arguments)"),
        "{ok,[<<\"stay\">>,<<\"a b\">>]}"
    );
    assert_eq!(release.eval("init:get_argument(shelf)"), "{ok,[[\"a b\"]]}");
    assert_eq!(
        release.eval("erlang:system_info(process_limit) < 40000"),
        "true"
    );
    assert_eq!(release.eval("byte_size(crypto:strong_rand_bytes(5))."), "5");
    assert_eq!(
        release.eval("element(1, application:get_key(runtime_tools, vsn))"),
        "ok"
    );
    assert_eq!(release.eval("os:getenv(\"LD_LIBRARY_PATH\")"), "false");
    assert_eq!(release.eval("code:get_mode()"), "embedded");
    let root = release.eval("code:root_dir()");
    assert!(root.ends_with("é moved/packed-0.1.0\""), "{root}");
    release
        .says(&["eval", "foo:bar("])
        .refused(&["syntax error"]);
    release.says(&["eval", "1 + a"]).refused(&["badarith"]);
    release.says(&["remote"]).refused(&["needs a terminal"]);

    // Printed output goes to one file, and log entries to others, which are rotated.
    let console = fs::read_to_string(data.join("log/console.log")).expect("the console");
    assert!(console.contains("port: 2, host: \"packed\""), "{console}");
    release.eval(
        "{_, Monitor} = spawn_monitor(fun() -> group_leader(whereis(init), self()), \
         [logger:error(\"line ~b\", [N]) || N <- lists:seq(1, 60)] end), \
         receive {'DOWN', Monitor, process, _, _} -> logger_std_h:filesync(default) end",
    );
    let mut logs = fs::read_dir(data.join("log"))
        .expect("the logs")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name.starts_with("packed.log"))
        .collect::<Vec<_>>();
    logs.sort();
    assert_eq!(logs, ["packed.log", "packed.log.0", "packed.log.1"]);

    // It listens on loopback, with a random cookie that only its owner can read, and that is not on
    // any command line.
    let cookie = fs::read_to_string(data.join(".erlang.cookie")).expect("the cookie");
    assert_eq!(cookie.len(), 32);
    let mode = fs::metadata(data.join(".erlang.cookie")).expect("the cookie");
    assert_eq!(mode.permissions().mode() & 0o777, 0o400);
    assert_eq!(release.eval("erlang:get_cookie()"), cookie_atom(&cookie));
    let pid = release.eval("list_to_integer(os:getpid())");
    let line = fs::read(format!("/proc/{pid}/cmdline")).expect("a command line");
    assert!(!String::from_utf8_lossy(&line).contains(&cookie));
    let addresses = release.eval(
        "lists:usort([A || P <- erlang:ports(), {name, \"tcp_inet\"} =:= erlang:port_info(P, name), \
         {ok, {A, _}} <- [inet:sockname(P)]])",
    );
    assert_eq!(addresses, "[{127,0,0,1}]");

    let before = release.eval("os:getpid()");
    release.says(&["restart", "stay"]).succeeded();
    assert_ne!(release.eval("os:getpid()"), before);
    release.says(&["stop"]).succeeded();
    release.says(&["eval", "1"]).refused(&["is not running"]);

    // Of two simultaneous starts, one succeeds, and the other one leaves the log unchanged.
    let program = scratch.path("é moved/packed-0.1.0/bin/packed");
    let start = || {
        let mut command = std::process::Command::new(&program);
        command
            .args(["start", "stay"])
            .env("PACKED_NODE", &release.node);
        command.spawn().expect("it starts")
    };
    let codes = [start(), start()].map(|mut it| it.wait().expect("its end").code());
    assert!(
        codes == [Some(0), Some(1)] || codes == [Some(1), Some(0)],
        "{codes:?}"
    );
    let console = fs::read_to_string(data.join("log/console.log")).expect("the console");
    assert!(console.contains("port: 2, host: \"packed\""), "{console}");
    release.says(&["stop"]).succeeded();

    // A start that fails reports the reason.
    release
        .says(&["start", "fail"])
        .refused(&["packed did not start: child worker", "no_such_file"]);
}

/// The atom as `~tp` prints it: quoted, unless it begins with a letter.
fn cookie_atom(cookie: &str) -> String {
    if cookie.starts_with(|c: char| c.is_ascii_lowercase()) {
        cookie.to_owned()
    } else {
        format!("'{cookie}'")
    }
}

#[test]
fn a_release_needs_applications_that_are_installed() {
    let scratch = application(
        "unpacked",
        "[env]\nport = 1\n\n[release]\napplications = [\"cyrpto\"]\n",
    );
    let folder = scratch.path("unpacked");
    let release = ["release", "--profile", "dev"];
    said(cargo_otp(&folder, &release)).refused(&["error[E1030]", "`cyrpto`"]);
    let config = scratch
        .read("unpacked/otp.toml")
        .replace("applications = [\"cyrpto\"]", "config = \"none.config\"");
    scratch.write("unpacked/otp.toml", &config);
    said(cargo_otp(&folder, &release)).refused(&["error[E0810]", "none.config"]);

    // An application whose resource file lacks keys that `systools` reads.
    let ghost = "{application, ghost, [{vsn, \"1\"}, {modules, [ghost]}, {applications, [kernel, stdlib]}]}.\n";
    scratch.write("ghost/ebin/ghost.app", ghost);
    scratch.write("ghost/ebin/ghost.erl", "-module(ghost).\n");
    let mut erlc = Command::new("erlc");
    erlc.arg("ghost.erl")
        .current_dir(scratch.path("ghost/ebin"));
    said(erlc).succeeded();
    let with = "[env]\nport = 1\n\n[erlang.dependencies]\nghost = { path = \"../ghost\" }\n";
    let (system, _) = config.split_once("[env]").expect("an environment");
    scratch.write("unpacked/otp.toml", &format!("{system}{with}"));
    said(cargo_otp(&folder, &release)).refused(&[
        "error[E1031]",
        "ghost: Missing parameter in .app file: description",
    ]);

    // A program of the system lists the libraries with which the VM is linked.
    let without = "[env]\nport = 1\n";
    scratch.write("unpacked/otp.toml", &format!("{system}{without}"));
    let path = std::env::var("PATH").expect("PATH");
    let with_ldd = || {
        let mut command = cargo_otp(&folder, &release);
        command.env("PATH", format!("{}:{path}", scratch.path("bin").display()));
        said(command)
    };
    scratch.script("bin/ldd", "#!/bin/sh\necho '\tlibgone.so.7 => not found'\n");
    with_ldd().refused(&["error[E1032]: the shared library `libgone.so.7` is not on this machine"]);
    fs::remove_file(scratch.path("bin/ldd")).expect("it is removed");
    // If a program is a link to itself, it is not searched elsewhere.
    symlink("ldd", scratch.path("bin/ldd")).expect("a link");
    with_ldd().refused(&["error[E1033]: cannot run `ldd`"]);
    assert!(!archive("unpacked").exists());
    let left = fs::read_dir(target().join("otp/releases")).expect("the releases");
    let left = left.map(|entry| entry.expect("an entry").file_name());
    assert!(
        left.into_iter()
            .all(|name| !name.to_string_lossy().contains("unpacked"))
    );
}
