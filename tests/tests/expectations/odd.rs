//! JSON texts that resemble those of a type.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::sample::Random;

/// JSON texts of every kind. Many of them are not a value of any type.
pub(crate) static TEXTS: LazyLock<Vec<Value>> = LazyLock::new(texts);

fn texts() -> Vec<Value> {
    let text = r#"[
        null, true, false, "true", "false", "undefined", "nil", "", "a", "ok", "infinity", "$a", "@a",
        0, 1, -1, 255, 256, 1.0, 1.5, -0.0, 1e300, 55296, 1114111, 9007199254740991, 9007199254740992,
        -9007199254740992, 9223372036854775807, 18446744073709551615, 18446744073709551616,
        {"@integer": "5"}, {"@integer": "9007199254740991"}, {"@integer": "9007199254740992"},
        {"@integer": "-9007199254740992"}, {"@integer": "09007199254740992"}, {"@integer": "-0"},
        {"@integer": "18446744073709551615"}, {"@integer": "18446744073709551616"}, {"@integer": 5},
        {"@integer": "123456789012345678901234567890123456789012345678901234567890"}, {"@integer": ""},
        [], [1], ["a"], [[]], [97, 98], [55296], [1.0], [null], [1, "a"],
        {}, {"a": 1}, {"b": 1}, {"a": "b"}, {"": 1}, {"@$a": 1}, {"@@a": 1}, {"$a": 1, "b": 2}, {"@a": 1, "b": 2},
        {"@b": 1}, {"true": 1}, {"undefined": 1}, {"infinity": 1}, {"a": 1, "zzz": {"@zzz": 1}},
        {"@text": ""}, {"@text": "a"}, {"@text": "grün"}, {"@text": 1}, {"@text": "a", "b": 1},
        {"@base64": ""}, {"@base64": "AA=="}, {"@base64": "AB=="}, {"@base64": "/w=="}, {"@base64": "/w"}, {"@base64": "AAA="},
        {"@base64": "AAB="}, {"@base64": "AAAA"}, {"@base64": "AAAAAAAAAAAAAAAAAAAAAA=="}, {"@base64": "!"},
        {"@bits": ""}, {"@bits": "1"}, {"@bits": "101"}, {"@bits": "00000000"}, {"@bits": "000000001"}, {"@bits": "2"},
        {"@string": ""}, {"@string": "a"}, {"@string": "grün"}, {"@string": "日本"}, {"@string": 1},
        {"@improper": []}, {"@improper": [1]}, {"@improper": [1, 2]}, {"@improper": [1, "a"]}, {"@improper": [1, [2]]},
        {"@improper": [1, {"@text": "a"}]}, {"@improper": ["a", "b"]}, {"@improper": [1, {"@string": "a"}]},
        {"@map": []}, {"@map": [["a", 1]]}, {"@map": [[1, 2]]}, {"@map": [[1, "a"]]}, {"@map": [["a", 1], [1, 2]]},
        {"@map": [[1, 2], [1, 3]]}, {"@map": [[1, 2], [1.0, 3]]}, {"@map": [[1]]}, {"@map": {}}, {"@map": [[{"@text": "a"}, 1]]},
        {"@map": [["a", 1], ["b", 2], [1, "a"]]}, {"@map": [[true, 1], [[], 2]]},
        {"$": []}, {"$": [1]}, {"$": ["a"]}, {"$": ["a", 1]}, {"$": [1, "a"]}, {"$": ["", 1]}, {"$": 1}, {"$": [true, 1]},
        {"$": ["m", "f", 1]}, {"$m": ["f", 1]}, {"$m": ["f", 256]}, {"$": [1, 2, 3, 4]}, {"$": [{"@text": "a"}, 1]},
        {"$a": []}, {"$a": [1]}, {"$a": ["b"]}, {"$a": 1}, {"$true": [1]}, {"$undefined": [1]}, {"$ok": [1]}, {"$error": ["a"]},
        {"@pid": "5.0.7.a@b"}, {"@pid": "05.0.7.a@b"}, {"@pid": "+5.0.7.a@b"}, {"@pid": "4294967296.0.7.a"}, {"@pid": "5.0.7."},
        {"@pid": "5.0.7"}, {"@pid": "5.0.7.true"}, {"@port": "5.7.a@b"}, {"@port": "18446744073709551615.7.a"},
        {"@port": "18446744073709551616.7.a"}, {"@port": "5.a@b"}, {"@reference": "1,2,3.7.a@b"}, {"@reference": "1,2,3,4,5,6.7.a"},
        {"@reference": ".7.a"}, {"@reference": "1.4294967295.a"}, {"@reference": "1.4294967296.a"}, {"@reference": "01.7.a"},
        {"@fun": ["m", "f", 0]}, {"@fun": ["m", "f", 1]}, {"@fun": ["m", "f", 2]}, {"@fun": ["m", "f", 256]}, {"@fun": ["m", "f"]},
        {"@fun": ["m", true, 1]}, {"@fun": "AAAA"}, {"@fun": "!"}, {"@zzz": 1}, {"@Text": 1}
    ]"#;
    let mut texts: Vec<Value> = serde_json::from_str(text).expect("JSON");
    for letters in [255, 256] {
        let long = "日".repeat(letters);
        texts.extend([
            json!(long),
            json!({ &long: 1 }),
            json!({ format!("${long}"): [1] }),
            json!({ format!("@${}", &long[3..]): 1 }),
            json!({ "@pid": format!("5.0.7.{long}") }),
        ]);
    }
    texts
}

