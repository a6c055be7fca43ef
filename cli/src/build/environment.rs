//! Compares `[env]` of otp.toml with the structs that derive `Env`. The library itself reports
//! mismatches.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use otp_codegen::erlang::variables;
use otp_contract::modules;

use super::Built;
use super::cargo::Package;
use super::ebin::Next;
use super::ebin::output_of;
use super::layout::CacheKey;
use crate::files::Scratch;
use crate::installation::Installation;
use crate::project::config::{Config, Variable};
use crate::report::{Error, Result, catalog, nearest, quoted};
use crate::vm;

/// Keys that the run time of otp-rs reads itself.
const OWN: [&str; 3] = ["arguments", "long_callback", "message_limit"];

/// The library's report about an environment.
struct Answer {
    /// Mistakes, each with its key.
    mistakes: Vec<(String, String)>,
    /// Keys that a struct needs and that are missing.
    missing: Vec<String>,
    /// The keys that the code reads. If empty, the code does not read the environment through a
    /// struct.
    keys: Vec<String>,
}

/// Refuses values whose type differs from the code's, and keys that the code does not have. A
/// missing key may be in a `sys.config`.
pub(super) fn check(
    otp: &Installation,
    next: &Next<'_>,
    (package, library): (&Package, &str),
    config: &Config,
) -> Result<()> {
    if config.environment.is_empty() {
        return Ok(());
    }
    let given = text_of(&config.environment);
    let key = CacheKey {
        file: ".environment",
        library,
        text: &given,
    };
    let answer = match next.folder.known(&key) {
        Some(answer) => answer,
        None => {
            let answer = ask(otp, next, package, &given)?;
            next.folder.remember(&key, &answer)?;
            answer
        }
    };
    let found = found(&config.environment, &config.text, &Answer::read(&answer));
    if found.is_empty() {
        return Ok(());
    }
    let error = catalog::ENVIRONMENT.error().at(config.path.display());
    Err(found.into_iter().fold(error, Error::detail))
}

/// Returns the mistake of each key, with its line in otp.toml. A program may have generated any
/// number of keys.
fn found(environment: &[Variable], text: &str, answer: &Answer) -> Vec<String> {
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let known: BTreeSet<&str> = answer.keys.iter().map(String::as_str).collect();
    let mut mistakes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, text) in &answer.mistakes {
        mistakes.entry(key).or_default().push(text);
    }
    let mut found = Vec::new();
    for Variable { key, span, .. } in environment {
        let start = span.as_ref().map_or(0, |span| span.start);
        let line = breaks.partition_point(|at| *at < start) + 1;
        let of_key = mistakes.get(key.as_str()).into_iter().flatten();
        found.extend(of_key.map(|text| format!("otp.toml:{line}: {text}")));
        found.extend(unknown(key, &known).map(|text| format!("otp.toml:{line}: {text}")));
    }
    found
}

/// Refuses variables of a command line that are not in any struct of a built application.
pub(crate) fn check_given(otp: &Installation, built: &Built, given: &[Variable]) -> Result<()> {
    if given.is_empty() {
        return Ok(());
    }
    let answer = ask_built(otp, built, given)?;
    let keys: BTreeSet<&str> = answer.keys.iter().map(String::as_str).collect();
    match given
        .iter()
        .find_map(|it| Some((it, unknown(&it.key, &keys)?)))
    {
        Some((variable, why)) => {
            let why = why.split_once(": ").map_or(why.as_str(), |(_, why)| why);
            Err(catalog::VARIABLE.with(&[&variable.key, &why]))
        }
        None => Ok(()),
    }
}

/// Refuses an environment without a key that a struct of a built application needs. If the release
/// contains a `sys.config`, that may have the key.
pub(crate) fn check_required(otp: &Installation, built: &Built, config: &Config) -> Result<()> {
    if config.release.config.is_some() {
        return Ok(());
    }
    let missing = ask_built(otp, built, &config.environment)?.missing;
    if missing.is_empty() {
        return Ok(());
    }
    let error = catalog::ENVIRONMENT.error().at(config.path.display());
    Err(missing.into_iter().fold(error, Error::detail))
}

/// Asks the library of a built application about an environment.
fn ask_built(otp: &Installation, built: &Built, environment: &[Variable]) -> Result<Answer> {
    let answer = answered(
        otp,
        &Scratch::new()?,
        (&[&built.ebin], built.folder()),
        (&built.name, &text_of(environment)),
    )?;
    Ok(Answer::read(&answer))
}

fn unknown(key: &str, known: &BTreeSet<&str>) -> Option<String> {
    if known.is_empty() || known.contains(key) || OWN.contains(&key) {
        return None;
    }
    let near = nearest(key, known.iter().copied(), 1);
    let all = || quoted(&known.iter().copied().collect::<Vec<_>>());
    Some(match near.first() {
        Some(near) => format!("{key}: no struct has this key; did you mean `{near}`?"),
        None => format!("{key}: no struct has this key; known are {}", all()),
    })
}

/// Returns the environment as Erlang text.
fn text_of(environment: &[Variable]) -> String {
    let pairs = environment.iter();
    let pairs = pairs.map(|it| (it.key.clone(), it.value.clone()));
    format!("[{}].\n", variables(&pairs.collect::<Vec<_>>()))
}

