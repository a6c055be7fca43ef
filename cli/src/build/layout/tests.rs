//! A built application's folder, and the files that a build puts there.

use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::build::Next;
use crate::report::Settings;

pub(crate) fn build_folder(folder: &TempDir) -> BuildFolder {
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
fn the_library_of_the_last_build_that_passed_stays() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    let library = folder.path().join("libx.so");
    let add = |content: &str| {
        fs::write(&library, content).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        build.add_library("x", &library).unwrap()
    };
    let passed = add("1");
    build.has_built(&passed).unwrap();
    let failed = ["2", "3", "4", "5"].map(add);
    assert!(is_newest(&build.path, &build.library(&passed)));
    assert!(!is_newest(&build.path, &build.library(&failed[3])));
    assert!(build.library(&passed).is_file());
    assert_eq!(files(&build.path.join("priv")).unwrap().len(), 3);
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
}

#[test]
fn an_answer_belongs_to_its_library_and_question() {
    let folder = tempfile::tempdir().unwrap();
    let build = build_folder(&folder);
    let ask = |library, text| CacheKey {
        file: ".answer",
        library,
        text,
    };
    let key = ask("libx-1", "[{port,\n80}]");
    build.remember(&key, "{}\n{}").unwrap();
    assert_eq!(build.known(&key).as_deref(), Some("{}\n{}"));
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
    // The content is identified only by time and size.
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
    // A copy that is gone is created again.
    fs::remove_file(build.library(&other)).unwrap();
    assert_eq!(build.add_library("x", &library).unwrap(), other);
    assert_eq!(fs::read(build.library(&other)).unwrap(), b"2");
}

fn begin(folder: &BuildFolder) -> Next<'_> {
    fs::write(folder.library("libx-1"), "").unwrap();
    Next::begin(folder, "25".to_owned()).unwrap()
}

fn compile(next: &Next<'_>, module: &str) {
    std::thread::sleep(Duration::from_millis(20));
    fs::write(next.made().join(format!("{module}.beam")), "").unwrap();
}

#[test]
fn a_build_that_does_not_come_to_its_end_changes_no_module() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = build_folder(&temporary);
    let names = || {
        let files = files(&folder.ebin()).unwrap();
        let names = files.iter().map(|path| path.file_name().unwrap());
        let mut names: Vec<_> = names.map(|name| name.to_owned()).collect();
        names.sort();
        names
    };
    folder.write("src/a.erl", "a").unwrap();
    folder.write("src/b.erl", "b").unwrap();
    let next = begin(&folder);
    compile(&next, "a");
    next.write_resource_file("x", "1").unwrap();
    drop(next);
    assert_eq!(names(), [""; 0]);

    let next = begin(&folder);
    assert!(next.is_stale("a"));
    compile(&next, "a");
    compile(&next, "b");
    next.write_resource_file("x", "1").unwrap();
    let modules = ["a".to_owned(), "b".to_owned()];
    next.finish("x", &modules, "libx-1").unwrap();
    assert_eq!(names(), ["a.beam", "b.beam", "x.app"]);

    // `b` is gone.
    let next = begin(&folder);
    assert!(!next.is_stale("a"));
    next.finish("x", &modules[..1], "libx-1").unwrap();
    assert_eq!(names(), ["a.beam", "x.app"]);
    assert!(!folder.path.join("src/b.erl").exists());
}

#[test]
fn a_module_is_compiled_when_its_source_changes_or_the_compiler() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = build_folder(&temporary);
    let modules = ["a".to_owned()];
    folder.write("src/a.erl", "a").unwrap();
    let next = begin(&folder);
    compile(&next, "a");
    assert!(!next.is_stale("a"));
    next.finish("x", &modules, "libx-1").unwrap();

    std::thread::sleep(Duration::from_millis(20));
    folder.write("src/a.erl", "b").unwrap();
    assert!(begin(&folder).is_stale("a"));
    let next = begin(&folder);
    compile(&next, "a");
    next.finish("x", &modules, "libx-1").unwrap();
    assert!(!begin(&folder).is_stale("a"));

    let next = Next::begin(&folder, "27".to_owned()).unwrap();
    assert!(next.is_stale("a"));
    compile(&next, "a");
    assert!(!next.is_stale("a"));
    drop(next);
    assert!(!begin(&folder).is_stale("a"));
}
