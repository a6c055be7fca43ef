//! Replicas end equal, and nothing is lost silently.

mod reference;

use bytes::Bytes;
use jungle_merge::{
    Batch, Edit, NodeId, Operation, Overruled, OverruledBy, ROOT, Received, Replica, Request,
    Stamp, Versions, Where,
};
use otp_bridge_novm as _;
use proptest::prelude::*;
use reference::{Reference, Shape};

fn shape(replica: &Replica) -> Shape {
    let (mut shape, mut left) = (Vec::new(), vec![(ROOT, ROOT)]);
    while let Some((parent, node)) = left.pop() {
        shape.push((parent, node, replica.attributes(node).unwrap()));
        let children = replica.children(node).unwrap();
        left.extend(children.into_iter().rev().map(|child| (node, child)));
    }
    shape
}

/// Three replicas with a network that loses, repeats and reorders.
struct World {
    replicas: Vec<Replica>,
    /// What is on its way: to whom, and what.
    sent: Vec<(usize, Batch)>,
    all: Vec<Operation>,
    /// What exists at each of them, or did.
    nodes: Vec<NodeId>,
}

impl World {
    fn new() -> Self {
        World {
            replicas: (0..3).map(|number| Replica::new(100 + number)).collect(),
            sent: Vec::new(),
            all: Vec::new(),
            nodes: vec![ROOT],
        }
    }

    fn edit(&mut self, at: usize, what: u8, which: usize, other: usize) {
        let pick = |number: usize| self.nodes[self.nodes.len() - 1 - number % self.nodes.len()];
        let (node, second) = (pick(which), pick(other));
        let place = match other % 4 {
            0 => Where::First,
            1 => Where::Before(pick(other / 4)),
            2 => Where::After(pick(other / 4)),
            _ => Where::Last,
        };
        let key = format!("key{}", other % 3);
        let request = match what {
            0..3 => Request::Create(node, place),
            3..6 => Request::Move(node, second, place),
            6 => Request::Delete(node),
            7..10 => Request::Put(node, key, Bytes::from(vec![which as u8, what])),
            _ => Request::Remove(node, key),
        };
        let before = self.replicas[at].versions().clone();
        match self.replicas[at].edit(&request) {
            Err(_) => assert_eq!(*self.replicas[at].versions(), before),
            Ok(batch) => {
                let operation = batch.operations[0].clone();
                if let Edit::Create(..) = operation.edit {
                    self.nodes.push(operation.stamp);
                }
                self.all.push(operation);
                for to in (0..3).filter(|to| *to != at) {
                    self.sent.push((to, batch.clone()));
                }
            }
        }
    }

    /// Delivers one of the messages, and perhaps again later.
    fn deliver(&mut self, which: usize, again: bool) {
        if self.sent.is_empty() {
            return;
        }
        let (to, batch) = self.sent.swap_remove(which % self.sent.len());
        if again {
            self.sent.push((to, batch.clone()));
        }
        self.replicas[to].receive(&batch).unwrap();
    }

    fn synchronize(&mut self, from: usize, to: usize) {
        let theirs = self.replicas[to].versions().clone();
        for batch in self.replicas[from].missing(&theirs) {
            let received = self.replicas[to].receive(&batch).unwrap();
            assert!(matches!(received, Received::New(_)));
        }
    }

    fn settle(&mut self) {
        for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
            self.synchronize(from, to);
        }
    }

    /// All are equal, and as the rule says; what has no effect is listed.
    fn check(&self) {
        let (first, overruled) = (shape(&self.replicas[0]), self.replicas[0].overruled());
        for replica in &self.replicas[1..] {
            assert_eq!(shape(replica), first);
            assert_eq!(replica.overruled(), overruled);
            assert_eq!(replica.versions(), self.replicas[0].versions());
        }
        // Also one that comes late, and gets all of it at once.
        let mut late = Replica::new(7);
        for batch in self.replicas[0].missing(&Versions::new()) {
            late.receive(&batch).unwrap();
        }
        assert_eq!(shape(&late), first);
        assert_eq!(late.overruled(), overruled);
        assert_eq!(first.len(), self.replicas[0].size());
        self.check_operations(&first, &overruled);
    }

    fn check_operations(&self, found: &Shape, overruled: &[Overruled]) {
        let reference = Reference::new(&self.all);
        assert_eq!(*found, reference.shape());
        let listed: Vec<Stamp> = overruled.iter().map(|it| it.operation.stamp).collect();
        assert_eq!(listed, reference.overruled());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn any_order_of_delivery_ends_in_equal_trees(
        steps in prop::collection::vec((0u8..20, 0usize..3, 0usize..64, 0usize..64), 1..160),
    ) {
        let mut world = World::new();
        for (what, at, which, other) in steps {
            match what {
                0..11 => world.edit(at, what, which, other),
                11..18 => world.deliver(which, other % 4 == 0),
                18 => drop((world.sent.len() > 20).then(|| world.sent.truncate(20))),
                _ => world.synchronize(at, (at + 1 + which % 2) % 3),
            }
        }
        world.settle();
        world.check();
    }
}

