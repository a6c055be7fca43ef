//! Which types can have a derive of Rust's own: a struct can if all of its parts do.
//!
//! | | has no |
//! |---|---|
//! | `float()`, `number()` | `Eq`, `Hash`, `Ord`; `number()` no `PartialOrd` either |
//! | `map()` and maps of unknown keys | `Hash`, `PartialOrd`, `Ord` |
//! | `term()`, `tuple()`, `function()` | `Hash` |
//! | funs of known types | `Hash`, `PartialOrd`, `Ord` |
//! | all that is on the heap | `Copy` |
//!
//! Of derives from elsewhere, and of Rust types that a user has, nothing is known: they are taken
//! to fit.

use std::collections::BTreeSet;

use crate::ir::{Item, Kind, Module, RustType};

/// A derive that the types of the run time have or have not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Copy,
}

impl Own {
    /// The derive of that name, if it is one of these.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Eq" => Own::Eq,
            "Hash" => Own::Hash,
            "PartialOrd" => Own::PartialOrd,
            "Ord" => Own::Ord,
            "Copy" => Own::Copy,
            _ => return None,
        })
    }
}

/// Items by module and name.
pub(super) type Items = BTreeSet<(String, String)>;

/// The items that cannot have a derive: those that `refuse` it, and those that have a id that
/// cannot. Items that `have` it for certain do.
pub(super) fn lacking(modules: &[Module], derive: Own, refuse: &Items, have: &Items) -> Items {
    let mut lacking = refuse.clone();
    loop {
        let before = lacking.len();
        for module in modules {
            for item in &module.items {
                let key = (module.name.clone(), item.name.clone());
                if !have.contains(&key) && lacks(item, derive, &lacking) {
                    lacking.insert(key);
                }
            }
        }
        if lacking.len() == before {
            return lacking;
        }
    }
}

fn lacks(item: &Item, derive: Own, lacking: &Items) -> bool {
    // A type of the run time, of which too little is known here.
    let elsewhere = matches!(item.kind, Kind::Reexport(_));
    let of_map = matches!(&item.kind, Kind::Map { rest: Some(_), .. });
    let types = item.kind.types().into_iter();
    elsewhere
        || (of_map && runtime_lacks("Map", derive))
        || types.into_iter().any(|ty| part_lacks(ty, derive, lacking))
}

fn part_lacks(ty: &RustType, derive: Own, lacking: &Items) -> bool {
    let itself = match ty {
        RustType::Runtime(name, _) => runtime_lacks(name, derive),
        RustType::Standard(name, _) => derive == Own::Copy && *name != "Option",
        RustType::Primitive("f64") => matches!(derive, Own::Eq | Own::Hash | Own::Ord),
        RustType::Fun(..) => return derive != Own::Eq,
        RustType::Bits(..) => derive == Own::Copy,
        RustType::Item { module, name, .. } => lacking.contains(&(module.clone(), name.clone())),
        RustType::Mapped { reply, .. } => reply.is_some(),
        RustType::Primitive(_)
        | RustType::Ranged(..)
        | RustType::Literal(_)
        | RustType::Atom(_)
        | RustType::Tuple(_)
        | RustType::Parameter(_) => false,
    };
    let mut parts = ty.children().into_iter();
    itself || parts.any(|id| part_lacks(id, derive, lacking))
}

/// Whether a type of the run time has not the derive, whatever its parts are.
fn runtime_lacks(name: &str, derive: Own) -> bool {
    match derive {
        Own::Eq => name == "Number",
        Own::Hash => ["Fun", "Map", "Number", "Term", "Tuple"].contains(&name),
        Own::PartialOrd | Own::Ord => ["Map", "Number"].contains(&name),
        Own::Copy => {
            let small = ["Char", "EmptyMap", "NegInteger", "Never", "Nil", "Timeout"];
            !small.contains(&name)
        }
    }
}
