//! A release in a system that has nothing else: for another user, in a read-only folder, as process 1.

use std::fs;
use std::process::{Child, Command, Stdio, id};

use crate::release::{packed, unpack};
use crate::support::{cargo_otp, said};

/// A folder with a shell, six programs and the C library, and nothing else, in which the release is process 1 of a user
/// who owns nothing.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "who runs the tests should know what was left out"
)]
fn in_a_bare_system_it_is_process_1_of_another_user() {
    let may_try = "[ $(id -u) = 0 ] && unshare --pid --fork true";
    if said(shell(may_try)).code != Some(0) {
        eprintln!("left out: only root can change the root folder");
        return;
    }
    let scratch = packed("packed_bare");
    said(cargo_otp(
        &scratch.path("packed_bare"),
        &["release", "--profile", "dev"],
    ))
    .succeeded();
    let bare = scratch.path("bare");
    unpack("packed_bare", &bare.join("opt"));
    said(shell(&format!("bare='{}'\n{BARE}", bare.display()))).succeeded();

    let mut command = Command::new("unshare");
    command
        .args(["--pid", "--fork", "chroot", "--userspec=10001:10001"])
        .arg(&bare)
        .args([
            "/opt/packed_bare-0.1.0/bin/packed_bare",
            "foreground",
            "stay",
        ])
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("PACKED_BARE_DATA", "/var/data")
        .env("PACKED_BARE_NODE", format!("bare{}@127.0.0.1", id()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut running = Running(command.spawn().expect("it starts"));
    running.wait_for("Settings { port: 2, host: \"packed\"");

    let children = format!("/proc/{0}/task/{0}/children", running.0.id());
    let first = fs::read_to_string(children).expect("its child");
    let status = fs::read_to_string(format!("/proc/{}/status", first.trim())).expect("its status");
    let of = |key: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .unwrap_or_default()
    };
    assert_eq!(of("Name:").trim(), "beam.smp");
    assert_eq!(of("Uid:").split_whitespace().next(), Some("10001"));
    assert_eq!(of("NSpid:").split_whitespace().last(), Some("1"));
    said(shell(&format!("kill -TERM {}", first.trim()))).succeeded();
    assert_eq!(running.0.wait().expect("a status").code(), Some(0));
    assert!(bare.join("var/data/.erlang.cookie").exists());
    assert!(!bare.join("opt/packed_bare-0.1.0/var").exists());
}

/// Copies each program with what it is linked with, and what the release must find.
const BARE: &str = r#"
mkdir -p "$bare/bin" "$bare/dev" "$bare/var/data"
for program in sh mkdir cat od chmod mv rm; do
    path=$(readlink -f "$(command -v $program)")
    cp "$path" "$bare/bin/$program"
    for library in $(ldd "$path" | grep -o '/[^ ]*'); do
        mkdir -p "$bare/$(dirname $library)"
        cp -L "$library" "$bare/$library"
    done
done
for library in $(ldd "$bare"/opt/*/erts-*/bin/beam.smp | grep -o '/[^ ]*/\(libc\|libm\)\.so[^ ]*'); do
    mkdir -p "$bare/$(dirname $library)"
    cp -L "$library" "$bare/$library"
done
mknod "$bare/dev/null" c 1 3
mknod "$bare/dev/urandom" c 1 9
chmod 666 "$bare/dev/null" "$bare/dev/urandom"
chmod 755 "$bare"
chown 10001:10001 "$bare/var/data"
"#;

fn shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]);
    shell
}

/// Killed if the test ends early.
struct Running(Child);

impl Running {
    fn wait_for(&mut self, text: &str) {
        use std::io::{BufRead, BufReader};
        let out = BufReader::new(self.0.stdout.take().expect("its output"));
        let mut lines = out.lines().map_while(Result::ok);
        assert!(
            lines.any(|line| line.contains(text)),
            "it ended without `{text}`"
        );
        std::thread::spawn(move || lines.for_each(drop));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}
