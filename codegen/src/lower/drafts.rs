//! The items of a module while it is lowered.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::ir::ItemKind;
use crate::ir::RustType;

/// An item in the names that its variants and fields have without overrides: two that are equal
/// are one.
pub(super) struct Draft {
    /// Its name without overrides: what other names are made from.
    pub(super) plain: String,
    /// The Erlang form that it stands for.
    pub(super) erlang: String,
    /// Type parameters.
    pub(super) parameters: Vec<String>,
    /// Those that may be left out.
    pub(super) defaults: Vec<String>,
    /// Whether Erlang has no name for it, so that the generator chose one.
    pub(super) anonymous: bool,
    pub(super) kind: ItemKind,
}

/// Items in their order.
#[derive(Default)]
pub(super) struct Drafts {
    all: Vec<Draft>,
    /// By their final names.
    named: BTreeMap<String, usize>,
    /// Those that Erlang has no name for, by the hash of what they are.
    anonymous: BTreeMap<u64, Vec<usize>>,
}

impl Drafts {
    /// Adds an item, whose name with overrides is `name`.
    pub(super) fn add(&mut self, name: String, draft: Draft) {
        let index = self.all.len();
        self.named.entry(name).or_insert(index);
        if draft.anonymous {
            let same = self.anonymous.entry(hash(&draft.kind)).or_default();
            same.push(index);
        }
        self.all.push(draft);
    }

    /// Keeps the place of an item whose parts come after it. It is not one of [`Drafts::named`]
    /// until it is there.
    pub(super) fn reserve(&mut self) -> usize {
        self.all.push(Draft {
            plain: String::new(),
            erlang: String::new(),
            parameters: Vec::new(),
            defaults: Vec::new(),
            anonymous: false,
            kind: ItemKind::Alias(RustType::TERM),
        });
        self.all.len() - 1
    }

    /// Puts an item, whose name with overrides is `name`, into its place.
    pub(super) fn fill(&mut self, index: usize, name: String, draft: Draft) {
        self.named.entry(name).or_insert(index);
        if let Some(reserved) = self.all.get_mut(index) {
            *reserved = draft;
        }
    }

    /// The item of that name.
    pub(super) fn named(&self, name: &str) -> Option<&Draft> {
        self.all.get(*self.named.get(name)?)
    }

    /// The item that Erlang has no name for and that is of this kind.
    pub(super) fn anonymous(&self, kind: &ItemKind) -> Option<&Draft> {
        let same = self.anonymous.get(&hash(kind))?;
        let mut drafts = same.iter().filter_map(|index| self.all.get(*index));
        drafts.find(|draft| draft.kind == *kind)
    }

    /// All of them, without places that nothing has taken.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Draft> {
        self.all.iter().filter(|draft| !draft.plain.is_empty())
    }

    pub(super) fn into_all(self) -> Vec<Draft> {
        let mut all = self.all;
        all.retain(|draft| !draft.plain.is_empty());
        all
    }
}

/// The same on every run.
fn hash(kind: &ItemKind) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}
