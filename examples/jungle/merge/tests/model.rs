//! Model test: after random edits, splits, crashes and joins, all replicas are equal, and every
//! edit without an effect is listed.

mod reference;
mod world;

use bytes::Bytes;
use jungle_merge::{Batch, Edit, OverruledBy, ROOT, Received, Replica, Request, Versions, Where};
use otp_bridge_novm as _;
use proptest::prelude::*;
use world::World;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn any_order_of_delivery_ends_in_equal_trees(
        steps in prop::collection::vec((0u8..24, 0usize..3, 0usize..64, 0usize..64), 1..160),
    ) {
        let mut world = World::new();
        for (what, at, which, other) in steps {
            match what {
                0..11 => world.edit(at, what, which, other),
                11..18 => world.deliver(which, other % 4 == 0),
                18 => drop((world.sent.len() > 20).then(|| world.sent.truncate(20))),
                19..21 => world.synchronize(at, (at + 1 + which % 2) % 3),
                // Fold with one of the others while the third is away; with both; or alone.
                21 => drop(world.fold(at, &[(at + 1 + which % 2) % 3], other % 3)),
                23 if which >= 56 => drop(world.join(at)),
                22 => drop(world.fold(at, &[(at + 1) % 3, (at + 2) % 3], other % 3)),
                _ if which < 8 => drop(world.fold(at, &[], other % 3)),
                _ => {}
            }
        }
        world.settle();
        world.check();
    }
}

/// `EDITS=100000 cargo test -p jungle-merge --test model` runs the test with more edits.
#[test]
fn many_edits_with_splits_crashes_and_late_joiners_end_equal() {
    let count = std::env::var("EDITS").map_or(12_000, |it| it.parse().unwrap());
    let mut world = World::with_parts_of(20_000);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize
    };
    let (mut split, mut crashes, mut folded, mut most) = (None, 0, 0, 0);
    let mut joined = 0;
    while world.all.len() < count {
        if next() % 500 == 0 {
            // Separates one replica from the others, or none.
            split = [None, Some(0), Some(1), Some(2)][next() % 4];
            for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
                if split != Some(from) && split != Some(to) {
                    world.synchronize(from, to);
                }
            }
        }
        if next() % 5000 == 0 {
            let at = next() % 3;
            crashes += 1;
            world.restart(at);
        }
        if next() % 2000 == 0 {
            let at = next() % 3;
            if split != Some(at) {
                let to = (0..3).find(|it| *it != at && split != Some(*it));
                to.iter().for_each(|to| world.synchronize(at, *to));
                joined += usize::from(world.join(at));
            }
        }
        if next() % 4 == 0 {
            world.pass_parts(|at| split == Some(at));
        }
        if next() % 150 == 0 {
            // The replicas that are not separated fold what they have, regardless of what the other
            // one lacks.
            let at = next() % 3;
            let others: Vec<_> = (0..3)
                .filter(|it| *it != at && split != Some(*it))
                .collect();
            if split != Some(at) {
                others.iter().for_each(|it| world.synchronize(*it, at));
                folded += world.fold(at, &others, 50);
                most = most.max(world.replicas[at].move_count());
            }
        }
        let (at, kind) = (next() % 3, (next() % 11) as u8);
        // Deleted nodes are not edited any more. So the test deletes rarely, to keep most of the
        // tree alive.
        let what = if kind == 6 && next() % 30 != 0 {
            7
        } else {
            kind
        };
        // Some nodes are edited all the time; among the others, any may be deleted.
        let nodes = world.nodes.len();
        let mut pick = || match next() % 4 {
            0 if what != 6 => nodes - 1 - next() % nodes.min(50),
            _ => next() % nodes,
        };
        let (which, other) = (pick(), pick());
        world.edit(at, what, which, other);
        while world.sent.len() > 8 {
            let which = next();
            let to = world.sent[which % world.sent.len()].0;
            if split.is_some() && (split == Some(to) || next() % 2 == 0) {
                let _ = world.sent.swap_remove(which % world.sent.len());
            } else {
                world.deliver(which, next() % 10 == 0);
            }
        }
    }
    world.settle();
    world.check();
    assert!(!world.replicas[0].overruled().is_empty());
    // The run was useful only if most moves were folded and some edits were repeated.
    let again = world.renamed.len();
    println!("{crashes} crashes, {folded} moves folded, at most {most} are not, {again} again");
    println!("{joined} late joiners, {} parts of snapshots", world.parts);
    assert!(joined > 0 && world.parts > 4 * joined, "{joined}");
    assert!(folded > count / 10 && again > 0, "{folded}, {again}");
}

