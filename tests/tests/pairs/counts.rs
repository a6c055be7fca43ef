//! Counts the refused wrong programs, by the stage that refuses them.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Returns the number of wrong programs in the tests of `cargo otp check`: the messages that they
/// expect.
pub(crate) fn refused_by_check() -> usize {
    let folder = workspace().join("cli/tests/it");
    let files = fs::read_dir(&folder).expect("the tests of the command line can be read");
    let files = files.map(|file| file.expect("a file").path());
    let of_check = files.filter(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with("check"))
    });
    let texts = of_check.map(|path| fs::read_to_string(path).expect("a test can be read"));
    texts.map(|source| source.matches("error[E").count()).sum()
}

/// Checks that docs/checks.md contains the line. `PAIRS=update` writes it.
pub(crate) fn agree(line: &str) {
    let path = workspace().join("docs/checks.md");
    let page = fs::read_to_string(&path).expect("the page can be read");
    let old = page.lines().find(|line| line.starts_with("rustc refuses "));
    let old = old.expect("docs/checks.md has a line `rustc refuses …`");
    if env::var("PAIRS").is_ok_and(|word| word == "update") {
        fs::write(&path, page.replace(old, line)).expect("the page can be written");
    } else {
        assert_eq!(
            old, line,
            "`PAIRS=update cargo xtask pairs` writes docs/checks.md"
        );
    }
    #[expect(clippy::print_stdout, reason = "`cargo xtask pairs` shows it")]
    {
        println!("{line}");
    }
}

fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.expect("the workspace").to_path_buf()
}
