//! Archives that are not releases: `bin/NAME unpack` writes no file, and reports why.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Said, Scratch, root, said};

const UNPACK: &str = "
    [Root, Archive] = init:get_plain_arguments(),
    case otp_rs_unpack:archive(Root, Archive, \"x\") of
        {ok, Version} -> io:format(\"~ts\", [Version]), halt(0);
        {error, Text} -> io:format(standard_error, \"~ts\", [Text]), halt(1)
    end.";

struct Release(Scratch);

impl Release {
    /// A release `x` of version 1, with the files that are checked.
    fn new() -> Self {
        let scratch = Scratch::new();
        for file in ["bin/x", "lib/x-1/ebin/x.app", "releases/1/x.rel"] {
            scratch.write(&format!("made/x-1/{file}"), "");
        }
        for folder in ["root/lib", "root/bin", "root/releases"] {
            fs::create_dir_all(scratch.path(folder)).expect("a folder");
        }
        let mut erlc = Command::new("erlc");
        erlc.arg("-o").arg(scratch.path(""));
        erlc.arg(root().join("erlang/tools/otp_rs_unpack.erl"));
        said(erlc).succeeded();
        Release(scratch)
    }

    fn pack(&self, more: &[&str]) {
        let mut tar = Command::new("tar");
        tar.arg("-C").arg(self.0.path("made")).args(more);
        tar.arg("-czf").arg(self.0.path("x.tar.gz")).arg("x-1");
        said(tar).succeeded();
    }

    fn unpack(&self) -> Said {
        let mut erl = Command::new("erl");
        erl.args(["-noinput", "-pa"]).arg(self.0.path(""));
        erl.args(["-eval", UNPACK, "-extra"]);
        erl.args([self.0.path("root"), self.0.path("x.tar.gz")]);
        said(erl)
    }

    /// `unpack` writes no file, in the folder of the release or elsewhere.
    #[track_caller]
    fn refuses(&self, text: &str) {
        let before = self.0.everything();
        self.unpack().failed(&[text]);
        assert!(self.0.everything() == before, "something was written");
    }
}

#[test]
fn an_archive_that_is_not_a_release_leaves_nothing_behind() {
    let release = Release::new();
    let path = |name: &str| release.0.path(name);

    // It stays within the folder in which it is unpacked, but points out of the release after the
    // move.
    symlink("../../outside", path("made/x-1/lib/out")).expect("a link");
    release.pack(&[]);
    fs::remove_file(path("made/x-1/lib/out")).expect("it is there");
    release.refuses("x-1/lib/out is neither a file nor a folder");

    release.pack(&["--transform=s,x-1/lib,x-1/../../lib,"]);
    release.refuses("x.tar.gz");
    release.pack(&["--transform=s,^x-1/lib,/tmp/otp_rs_absolute/lib,", "-P"]);
    release.refuses("x.tar.gz");
    release.pack(&["--exclude=x-1/lib"]);
    release.refuses("is not a whole release of x");
    release.pack(&["--exclude=x-1/bin"]);
    release.refuses("is not a whole release of x");
    release.pack(&["--exclude=x.rel"]);
    release.refuses("is not a release of x");

    // A file of a terabyte, which takes a kilobyte here.
    let huge = fs::File::create(path("made/x-1/lib/huge")).expect("a file");
    huge.set_len(1 << 40).expect("a length");
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(path("made")).arg("-cSzf");
    tar.arg(path("x.tar.gz")).arg("x-1");
    said(tar).succeeded();
    fs::remove_file(path("made/x-1/lib/huge")).expect("it is there");
    release.refuses("x.tar.gz");

    release.pack(&[]);
    let whole = fs::read(path("x.tar.gz")).expect("the archive");
    for length in [0, 1, 20, whole.len() / 2, whole.len() - 9] {
        fs::write(path("x.tar.gz"), &whole[..length]).expect("the archive");
        release.refuses("x.tar.gz");
    }
    let mut damaged = whole.clone();
    for byte in damaged.iter_mut().skip(12).step_by(7) {
        *byte ^= 0x55;
    }
    fs::write(path("x.tar.gz"), damaged).expect("the archive");
    release.refuses("x.tar.gz");

    fs::write(path("x.tar.gz"), whole).expect("the archive");
    let unpacked = release.unpack();
    unpacked.succeeded();
    assert_eq!(unpacked.out, "1");
    assert!(path("root/lib/x-1/ebin/x.app").is_file() && path("root/releases/1/x.rel").is_file());
}

/// A dependency that other people have compiled, with a resource file, a module and `priv`.
const RESOURCE: &str = "{application, outside, [{description, \"\"}, {vsn, VERSION}, \
    {modules, [MODULES]}, {registered, []}, {applications, [kernel, stdlib]}]}.\n";

/// An application with this dependency. A test may make any file of the dependency hostile.
struct Hostile(Scratch);

impl Hostile {
    fn new() -> Self {
        let scratch = Scratch::with_application_named("beset");
        let config = scratch.read("beset/otp.toml");
        let outside =
            "\n[erlang.dependencies]\noutside = { path = \"../outside\", modules = [] }\n";
        scratch.write("beset/otp.toml", &(config + outside));
        scratch.write(
            "outside.erl",
            "-module(outside).\n-export([f/0]).\nf() -> ok.\n",
        );
        fs::create_dir_all(scratch.path("outside/ebin")).expect("a folder");
        let hostile = Hostile(scratch);
        hostile.compile();
        hostile.resource("\"1\"", "outside");
        hostile
    }

    fn compile(&self) {
        let mut erlc = Command::new("erlc");
        erlc.arg("-o").arg(self.0.path("outside/ebin"));
        erlc.arg(self.0.path("outside.erl"));
        said(erlc).succeeded();
    }

    fn resource(&self, version: &str, modules: &str) {
        let text = RESOURCE.replace("VERSION", version);
        let text = text.replace("MODULES", modules);
        self.0.write("outside/ebin/outside.app", &text);
    }

    fn release(&self, more: &[&str]) -> Said {
        self.0.cargo_otp("beset", &[&["release"], more].concat())
    }

    /// `cargo otp release` refuses the dependency, as a mistake of the user.
    #[track_caller]
    fn is_refused(&self, words: &[&str]) {
        let release = self.release(&[]);
        release.failed(words);
        assert!(!release.err.contains("E0899"), "{}", release.err);
    }
}

#[test]
fn a_dependency_writes_nowhere_but_into_the_release() {
    let hostile = Hostile::new();
    let escaped = hostile.0.path("escaped");
    let up = "../".repeat(20) + escaped.to_str().expect("UTF-8");
    hostile.resource(&format!("\"1/{up}\""), "outside");
    hostile.is_refused(&["error[E0958]", "cannot be part of the name of a file"]);
    assert!(!escaped.exists());
    for modules in [
        "'../../other'",
        "'a,b'",
        "'a\\nok\\tb'",
        "\"text\"",
        "outside | x",
    ] {
        hostile.resource("\"1\"", modules);
        hostile.is_refused(&["error[E0958]"]);
    }
    let atoms: Vec<String> = (0..2_000_000).map(|number| format!("a{number}")).collect();
    hostile.resource("\"1\"", &atoms.join(","));
    hostile.is_refused(&["error[E0958]", "more than 1 MiB"]);
    for version in ["1", "{}", "[x]", "fun lists:map/2", "[1 | 2]"] {
        hostile.resource(version, "outside");
        hostile.release(&[]).failed(&["error[E"]);
    }
    hostile
        .0
        .write("outside/ebin/outside.app", "{application, outside, x}.\n");
    hostile.is_refused(&["error[E0958]"]);
    hostile.0.write(
        "outside/ebin/outside.app",
        "{application, \"outside\", []}.\n",
    );
    hostile.is_refused(&["error[E0958]"]);
}

#[test]
fn a_module_that_no_node_can_load_is_not_released() {
    let hostile = Hostile::new();
    let beam = hostile.0.path("outside/ebin/outside.beam");
    let whole = fs::read(&beam).expect("a module");
    let write = |bytes: &[u8]| fs::write(&beam, bytes).expect("it is written");
    write(&whole[..whole.len() / 2]);
    hostile.is_refused(&["error[E1036]", "damaged"]);
    // The first chunk announces four gigabytes.
    let mut huge = whole.clone();
    huge[16..20].copy_from_slice(&[0xFF; 4]);
    write(&huge);
    hostile.is_refused(&["error[E1036]", "damaged"]);
    // Two million atoms.
    let mut atoms = whole.clone();
    atoms[20..24].copy_from_slice(&2_000_000_u32.to_be_bytes());
    write(&atoms);
    hostile.is_refused(&["error[E1036]", "damaged `AtU8` chunk"]);
    // A gigabyte of zeros.
    let mut gzip = Command::new("sh");
    gzip.arg("-c").arg("head -c 1000000000 /dev/zero | gzip -1");
    write(&gzip.output().expect("gzip runs").stdout);
    hostile.is_refused(&["error[E1036]", "not a BEAM file"]);

    write(&whole);
    fs::copy(&beam, hostile.0.path("outside/ebin/other.beam")).expect("a copy");
    hostile.resource("\"1\"", "outside, other");
    hostile.is_refused(&["error[E1036]", "it contains the module `outside`"]);
    hostile.resource("\"1\"", "outside, missing");
    hostile.is_refused(&["missing.beam"]);
    hostile.resource("\"1\"", "outside");

    // A file whose end never comes, and folders that contain themselves.
    let private = hostile.0.path("outside/priv");
    fs::create_dir_all(&private).expect("a folder");
    for (target, words) in [
        ("/dev/zero", "not a regular file"),
        ("..", "leads back to it"),
    ] {
        symlink(target, private.join("link")).expect("a link");
        hostile.is_refused(&[words]);
        fs::remove_file(private.join("link")).expect("it is there");
    }
    let made = Command::new("mkfifo").arg(private.join("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    hostile.is_refused(&["not a regular file"]);
    fs::remove_file(private.join("pipe")).expect("it is there");
    hostile.release(&[]).succeeded();

    hostile.an_earlier_release_can_be_damaged();
}

impl Hostile {
    fn an_earlier_release_can_be_damaged(&self) {
        let path = |name: &str| self.0.path(name);
        let refused = |words: &[&str]| {
            let earlier = path("earlier.tar.gz");
            let earlier = earlier.to_str().expect("UTF-8");
            let release = self.release(&["--upgrade-from", earlier]);
            release.failed(&[&["error[E1034]"], words].concat());
        };
        let pack = |more: &[&str]| {
            let mut tar = Command::new("tar");
            tar.arg("-C").arg(path("made")).args(more);
            tar.arg("-czf").arg(path("earlier.tar.gz")).arg("beset-1");
            said(tar).succeeded();
        };
        let rel = |text: &str| self.0.write("made/beset-1/releases/1/beset.rel", text);
        fs::write(path("earlier.tar.gz"), "x").expect("it is written");
        refused(&["earlier.tar.gz"]);
        for text in [
            "x",
            "{release, {\"beset\", \"1\"}, {erts, 1}, []}.\n",
            "{release, {\"beset\", \"1\"}, {erts, \"1\"}, [x]}.\n",
            "{release, {\"beset\", \"1\"}, {erts, \"1\"}, [{beset, \"../..\"}]}.\n",
        ] {
            rel(text);
            pack(&[]);
            refused(&["its resource files are damaged"]);
        }
        let atoms: Vec<String> = (0..300_000).map(|number| format!("a{number}")).collect();
        rel(&format!("{{release, [{}]}}.\n", atoms.join(",")));
        pack(&[]);
        refused(&["its resource files are damaged"]);
        rel("{release, {\"beset\", \"1\"}, {erts, \"1\"}, [{sasl, \"1\"}, {beset, \"1\"}]}.\n");
        pack(&[]);
        refused(&["it has ERTS 1"]);
        pack(&["--transform=s,beset-1/releases,beset-1/../../releases,"]);
        refused(&["earlier.tar.gz"]);
        symlink("/etc", path("made/beset-1/link")).expect("a link");
        pack(&[]);
        refused(&["neither a file nor a folder"]);
        fs::remove_file(path("made/beset-1/link")).expect("it is there");
        // A file of a terabyte, which takes a kilobyte here.
        let huge = fs::File::create(path("made/beset-1/huge")).expect("a file");
        huge.set_len(1 << 40).expect("a length");
        pack(&["-S"]);
        refused(&["earlier.tar.gz"]);
    }
}
