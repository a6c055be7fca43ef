//! Property: a query finds the nodes that a plain search, which checks each node, finds.

use jungle::error::Error;
use jungle::jungle::create_jungle;
use jungle::node::{Node, NodePath, Position};
use jungle::query::pattern::Step;
use jungle::query::predicate::Predicate;
use jungle::query::{Progress, Query, Search};
use otp_bridge::term::Binary;
use otp_bridge_novm as _;
use proptest::prelude::*;

/// Returns whether a path matches a pattern, by trying all possibilities.
fn is_like(root: &Node, path: &[Position], done: usize, pattern: &[Step]) -> bool {
    let Some((step, rest)) = pattern.split_first() else {
        return done == path.len();
    };
    let next = path.get(done);
    let go_on = |fits: bool| fits && is_like(root, path, done + 1, rest);
    match step {
        Step::Deep => {
            is_like(root, path, done, rest)
                || (next.is_some() && is_like(root, path, done + 1, pattern))
        }
        Step::Any => go_on(next.is_some()),
        Step::At(at) => go_on(next == Some(at)),
        Step::Range(from, to) => go_on(next.is_some_and(|it| from <= it && it <= to)),
        Step::Having(key, value) => go_on(
            next.is_some()
                && root
                    .get_attributes(&path[..=done], key)
                    .unwrap()
                    .map(|it| &**it)
                    == Some(&**value),
        ),
    }
}

fn fulfils(node: &Node, predicate: &Predicate) -> bool {
    let value = |key: &str| node.get_attributes(&[], key).unwrap();
    match predicate {
        Predicate::True => true,
        Predicate::Has(key) => value(key).is_some(),
        Predicate::Equal(key, it) => value(key).map(|it| &**it) == Some(&**it),
        Predicate::Between(key, a, b) => value(key).is_some_and(|it| **a <= **it && **it <= **b),
        Predicate::Prefix(key, it) => value(key).is_some_and(|value| value.starts_with(it)),
        Predicate::Not(it) => !fulfils(node, it),
        Predicate::And(all) => all.iter().all(|it| fulfils(node, it)),
        Predicate::Or(any) => any.iter().any(|it| fulfils(node, it)),
    }
}

fn all(root: &Node) -> Vec<NodePath> {
    fn below(node: &Node, path: NodePath, paths: &mut Vec<NodePath>) {
        paths.push(path.clone());
        for (position, child) in node.children_from(0) {
            below(child, [&path[..], &[position]].concat(), paths);
        }
    }
    let mut paths = Vec::new();
    below(root, vec![], &mut paths);
    paths
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u64..4).prop_map(Step::At),
        Just(Step::Any),
        Just(Step::Deep),
        (0u64..4, 0u64..3).prop_map(|(from, more)| Step::Range(from, from + more)),
        any::<bool>().prop_map(|it| Step::Having("colour".to_owned(), colour(it))),
    ]
}

fn colour(is_blue: bool) -> Binary {
    Binary::from(if is_blue { "blue" } else { "red" })
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let key = || prop_oneof![Just("colour".to_owned()), Just("size".to_owned())];
    let leaf = prop_oneof![
        Just(Predicate::True),
        key().prop_map(Predicate::Has),
        (key(), any::<bool>()).prop_map(|(key, it)| Predicate::Equal(key, colour(it))),
        key().prop_map(|key| Predicate::Between(key, Binary::from("c"), Binary::from("r"))),
        key().prop_map(|key| Predicate::Prefix(key, Binary::from("re"))),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|it| Predicate::Not(Box::new(it))),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Predicate::And),
            prop::collection::vec(inner, 0..3).prop_map(Predicate::Or),
        ]
    })
}