/// Returns `json` with one random change.
pub(crate) fn changed(json: &Value, random: &mut Random) -> Value {
    let is_here = random.below(3) == 0;
    match json {
        Value::Array(elements) if !is_here && !elements.is_empty() => {
            let mut elements = elements.clone();
            let place = random.below(elements.len());
            elements[place] = changed(&elements[place], random);
            Value::Array(elements)
        }
        Value::Object(entries) if !is_here && !entries.is_empty() => {
            let place = random.below(entries.len());
            let change = |(index, (key, value)): (usize, (&String, &Value))| {
                let value = match index == place {
                    true => changed(value, random),
                    false => value.clone(),
                };
                (key.clone(), value)
            };
            Value::Object(entries.iter().enumerate().map(change).collect())
        }
        _ => changed_here(json, random),
    }
}

fn changed_here(json: &Value, random: &mut Random) -> Value {
    let mut other = || TEXTS[random.below(TEXTS.len())].clone();
    let (one, key) = (other(), other());
    match json {
        Value::Array(elements) => {
            let mut elements = elements.clone();
            match random.below(4) {
                0 => elements.push(one),
                1 if !elements.is_empty() => _ = elements.remove(random.below(elements.len())),
                2 => elements.reverse(),
                _ => return one,
            }
            Value::Array(elements)
        }
        Value::Object(entries) => {
            let mut entries = entries.clone();
            let keys: Vec<String> = entries.keys().cloned().collect();
            let new = key.as_str().unwrap_or("zzz").to_owned();
            match (random.below(4), keys.as_slice()) {
                (0, _) => _ = entries.insert(new, one),
                (1, [_, ..]) => _ = entries.remove(&keys[random.below(keys.len())]),
                (2, [_, ..]) => {
                    let value = entries.remove(&keys[random.below(keys.len())]);
                    entries.insert(new, value.unwrap_or_default());
                }
                _ => return one,
            }
            Value::Object(entries)
        }
        Value::Number(number) if random.below(2) == 0 => {
            let number = number.as_f64().unwrap_or_default();
            let near = [number, number + 1.0, number - 1.0, number + 0.5];
            Value::from(near[random.below(4)])
        }
        _ => one,
    }
}
