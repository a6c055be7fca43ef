//! The items of a module during lowering.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Context;
use crate::ir::ItemKind;
use crate::ir::RustType;

/// An item with the names that its variants and fields have without overrides. Two equal items
/// become one.
pub(super) struct Draft {
    /// Its name without overrides, from which other names are derived.
    pub(super) plain: String,
    /// The Erlang form that it stands for.
    pub(super) erlang: String,
    /// Type parameters.
    pub(super) parameters: Vec<String>,
    /// Parameters that may be left out.
    pub(super) defaults: Vec<String>,
    /// Whether Erlang has no name for it. The generator has then chosen one.
    pub(super) anonymous: bool,
    pub(super) kind: ItemKind,
}

/// A draft, or the reserved place of one.
struct Slot {
    draft: Draft,
    /// True if no written type refers to the draft.
    hidden: bool,
}

impl Context<'_> {
    /// Lowers something that will not be written, so that the types of other forms get the names
    /// that they have when it is.
    pub(super) fn hidden<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = (
            self.report.clone(),
            self.atoms.clone(),
            self.diagnostics.clone(),
        );
        let was_hidden = self.drafts.hide(true);
        let lowered = lower(self);
        self.drafts.hide(was_hidden);
        (self.report, self.atoms, self.diagnostics) = before;
        lowered
    }

    /// Returns the item of this module that `ty` refers to, if it has been lowered.
    pub(super) fn draft(&self, ty: &RustType) -> Option<&Draft> {
        let RustType::Item { module, name, .. } = ty else {
            return None;
        };
        let found = self.drafts.named(name);
        found.filter(|_| *module == self.module.name)
    }

    /// Returns whether `ty` is a union of this module.
    pub(super) fn is_enum(&self, ty: &RustType) -> bool {
        self.draft(ty)
            .is_some_and(|draft| matches!(draft.kind, ItemKind::Enum(_)))
    }
}

/// Items in their order.
#[derive(Default)]
pub(super) struct Drafts {
    all: Vec<Slot>,
    /// By their final names.
    named: BTreeMap<String, usize>,
    /// Items without an Erlang name, by the hash of their kind.
    anonymous: BTreeMap<u64, Vec<usize>>,
    /// Whether the current item will not be written.
    is_hidden: bool,
}

impl Drafts {
    /// Adds an item whose name with overrides is `name`.
    pub(super) fn add(&mut self, name: String, draft: Draft) {
        let index = self.all.len();
        self.named.entry(name).or_insert(index);
        if draft.anonymous {
            let same = self.anonymous.entry(hash(&draft.kind)).or_default();
            same.push(index);
        }
        self.push(draft);
    }

    fn push(&mut self, draft: Draft) {
        let hidden = self.is_hidden;
        self.all.push(Slot { draft, hidden });
    }

    /// Reserves the place of an item whose parts come after it. The item is not in
    /// [`Drafts::named`] until it is filled in.
    pub(super) fn reserve(&mut self) -> usize {
        self.push(Draft {
            plain: String::new(),
            erlang: String::new(),
            parameters: Vec::new(),
            defaults: Vec::new(),
            anonymous: false,
            kind: ItemKind::Alias(RustType::TERM),
        });
        self.all.len() - 1
    }

    /// Fills in an item whose name with overrides is `name`.
    pub(super) fn fill(&mut self, index: usize, name: String, draft: Draft) {
        self.named.entry(name).or_insert(index);
        if let Some(reserved) = self.all.get_mut(index) {
            reserved.draft = draft;
        }
    }

    /// Returns the item with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Draft> {
        let slot = self.all.get(*self.named.get(name)?)?;
        Some(&slot.draft)
    }

    /// Returns the item of this kind without an Erlang name.
    pub(super) fn anonymous(&self, kind: &ItemKind) -> Option<&Draft> {
        let same = self.anonymous.get(&hash(kind))?;
        let mut slots = same.iter().filter_map(|index| self.all.get(*index));
        let slot = slots.find(|slot| slot.draft.kind == *kind)?;
        Some(&slot.draft)
    }

    /// Sets whether items that are added are hidden. Returns the previous setting.
    pub(super) fn hide(&mut self, is_hidden: bool) -> bool {
        std::mem::replace(&mut self.is_hidden, is_hidden)
    }

    /// Records that a type refers to the item with this final name: the item and everything that it
    /// refers to are no longer hidden, unless the type is hidden itself.
    pub(super) fn refer_to(&mut self, name: &str, module: &str) {
        let mut open = vec![name.to_owned()];
        while let Some(name) = open.pop().filter(|_| !self.is_hidden) {
            let index = self.named.get(&name);
            let slot = index.and_then(|index| self.all.get_mut(*index));
            let Some(slot) = slot.filter(|slot| slot.hidden) else {
                continue;
            };
            slot.hidden = false;
            let mut types = slot.draft.kind.types();
            while let Some(ty) = types.pop() {
                match ty {
                    RustType::Item {
                        module: of, name, ..
                    } if of == module => open.push(name.clone()),
                    _ => {}
                }
                types.extend(ty.children());
            }
        }
    }

    /// Returns all items, except hidden ones and reserved places that were not filled.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Draft> {
        let shown = self.all.iter().filter(|slot| slot.is_shown());
        shown.map(|slot| &slot.draft)
    }

    pub(super) fn into_all(self) -> Vec<Draft> {
        let shown = self.all.into_iter().filter(Slot::is_shown);
        shown.map(|slot| slot.draft).collect()
    }
}

impl Slot {
    fn is_shown(&self) -> bool {
        !self.hidden && !self.draft.plain.is_empty()
    }
}

/// Returns a hash that is equal on every run.
fn hash(kind: &ItemKind) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}
