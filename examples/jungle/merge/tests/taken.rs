//! Tests of rejoining: a replica was away until the others had folded the moves that it lacks.

use bytes::Bytes;
use jungle_merge::{Batch, OverruledBy, ROOT, Received, Replica, Request, Stamp, Versions, Where};
use otp_bridge_novm as _;

fn edit(replica: &mut Replica, request: &Request) -> Batch {
    replica.edit(request).unwrap()
}

fn stamp(batch: &Batch) -> Stamp {
    batch.operations[0].stamp
}

fn put(node: Stamp, value: &str) -> Request {
    Request::Put(node, "key".to_owned(), Bytes::from(value.to_owned()))
}

/// Two replicas that share a node. The first one has made further edits since, and folded
/// everything.
fn apart() -> (Replica, Replica, Stamp) {
    let (mut here, mut away) = (Replica::new(1), Replica::new(2));
    let created = edit(&mut here, &Request::Create(ROOT, Where::Last));
    assert!(matches!(away.receive(&created), Ok(Received::New(_))));
    let node = stamp(&created);
    let _ = edit(&mut here, &put(node, "here"));
    for _ in 0..10 {
        let _ = edit(&mut here, &Request::Move(node, ROOT, Where::First));
    }
    assert_eq!(here.fold([].into_iter(), 0), 11);
    (here, away, node)
}

#[test]
fn folded_moves_are_not_kept_and_what_is_not_known_by_all_is_not_folded() {
    let (mut one, mut two) = (Replica::new(1), Replica::new(2));
    let created = edit(&mut one, &Request::Create(ROOT, Where::Last));
    assert!(matches!(two.receive(&created), Ok(Received::New(_))));
    let node = stamp(&created);
    let known = two.known();
    for _ in 0..10 {
        let _ = edit(&mut one, &Request::Move(node, ROOT, Where::First));
    }
    assert_eq!(one.fold([&known].into_iter(), 0), 1);
    for batch in one.missing(two.versions()) {
        assert!(matches!(two.receive(&batch), Ok(Received::New(_))));
    }
    let known = two.known();
    assert_eq!(one.fold([&known].into_iter(), 3), 7);
    assert_eq!((one.move_count(), one.operation_count()), (3, 4));
    // Later edits of the other replica come after all of it. Those that depend on unknown edits
    // wait.
    let more = edit(&mut two, &Request::Delete(node));
    assert_eq!(one.fold([&two.known()].into_iter(), 0), 0);
    assert_eq!(one.receive(&more), Ok(Received::New(1)));
    assert_eq!(one.fold([&two.known()].into_iter(), 0), 4);
    assert_eq!(one.children(ROOT), two.children(ROOT));
}

#[test]
fn it_is_told_and_loses_none_of_its_own_edits() {
    let (mut here, mut away, node) = apart();
    let below = edit(&mut away, &Request::Create(node, Where::Last));
    let _ = edit(&mut away, &put(node, "away"));
    let _ = edit(&mut away, &put(stamp(&below), "below"));
    // Neither replica can use the other one's operations.
    assert_eq!(here.receive(&below), Ok(Received::Late));
    assert!(away.is_behind(&here.known()) && here.is_ahead_of(away.versions()));
    assert!(!here.is_behind(&away.known()));
    let mut next = 100;
    let number = || {
        next += 1;
        next
    };
    let taken = away.take(&here.snapshot(), number).unwrap();
    let mut away = taken.replica;
    assert_ne!(away.id(), 2, "others may have what it made as this one");
    for batch in &taken.after {
        assert_eq!(here.receive(batch), Ok(Received::New(3)));
    }
    for replica in [&here, &away] {
        assert_eq!(replica.children(node), Ok(vec![stamp(&below)]));
        let value = replica.attribute(stamp(&below), "key").unwrap();
        assert_eq!(value.as_deref(), Some(&b"below"[..]));
        // One of the node's two values is in the tree, and the other one is listed as overruled.
        let overruled = replica.overruled();
        assert_eq!(overruled.len(), 1);
        assert_eq!(overruled[0].operation.stamp.1, 1);
        assert!(matches!(overruled[0].by, OverruledBy::Written(_)));
    }
    assert_eq!(here.versions(), away.versions());
    // Both replicas continue.
    let more = edit(&mut away, &Request::Create(stamp(&below), Where::Last));
    assert_eq!(here.receive(&more), Ok(Received::New(1)));
    assert_eq!(here.children(stamp(&below)), away.children(stamp(&below)));
    assert!(!away.is_behind(&here.known()));
}

