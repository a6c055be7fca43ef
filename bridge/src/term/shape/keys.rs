//! Shapes of maps.

use super::{Covers, KeyShape, Shape, is_same};

/// Returns whether maps with `keys` include all maps that have the keys of `more`. `others` and
/// `other_keys` say whether there may be other keys.
pub(super) const fn keys_cover(
    keys: &[KeyShape],
    others: bool,
    more: &[KeyShape],
    other_keys: bool,
) -> Covers {
    let (mut all, mut index) = (Covers::of(others || !other_keys), 0);
    while index < keys.len() {
        let key = &keys[index];
        all = all.and(match find(more, key.key) {
            Some(found) if key.is_optional || !found.is_optional => key.value.covers(&found.value),
            None if key.is_optional && !other_keys => Covers::Yes,
            None if key.is_optional => key.value.covers(&Shape::Any),
            Some(_) | None => Covers::No,
        });
        index += 1;
    }
    index = 0;
    while index < more.len() {
        if !others && find(keys, more[index].key).is_none() {
            return Covers::No;
        }
        index += 1;
    }
    all
}

/// Returns whether a key that `more` requires cannot be in a map with `keys`.
pub(super) const fn keys_exclude(keys: &[KeyShape], others: bool, more: &[KeyShape]) -> bool {
    let mut index = 0;
    while index < more.len() {
        let required = &more[index];
        let excluded = match find(keys, required.key) {
            Some(found) => found.value.excludes(&required.value),
            None => !others,
        };
        if excluded && !required.is_optional {
            return true;
        }
        index += 1;
    }
    false
}

const fn find<'k>(keys: &'k [KeyShape], key: &str) -> Option<&'k KeyShape> {
    let mut index = 0;
    while index < keys.len() {
        if is_same(keys[index].key, key) {
            return Some(&keys[index]);
        }
        index += 1;
    }
    None
}

/// Returns whether all maps that have the keys of `keys` are maps of this key and this value.
pub(super) const fn keys_are_of(
    keys: &[KeyShape],
    others: bool,
    key: &Shape,
    value: &Shape,
) -> Covers {
    let (mut all, mut index) = (Covers::Yes, 0);
    if others {
        all = key.covers(&Shape::Any).and(value.covers(&Shape::Any));
    }
    while index < keys.len() {
        let own = key.covers(&Shape::Atom(keys[index].key));
        all = all.and(own).and(value.covers(&keys[index].value));
        index += 1;
    }
    all
}

/// Returns whether one of the required keys, or its value, is not of this key or this value.
pub(super) const fn has_excluded(keys: &[KeyShape], key: &Shape, value: &Shape) -> bool {
    let mut index = 0;
    while index < keys.len() {
        let own = &keys[index];
        let excluded = key.excludes(&Shape::Atom(own.key)) || value.excludes(&own.value);
        if excluded && !own.is_optional {
            return true;
        }
        index += 1;
    }
    false
}

pub(super) const fn has_required(keys: &[KeyShape]) -> bool {
    let mut index = 0;
    while index < keys.len() {
        if !keys[index].is_optional {
            return true;
        }
        index += 1;
    }
    false
}
