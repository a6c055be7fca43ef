//! Other builds of the application on connected nodes. The processes `otp_rs` of all nodes tell
//! each other which build they run, and each informs its library about the nodes with another
//! build: a term from there may not have the type that this build expects.

use std::sync::{PoisonError, RwLock};

use crate::term::types::Identity;
use crate::{Atom, DecodeError, FromTerm, Pid, View};

/// The largest number of nodes that are listed if the sender is unknown.
const SHOWN: usize = 3;

/// The build of this node, and the nodes that run another one.
#[derive(Debug, Default)]
struct Builds {
    /// `shop 0.1.0 (build 1a2b3c4d)`
    own: String,
    others: Vec<(Atom, String)>,
}

static BUILDS: RwLock<Builds> = RwLock::new(Builds {
    own: String::new(),
    others: Vec::new(),
});

/// The origin of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermOrigin {
    /// This node.
    Here,
    /// A process of that node, which may be this one.
    Node(Atom),
    /// Any node.
    Unknown,
}

impl TermOrigin {
    /// Returns where a process runs.
    pub(crate) fn of(pid: &Pid) -> Self {
        match pid.identity() {
            Identity::Local(_) => TermOrigin::Here,
            Identity::External(parts) => TermOrigin::Node(parts.node.clone()),
        }
    }
}

/// Replaces the builds: the text of this node's build, and `[{Node, Text}]` for others.
pub(in crate::runtime) fn set<'a, V: View<'a>>(own: V, others: V) {
    let (Ok(own), Ok(others)) = (String::from_term(own), Vec::from_term(others)) else {
        return;
    };
    let mut builds = BUILDS.write().unwrap_or_else(PoisonError::into_inner);
    *builds = Builds { own, others };
}

/// Adds both builds to the error of a term with this origin, if they differ.
#[cold]
pub(in crate::runtime) fn explain(error: DecodeError, origin: &TermOrigin) -> DecodeError {
    let builds = BUILDS.read().unwrap_or_else(PoisonError::into_inner);
    match builds.text(origin) {
        Some(text) => error.of_builds(text),
        None => error,
    }
}

impl Builds {
    fn text(&self, origin: &TermOrigin) -> Option<String> {
        let own = &self.own;
        match origin {
            TermOrigin::Here => None,
            TermOrigin::Node(node) => {
                let (_, theirs) = self.others.iter().find(|(other, _)| other == node)?;
                Some(format!(
                    "sent by {node}, which runs {theirs}; this is {own}"
                ))
            }
            TermOrigin::Unknown => {
                let others = self.others.iter().take(SHOWN);
                let others = others.map(|(node, theirs)| format!("{node} runs {theirs}"));
                let others = others.collect::<Vec<_>>().join(", ");
                (!others.is_empty())
                    .then(|| format!("the sender is not known: {others}; this is {own}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom;

    #[test]
    fn both_builds_are_named_if_they_differ() {
        let builds = Builds {
            own: "shop 0.1.0 (build 1a)".to_owned(),
            others: vec![(atom!("b@host"), "shop 0.2.0 (build 2b)".to_owned())],
        };
        let text = |origin| builds.text(&origin);
        let of_node = text(TermOrigin::Node(atom!("b@host")));
        let expected =
            "sent by b@host, which runs shop 0.2.0 (build 2b); this is shop 0.1.0 (build 1a)";
        assert_eq!(of_node.as_deref(), Some(expected));
        assert_eq!(text(TermOrigin::Node(atom!("c@host"))), None);
        assert_eq!(text(TermOrigin::Here), None);
        assert!(text(TermOrigin::Unknown).is_some_and(|text| text.contains("b@host runs")));
        assert_eq!(Builds::default().text(&TermOrigin::Unknown), None);
    }
}