#[test]
fn an_edit_of_what_is_deleted_meanwhile_is_listed() {
    let (mut here, mut away, node) = apart();
    let written = edit(&mut away, &put(node, "away"));
    let deleted = edit(&mut here, &Request::Delete(node));
    here.fold([].into_iter(), 0);
    let taken = away.take(&here.snapshot(), || 9).unwrap();
    assert!(matches!(
        here.receive(&taken.after[0]),
        Ok(Received::New(_))
    ));
    for replica in [&here, &taken.replica] {
        let by = OverruledBy::Deleted(stamp(&deleted));
        let overruled = replica.overruled();
        // The edit does not arrive too late, so it keeps its stamp.
        let found = overruled
            .iter()
            .find(|it| it.operation == written.operations[0]);
        assert_eq!(found.map(|it| it.by), Some(by));
    }
}

#[test]
fn what_others_have_sent_while_a_snapshot_was_on_its_way_is_not_made_again() {
    let (mut here, mut other, mut away) = (Replica::new(1), Replica::new(2), Replica::new(3));
    let created = edit(&mut here, &Request::Create(ROOT, Where::Last));
    assert!(matches!(other.receive(&created), Ok(Received::New(_))));
    assert!(matches!(away.receive(&created), Ok(Received::New(_))));
    let node = stamp(&created);
    for _ in 0..10 {
        let moved = edit(&mut here, &Request::Move(node, ROOT, Where::First));
        assert!(matches!(other.receive(&moved), Ok(Received::New(_))));
    }
    assert_eq!(here.fold([&other.known()].into_iter(), 0), 11);
    assert!(away.is_behind(&here.known()));
    let snapshot = here.snapshot();
    let value = |replica: &Replica| replica.attribute(node, "key").unwrap();
    let below = edit(&mut here, &Request::Create(node, Where::Last));
    assert!(matches!(other.receive(&below), Ok(Received::New(_))));
    for text in ["old", "new"] {
        assert!(matches!(
            other.receive(&edit(&mut here, &put(node, text))),
            Ok(Received::New(_))
        ));
        for batch in other.missing(away.versions()) {
            assert!(matches!(away.receive(&batch), Ok(Received::New(_))));
        }
    }
    // No other replica has this edit.
    let own = edit(&mut away, &put(stamp(&below), "own"));
    let taken = away.take(&snapshot, || 9).unwrap();
    assert_eq!((taken.renamed, taken.replica.id()), (vec![], 3));
    assert_eq!(taken.replica.versions(), away.versions());
    for batch in taken.after.iter().chain([&own]) {
        assert!(matches!(here.receive(batch), Ok(Received::New(_))));
    }
    for replica in [&here, &taken.replica] {
        assert_eq!(value(replica).as_deref(), Some(&b"new"[..]));
        assert_eq!(replica.overruled(), []);
        assert_eq!(replica.children(node), Ok(vec![stamp(&below)]));
        assert_eq!(replica.versions(), away.versions());
    }
}

