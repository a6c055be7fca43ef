//! Processes that callbacks name by a static, such as `cx.call(&STORE, Get)`. `cargo otp check`
//! compares these names with the existing processes.

use std::panic::Location;

use otp_contract::manifest::UsedName;

use super::ModuleEntry;
use super::manifest::location;

/// A use of such a name. Submitted by the behaviours' attribute macros.
pub struct UsedNameEntry {
    /// Path of the Rust type whose callback it is in.
    pub rust_path: &'static str,
    /// Returns the process, if the static is a reference to one of this node.
    pub process: fn() -> Option<NamedProcess>,
    /// The callback, the message of its clause, the method of the context, and the message that is
    /// sent.
    pub words: [&'static str; 4],
    /// Whether the callback waits, whether the use is in a closure, and whether it is conditional.
    pub flags: [bool; 3],
    /// Its line in the source.
    pub location: &'static Location<'static>,
}

inventory::collect!(UsedNameEntry);

/// A process that has a name on its node.
pub struct NamedProcess {
    /// Its name, as Erlang writes it.
    pub name: String,
    /// Its callback module.
    pub module: String,
}

/// Returns the names that a module uses, in the order of the source, which does not depend on the
/// linker.
pub(super) fn of(module: &ModuleEntry) -> Vec<UsedName> {
    let entries = inventory::iter::<UsedNameEntry>();
    let own = entries.filter(|entry| entry.rust_path == module.rust_path);
    let mut used: Vec<UsedName> = own.filter_map(described).collect();
    used.sort_by_key(|it| (it.location.line, it.location.column));
    used
}

fn described(entry: &UsedNameEntry) -> Option<UsedName> {
    let NamedProcess { name, module } = (entry.process)()?;
    let [callback, clause, method, message] = entry.words.map(str::to_owned);
    let [waits, is_in_closure, is_conditional] = entry.flags;
    Some(UsedName {
        name,
        module,
        callback,
        clause,
        method,
        message,
        waits,
        is_in_closure,
        is_conditional,
        location: location(entry.location),
    })
}
