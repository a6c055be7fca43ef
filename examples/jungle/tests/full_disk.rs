//! A full disk, simulated by a limit for the size of the process's files.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;

use common::Folder;
use jungle::error::Error;
use jungle::jungle::Jungle;
use otp_bridge_novm as _;

/// Not a test by itself, but the process whose files are limited.
#[test]
fn a_writer() {
    let Ok(folder) = std::env::var("JUNGLE_FULL") else {
        return;
    };
    let jungle = Jungle::open(Path::new(&folder)).unwrap();
    jungle.create_tree("a").unwrap();
    let put = |key: &str, size: usize| {
        let key = key.to_owned();
        let edit = move |root: &jungle::node::Node| {
            root.add_child_at(&[])?
                .put_attribute(&[], &key, vec![7; size])
        };
        jungle.update_root_node_with("a", edit)
    };
    assert_eq!(put("first", 1000), Ok(1));
    let before = jungle.get_root_node("a").unwrap();
    for _ in 0..3 {
        let failed = put("large", 20_000);
        assert!(matches!(failed, Err(Error::Storage(_))), "{failed:?}");
        assert!(jungle.get_root_node("a").unwrap().is_same(&before));
        assert_eq!(jungle.tree("a").unwrap().read().number, 1);
    }
    // A name that cannot be written is not given, and the earlier names are kept.
    let tree = jungle.tree("a").unwrap();
    assert_eq!(tree.name_version("kept"), Ok(1));
    let begin = tree.begin(|root| root.put_attribute(&[], "large", vec![1; 20_000]));
    let names = [
        tree.begin_name("lost").map(|it| it.1),
        tree.begin_drop("kept"),
    ];
    assert!(begin.is_err() || begin.is_ok_and(|begun| begun.1.wait().is_err()));
    let written: Vec<_> = names.map(|it| it.and_then(|it| it.wait())).into();
    // The log's thread may have failed before these were requested.
    let listed: Vec<_> = tree.versions().into_iter().filter_map(|it| it.1).collect();
    let expected = [("kept", written[1].is_err()), ("lost", written[0].is_ok())];
    let expected = expected.iter().filter(|(_, is_there)| *is_there);
    assert!(listed.iter().eq(expected.map(|(name, _)| name)));
    keeps_trees(&jungle);
    // Changes that build on one that could not be written are undone as well.
    let begin =
        |size: usize| tree.begin(move |root| root.put_attribute(&[], "more", vec![1; size]));
    let begun = [begin(20_000), begin(1), begin(2)];
    for begun in begun.into_iter().flatten() {
        assert!(matches!(begun.1.wait(), Err(Error::Storage(_)) | Ok(())));
    }
    // A change that fits is written.
    let number = put("second", 1000).unwrap();
    let snapshot = jungle.compact(1);
    assert!(snapshot.is_ok() || matches!(snapshot, Err(Error::Storage(_))));
    assert_eq!(put("third", 100), Ok(number + 1));
    println!("\nall is well with version {}", number + 1);
}

/// A tree whose deletion, other name, or index cannot be written keeps everything, and can be
/// changed.
fn keeps_trees(jungle: &Jungle) {
    for round in 0..3 {
        let name = format!("tree {round}");
        jungle.create_tree(&name).unwrap();
        let tree = jungle.tree(&name).unwrap();
        let large = tree.begin(|root| root.put_attribute(&[], "large", vec![1; 20_000]));
        let requested = match round {
            0 => jungle.begin_delete(&name),
            1 => jungle.begin_rename(&name, "new"),
            _ => tree.begin_add_index("key"),
        };
        assert!(large.is_err() || large.is_ok_and(|begun| begun.1.wait().is_err()));
        // The log's thread may have failed before this was requested.
        let is_done = requested.and_then(|pending| pending.wait()).is_ok();
        assert_eq!(jungle.tree(&name).is_err(), is_done && round < 2);
        assert_eq!(jungle.tree("new").is_ok(), is_done && round == 1);
        assert_eq!(tree.read().indexes.has("key"), is_done && round == 2);
        let changed = tree.update(|root| root.put_attribute(&[], "small", *b"1"));
        assert_eq!(changed.is_err(), is_done && round == 0, "{changed:?}");
        // The names are free for other calls.
        let name = if is_done && round == 1 { "new" } else { &name };
        assert_eq!(jungle.delete_tree(name).is_err(), is_done && round == 0);
    }
}

#[test]
fn what_does_not_fit_is_refused_and_the_rest_goes_on() {
    let folder = Folder::new("full");
    // The limit is in blocks of 512 bytes. Ignoring the signal turns the violation into an error.
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact a_writer --nocapture";
    let output = Command::new("sh")
        .args(["-c", limited])
        .arg(std::env::current_exe().unwrap())
        .env("JUNGLE_FULL", &folder.0)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    let version = said.split("all is well with version ").nth(1);
    let version = version.and_then(|rest| rest.split_whitespace().next());
    let version: u64 = version.expect("it has come to its end").parse().unwrap();
    let jungle = Jungle::open(&folder.0).unwrap();
    let tree = jungle.tree("a").unwrap();
    assert_eq!(tree.read().number, version);
    let value = |key| tree.read().node.get_attributes(&[], key).unwrap().cloned();
    for (key, length) in [("first", 1000), ("second", 1000), ("third", 100)] {
        assert_eq!(value(key).map(|value| value.len()), Some(length));
    }
    assert_eq!(value("large"), None);
}
