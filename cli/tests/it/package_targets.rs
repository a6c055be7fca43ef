//! `cargo otp package --target`: the library promises an older glibc, and is checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Said, Scratch, cargo_otp, on_path, said, target};

/// Stands for `cargo-zigbuild`: removes the version of glibc from the target and calls cargo, whose
/// linker does not know which glibc was promised.
const ZIGBUILD: &str = "\
#!/bin/sh
shift
for word do
    shift
    case $word in *-gnu.2.*) word=${word%.2.*} ;; esac
    set -- \"$@\" \"$word\"
done
exec \"$CARGO\" build \"$@\"
";

/// The target of this machine's compiler.
fn host() -> String {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV");
    let text = said(rustc).out;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("the host").to_owned()
}

/// Calls the command with these folders before the system's in PATH.
fn package(scratch: &Scratch, folders: &str, target: &str) -> Said {
    let arguments = ["package", "--profile", "dev", "--target", target];
    let mut command = cargo_otp(&scratch.path("aimed"), &arguments);
    command
        .env("PATH", format!("{folders}/usr/bin:/bin"))
        .env("RUSTC", on_path("rustc"));
    said(command)
}

/// The newest version of glibc that binutils finds, of versions without which the library is not
/// loaded; `None` if binutils is not installed.
fn newest_glibc(library: &Path) -> Option<(u32, u32)> {
    let mut readelf = Command::new("readelf");
    readelf.args(["-V", "--wide"]).arg(library);
    let text = String::from_utf8(readelf.output().ok()?.stdout).expect("UTF-8");
    let lines = text.lines().filter(|line| line.contains("Flags: none"));
    let versions = lines.filter_map(|line| {
        let (_, version) = line.split_once("Name: GLIBC_")?;
        let version = version.split_whitespace().next()?;
        let mut numbers = version.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

/// Unpacks the library and the manifest of the package.
fn unpacked(scratch: &Scratch) -> (PathBuf, String) {
    let mut sh = Command::new("sh");
    let archive = target().join("otp/packages/aimed-0.1.0.tar");
    sh.current_dir(scratch.path("")).arg("-c").arg(format!(
        "tar -xOf '{}' contents.tar.gz | tar -xz priv",
        archive.display()
    ));
    said(sh).succeeded();
    let manifest = scratch.read("priv/native.config");
    let entries = fs::read_dir(scratch.path("priv")).expect("a folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let library = paths.find(|path| path.extension().is_some_and(|it| it == "so"));
    (library.expect("the library"), manifest)
}

#[test]
fn a_library_for_an_older_glibc_is_checked() {
    let scratch = Scratch::with_application_named("aimed");
    package(&scratch, "", "linux").refused(&["error[E1037]: `linux` is not a target"]);
    let host = host();
    if !host.ends_with("-linux-gnu") {
        return;
    }
    let old = format!("{host}.2.1");
    let words = ["error[E1038]", &old, "pip install cargo-zigbuild ziglang"];
    package(&scratch, "", &old).refused(&words);

    scratch.script("bin/cargo-zigbuild", ZIGBUILD);
    let with_zig = format!("{}:", scratch.path("bin").display());
    let words = ["error[E1039]: the library needs glibc 2.", &old];
    package(&scratch, &with_zig, &old).refused(&words);
    let archive = target().join("otp/packages/aimed-0.1.0.tar");
    assert!(!archive.exists());

    let made = package(&scratch, &with_zig, &format!("{host}.2.99"));
    made.succeeded();
    let (library, manifest) = unpacked(&scratch);
    assert!(manifest.contains(&format!("target => <<\"{host}\">>")));
    if let Some((major, minor)) = newest_glibc(&library) {
        let version = format!("glibc => <<\"{major}.{minor}\">>");
        assert!(manifest.contains(&version), "no {version} in {manifest}");
        let needed = format!("the native library is for {host} with glibc {major}.{minor}\n");
        assert!(made.err.contains(&needed), "{}", made.err);
    }
}
