//! Durability test: the VM is killed while Erlang processes write, and everything acknowledged must
//! be there afterwards.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use common::{Folder, build, escript};
use jungle::jungle::Jungle;
use otp_bridge_novm as _;

#[test]
fn a_killed_vm_has_lost_nothing_that_was_acknowledged() {
    let folder = Folder::new("vm");
    let ebin = build();
    let path = folder.0.display().to_string();
    let mut acknowledged: BTreeMap<String, u64> = BTreeMap::new();
    // The named versions: trees, names, numbers.
    let mut named: Vec<(String, String, u64)> = Vec::new();
    for lines in [30, 700, 2500] {
        let mut vm = escript("writer.escript", &ebin, &[&path])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(vm.stdout.take().unwrap());
        let mut told = 0;
        for line in output.lines().map_while(Result::ok) {
            if let Some(words) = line.strip_prefix("named ") {
                let words: Vec<&str> = words.split(' ').collect();
                if let ([tree, name, _], Some(Ok(number))) =
                    (&words[..], words.last().map(|it| it.parse()))
                {
                    named.push(((*tree).to_owned(), (*name).to_owned(), number));
                }
                continue;
            }
            // The last line may be incomplete, and the VM may print warnings on a slow machine.
            let words = line.strip_prefix("acknowledged ");
            let words = words.and_then(|it| it.split_once(' '));
            let Some((name, Ok(number))) = words.map(|(name, it)| (name, it.parse::<u64>())) else {
                continue;
            };
            let known = acknowledged.entry(name.to_owned()).or_default();
            *known = number.max(*known);
            told += 1;
            if told == lines {
                vm.kill().unwrap();
            }
        }
        assert!(!vm.wait().unwrap().success());
        let jungle = Jungle::open(&folder.0).unwrap();
        assert_eq!(acknowledged.len(), 3);
        for (name, number) in &acknowledged {
            let tree = jungle.tree(name).unwrap();
            assert!(tree.read().number >= *number, "{name} has lost something");
            assert_eq!(tree.read().node.size(), tree.read().number + 1);
        }
        for (tree, name, number) in &named {
            let version = jungle.tree(tree).unwrap().version(name).unwrap();
            assert_eq!(version.number, *number, "{tree} {name}");
            assert_eq!(version.node.size(), number + 1);
        }
    }
    assert!(named.len() > 5, "{named:?}");
    let snapshots = std::fs::read_dir(&folder.0).unwrap();
    let snapshots = snapshots.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("snapshot-")
    });
    assert!(snapshots.count() > 0, "some were made");
}
