//! A supervision tree as text, and in the languages of Graphviz and Mermaid.

use std::fmt::Write;

use crate::report::size;
use crate::vm::tree::{Entry, Process, TreeRow, Trees};

/// Draws lines like those of `cargo tree`.
pub(super) fn text(trees: &Trees) -> String {
    let mut text = String::new();
    let has_node = !trees.node.is_empty();
    if has_node {
        text = format!("{}\n", trees.node);
    }
    for (index, tree) in trees.applications.iter().enumerate() {
        let is_last = index + 1 == trees.applications.len();
        let branch_of_node = if has_node { branch(is_last) } else { "" };
        let _ = writeln!(text, "{branch_of_node}{}", tree.application);
        // Whether the last entry of each depth was the last of its parent.
        let mut above = Vec::from_iter(has_node.then_some(is_last));
        let base = above.len();
        for (index, entry) in tree.entries.iter().enumerate() {
            above.truncate(base + entry.depth);
            for is_last in &above {
                text.push_str(if *is_last { "    " } else { "│   " });
            }
            let is_last = tree.is_last(index);
            let _ = writeln!(text, "{}{}", branch(is_last), label(entry).join(" "));
            above.push(is_last);
        }
    }
    text
}

fn branch(is_last: bool) -> &'static str {
    if is_last { "└── " } else { "├── " }
}

/// Returns the name, and the rest.
pub(super) fn label(entry: &Entry) -> [String; 2] {
    match &entry.kind {
        TreeRow::Omitted(text) => ["…".to_owned(), text.clone()],
        TreeRow::Process(process) => [name(process), facts(process)],
    }
}

/// Returns the name, with the module if that differs.
fn name(process: &Process) -> String {
    match process.module.as_str() {
        "" => process.name.clone(),
        module if module == process.name => process.name.clone(),
        module => format!("{} ({module})", process.name),
    }
}

fn facts(process: &Process) -> String {
    let mut facts = vec![process.kind().to_owned()];
    let known = [&process.pid, &process.state];
    facts.extend(known.into_iter().filter(|it| !it.is_empty()).cloned());
    let declared = process.declared.iter();
    let declared = declared.flat_map(|it| [&it.strategy, &it.restart]);
    facts.extend(declared.filter(|it| !it.is_empty()).cloned());
    let mailbox = process.mailbox.map(|messages| match messages {
        1 => "1 message".to_owned(),
        messages => format!("{messages} messages"),
    });
    facts.extend(mailbox);
    facts.extend(process.memory.map(size));
    facts.join(", ")
}

/// Returns the tree for `dot` of Graphviz.
pub(super) fn dot(trees: &Trees) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = "digraph tree {\n    rankdir=LR;\n    node [shape=box];\n".to_owned();
    let node = |text: &mut String, id: &str, label: &[String]| {
        let label: Vec<String> = label.iter().map(|line| quoted(line)).collect();
        let _ = writeln!(text, "    {id} [label=\"{}\"];", label.join("\\n"));
    };
    let edge = |text: &mut String, from: &str, to: &str| {
        let _ = writeln!(text, "    {from} -> {to};");
    };
    graph(trees, &mut text, node, edge);
    text + "}\n"
}

/// Returns the tree for Mermaid, in the form that Markdown pages use.
pub(super) fn mermaid(trees: &Trees) -> String {
    let mut text = "graph LR\n".to_owned();
    let node = |text: &mut String, id: &str, label: &[String]| {
        let label: Vec<String> = label.iter().map(|line| in_mermaid(line)).collect();
        let _ = writeln!(text, "    {id}[\"{}\"]", label.join("<br/>"));
    };
    let edge = |text: &mut String, from: &str, to: &str| {
        let _ = writeln!(text, "    {from} --> {to}");
    };
    graph(trees, &mut text, node, edge);
    text
}

/// Replaces characters with a meaning in a label by their numbers.
fn in_mermaid(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || " _-.,:()…".contains(c) {
            safe.push(c)
        } else {
            safe.push_str(&format!("#{};", u32::from(c)))
        }
    }
    safe
}

/// Returns all nodes, each followed by the edge that leads to it.
fn graph(
    trees: &Trees,
    text: &mut String,
    node: impl Fn(&mut String, &str, &[String]),
    edge: impl Fn(&mut String, &str, &str),
) {
    if !trees.node.is_empty() {
        node(text, "n", std::slice::from_ref(&trees.node));
    }
    for (number, tree) in trees.applications.iter().enumerate() {
        let application = format!("a{number}");
        node(text, &application, std::slice::from_ref(&tree.application));
        if !trees.node.is_empty() {
            edge(text, "n", &application);
        }
        for (index, entry) in tree.entries.iter().enumerate() {
            let id = |index: usize| format!("a{number}_{index}");
            node(text, &id(index), &label(entry));
            let parent = tree.parent(index).map_or(application.clone(), id);
            edge(text, &parent, &id(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::tree::SupervisionTree;

    fn trees() -> Trees {
        let process = |depth, is_supervisor, name: &str| {
            let kind = TreeRow::Process(Process {
                is_supervisor,
                name: name.to_owned(),
                pid: format!("<0.9{depth}.0>"),
                mailbox: Some(1),
                memory: Some(2048),
                ..Process::default()
            });
            Entry { depth, kind }
        };
        let omitted = Entry {
            depth: 2,
            kind: TreeRow::Omitted("20000 children".to_owned()),
        };
        let tree = |application: &str, entries| SupervisionTree {
            application: application.to_owned(),
            entries,
        };
        Trees {
            node: "a@b".to_owned(),
            applications: vec![
                tree(
                    "one",
                    vec![
                        process(0, true, "root"),
                        process(1, true, "many"),
                        omitted,
                        process(1, false, "\"a\\b\""),
                    ],
                ),
                tree("two", vec![process(0, false, "alone")]),
            ],
        }
    }

    #[test]
    fn lines_lead_from_each_process_to_its_children() {
        let expected = "\
a@b
├── one
│   └── root supervisor, <0.90.0>, 1 message, 2.0KiB
│       ├── many supervisor, <0.91.0>, 1 message, 2.0KiB
│       │   └── … 20000 children
│       └── \"a\\b\" worker, <0.91.0>, 1 message, 2.0KiB
└── two
    └── alone worker, <0.90.0>, 1 message, 2.0KiB
";
        assert_eq!(text(&trees()), expected);
    }

    #[test]
    fn edges_lead_from_each_process_to_its_children() {
        let dot = dot(&trees());
        for part in [
            "    n -> a0;\n",
            "    a0 -> a0_0;\n",
            "    a0_0 -> a0_1;\n",
            "    a0_1 -> a0_2;\n",
            "    a0_0 -> a0_3;\n",
            "a0_3 [label=\"\\\"a\\\\b\\\"\\nworker, ",
        ] {
            assert!(dot.contains(part), "no {part} in {dot}");
        }
        let mermaid = mermaid(&trees());
        for part in [
            "graph LR\n",
            "    a0_0 --> a0_3\n",
            "a0_3[\"#34;a#92;b#34;<br/>worker, #60;0.91.0#62;, 1 message, 2.0KiB\"]",
        ] {
            assert!(mermaid.contains(part), "no {part} in {mermaid}");
        }
    }
}
