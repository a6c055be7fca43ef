//! Property: the shown form of a replicated tree agrees with the merge rule.

#[path = "../merge/tests/reference/mod.rs"]
#[allow(dead_code)]
mod reference;
#[path = "../merge/tests/world/mod.rs"]
#[allow(dead_code)]
mod world;

use std::collections::BTreeMap;

use bytes::Bytes;
use jungle::error::Error;
use jungle::jungle::create_jungle;
use jungle::node::{Node, NodePath};
use jungle::query::Query;
use jungle::query::predicate::Predicate;
use jungle::view::{Happened, View};
use jungle_merge::{NodeId, ROOT, Replica, Request, Where};
use otp_bridge_novm as _;
use proptest::prelude::*;
use reference::Shape;
use world::{World, shape};

/// Returns what a view shows, in the form of the reference.
fn shown(view: &View) -> Shape {
    fn below(view: &View, node: &Node, path: &NodePath, parent: NodeId, found: &mut Shape) {
        let id = view.node_at(path).unwrap();
        assert_eq!(view.path(id).as_ref(), Some(path));
        let attributes = node.attributes();
        let attributes =
            attributes.map(|(key, value)| (key.to_string(), Bytes::copy_from_slice(value)));
        found.push((parent, id, attributes.collect()));
        for (position, child) in node.children_from(0) {
            below(view, child, &[&path[..], &[position]].concat(), id, found);
        }
    }
    let mut found = Shape::new();
    below(view, view.root(), &vec![], ROOT, &mut found);
    found
}

/// The nodes with their parents and attributes, without the order of siblings.
type Nodes = BTreeMap<NodeId, (NodeId, BTreeMap<String, Bytes>)>;

fn nodes_of(shape: &Shape) -> Nodes {
    let nodes = shape
        .iter()
        .map(|(parent, node, attributes)| (*node, (*parent, attributes.iter().cloned().collect())));
    nodes.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn a_view_follows_each_replica_and_tells_what_has_happened(
        steps in prop::collection::vec((0u8..24, 0usize..3, 0usize..64, 0usize..64), 1..160),
    ) {
        let mut world = World::new();
        let mut views: Vec<View> = (0..3).map(|_| View::default()).collect();
        for (what, at, which, other) in steps {
            match what {
                0..11 => world.edit(at, what, which, other),
                11..18 => world.deliver(which, other % 4 == 0),
                18..21 => world.synchronize(at, (at + 1 + which % 2) % 3),
                21 => drop(world.fold(at, &[(at + 1 + which % 2) % 3], other % 3)),
                22 => drop(world.fold(at, &[(at + 1) % 3, (at + 2) % 3], other % 3)),
                _ => {}
            }
            for (view, replica) in views.iter_mut().zip(&mut world.replicas) {
                let before = shown(view);
                let touched = replica.take_touched();
                let events = view.update(replica, &touched, true);
                let now = shown(view);
                prop_assert_eq!(&now, &shape(replica));
                // The events lead from the old state to the new one, except for nodes that came and
                // went with an ancestor.
                let (before, now) = (nodes_of(&before), nodes_of(&now));
                for event in &events {
                    match &event.what {
                        Happened::Created(node, parent) => {
                            prop_assert!(!before.contains_key(node) && now[node].0 == *parent);
                        }
                        Happened::Moved(node, parent) => prop_assert_eq!(now[node].0, *parent),
                        Happened::Deleted(node) => prop_assert!(before.contains_key(node) && !now.contains_key(node)),
                        Happened::Put(node, key, value) => prop_assert_eq!(&now[node].1[key], value),
                        Happened::Removed(node, key) => prop_assert!(!now[node].1.contains_key(key)),
                        Happened::Overruled(_) | Happened::Settled(_) => {}
                    }
                }
                for (node, (parent, attributes)) in &now {
                    let Some(old) = before.get(node) else { continue };
                    let is_told = |what: &dyn Fn(&Happened) -> bool| events.iter().any(|it| what(&it.what));
                    prop_assert!(old.0 == *parent || is_told(&|it| *it == Happened::Moved(*node, *parent)));
                    for (key, value) in attributes {
                        let put = Happened::Put(*node, key.clone(), value.clone());
                        prop_assert!(old.1.get(key) == Some(value) || is_told(&|it| *it == put));
                    }
                }
            }
        }
        // A view that is made from scratch shows an equal tree.
        for replica in &world.replicas {
            let mut view = View::default();
            view.update_all(replica, false);
            prop_assert_eq!(shown(&view), shape(replica));
        }
    }
}

