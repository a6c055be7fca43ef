//! Recovery: which changes are found after a process was killed at any moment.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::Folder;
use jungle::error::Error;
use jungle::jungle::Jungle;
use jungle::node::Node;
use otp_bridge_novm as _;

fn log(folder: &Path) -> PathBuf {
    let logs = (0..4).map(|number| folder.join(format!("log-{number}.0")));
    let length = |path: &PathBuf| fs::metadata(path).expect("a log").len();
    logs.max_by_key(length).expect("four logs")
}

#[test]
fn a_log_that_is_cut_anywhere_is_a_prefix_of_the_changes() {
    let folder = Folder::new("cut");
    let mut roots = vec![Node::new()];
    let jungle = Jungle::open(&folder.0).unwrap();
    jungle
        .create_tree_with("a", &["colour".to_owned()])
        .unwrap();
    for number in 0..12u64 {
        let edit = move |root: &Node| match number % 4 {
            3 => root.delete_child_at(&[], number / 4),
            _ => root.add_child_at(&[])?.put_attribute(
                &[number - number / 4],
                "colour",
                vec![number as u8; 5],
            ),
        };
        assert_eq!(jungle.update_root_node_with("a", edit), Ok(number + 1));
        roots.push(jungle.get_root_node("a").unwrap().clone());
    }
    let Err(Error::Storage(why)) = Jungle::open(&folder.0) else {
        panic!("it is locked");
    };
    assert!(why.contains("another VM, has this folder open"), "{why}");
    // As after a kill, the manifest is the one that opening the folder wrote.
    let listed = folder.0.join("trees.manifest");
    let manifest = fs::read(&listed).unwrap();
    drop(jungle);
    let path = log(&folder.0);
    let whole = fs::read(&path).unwrap();
    let header = jungle_disk::Log::read(&path).unwrap().1.begin;
    let mut seen = 0;
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(&listed, &manifest).unwrap();
        if length < header {
            let opened = Jungle::open(&folder.0);
            assert!(matches!(opened, Err(Error::Corrupt(_))), "{length} bytes");
            continue;
        }
        let jungle = Jungle::open(&folder.0).unwrap();
        let Ok(tree) = jungle.tree("a") else {
            assert_eq!(seen, 0, "the tree was there with {length} bytes fewer");
            continue;
        };
        let version = tree.read();
        let number = version.number as usize;
        assert!(
            number == seen || number == seen + 1,
            "{number} after {seen}"
        );
        seen = number;
        assert_eq!(version.node, roots[number]);
        let found = |colour: u8| {
            version
                .indexes
                .find("colour", &[colour; 5], None, 9)
                .unwrap()
                .len()
        };
        assert_eq!(found(0), usize::from((1..4).contains(&number)));
        drop(version);
        // Writing continues after the cut.
        jungle
            .update_root_node_with("a", |root| root.put_attribute(&[], "after", *b"cut"))
            .unwrap();
        drop((tree, jungle));
        let again = Jungle::open(&folder.0).unwrap().get_root_node("a").unwrap();
        assert_eq!(
            again.get_attributes(&[], "after").unwrap().map(|it| &**it),
            Some(&b"cut"[..])
        );
    }
    assert_eq!(seen, 12);
}

/// Not a test by itself, but the process that the next test kills.
#[test]
fn a_writer() {
    let Ok(folder) = std::env::var("JUNGLE_WRITER") else {
        return;
    };
    let jungle = Jungle::open(Path::new(&folder)).unwrap();
    std::thread::scope(|scope| {
        if std::env::var_os("JUNGLE_COMPACTS").is_some() {
            scope.spawn(|| {
                loop {
                    jungle.compact(0).unwrap();
                    println!("\nsnapshots");
                }
            });
        }
        for name in ["a", "b", "c"] {
            let _created = jungle.create_tree(name);
            let jungle = &jungle;
            scope.spawn(move || {
                loop {
                    let number = jungle.update_root_node_with(name, |root| root.add_child_at(&[]));
                    println!("\nacknowledged {name} {}", number.unwrap());
                }
            });
        }
    });
}

/// Kills the writer after it has printed the given number of lines, in several rounds, and checks
/// what is found.
fn killed_after(name: &str, rounds: &[usize], compacts: bool) {
    let folder = Folder::new(name);
    let (mut acknowledged, mut snapshots) = (std::collections::BTreeMap::new(), 0);
    for lines in rounds {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_writer", "--nocapture"]);
        command.env("JUNGLE_WRITER", &folder.0);
        if compacts {
            command.env("JUNGLE_COMPACTS", "yes");
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut told = 0;
        for line in output.lines().map_while(Result::ok) {
            snapshots += usize::from(line == "snapshots");
            if let Some((name, number)) = line
                .strip_prefix("acknowledged ")
                .and_then(|line| line.split_once(' '))
            {
                acknowledged.insert(name.to_owned(), number.parse::<u64>().unwrap());
                told += 1;
            }
            if told == *lines {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        let jungle = Jungle::open(&folder.0).unwrap();
        for (name, number) in &acknowledged {
            let tree = jungle.tree(name).unwrap();
            assert!(tree.read().number >= *number, "{name} has lost something");
            assert_eq!(tree.read().node.size(), tree.read().number + 1);
        }
    }
    assert_eq!(snapshots > 0, compacts);
}

#[test]
fn nothing_that_was_acknowledged_is_lost_by_a_kill() {
    killed_after("kill", &[1, 50, 211], false);
}

#[test]
fn nothing_is_lost_by_a_kill_while_snapshots_are_made() {
    let rounds: Vec<usize> = (0..12).map(|round| 20 + round * 37).collect();
    killed_after("kill-snapshots", &rounds, true);
}
