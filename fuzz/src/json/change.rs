//! Changes JSON into other JSON.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::random::Random;

/// Parts of seeds.
static PARTS: OnceLock<Vec<Value>> = OnceLock::new();

/// The most parts that are kept, and the length of the longest part.
const MOST_PARTS: usize = 20_000;
const LONGEST_PART: usize = 100;

/// Numbers at the bounds of types and of notations, and texts that look like other terms.
const EDGES: [&str; 16] = [
    "0",
    "-1",
    "255",
    "256",
    "1.0",
    "-0.0",
    "1e300",
    "55296",
    "9007199254740991",
    "9007199254740992",
    "-9223372036854775808",
    "18446744073709551616",
    r#""undefined""#,
    r#""""#,
    r#"{"@integer":"9007199254740992"}"#,
    r#"{"@text":"true"}"#,
];

/// Keeps the parts of these inputs, if none are kept yet.
pub fn learn(seeds: &[Vec<u8>]) {
    let mut parts = Vec::new();
    for seed in seeds {
        if let Some(json) = json(seed) {
            gather(&json, &mut parts);
        }
    }
    // If it was called before, the parts of the first call stay.
    let _ = PARTS.set(parts);
}

/// Returns the JSON behind the number of the type.
fn json(input: &[u8]) -> Option<Value> {
    serde_json::from_slice(input.get(2..)?).ok()
}

fn gather(json: &Value, parts: &mut Vec<Value>) {
    if parts.len() < MOST_PARTS && json.to_string().len() <= LONGEST_PART {
        parts.push(json.clone());
    }
    children(json).for_each(|child| gather(child, parts));
}

fn children(json: &Value) -> impl Iterator<Item = &Value> {
    let (elements, entries) = (json.as_array(), json.as_object());
    let elements = elements.into_iter().flatten();
    elements.chain(entries.into_iter().flat_map(Map::values))
}

/// Changes the first `size` bytes in place, and returns their new number, which is at most `most`.
/// It changes the number of the type or the JSON; if the text is not JSON, its bytes.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    bytewise: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut random = Random::new(seed);
    if random.chance(5) {
        return bytewise(data, size, most);
    }
    let Some(mut json) = json(&data[..size]) else {
        return bytewise(data, size, most);
    };
    if random.chance(6) {
        data[1] = random.below(256) as u8;
        return size;
    }
    for _ in 0..=random.below(3) {
        let (number, other) = (random.below(count(&json)), random.below(count(&json)));
        let other = nth(&mut json, other).cloned();
        if let Some(part) = nth(&mut json, number) {
            change(part, other, &mut random);
        }
    }
    let text = json.to_string();
    let end = 2 + text.len();
    if end > most {
        return bytewise(data, size, most);
    }
    data[2..end].copy_from_slice(text.as_bytes());
    end
}

fn count(json: &Value) -> usize {
    1 + children(json).map(count).sum::<usize>()
}

/// Returns the part with this number. A part comes before its own parts.
fn nth(json: &mut Value, number: usize) -> Option<&mut Value> {
    let Some(mut left) = number.checked_sub(1) else {
        return Some(json);
    };
    let children: Box<dyn Iterator<Item = &mut Value>> = match json {
        Value::Array(elements) => Box::new(elements.iter_mut()),
        Value::Object(entries) => Box::new(entries.values_mut()),
        _ => return None,
    };
    for child in children {
        let count = count(child);
        if left < count {
            return nth(child, left);
        }
        left -= count;
    }
    None
}

/// Changes one part. `other` is another part of the JSON.
fn change(json: &mut Value, other: Option<Value>, random: &mut Random) {
    match random.below(9) {
        0 => *json = other.unwrap_or_default(),
        1 | 2 => *json = part(random),
        3 => *json = edge(random),
        4 => wrap(json, random),
        5 => {
            let children: Vec<&Value> = children(json).collect();
            *json = random
                .pick(&children)
                .map_or(Value::Null, |child| (*child).clone());
        }
        _ => contents(json, random),
    }
}

fn part(random: &mut Random) -> Value {
    let parts = PARTS.get().map_or(&[][..], Vec::as_slice);
    random.pick(parts).cloned().unwrap_or_default()
}

fn edge(random: &mut Random) -> Value {
    let text = random.pick(&EDGES).copied().unwrap_or("null");
    serde_json::from_str(text).unwrap_or_default()
}

/// Puts the JSON into a container.
fn wrap(json: &mut Value, random: &mut Random) {
    let inner = json.take();
    let key = [
        "$",
        "$ok",
        "$add",
        "@map",
        "@improper",
        "@text",
        "key",
        "@$odd",
    ];
    let key = random.pick(&key).copied().unwrap_or("$");
    *json = match random.below(4) {
        0 => Value::Array(vec![inner]),
        1 => single(key, inner),
        2 => single(key, Value::Array(vec![inner, part(random)])),
        _ => single(
            "@map",
            Value::Array(vec![Value::Array(vec![part(random), inner])]),
        ),
    };
}

fn single(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value)]))
}

/// Changes the contents of an array or an object, or the letters of a text.
fn contents(json: &mut Value, random: &mut Random) {
    match json {
        Value::Array(elements) => {
            let (one, other) = (random.below(elements.len()), random.below(elements.len()));
            match random.below(4) {
                _ if elements.is_empty() => elements.push(part(random)),
                0 => elements.swap(one, other),
                1 => drop(elements.remove(one)),
                2 => elements.insert(one, elements[other].clone()),
                _ => elements.insert(one, part(random)),
            }
        }
        Value::Object(entries) => {
            let keys: Vec<String> = entries.keys().cloned().collect();
            let key = random.pick(&keys).cloned().unwrap_or_default();
            let value = entries.remove(&key).unwrap_or_default();
            match random.below(4) {
                0 => {}
                1 => entries.extend([(key, value), (name(random), part(random))]),
                2 => drop(entries.insert(name(random), value)),
                _ => drop(entries.insert(format!("@{key}"), value)),
            }
        }
        Value::String(text) => {
            let letters = ["$", "@", "a", "\u{0}", "é", "\u{10ffff}", "=", "/"];
            let letter = random.pick(&letters).copied().unwrap_or("a");
            match random.chance(3) {
                true => drop(text.pop()),
                false => text.push_str(letter),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => *json = edge(random),
    }
}

/// Returns a key of a kept part.
fn name(random: &mut Random) -> String {
    let part = part(random);
    let keys = part.as_object().and_then(|entries| entries.keys().next());
    keys.cloned().unwrap_or_else(|| "key".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_json_is_nearly_always_other_json() {
        let input = br#"00{"$ok":[1,{"key":"text"},[null,true]]}"#;
        let is_other = |seed: &u32| {
            let mut data = [0; 500];
            data[..input.len()].copy_from_slice(input);
            let size = mutate(&mut data, input.len(), 500, *seed, |_, size, _| size);
            data[..size] != *input && json(&data[..size]).is_some()
        };
        let others = (0..1000).filter(is_other).count();
        assert!(others > 650, "{others}");
    }
}
