//! Types that `otp-bridge` already has, so that one Erlang type is one Rust type everywhere.
//!
//! A type of a behaviour's module is re-exported from `otp-bridge` if it would be written
//! identically: same name, same Erlang form, same Rust. It differs if this OTP has another form of
//! it, or if the user gives it another name or more derives. A table of fingerprints,
//! `options/bridge/types.txt`, decides this; `cargo xtask codegen` writes it.

use std::collections::{BTreeMap, BTreeSet};

use crate::complete::{Complete, Fingerprints};
use crate::ir::{Item, ItemKind, RustType};

/// The items of a run that are re-exported from `otp-bridge`.
#[derive(Debug, Default)]
pub(crate) struct Provided(BTreeSet<(String, String)>);

impl Provided {
    /// Returns the items of `modules` that `known` has, and whose parts are such items, too.
    pub(crate) fn new(modules: &[Complete<'_>], known: &Fingerprints) -> Self {
        let mut provided = BTreeMap::new();
        for complete in modules {
            for item in &complete.module.items {
                let name = (complete.module.name.clone(), item.name.clone());
                let known = known.get(&name);
                if known.is_some_and(|known| *known == fingerprint(complete, item)) {
                    provided.insert(name, parts(item));
                }
            }
        }
        loop {
            let names: BTreeSet<_> = provided.keys().cloned().collect();
            provided.retain(|_, parts| parts.is_subset(&names));
            if provided.len() == names.len() {
                return Provided(names);
            }
        }
    }

    /// Returns whether `otp-bridge` provides an item.
    pub(crate) fn has(&self, module: &str, item: &str) -> bool {
        let name = (module.to_owned(), item.to_owned());
        self.0.contains(&name)
    }
}

/// Returns the table of all items of `modules`.
pub(crate) fn fingerprints(modules: &[Complete<'_>]) -> Fingerprints {
    let mut table = Fingerprints::new();
    for complete in modules {
        for item in &complete.module.items {
            let name = (complete.module.name.clone(), item.name.clone());
            table.insert(name, fingerprint(complete, item));
        }
    }
    table
}

/// Returns a fingerprint, which differs for an item that is written in another way. Of an opaque
/// type, only its name counts.
fn fingerprint(complete: &Complete<'_>, item: &Item) -> String {
    let kind = match &item.kind {
        ItemKind::Newtype { opaque: true, .. } => "opaque".to_owned(),
        kind => format!("{kind:?}"),
    };
    let derives = complete.derives(item);
    let text = format!("{:?} {derives:?} {} {kind}", item.parameters, item.erlang);
    // FNV-1a, 64 bits: equal on every machine.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Returns the items inside an item.
fn parts(item: &Item) -> BTreeSet<(String, String)> {
    if matches!(item.kind, ItemKind::Newtype { opaque: true, .. }) {
        return BTreeSet::new();
    }
    let mut open = item.kind.types();
    let mut parts = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if let RustType::Item { module, name, .. } = ty {
            parts.insert((module.clone(), name.clone()));
        }
        open.extend(ty.children());
    }
    parts
}
