//! Compares two lists of members and removes their common parts: of maps and records, only
//! different fields are kept; of unions inside, only different members.

use std::collections::BTreeSet;

use otp_specs::types::{MapField, RecordField, Type};

use super::covers::covers;
use super::key::key;
use crate::facts::{DEPTH, bare};
use crate::text;

/// The placeholder for common parts.
const SAME: &str = "...";

/// Returns the parts that only the new and only the old version has, as Erlang text; `None` if
/// there are none. A type that a common member covers is common as well.
pub(super) fn difference(old: &[Type], new: &[Type]) -> Option<(Vec<String>, Vec<String>)> {
    let only = |these: &[Type], others: &[Type]| -> Vec<Type> {
        let others: BTreeSet<String> = others.iter().map(key).collect();
        let mut seen = BTreeSet::new();
        let is_of_both = |ty: &&Type| others.contains(&key(ty));
        let (both, own): (Vec<&Type>, Vec<&Type>) = these.iter().partition(is_of_both);
        let is_new = |ty: &&Type| !both.iter().any(|wide| covers(wide, ty)) && seen.insert(key(ty));
        own.into_iter().filter(is_new).cloned().collect()
    };
    let (mut added, removed) = (only(new, old), only(old, new));
    if added.is_empty() && removed.is_empty() {
        return None;
    }
    let mut texts = (Vec::new(), Vec::new());
    let mut gone = Vec::new();
    for was in removed {
        // The first new member that differs only in fields is the new form of this one.
        let pairs = added.iter().enumerate();
        let mut pairs = pairs.filter_map(|(index, is)| Some((index, narrowed(&was, is, DEPTH)?)));
        match pairs.next() {
            Some((index, (before, after))) => {
                added.remove(index);
                texts.0.extend(after);
                texts.1.extend(before);
            }
            None => gone.push(was),
        }
    }
    // OTP's manual uses the names of elements. If the names of two members do not differ, their
    // types are shown.
    let shown = |ty: &Type, others: &[Type]| {
        let text = text::erlang(bare(ty));
        if others.iter().any(|other| text::erlang(bare(other)) == text) {
            key(ty)
        } else {
            text
        }
    };
    texts.0.extend(added.iter().map(|ty| shown(ty, old)));
    texts.1.extend(gone.iter().map(|ty| shown(ty, new)));
    // The order of a union's members does not matter.
    (!texts.0.is_empty() || !texts.1.is_empty()).then_some(texts)
}

/// The parts of the old and of the new version; `None` if a version has none of its own.
type Sides = (Option<String>, Option<String>);

/// Compares two types that differ only in fields of maps or records, and removes their common
/// parts.
fn narrowed(old: &Type, new: &Type, depth: usize) -> Option<Sides> {
    let depth = depth.checked_sub(1)?;
    match (bare(old), bare(new)) {
        (Type::Map(old), Type::Map(new)) => fields(old, new, depth),
        (Type::Record(name, old), Type::Record(other, new)) if name == other => {
            let (old, new) = record(old, new, depth)?;
            let mark = format!("#{}", text::atom(&name.name));
            Some((enclosed(&mark, old), enclosed(&mark, new)))
        }
        (Type::Tuple(old), Type::Tuple(new)) => tuple(old, new, depth),
        (Type::List(old), Type::List(new)) => {
            let inside = |text: String| format!("[{text}]");
            let (old, new) = narrowed(old, new, depth)?;
            Some((old.map(inside), new.map(inside)))
        }
        (Type::NonemptyList(old), Type::NonemptyList(new)) => {
            let inside = |text: String| format!("[{text}, {SAME}]");
            let (old, new) = narrowed(old, new, depth)?;
            Some((old.map(inside), new.map(inside)))
        }
        _ => None,
    }
}

/// Compares tuples that differ in one element, and in that only in fields.
fn tuple(old: &[Type], new: &[Type], depth: usize) -> Option<Sides> {
    if old.len() != new.len() {
        return None;
    }
    let differs = |index: &usize| key(&old[*index]) != key(&new[*index]);
    let places: Vec<usize> = (0..old.len()).filter(differs).collect();
    let [place] = places.as_slice() else {
        return None;
    };
    let with = |elements: &[Type], narrowed: String| {
        let mut texts: Vec<String> = elements.iter().map(|ty| text::erlang(bare(ty))).collect();
        texts[*place] = narrowed;
        format!("{{{}}}", texts.join(", "))
    };
    let (before, after) = narrowed(&old[*place], &new[*place], depth)?;
    Some((
        before.map(|text| with(old, text)),
        after.map(|text| with(new, text)),
    ))
}

