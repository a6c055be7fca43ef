//! `reference()`

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::term::AnyResource;
use crate::term::types::Atom;

/// A reference, such as one of `make_ref/0` or of a monitor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reference(Arc<Referred>);

struct Referred {
    parts: ReferenceParts,
    /// The resource that it represents, which lives as long as the reference.
    resource: Option<AnyResource>,
}

impl PartialEq for Referred {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Referred {}

impl Hash for Referred {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.hash(state);
    }
}

/// The parts of a reference in the external term format (`NEWER_REFERENCE_EXT`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReferenceParts {
    /// The node that created it.
    pub node: Atom,
    /// The number of the node's run.
    pub creation: u32,
    /// One to five words, the lowest first.
    pub ids: Vec<u32>,
}

impl Reference {
    /// Returns the reference with these parts, if it has one to five words.
    pub fn from_parts(parts: ReferenceParts) -> Option<Reference> {
        (1..=5)
            .contains(&parts.ids.len())
            .then(|| Self::new(parts, None))
    }

    fn new(parts: ReferenceParts, resource: Option<AnyResource>) -> Self {
        Reference(Arc::new(Referred { parts, resource }))
    }

    /// Returns the reference with these parts, which represents a resource.
    pub(crate) fn of_resource(parts: ReferenceParts, resource: AnyResource) -> Self {
        Self::new(parts, Some(resource))
    }

    /// Returns the resource that it represents.
    pub(crate) fn resource(&self) -> Option<&AnyResource> {
        self.0.resource.as_ref()
    }

    /// Returns the parts.
    pub fn parts(&self) -> &ReferenceParts {
        &self.0.parts
    }
}

impl Ord for Reference {
    /// The order is Erlang's: by node, then by all words as one number.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (left, right) = (self.parts(), other.parts());
        let node = left.node.cmp(&right.node);
        node.then(left.creation.cmp(&right.creation))
            .then_with(|| left.significant_count().cmp(&right.significant_count()))
            .then_with(|| left.significant_words().cmp(right.significant_words()))
            .then_with(|| left.ids.len().cmp(&right.ids.len()))
    }
}

impl ReferenceParts {
    /// Returns the words from the highest one that is not 0.
    fn significant_words(&self) -> impl Iterator<Item = &u32> {
        self.ids.iter().rev().skip_while(|word| **word == 0)
    }

    fn significant_count(&self) -> usize {
        self.significant_words().count()
    }
}

impl PartialOrd for Reference {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Reference {
    /// `#Ref<shop@host.3.2.1>`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#Ref<{}", self.parts().node.text())?;
        for id in self.parts().ids.iter().rev() {
            write!(formatter, ".{id}")?;
        }
        formatter.write_str(">")
    }
}