#[test]
fn a_hundred_thousand_edits_with_splits_crashes_and_late_joiners_end_equal() {
    let mut world = World::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize
    };
    let (mut split, mut crashes) = (None, 0);
    while world.all.len() < 100_000 {
        if next() % 500 == 0 {
            // One of them is alone, or nobody.
            split = [None, Some(0), Some(1), Some(2)][next() % 4];
            for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
                if split != Some(from) && split != Some(to) {
                    world.synchronize(from, to);
                }
            }
        }
        if next() % 5000 == 0 {
            // One starts again, from what it had acknowledged, as a new replica.
            let at = next() % 3;
            crashes += 1;
            let mut again = Replica::new(1000 + crashes);
            for batch in world.replicas[at].missing(&Versions::new()) {
                again.receive(&batch).unwrap();
            }
            world.replicas[at] = again;
        }
        let (at, kind) = (next() % 3, (next() % 11) as u8);
        // What is deleted is not edited any more, so it should not be most of the tree.
        let what = if kind == 6 && next() % 30 != 0 {
            7
        } else {
            kind
        };
        // Some nodes are edited all the time; of the others, anyone is deleted.
        let count = world.nodes.len();
        let mut pick = || match next() % 4 {
            0 if what != 6 => count - 1 - next() % count.min(50),
            _ => next() % count,
        };
        let (which, other) = (pick(), pick());
        world.edit(at, what, which, other);
        while world.sent.len() > 8 {
            let which = next();
            let to = world.sent[which % world.sent.len()].0;
            if split.is_some() && (split == Some(to) || next() % 2 == 0) {
                world.sent.swap_remove(which % world.sent.len());
            } else {
                world.deliver(which, next() % 10 == 0);
            }
        }
    }
    world.settle();
    world.check();
    assert!(!world.replicas[0].overruled().is_empty());
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
        two.receive(&batch).unwrap();
    }
    let first = one.edit(&Request::Move(a, b, Where::Last)).unwrap();
    let second = two.edit(&Request::Move(b, a, Where::Last)).unwrap();
    one.receive(&second).unwrap();
    two.receive(&first).unwrap();
    for replica in [&one, &two] {
        assert_eq!(replica.children(b), Ok(vec![a]));
        let overruled = replica.overruled();
        assert_eq!(overruled.len(), 1);
        assert_eq!(overruled[0].operation, second.operations[0]);
        assert_eq!(overruled[0].by, OverruledBy::Cycle);
    }
    // Whoever has seen it settles it by moving the node again.
    two.edit(&Request::Move(b, ROOT, Where::First)).unwrap();
    assert_eq!(two.overruled(), []);
}

#[test]
fn an_edit_of_what_is_deleted_elsewhere_is_listed() {
    let mut one = Replica::new(1);
    let made = one.edit(&Request::Create(ROOT, Where::Last)).unwrap();
    let node = made.operations[0].stamp;
    let mut two = Replica::new(2);
    two.receive(&made).unwrap();
    let put = Request::Put(node, "a".to_owned(), Bytes::from_static(b"1"));
    let written = two.edit(&put).unwrap();
    let deleted = one.edit(&Request::Delete(node)).unwrap();
    one.receive(&written).unwrap();
    two.receive(&deleted).unwrap();
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
    two.receive(&first).unwrap();
    // One after the other.
    let second = two.edit(&put(b"2")).unwrap();
    one.receive(&second).unwrap();
    assert_eq!((one.overruled(), one.operation_count()), (vec![], 1));
    // At once.
    let (here, there) = (one.edit(&put(b"3")).unwrap(), two.edit(&put(b"4")).unwrap());
    one.receive(&there).unwrap();
    two.receive(&here).unwrap();
    assert_eq!(one.overruled(), two.overruled());
    assert_eq!(one.overruled()[0].operation, here.operations[0]);
    one.edit(&put(b"5")).unwrap();
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
