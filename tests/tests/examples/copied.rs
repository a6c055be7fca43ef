//! A copy of an example outside of the repository.

use std::fs;

use otp_tests::application::{cargo_otp_with, manifest_of_copy, root, text};
use otp_tests::running::Running;

use crate::ends_well;

/// An example is a member of the workspace only because of its location.
#[test]
fn an_example_is_built_outside_of_the_repository() {
    let (original, copy) = (root().join("examples/blink"), tempfile::tempdir());
    let copy = copy.expect("a folder");
    let target = root().join("examples/target");
    let write = |name: &str, text: &str| {
        fs::write(copy.path().join(name), text).expect("it is written");
    };
    fs::create_dir(copy.path().join("src")).expect("it is made");
    for entry in fs::read_dir(original.join("src")).expect("a folder") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().expect("a name");
        fs::copy(&file, copy.path().join("src").join(name)).expect("it is copied");
    }
    // Applications in one target folder have different names.
    let manifest = manifest_of_copy("examples/blink");
    write(
        "Cargo.toml",
        &manifest.replace("\"blink\"", "\"copied_blink\""),
    );
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is read");
    write("otp.toml", &read("examples/blink/otp.toml"));
    write("Cargo.lock", &read("examples/Cargo.lock"));
    let folder = copy.path().to_str().expect("it is UTF-8");
    let shared = [("CARGO_TARGET_DIR", target.to_str().expect("it is UTF-8"))];
    let built = cargo_otp_with(folder, &["build"], &shared);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let ebin = target.join("otp/debug/copied_blink/ebin");
    let lights = Running::start("copied_blink", &ebin, &["1"]);
    lights.line("light 1 ");
    ends_well(lights);
}
