//! What a build folder keeps, and what it writes.

use tempfile::TempDir;

use super::*;
use crate::report::Settings;

fn build_folder(folder: &TempDir) -> BuildFolder {
    BuildFolder::open(folder.path().join("out"), &Ui::new(Settings::default())).unwrap()
}

#[test]
fn a_library_is_named_by_its_content_and_three_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    let library = folder.path().join("libx.so");
    let mut stems = Vec::new();
    for content in ["1", "2", "3", "1", "4"] {
        fs::write(&library, content).unwrap();
        stems.push(build.add_library("x", &library).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(stems[0], stems[3]);
    assert_ne!(stems[0], stems[1]);
    let mut kept: Vec<String> = files(&build.path.join("priv"))
        .unwrap()
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let mut expected = vec![stems[0].clone(), stems[2].clone(), stems[4].clone()];
    kept.sort();
    expected.sort();
    assert_eq!(kept, expected);
}

#[test]
fn an_unchanged_text_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    build.write("src/a.erl", "a").unwrap();
    let path = build.path.join("src/a.erl");
    let first = fs::metadata(&path).unwrap().modified().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    build.write("src/a.erl", "a").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first);
    assert!(build.is_stale("a"));
    fs::write(build.path.join("ebin/a.beam"), "").unwrap();
    assert!(!build.is_stale("a"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    build.write("src/a.erl", "b").unwrap();
    assert!(build.is_stale("a"));
}

#[test]
fn modules_that_are_no_more_go() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    for file in [
        "src/a.erl",
        "src/b.erl",
        "ebin/a.beam",
        "ebin/b.beam",
        "ebin/x.app",
    ] {
        build.write(file, "").unwrap();
    }
    build.keep_only("x", &["a".to_owned()]).unwrap();
    for (file, kept) in [
        ("src/a.erl", true),
        ("ebin/b.beam", false),
        ("ebin/x.app", true),
    ] {
        assert_eq!(build.path.join(file).is_file(), kept, "{file}");
    }
}

#[test]
fn another_otp_compiles_anew() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    build.compiled_by("25").unwrap();
    build.write("ebin/a.beam", "").unwrap();
    build.compiled_by("25").unwrap();
    assert!(build.path.join("ebin/a.beam").is_file());
    build.compiled_by("27").unwrap();
    assert!(!build.path.join("ebin/a.beam").is_file());
}

#[test]
fn an_answer_belongs_to_its_library_and_question() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    let ask = |library, text| Question {
        file: ".answer",
        library,
        text,
    };
    let question = ask("libx-1", "[{port,\n80}]");
    build.remember(&question, "{}\n{}").unwrap();
    assert_eq!(build.known(&question).as_deref(), Some("{}\n{}"));
    assert_eq!(build.known(&ask("libx-2", "[{port,\n80}]")), None);
    assert_eq!(build.known(&ask("libx-1", "[{port,\n81}]")), None);
}

#[test]
fn a_library_that_has_not_changed_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    let library = folder.path().join("libx.so");
    fs::write(&library, "1").unwrap();
    let time = fs::metadata(&library).unwrap().modified().unwrap();
    let stem = build.add_library("x", &library).unwrap();
    // Its content is known by its time and size only.
    fs::write(&library, "2").unwrap();
    let set = |time| {
        File::options()
            .append(true)
            .open(&library)
            .unwrap()
            .set_modified(time)
    };
    set(time).unwrap();
    assert_eq!(build.add_library("x", &library).unwrap(), stem);
    set(time + std::time::Duration::from_nanos(1)).unwrap();
    let other = build.add_library("x", &library).unwrap();
    assert_ne!(other, stem);
    // A copy that is gone is made again.
    fs::remove_file(build.library(&other)).unwrap();
    assert_eq!(build.add_library("x", &library).unwrap(), other);
    assert_eq!(fs::read(build.library(&other)).unwrap(), b"2");
}
