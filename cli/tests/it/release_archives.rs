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
        erlc.arg(root().join("cli/src/release/otp_rs_unpack.erl"));
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
