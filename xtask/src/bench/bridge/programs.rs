//! Builds the programs to measure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::erlang;
use crate::step::{self, Outcome, cargo, root, run};

const APPLICATION: &str = "tests/apps/bench";
/// Each one is the library of an Erlang module with this name and `_c`.
const IN_C: &[&str] = &["bouncer", "burner", "counter", "holder"];
/// rustler's codecs: the library of the Erlang module `rustler_codecs`.
const RUSTLER: &str = "tests/apps/bench_rustler";

/// The built programs.
pub(super) struct Programs {
    /// The application's modules.
    pub(super) ebin: PathBuf,
    /// The folder of libraries from outside the application.
    pub(super) libraries: PathBuf,
}

impl Programs {
    pub(super) fn build() -> Outcome<Self> {
        let target = step::build_release(APPLICATION)?;
        let libraries = step::target().join("bench");
        fs::create_dir_all(&libraries)
            .map_err(|error| format!("{}: {error}", libraries.display()))?;
        build_c(&libraries)?;
        build_rustler(&target, &libraries)?;
        Ok(Programs {
            ebin: target.join("otp/release/bench/ebin"),
            libraries,
        })
    }
}

/// Builds the handwritten NIFs. Skips them if there is no C compiler.
fn build_c(libraries: &Path) -> Outcome {
    if !erlang::to_compile_c() {
        return Ok(());
    }
    let erlang = erlang::libraries().ok_or("there is no `erl` on PATH")?;
    let headers = erlang.join("../usr/include");
    for name in IN_C {
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-shared", "-fPIC", "-I"]).arg(&headers);
        if cfg!(target_os = "macos") {
            cc.args(["-undefined", "dynamic_lookup"]);
        }
        let library = libraries.join(format!("{name}_c.so"));
        let source = root().join(APPLICATION).join(format!("c/{name}.c"));
        run(cc.arg("-o").arg(library).arg(source))?;
    }
    Ok(())
}

fn build_rustler(target: &Path, libraries: &Path) -> Outcome {
    let mut cargo = cargo(&root().join(RUSTLER), &["build", "--release"]);
    run(cargo.env("CARGO_TARGET_DIR", target))?;
    let built = format!("libbench_rustler{}", std::env::consts::DLL_SUFFIX);
    let built = target.join("release").join(built);
    let copied = fs::copy(&built, libraries.join("rustler_codecs.so"));
    copied.map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(())
}