/// The reason why deleted nodes are kept, even if all replicas with known edits have the deletion.
#[test]
fn who_has_made_no_edit_yet_may_bring_a_deleted_node_back() {
    let (mut here, mut other) = (Replica::new(1), Replica::new(2));
    let created = edit(&mut here, &Request::Create(ROOT, Where::Last));
    assert!(matches!(other.receive(&created), Ok(Received::New(_))));
    let node = stamp(&created);
    let mut quiet = Replica::of_snapshot(3, &here.snapshot()).unwrap();
    let deleted = edit(&mut here, &Request::Delete(node));
    assert!(matches!(other.receive(&deleted), Ok(Received::New(_))));
    assert_eq!(here.versions(), &Versions::from([(1, 2)]));
    assert_eq!(here.fold([&other.known()].into_iter(), 0), 2);
    let moved = edit(&mut quiet, &Request::Move(node, ROOT, Where::First));
    for replica in [&mut here, &mut other] {
        assert_eq!(replica.receive(&moved), Ok(Received::New(1)));
        assert_eq!(replica.children(ROOT), Ok(vec![node]));
    }
}

#[test]
fn a_snapshot_that_is_not_whole_is_refused_and_a_damaged_one_ends_nothing() {
    let (mut here, mut away, node) = apart();
    let below = edit(&mut here, &Request::Create(node, Where::Last));
    let _ = edit(&mut here, &Request::Create(stamp(&below), Where::Last));
    here.fold([].into_iter(), 1);
    let _ = edit(&mut away, &put(node, "away"));
    let snapshot = here.snapshot();
    assert!(away.take(&snapshot, || 9).is_ok());
    for length in 0..snapshot.len() {
        assert!(
            away.take(&snapshot[..length], || 9).is_err(),
            "{length} bytes"
        );
    }
    for at in 0..snapshot.len() {
        for byte in 0..=255 {
            let mut damaged = snapshot.clone();
            damaged[at] = byte;
            // The damaged bytes may decode as another tree, which has to be finite.
            if let Ok(taken) = away.take(&damaged, || 9) {
                let count = taken.replica.size();
                assert!(count < 10 && taken.replica.overruled().len() < 10);
            }
        }
    }
    assert_eq!(away.versions(), &Versions::from([(1, 1), (2, 1)]));
}

/// Three replicas that were apart have each folded moves which the others lack. Their snapshots
/// cross on the way, and the replicas end equal all the same.
#[test]
fn replicas_that_have_each_folded_alone_end_equal() {
    let mut replicas: Vec<Replica> = (1..4).map(Replica::new).collect();
    let created = edit(&mut replicas[0], &Request::Create(ROOT, Where::Last));
    for replica in &mut replicas[1..] {
        assert!(matches!(replica.receive(&created), Ok(Received::New(_))));
    }
    for (at, replica) in replicas.iter_mut().enumerate() {
        for _ in 0..=at {
            let _ = edit(replica, &Request::Create(stamp(&created), Where::Last));
        }
        assert_eq!(replica.fold([].into_iter(), 0), at + 2);
    }
    let (mut next, mut taken) = (100, 0);
    loop {
        let known: Vec<_> = replicas.iter().map(Replica::known).collect();
        let snapshots: Vec<_> = replicas.iter().map(Replica::snapshot).collect();
        let before = taken;
        for (at, replica) in replicas.iter_mut().enumerate() {
            let mut others = [(at + 1) % 3, (at + 2) % 3].into_iter();
            let Some(from) = others.find(|from| replica.is_behind(&known[*from])) else {
                continue;
            };
            let number = || {
                next += 1;
                next
            };
            let result = replica.take(&snapshots[from], number);
            *replica = result.unwrap().replica;
            taken += 1;
        }
        if taken == before {
            break;
        }
        assert!(taken <= 3, "the snapshots go round");
    }
    for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
        let theirs = replicas[to].versions().clone();
        for batch in replicas[from].missing(&theirs) {
            assert!(matches!(replicas[to].receive(&batch), Ok(Received::New(_))));
        }
    }
    let children = replicas[0].children(stamp(&created)).unwrap();
    assert_eq!(children.len(), 1 + 2 + 3);
    for replica in &replicas[1..] {
        assert_eq!(replica.children(stamp(&created)).as_ref(), Ok(&children));
        assert_eq!(replica.versions(), replicas[0].versions());
    }
}
