//! The names of callbacks in Rust.

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::Function;

use crate::facts::clauses::signature;
use crate::names::functions::{self, ArgumentNames};
use crate::names::{Taken, camel, snake};

/// Returns the names of the trait and of the method of each callback, by its name and arity. Two
/// names of Erlang's may have one spelling in Rust, such as `fn` and `'Fn'`, or one trait, such as
/// `type` and `type_`: the second one gets an ordinal.
pub(super) fn of_forms(forms: &[Function]) -> BTreeMap<(&str, usize), (String, String)> {
    let suffixes = suffixes(forms);
    let (mut methods, mut traits) = (Taken::default(), Taken::default());
    let mut names = BTreeMap::new();
    for form in forms {
        let key = (form.name.as_str(), form.arity);
        names.entry(key).or_insert_with(|| {
            let suffix = suffixes.get(&key).map_or("", String::as_str);
            let told_apart = format!("{}{suffix}", form.name);
            let method = snake(&told_apart);
            let own = methods.claim(&method);
            let of_trait = match own == method {
                true => camel(&told_apart),
                false => camel(&own),
            };
            (traits.claim(&of_trait), own)
        });
    }
    names
}

/// Returns the suffixes that distinguish the arities of callbacks: see [`functions::suffixes`].
fn suffixes(forms: &[Function]) -> BTreeMap<(&str, usize), String> {
    let mut arities: BTreeMap<&str, BTreeMap<usize, ArgumentNames>> = BTreeMap::new();
    for form in forms {
        let names = functions::argument_names(&signature(form).arguments, &BTreeSet::new());
        let of_name = arities.entry(&form.name).or_default();
        let told = BTreeSet::new();
        let arguments = ArgumentNames { all: names, told };
        of_name.entry(form.arity).or_insert(arguments);
    }
    let mut all = BTreeMap::new();
    for (name, arities) in arities {
        let suffixes = functions::suffixes(name, &arities).into_iter();
        all.extend(suffixes.map(|(arity, suffix)| ((name, arity), suffix)));
    }
    all
}
