//! Supervision trees: those of a running node, as reported by `otp_rs_tree.erl`.

use std::process::Stdio;

use otp_erlang::tools::{SUPERVISION, TREE};

use super::script::RunningNode;
use crate::installation::Installation;
use crate::report::{Result, catalog};

/// An exit code of the module.
const NOT_RUNNING: i32 = 4;

/// The trees of a node, or those that applications declare.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trees {
    /// `NAME@HOST`; empty if the trees are not those of a node.
    pub(crate) node: String,
    /// In the order in which they were started.
    pub(crate) applications: Vec<SupervisionTree>,
}

/// An application.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SupervisionTree {
    /// Its name.
    pub(crate) application: String,
    /// Its processes, each before its children.
    pub(crate) entries: Vec<Entry>,
}

/// A line of a tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// 0 for the root supervisor.
    pub(crate) depth: usize,
    /// The contents of the line.
    pub(crate) kind: TreeRow,
}

/// A process, or a note about others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TreeRow {
    /// A child of a supervisor, or the root.
    Process(Process),
    /// A note about children that are not shown.
    Omitted(String),
}

/// A process. Unknown facts are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) is_supervisor: bool,
    /// Its registered name, otherwise its child id, otherwise its module.
    pub(crate) name: String,
    /// Its child id.
    pub(crate) id: String,
    /// The callback module.
    pub(crate) module: String,
    /// The pid as the node writes it, such as `<0.95.0>`.
    pub(crate) pid: String,
    /// Messages in its mailbox.
    pub(crate) mailbox: Option<u64>,
    /// Bytes of its heap, stack and messages on the heap.
    pub(crate) memory: Option<u64>,
    /// An unusual state: `restarting`, `ended`, `no answer`, `template`.
    pub(crate) state: String,
    /// Its declaration, if the tree is not that of a node.
    pub(crate) declared: Option<Box<Declaration>>,
}

/// The contents of a child spec, and the flags of a supervisor. Unknown facts are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The function that starts it: `counter:start_link/1`. The root has none.
    pub(crate) start: String,
    /// `permanent`, `transient` or `temporary`
    pub(crate) restart: String,
    /// `brutal_kill`, `infinity` or milliseconds
    pub(crate) shutdown: String,
    /// A problem of the function that starts it.
    pub(crate) problem: String,
    /// The name that it registers.
    pub(crate) registered: String,
    /// A supervisor's strategy when a child ends: `one_for_one` and so on.
    pub(crate) strategy: String,
    /// The number of restarts that a supervisor allows.
    pub(crate) intensity: Option<u64>,
    /// The period in seconds for these restarts.
    pub(crate) period: Option<u64>,
}

impl Process {
    /// Returns whether it is a supervisor whose children are known, even if there are none.
    pub(crate) fn has_said_its_children(&self) -> bool {
        let declared = self.declared.as_ref();
        self.state == "ignore" || declared.is_some_and(|it| !it.strategy.is_empty())
    }

    /// Returns OTP's word for it in a child specification.
    pub(crate) fn kind(&self) -> &'static str {
        match self.is_supervisor {
            true => "supervisor",
            false => "worker",
        }
    }
}

impl SupervisionTree {
    /// Returns the index of the entry's parent. `None`: it is the root.
    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        let depth = self.entries[index].depth;
        let before = &self.entries[..index];
        before.iter().rposition(|entry| entry.depth < depth)
    }

    /// Returns whether it is the last entry below its parent.
    pub(crate) fn is_last(&self, index: usize) -> bool {
        let depth = self.entries[index].depth;
        let mut after = self.entries[index + 1..].iter();
        after
            .find(|entry| entry.depth <= depth)
            .is_none_or(|entry| entry.depth < depth)
    }
}

/// Asks a node for the trees of some applications, or of all except `kernel`.
pub(crate) fn ask(
    otp: &Installation,
    node: &RunningNode<'_>,
    applications: &[String],
) -> Result<Trees> {
    let said = node.by(otp, &[&SUPERVISION, &TREE], applications, Stdio::piped())?;
    let why = String::from_utf8_lossy(&said.stderr);
    match said.status.code() {
        Some(0) => read(&String::from_utf8_lossy(&said.stdout)),
        Some(NOT_RUNNING) => Err(catalog::NOT_RUNNING.with(&[&why.trim(), &node.name])),
        _ => Err(catalog::INTERNAL
            .with(&[&"the supervision tree cannot be asked for"])
            .detail(why)),
    }
}

/// Reads lines of fields separated by tabs.
fn read(text: &str) -> Result<Trees> {
    let mut trees = Trees::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let known = match fields.as_slice() {
            ["node", name] => {
                trees.node = (*name).to_owned();
                Some(())
            }
            ["application", name] => {
                trees.begin(name);
                Some(())
            }
            ["process", depth, rest @ ..] => {
                let kind = process(rest).map(TreeRow::Process);
                kind.and_then(|kind| trees.add(depth, kind))
            }
            ["omitted", depth, text] => trees.add(depth, TreeRow::Omitted((*text).to_owned())),
            _ => None,
        };
        known.ok_or_else(|| {
            let what = "what the node says of its tree is not understood";
            catalog::INTERNAL.with(&[&what]).detail(line)
        })?;
    }
    Ok(trees)
}

impl Trees {
    pub(super) fn begin(&mut self, application: &str) {
        self.applications.push(SupervisionTree {
            application: application.to_owned(),
            entries: Vec::new(),
        });
    }

    pub(super) fn add(&mut self, depth: &str, kind: TreeRow) -> Option<()> {
        let depth = depth.parse().ok()?;
        let tree = self.applications.last_mut()?;
        tree.entries.push(Entry { depth, kind });
        Some(())
    }
}

fn process(fields: &[&str]) -> Option<Process> {
    let &[kind, name, id, module, pid, mailbox, memory, state] = fields else {
        return None;
    };
    Some(Process {
        is_supervisor: kind == "supervisor",
        name: name.to_owned(),
        id: id.to_owned(),
        module: module.to_owned(),
        pid: pid.to_owned(),
        mailbox: mailbox.parse().ok(),
        memory: memory.parse().ok(),
        state: state.to_owned(),
        declared: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_known_is_refused() {
        let tree = "node\ta@b\napplication\tshop\n";
        assert_eq!(read(tree).unwrap().applications.len(), 1);
        for line in ["what", "process\t0\tworker", "omitted\tx\ttext", ""] {
            assert!(read(&format!("{tree}{line}\n")).is_err(), "{line}");
        }
        assert!(read("omitted\t0\tbefore any application\n").is_err());
    }
}