/// Different fields, and whether other fields are equal.
#[derive(Default)]
struct Differing {
    fields: Vec<String>,
    more: bool,
}

fn enclosed(mark: &str, own: Differing) -> Option<String> {
    let mut fields = own.fields;
    if fields.is_empty() {
        return None;
    }
    if own.more {
        fields.push(SAME.to_owned());
    }
    Some(format!("{mark}{{{}}}", fields.join(", ")))
}

/// Compares maps that have a common field, or at least a common key.
fn fields(old: &[MapField], new: &[MapField], depth: usize) -> Option<Sides> {
    let (mut before, mut after) = (Differing::default(), Differing::default());
    let whole = |field: &MapField| Type::Map(vec![field.clone()]);
    let is_same = |one: &MapField, other: &MapField| key(&whole(one)) == key(&whole(other));
    let mut related = false;
    for field in old {
        let same_key = |other: &&MapField| key(&other.key) == key(&field.key);
        match new.iter().find(same_key) {
            Some(other) if is_same(field, other) => before.more = true,
            Some(other) => {
                related = true;
                let sides = (other.required == field.required)
                    .then(|| value(&field.value, &other.value, depth));
                let (own, others) = sides.flatten().unwrap_or_else(|| {
                    let text = |field: &MapField| Some(text::erlang(&field.value));
                    (text(field), text(other))
                });
                before.fields.extend(own.map(|text| with_key(field, &text)));
                after
                    .fields
                    .extend(others.map(|text| with_key(other, &text)));
            }
            None => before
                .fields
                .push(with_key(field, &text::erlang(&field.value))),
        }
    }
    for field in new {
        if !old.iter().any(|other| key(&other.key) == key(&field.key)) {
            after
                .fields
                .push(with_key(field, &text::erlang(&field.value)));
        }
    }
    after.more = before.more;
    (related || before.more).then(|| (enclosed("#", before), enclosed("#", after)))
}

fn with_key(field: &MapField, value: &str) -> String {
    let sign = if field.required { ":=" } else { "=>" };
    format!("{} {sign} {value}", text::erlang(&field.key))
}

/// Compares the fields of one record in two versions.
fn record(
    old: &[RecordField],
    new: &[RecordField],
    depth: usize,
) -> Option<(Differing, Differing)> {
    let (mut before, mut after) = (Differing::default(), Differing::default());
    let text = |field: &RecordField, ty: &str| format!("{} :: {ty}", text::atom(&field.name));
    for field in old {
        match new.iter().find(|other| other.name == field.name) {
            Some(other) if key(&other.ty) == key(&field.ty) => before.more = true,
            Some(other) => {
                let whole = || (Some(text::erlang(&field.ty)), Some(text::erlang(&other.ty)));
                let (own, others) = value(&field.ty, &other.ty, depth).unwrap_or_else(whole);
                before.fields.extend(own.map(|ty| text(field, &ty)));
                after.fields.extend(others.map(|ty| text(other, &ty)));
            }
            None => before.fields.push(text(field, &text::erlang(&field.ty))),
        }
    }
    for field in new {
        if !old.iter().any(|other| other.name == field.name) {
            after.fields.push(text(field, &text::erlang(&field.ty)));
        }
    }
    after.more = before.more;
    Some((before, after))
}

/// Compares a field's value in two versions: of a union, only different members are kept.
fn value(old: &Type, new: &Type, depth: usize) -> Option<Sides> {
    let members = |ty: &Type| match bare(ty) {
        Type::Union(members) => members.clone(),
        other => vec![other.clone()],
    };
    let (old_members, new_members) = (members(old), members(new));
    let keys = |members: &[Type]| members.iter().map(key).collect::<BTreeSet<String>>();
    let (old_keys, new_keys) = (keys(&old_members), keys(&new_members));
    if old_keys.is_disjoint(&new_keys) {
        return narrowed(old, new, depth);
    }
    let own = |members: &[Type], others: &BTreeSet<String>| {
        let own = members.iter().filter(|ty| !others.contains(&key(ty)));
        let mut own: Vec<String> = own.map(text::erlang).collect();
        if own.is_empty() {
            return None;
        }
        own.push(SAME.to_owned());
        Some(own.join(" | "))
    };
    Some((own(&old_members, &new_keys), own(&new_members, &old_keys)))
}
