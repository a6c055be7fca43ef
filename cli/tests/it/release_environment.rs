//! Environment variables for the program of a release: the folder, the node, the cookie, the
//! configuration.

use std::path::Path;
use std::process::Command;

use crate::nodes::cookie;
use crate::release::{Unpacked, packed};
use crate::running::Running;
use crate::support::{Scratch, cargo_otp, on_path, said};
use crate::terminal::Terminal;

#[test]
fn the_cookie_and_the_configuration_come_from_the_environment() {
    let scratch = packed("packed_env");
    let folder = scratch.path("packed_env");
    let release = ["release", "--profile", "dev", "--docker", "--systemd"];
    shows_the_bytes(&scratch, &folder, &release.join(" "));
    let release = Unpacked::new("packed_env", &scratch.path("there"));
    let read = |file: &str| scratch.read(&format!("there/packed_env-0.1.0/{file}"));
    let dockerfile = read("Dockerfile");
    for line in [
        "COPY . /opt/packed_env",
        "USER 10001:10001",
        "CMD [\"foreground\"]",
    ] {
        assert!(
            dockerfile.lines().any(|known| known == line),
            "{dockerfile}"
        );
    }
    verify_unit(&scratch, &read("packed_env.service"));

    cookie(&scratch, "secret", "a_secret_of_this_release\n");
    scratch.write("late.config", "[{packed_env, [{port, 3}]}].\n");
    let data = scratch.path("elsewhere");
    let with = |arguments: &[&str]| {
        let mut command = release.command(arguments);
        command
            .env("PACKED_ENV_DATA", &data)
            .env("PACKED_ENV_COOKIE_FILE", scratch.path("secret"))
            .env("PACKED_ENV_CONFIG", "late.config")
            .env("CDPATH", "/")
            .current_dir(scratch.path(""));
        command
    };
    said(with(&["start", "stay"])).succeeded();
    let asked = said(with(&[
        "eval",
        "{erlang:get_cookie(), application:get_env(packed_env, port)}",
    ]));
    assert_eq!(
        asked.out, "{a_secret_of_this_release,{ok,3}}\n",
        "{}",
        asked.err
    );
    // A wrong cookie is refused, and is not stored.
    for verb in ["eval", "start"] {
        let mut other = with(&[verb, "node()"]);
        other
            .env_remove("PACKED_ENV_COOKIE_FILE")
            .env("PACKED_ENV_COOKIE", "another_secret");
        said(other).failed(&["its cookie is different"]);
    }
    let mut same = with(&["stop"]);
    same.env_remove("PACKED_ENV_COOKIE_FILE");
    said(same).succeeded();
    said(with(&["eval", "node()"])).failed(&["is not running"]);

    for (variable, value, text) in [
        (
            "NODE",
            "packed_env",
            "PACKED_ENV_NODE is NAME@HOST, not packed_env",
        ),
        ("NODE", "a@b@c", "PACKED_ENV_NODE is NAME@HOST, not a@b@c"),
        (
            "CONFIG",
            "nowhere.config",
            "nowhere.config cannot be read: it is PACKED_ENV_CONFIG",
        ),
    ] {
        let mut mistaken = with(&["foreground"]);
        mistaken.env(format!("PACKED_ENV_{variable}"), value);
        said(mistaken).refused(&[text]);
    }

    let mut wrong = with(&["start"]);
    wrong
        .env_remove("PACKED_ENV_COOKIE_FILE")
        .env("PACKED_ENV_COOKIE", "two words");
    said(wrong).refused(&["a cookie is one line of ASCII characters"]);
    assert!(!scratch.path("there/packed_env-0.1.0/var").exists());
}

/// Creates the release on a terminal, which shows the packed bytes if packing takes long.
fn shows_the_bytes(scratch: &Scratch, folder: &Path, release: &str) {
    // The VM that packs reports its progress, and waits until the test continues it.
    let waits = "echo \"$*\" > ../packs; echo 4096; while [ ! -e ../go ]; do sleep 0.1; done";
    let erl = on_path("erl");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *'otp_rs_assemble pack'*) {waits} ;; esac\nexec '{}' \"$@\"\n",
        erl.display()
    );
    scratch.script("bin/erl", &script);
    let path = format!("PATH={}:$PATH", scratch.path("bin").display());
    // Ctrl-C leaves no files.
    let mut terminal = Terminal::with(folder, &path, release);
    terminal.shows("] 4.0KiB of ");
    let words = scratch.read("packs");
    let stage = words
        .split_whitespace()
        .find(|word| word.contains("/.release-"));
    let stage = Path::new(stage.expect("its folder"))
        .parent()
        .expect("the scratch folder");
    assert!(stage.join("release/bin").is_dir(), "{}", stage.display());
    terminal.types("\u{3}");
    assert_eq!(terminal.ends(), Some(130));
    assert!(!stage.exists(), "{}", stage.display());

    let mut terminal = Terminal::with(folder, &path, release);
    for text in ["Packing", "`packed_env` [>", "] 4.0KiB of "] {
        terminal.shows(text);
    }
    // Packed files are not changed by another build.
    let mut build = Running::start(cargo_otp(folder, &["build", "--profile", "dev"]));
    build.message_with("Blocking waiting for another build");
    scratch.write("go", "");
    terminal.shows("Released");
    assert_eq!(terminal.ends(), Some(0));
    build.end().succeeded();
}

/// Verifies the unit with `systemd-analyze`, if it is installed. It would also require the program
/// to be installed.
fn verify_unit(scratch: &Scratch, unit: &str) {
    assert!(
        unit.contains("ExecStart=/opt/packed_env/bin/packed_env foreground\n"),
        "{unit}"
    );
    let unit = unit.replace("/opt/packed_env/bin/packed_env", "/bin/true");
    scratch.write("packed_env.service", &unit);
    let mut analyze = Command::new("systemd-analyze");
    analyze
        .arg("verify")
        .arg(scratch.path("packed_env.service"));
    if let Ok(output) = analyze.output() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && !text.contains("packed_env.service:"),
            "{text}"
        );
    }
}