fn node(replica: &mut Replica, parent: NodeId, at: Where) -> NodeId {
    replica
        .edit(&Request::Create(parent, at))
        .unwrap()
        .operations[0]
        .stamp
}

#[test]
fn children_keep_their_order_where_no_number_is_left_between_two() {
    let (mut replica, mut view) = (Replica::new(1), View::default());
    let first = node(&mut replica, ROOT, Where::Last);
    node(&mut replica, ROOT, Where::Last);
    for number in 0..200 {
        let new = node(&mut replica, ROOT, Where::After(first));
        let value = Bytes::from(vec![number]);
        let _ = replica
            .edit(&Request::Put(new, "number".to_owned(), value))
            .unwrap();
        let touched = replica.take_touched();
        view.update(&replica, &touched, false);
        assert_eq!(shown(&view), shape(&replica));
    }
}

#[test]
fn what_is_too_deep_is_not_shown_until_it_is_higher() {
    let mut replica = Replica::new(1);
    let mut view = View::default();
    let (one, two) = (
        node(&mut replica, ROOT, Where::Last),
        node(&mut replica, ROOT, Where::Last),
    );
    let (mut low, mut other) = (one, two);
    for _ in 0..200 {
        low = node(&mut replica, low, Where::Last);
        other = node(&mut replica, other, Where::Last);
    }
    let update = |replica: &mut Replica, view: &mut View| {
        let touched = replica.take_touched();
        view.update(replica, &touched, false);
    };
    update(&mut replica, &mut view);
    assert_eq!(view.root().size(), 403);
    let _ = replica.edit(&Request::Move(two, low, Where::Last)).unwrap();
    update(&mut replica, &mut view);
    assert_eq!((view.root().size(), replica.size()), (257, 403));
    assert_eq!(view.path(other), None);
    let _ = replica
        .edit(&Request::Move(two, ROOT, Where::Last))
        .unwrap();
    update(&mut replica, &mut view);
    assert_eq!(shown(&view), shape(&replica));
    // A node that is too deep to be shown cannot be created.
    for _ in 0..55 {
        low = node(&mut replica, low, Where::Last);
    }
    let refused = replica
        .edit(&Request::Create(low, Where::Last))
        .unwrap_err();
    assert_eq!(refused.to_string(), "the path is larger than 256");
}

#[test]
fn a_shown_tree_is_read_as_any_other_one_and_changed_by_nobody_else() {
    let jungle = create_jungle();
    let show = jungle.show("garden");
    let (mut replica, mut view) = (Replica::new(1), View::default());
    let plant = node(&mut replica, ROOT, Where::Last);
    let put = Request::Put(plant, "name".to_owned(), Bytes::from_static(b"oak"));
    let _ = replica.edit(&put).unwrap();
    let _ = replica.edit(&Request::Index("name".to_owned())).unwrap();
    assert_eq!(replica.indexed(), ["name"]);
    let touched = replica.take_touched();
    view.update(&replica, &touched, false);
    assert_eq!(show.set(view.root().clone()), 1);
    show.index(&replica.indexed());
    let tree = jungle.tree("garden").unwrap();
    let query = Query {
        predicate: Some(Predicate::Equal("name".to_owned(), b"oak".to_vec().into())),
        ..Query::default()
    };
    let page = query.select(&tree.read()).unwrap();
    assert_eq!(page.found, [view.path(plant).unwrap()]);
    let version = tree.read();
    let found = version.indexes.range("name", b"a", b"z", None, 9).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        tree.update(|root| root.add_child_at(&[])),
        Err(Error::Replicated)
    );
    assert_eq!(
        jungle.update_root_node("garden", Node::new()),
        Err(Error::Replicated)
    );
    assert_eq!(tree.read().number, 1);
}
