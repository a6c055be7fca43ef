//! The Rust modules of the Erlang modules of a run.
//!
//! An Erlang module has the same Rust name whatever else is generated. A module of Elixir is named
//! after the last part of its name. If another module of the run would have that name as well, both
//! get one more part: `Elixir.Plug.Conn` is `conn`, or `plug_conn` beside `Elixir.Mint.Conn`. A
//! module that has only one part keeps it: `Elixir.Date` is `date` beside `Elixir.Inspect.Date`.
//! `Elixir.GenServer` beside `gen_server` is `elixir_gen_server`.

use std::collections::BTreeMap;

use crate::names::module_identifier;

/// The prefix of the names of Elixir's modules.
const ELIXIR: &str = "Elixir.";
/// Files of every run in addition to those of its modules.
const OTHER_FILES: [&str; 2] = ["atoms", "mod"];

/// The Rust module of each Erlang module of a run.
#[derive(Debug, Default)]
pub(crate) struct ModuleNames(BTreeMap<String, String>);

impl ModuleNames {
    /// Names `modules`. Their own names must be distinct.
    pub(crate) fn new<'m>(modules: impl Iterator<Item = &'m str>) -> Self {
        let mut parts: BTreeMap<&str, usize> = modules.map(|module| (module, 1)).collect();
        loop {
            let mut named: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for (module, parts) in &parts {
                let name = with_parts(module, *parts);
                named.entry(name).or_default().push(module);
            }
            let clashes = named
                .iter()
                .flat_map(|(name, by)| clashing(name, by, &parts));
            let longer: Vec<&str> = clashes
                .filter(|module| parts[module] < most_parts(module))
                .collect();
            for module in &longer {
                parts.entry(module).and_modify(|parts| *parts += 1);
            }
            if longer.is_empty() {
                let named = parts.iter();
                return Self(
                    named
                        .map(|(module, parts)| ((*module).to_owned(), with_parts(module, *parts)))
                        .collect(),
                );
            }
        }
    }

    /// Returns the Rust module of an Erlang module.
    pub(crate) fn of(&self, module: &str) -> String {
        let known = self.0.get(module).cloned();
        known.unwrap_or_else(|| with_parts(module, 1))
    }

    /// Returns the path of a module's file.
    pub(crate) fn file(&self, module: &str) -> String {
        format!("{}.rs", self.of(module))
    }
}

/// Returns the modules with a common name that need another one, if they can have one.
fn clashing<'m>(name: &str, by: &[&'m str], parts: &BTreeMap<&str, usize>) -> Vec<&'m str> {
    let is_whole =
        |module: &&str| module.starts_with(ELIXIR) && parts[*module] + 1 == most_parts(module);
    let is_plain = !OTHER_FILES.contains(&name) && by.iter().all(|one| one.starts_with(ELIXIR));
    let whole = by.iter().filter(|module| is_whole(module)).count();
    let others = |module: &&&str| !(is_plain && whole == 1 && is_whole(module));
    if is_plain && by.len() == 1 {
        Vec::new()
    } else {
        by.iter().filter(others).copied().collect()
    }
}

/// Returns the maximum number of parts in the name of a module.
fn most_parts(module: &str) -> usize {
    match module.strip_prefix(ELIXIR) {
        Some(path) => path.split('.').count() + 1,
        None => 1,
    }
}

/// Returns the name from the last parts of a module's name.
fn with_parts(module: &str, parts: usize) -> String {
    if !module.starts_with(ELIXIR) {
        return module_identifier(module);
    }
    let all: Vec<&str> = module.split('.').collect();
    let last = &all[all.len().saturating_sub(parts)..];
    module_identifier(&format!("{ELIXIR}{}", last.join("_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(modules: &[&str]) -> Vec<String> {
        let names = ModuleNames::new(modules.iter().copied());
        modules.iter().map(|module| names.of(module)).collect()
    }

    #[test]
    fn the_last_part_names_a_module_where_it_can() {
        assert_eq!(names(&["Elixir.Plug.Conn", "gen_tcp"]), ["conn", "gen_tcp"]);
        let both = ["Elixir.Plug.Conn", "Elixir.Mint.Conn"];
        assert_eq!(names(&both), ["plug_conn", "mint_conn"]);
        let otp = ["Elixir.GenServer", "gen_server", "Elixir.Atoms"];
        assert_eq!(names(&otp)[..2], ["elixir_gen_server", "gen_server"]);
        assert_ne!(names(&otp)[2], "atoms");
    }

    #[test]
    fn a_module_that_has_only_this_part_keeps_it() {
        let dates = [
            "Elixir.Date",
            "Elixir.Inspect.Date",
            "Elixir.String.Chars.Date",
        ];
        assert_eq!(names(&dates), ["date", "inspect_date", "chars_date"]);
    }

    #[test]
    fn names_that_stay_the_same_do_not_loop() {
        assert_eq!(names(&["Elixir.", "Elixir", "Elixir.."]).len(), 3);
    }
}