#[test]
fn of_two_moves_that_make_a_cycle_one_is_listed() {
    let mut one = Replica::new(1);
    let create = |replica: &mut Replica| {
        let batch = replica.edit(&Request::Create(ROOT, Where::Last)).unwrap();
        batch.operations[0].stamp
    };
    let (a, b) = (create(&mut one), create(&mut one));
    let mut two = Replica::new(2);
    for batch in one.missing(&Versions::new()) {
        assert!(matches!(two.receive(&batch), Ok(Received::New(_))));
    }
    let first = one.edit(&Request::Move(a, b, Where::Last)).unwrap();
    let second = two.edit(&Request::Move(b, a, Where::Last)).unwrap();
    assert!(matches!(one.receive(&second), Ok(Received::New(_))));
    assert!(matches!(two.receive(&first), Ok(Received::New(_))));
    for replica in [&one, &two] {
        assert_eq!(replica.children(b), Ok(vec![a]));
        let overruled = replica.overruled();
        assert_eq!(overruled.len(), 1);
        assert_eq!(overruled[0].operation, second.operations[0]);
        assert_eq!(overruled[0].by, OverruledBy::Cycle);
    }
    // A replica that has seen both moves settles the conflict by moving the node again.
    let _ = two.edit(&Request::Move(b, ROOT, Where::First)).unwrap();
    assert_eq!(two.overruled(), []);
}

#[test]
fn an_edit_of_what_is_deleted_elsewhere_is_listed() {
    let mut one = Replica::new(1);
    let made = one.edit(&Request::Create(ROOT, Where::Last)).unwrap();
    let node = made.operations[0].stamp;
    let mut two = Replica::new(2);
    assert!(matches!(two.receive(&made), Ok(Received::New(_))));
    let put = Request::Put(node, "a".to_owned(), Bytes::from_static(b"1"));
    let written = two.edit(&put).unwrap();
    let deleted = one.edit(&Request::Delete(node)).unwrap();
    assert!(matches!(one.receive(&written), Ok(Received::New(_))));
    assert!(matches!(two.receive(&deleted), Ok(Received::New(_))));
    let by = OverruledBy::Deleted(deleted.operations[0].stamp);
    for replica in [&one, &two] {
        let overruled = replica.overruled();
        assert_eq!(overruled.len(), 1);
        assert_eq!(
            (&overruled[0].operation, overruled[0].by),
            (&written.operations[0], by)
        );
        assert!(replica.children(node).is_err());
    }
}

#[test]
fn a_write_that_has_seen_the_other_ones_settles_them() {
    let put = |value: &'static [u8]| Request::Put(ROOT, "a".to_owned(), Bytes::from_static(value));
    let (mut one, mut two) = (Replica::new(1), Replica::new(2));
    let first = one.edit(&put(b"1")).unwrap();
    assert!(matches!(two.receive(&first), Ok(Received::New(_))));
    // Consecutive edits.
    let second = two.edit(&put(b"2")).unwrap();
    assert!(matches!(one.receive(&second), Ok(Received::New(_))));
    assert_eq!((one.overruled(), one.operation_count()), (vec![], 1));
    // Concurrent edits.
    let (here, there) = (one.edit(&put(b"3")).unwrap(), two.edit(&put(b"4")).unwrap());
    assert!(matches!(one.receive(&there), Ok(Received::New(_))));
    assert!(matches!(two.receive(&here), Ok(Received::New(_))));
    assert_eq!(one.overruled(), two.overruled());
    assert_eq!(one.overruled()[0].operation, here.operations[0]);
    let _ = one.edit(&put(b"5")).unwrap();
    assert_eq!((one.overruled(), one.operation_count()), (vec![], 1));
}

#[test]
fn what_no_replica_sends_is_refused_and_nothing_of_it_is_used() {
    let mut from = Replica::new(1);
    let good = from.edit(&Request::Create(ROOT, Where::Last)).unwrap();
    let next = from.edit(&Request::Create(ROOT, Where::Last)).unwrap();
    let node = good.operations[0].stamp;
    let mut both = good.clone();
    both.operations.push(next.operations[0].clone());
    both.upto = next.upto.clone();
    let changed = |change: &dyn Fn(&mut Batch)| {
        let mut batch = both.clone();
        change(&mut batch);
        batch
    };
    let wrong = [
        changed(&|it| it.operations.reverse()),
        changed(&|it| it.upto = good.upto.clone()),
        changed(&|it| it.base = Versions::from([(1, 9)])),
        changed(&|it| it.operations[1].stamp.0 = u64::MAX),
        changed(&|it| it.operations[0].stamp.0 = 0),
        changed(&|it| it.operations[1].sequence = 1),
        changed(&|it| it.operations[1].edit = Edit::Delete(ROOT)),
        changed(&|it| it.operations[1].edit = Edit::Remove(node, "k".repeat(2000))),
        changed(&|it| it.operations[1].edit = Edit::Put(node, "k".repeat(2000), Bytes::new())),
    ];
    let mut replica = Replica::new(2);
    for batch in wrong {
        assert!(replica.receive(&batch).is_err(), "{batch:?}");
        assert_eq!(replica.versions(), &Versions::new());
        assert_eq!(replica.size(), 1);
    }
    assert_eq!(replica.receive(&both), Ok(Received::New(2)));
}