/// Loads the library into a VM and passes the environment to it.
fn ask(
    otp: &Installation,
    next: &Next<'_>,
    package: &Package,
    environment: &str,
) -> Result<String> {
    let scratch = next.folder.scratch()?;
    // The last path is searched first.
    let last = next.last();
    let paths = [last.as_path(), next.made()];
    answered(
        otp,
        &scratch,
        (&paths, &next.folder.path),
        (&package.name, environment),
    )
}

fn answered(
    otp: &Installation,
    scratch: &Scratch,
    (paths, folder): (&[impl AsRef<OsStr>], &Path),
    (application, environment): (&str, &str),
) -> Result<String> {
    let [given, answered] = ["given", "answered"].map(|name| scratch.path().join(name));
    fs::write(&given, environment).map_err(|error| Error::io("write", &given, &error))?;
    let said = vm::erl(otp)
        .args(["-boot", "no_dot_erlang", "+fnu", "-pa"])
        .args(paths)
        .arg("-eval")
        .arg(expression(application))
        .arg("-extra")
        .args([&given, &answered])
        .current_dir(folder)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    match fs::read_to_string(&answered) {
        Ok(text) if said.status.success() => Ok(text),
        _ => Err(catalog::NOT_LOADED
            .error()
            .at(folder.join("priv").display())
            .detail(output_of(&said))),
    }
}

/// Returns an expression that prints a line for each mistake, `KEY<tab>PROBLEM<tab>TEXT<tab>PLACE`,
/// and one for each key.
fn expression(application: &str) -> String {
    let module = modules::library(application);
    format!(
        "[Given, Answered] = init:get_plain_arguments(), \
         try {{ok, [Environment]}} = file:consult(Given), \
             {{Mistakes, Keys}} = {module}:environment({application}, Environment), \
             Lines = [[Key, $\\t, atom_to_binary(Problem, utf8), $\\t, Text, $\\t, Place, $\\n] \
                 || {{Key, Problem, Text, Place}} <- Mistakes], \
             Names = [[atom_to_binary(Key, utf8), $\\n] || Key <- Keys], \
             ok = file:write_file(Answered, unicode:characters_to_binary([Lines, Names])), halt(0) \
         catch C:R -> io:format(standard_error, \"~tp:~tp~n\", [C, R]), init:stop(1) end."
    )
}

impl Answer {
    fn read(text: &str) -> Self {
        let (mut mistakes, mut missing, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for line in text.lines() {
            let parts: Vec<&str> = line.splitn(4, '\t').collect();
            match parts[..] {
                [key, "wrong", text, place] => {
                    mistakes.push((key.to_owned(), format!("{text}, says {place}")));
                }
                [_, "missing", text, place] => missing.push(format!("{text}, says {place}")),
                [key] => keys.push(key.to_owned()),
                _ => {}
            }
        }
        Answer {
            mistakes,
            missing,
            keys,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_in_otp_toml_may_be_elsewhere() {
        let text = "port\twrong\tport: expected 0..65535, got <<\"x\">>\tshop::S (src/s.rs:3)\n\
                    host\tmissing\thost: missing\tshop::S (src/s.rs:3)\nhost\nport\n";
        let answer = Answer::read(text);
        assert_eq!(answer.mistakes.len(), 1);
        assert_eq!(answer.missing, ["host: missing, says shop::S (src/s.rs:3)"]);
        assert!(answer.mistakes[0].1.ends_with("says shop::S (src/s.rs:3)"));
        assert_eq!(answer.keys, ["host", "port"]);
    }

    #[test]
    fn an_unknown_key_is_told_what_was_meant() {
        let keys = BTreeSet::from(["port", "host"]);
        assert_eq!(unknown("port", &keys), None);
        assert_eq!(unknown("long_callback", &keys), None);
        assert_eq!(unknown("prot", &BTreeSet::new()), None);
        assert!(unknown("prot", &keys).is_some_and(|text| text.contains("mean `port`?")));
    }

    /// Searching the text from its beginning for the line of each key would take minutes here.
    #[test]
    fn a_hundred_thousand_keys_are_compared_in_one_walk() {
        const KEYS: usize = 100_000;
        let (mut text, mut environment) = ("[env]\n".to_owned(), Vec::new());
        for number in 0..KEYS {
            let key = format!("key_{number}");
            text.push_str(&format!("{key} = "));
            let span = Some(text.len()..text.len() + 1);
            text.push_str("1\n");
            let value = "1".to_owned();
            environment.push(Variable { key, value, span });
        }
        let mistake = |number: usize| (format!("key_{number}"), "of another type".to_owned());
        let answer = Answer {
            mistakes: (0..KEYS).map(mistake).collect(),
            missing: Vec::new(),
            keys: (0..KEYS).map(|number| mistake(number).0).collect(),
        };
        let found = found(&environment, &text, &answer);
        assert_eq!(found.len(), KEYS);
        assert_eq!(found[0], "otp.toml:2: of another type");
        assert_eq!(found[KEYS - 1], "otp.toml:100001: of another type");
    }
}