proptest! {
    /// Compares the results with and without indexes, in pages of any size.
    #[test]
    fn a_query_finds_what_looking_at_each_node_finds(
        edits in prop::collection::vec((prop::collection::vec(0u64..4, 0..4), 0u8..6), 0..80),
        pattern in prop::option::of(prop::collection::vec(step(), 0..5)),
        predicate in predicate(),
        limit in 1usize..7,
        indexed in any::<bool>(),
    ) {
        let jungle = create_jungle();
        let keys = if indexed { vec!["colour".to_owned()] } else { vec![] };
        jungle.create_tree_with("a", &keys).unwrap();
        for (path, what) in edits {
            let edit = move |root: &Node| match what {
                0 => root.put_attribute(&path, "colour", *b"blue"),
                1 => root.put_attribute(&path, "colour", *b"red"),
                2 => root.put_attribute(&path, "size", *b"red"),
                3 if path.len() == 3 => root.delete_child_at(&path[..2], path[2]),
                _ => root.add_child_at(&path),
            };
            let _ = jungle.update_root_node_with("a", edit);
        }
        let tree = jungle.tree("a").unwrap();
        let version = tree.read();
        let root = &version.node;
        let steps = pattern.clone().unwrap_or(vec![Step::Deep]);
        let expected: Vec<NodePath> = all(root)
            .into_iter()
            .filter(|path| is_like(root, path, 0, &steps))
            .filter(|path| fulfils(root.at(path).unwrap(), &predicate))
            .collect();
        let mut query = Query { pattern, predicate: Some(predicate), after: None, limit: Some(limit) };
        let mut found = Vec::new();
        loop {
            let page = query.select(&version).unwrap();
            prop_assert!(page.found.len() <= limit);
            found.extend(page.found);
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        prop_assert_eq!(found, expected);
    }
}

/// Returns how many nodes a search visited, and how many it found.
fn steps(mut search: Search<'_>) -> (usize, usize) {
    let (mut steps, mut found) = (0, 0);
    loop {
        steps += 1;
        match search.step() {
            Progress::Found(..) => found += 1,
            Progress::Other => {}
            Progress::End => return (steps, found),
        }
    }
}

#[test]
fn a_search_looks_only_where_something_can_be() {
    let jungle = create_jungle();
    jungle.create_tree_with("a", &["name".to_owned()]).unwrap();
    let wide = |root: &Node| {
        let mut root = root.clone();
        for first in 0..100 {
            root = root.add_child_at(&[])?;
            for second in 0..100 {
                root = root.add_child_at(&[first])?;
                let name = format!("{second}");
                root = root.put_attribute(&[first, second], "name", name.into_bytes())?;
            }
        }
        Ok(root)
    };
    jungle.update_root_node_with("a", wide).unwrap();
    let tree = jungle.tree("a").unwrap();
    let version = tree.read();
    let looked = |query: &Query| steps(Search::new(&version, query).unwrap());
    let pattern = |steps: &[Step]| Query {
        pattern: Some(steps.to_vec()),
        ..Query::default()
    };
    assert_eq!(looked(&pattern(&[Step::Deep])).1, 10_101);
    let (looks, found) = looked(&pattern(&[Step::At(7), Step::Range(5, 9)]));
    assert!(found == 5 && looks < 20, "{looks}");
    let named = Query {
        predicate: Some(Predicate::Equal("name".to_owned(), Binary::from("55"))),
        ..Query::default()
    };
    let (looks, found) = looked(&named);
    assert!(found == 100 && looks < 110, "{looks}");
    // Starting a distant page does not revisit the earlier ones.
    let later = Query {
        after: Some(vec![98, 50]),
        ..Query::default()
    };
    let (looks, found) = looked(&later);
    // The walk enters and leaves each node.
    assert!(found == 49 + 101 && looks < 2 * found + 10, "{looks}");
}

#[test]
fn ranges_of_values_are_in_order_and_in_pages() {
    let jungle = create_jungle();
    jungle.create_tree_with("a", &["name".to_owned()]).unwrap();
    for name in ["pear", "apple", "fig", "apple", "plum"] {
        let add = move |root: &Node| {
            let at = root.next_position();
            root.add_child_at(&[])?
                .put_attribute(&[at], "name", name.as_bytes())
        };
        jungle.update_root_node_with("a", add).unwrap();
    }
    let version = jungle.tree("a").unwrap();
    let version = version.read();
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let page = version
            .indexes
            .range("name", b"a", b"pf", after.as_ref(), 2);
        let page = page.unwrap();
        found.extend(page.iter().map(|(_, path)| path[0]));
        match page.last() {
            Some(last) => after = Some((*last).clone()),
            None => break,
        }
    }
    assert_eq!(found, [1, 3, 2, 0]);
    let unknown = version.indexes.range("size", b"", b"z", None, 1);
    assert_eq!(unknown, Err(Error::NotIndexed("size".to_owned())));
    let bad = Query {
        pattern: Some(vec![Step::Range(3, 1)]),
        ..Query::default()
    };
    assert!(matches!(bad.select(&version), Err(Error::BadPattern(_))));
    let many = Query {
        limit: Some(1 << 20),
        ..Query::default()
    };
    assert!(matches!(many.select(&version), Err(Error::TooLarge(..))));
}
