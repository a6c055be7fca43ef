//! The list of wrong forms in OTP, with the forms that the bindings use instead. A wrong form
//! excludes values that OTP returns or accepts, or includes values that OTP ignores.
//!
//! `corrections.txt` is the list. A test runs the evidence of each entry on the installed Erlang.

use std::sync::Arc;

use otp_specs::ast::{Doc, DocText, Entry, Form, FormKind, FunctionFormKind, Module};
use otp_specs::{NoIncludes, Options, parse_source, print};

/// The path of the list, for messages.
const LIST: &str = "xtask/src/codegen/corrections.txt";

/// An entry of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Correction {
    /// `type` or `spec`.
    kind: String,
    /// Erlang module.
    pub(crate) module: String,
    name: String,
    arity: usize,
    /// The wrong part of the form.
    otp: String,
    /// The correct text of this part.
    corrected: String,
    /// The OTP releases that have this form.
    pub(crate) releases: Vec<String>,
    /// Erlang expressions: `Pattern = Module:Function(Arguments)`, each a call that the form
    /// excludes.
    pub(crate) evidence: Vec<String>,
    /// Erlang expressions of calls that the form includes although OTP ignores a part of them. The
    /// corrected form excludes these calls.
    pub(crate) ignored: Vec<String>,
}

/// Returns the entries for an OTP release.
pub(crate) fn corrections(release: &str) -> Result<Vec<Correction>, String> {
    let mut all = parsed(include_str!("corrections.txt"))?;
    all.retain(|correction| correction.releases.iter().any(|seen| seen == release));
    Ok(all)
}

/// Corrects the forms of a module. Returns a module with only these forms. The documentation of
/// each form contains the reason.
///
/// # Errors
/// A form does not match the list.
pub(crate) fn correct(module: &mut Module, corrections: &[Correction]) -> Result<Module, String> {
    let mut reasons: Vec<(usize, String)> = Vec::new();
    for correction in corrections
        .iter()
        .filter(|correction| module.name.as_deref() == Some(correction.module.as_str()))
    {
        let index = module
            .forms
            .iter()
            .position(|entry| correction.is_about(&entry.form))
            .ok_or_else(|| correction.stale("OTP has no such form"))?;
        let entry = &mut module.forms[index];
        entry.form = Arc::new(correction.applied(&entry.form)?);
        reasons.push((index, correction.reason()));
    }
    let mut corrected = Module {
        name: module.name.clone(),
        ..Module::default()
    };
    for (index, entry) in module.forms.iter().enumerate() {
        let of_form = reasons.iter().filter(|(form, _)| *form == index);
        let of_form: Vec<&str> = of_form.map(|(_, reason)| reason.as_str()).collect();
        if !of_form.is_empty() {
            corrected
                .forms
                .push(documented(entry, of_form.join("\n\n")));
        }
    }
    Ok(corrected)
}

impl Correction {
    fn is_about(&self, form: &Form) -> bool {
        let (kind, name, arity) = match &form.kind {
            FormKind::Type(form) => ("type", &form.name, form.parameters.len()),
            FormKind::Function(form) if form.kind == FunctionFormKind::Spec => {
                ("spec", &form.name, form.arity)
            }
            FormKind::Function(_)
            | FormKind::Module(_)
            | FormKind::Record(_)
            | FormKind::ExportType(_)
            | FormKind::OptionalCallbacks(_)
            | FormKind::Export(_)
            | FormKind::ExportAll
            | FormKind::Behaviour(_) => return false,
        };
        (kind, name.as_str(), arity) == (&self.kind, &self.name, self.arity)
    }

    /// Returns the form with its wrong part replaced.
    fn applied(&self, form: &Form) -> Result<Form, String> {
        let text = print::form(form);
        if text.matches(&self.otp).count() != 1 {
            return Err(self.stale(&format!("OTP has {text}")));
        }
        let text = text.replace(&self.otp, &self.corrected);
        let parsed = parse_source(LIST, text.as_bytes(), &NoIncludes, &Options::default());
        match (parsed.diagnostics.first(), parsed.module.forms.first()) {
            (None, Some(entry)) => Ok(Form::new(form.at, entry.form.kind.clone())),
            (found, _) => Err(format!("{LIST}: {found:?} in {text}")),
        }
    }

    fn stale(&self, problem: &str) -> String {
        let Correction {
            kind,
            module,
            name,
            arity,
            ..
        } = self;
        format!("{LIST}: the entry of {kind} {module}:{name}/{arity} is stale: {problem}")
    }

    /// Returns the documentation of the corrected form.
    fn reason(&self) -> String {
        let Correction { otp, corrected, .. } = self;
        let calls = |what: &str, calls: &[String]| {
            let calls: Vec<String> = calls.iter().map(|call| format!("`{call}`")).collect();
            (!calls.is_empty()).then(|| format!(" So it {what}:\n{}.", calls.join(",\n")))
        };
        let excludes = calls("excludes calls that work", &self.evidence);
        let has = calls("has calls a part of which OTP ignores", &self.ignored);
        let why: String = excludes.into_iter().chain(has).collect();
        format!("Corrected: OTP's own form has `{otp}` where this one has `{corrected}`.{why}")
    }
}

fn documented(entry: &Entry, reason: String) -> Entry {
    let doc = Doc {
        text: DocText::Text(reason),
        ..Doc::default()
    };
    Entry {
        doc: Some(Arc::new(doc)),
        ..entry.clone()
    }
}

/// Parses the list: paragraphs of lines `key: value`, and comments.
fn parsed(list: &str) -> Result<Vec<Correction>, String> {
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    paragraphs
        .filter(|lines| !lines.is_empty())
        .map(|lines| entry(lines).ok_or_else(|| format!("{LIST}: not an entry: {lines:#?}")))
        .collect()
}

fn entry(lines: &[&str]) -> Option<Correction> {
    let pairs: Option<Vec<(&str, &str)>> = lines.iter().map(|line| line.split_once(": ")).collect();
    let pairs = pairs?;
    let values = |key: &str| -> Vec<String> {
        let of_key = pairs.iter().filter(|(found, _)| *found == key);
        of_key.map(|(_, value)| (*value).to_owned()).collect()
    };
    let value = |key: &str| values(key).into_iter().next();
    let form = value("form")?;
    let (kind, qualified) = form.split_once(' ')?;
    let (module, name) = qualified.split_once(':')?;
    let (name, arity) = name.split_once('/')?;
    let (evidence, ignored) = (values("evidence"), values("ignored"));
    let is_shown = !evidence.is_empty() || !ignored.is_empty();
    is_shown.then_some(Correction {
        kind: kind.to_owned(),
        module: module.to_owned(),
        name: name.to_owned(),
        arity: arity.parse().ok()?,
        otp: value("otp")?,
        corrected: value("corrected")?,
        releases: value("releases")?.split(' ').map(str::to_owned).collect(),
        evidence,
        ignored,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str =
        "form: type m:t/0\notp: a | b\ncorrected: a | c | b\nreleases: 25\nevidence: c = m:f()\n";

    fn read(erlang: &str) -> Module {
        let text = format!("-module(m).\n{erlang}\n");
        parse_source("m.erl", text.as_bytes(), &NoIncludes, &Options::default()).module
    }

    #[test]
    fn a_form_is_corrected_and_says_why() {
        let list = parsed(ENTRY).unwrap();
        let mut module = read("-type t() :: a | b | d.\n-type u() :: a | b.");
        let corrected = correct(&mut module, &list).unwrap();
        let forms: Vec<String> = module
            .forms
            .iter()
            .map(|entry| print::form(&entry.form))
            .collect();
        assert_eq!(
            forms,
            [
                "-module(m).",
                "-type t() :: a | c | b | d.",
                "-type u() :: a | b."
            ]
        );
        assert_eq!(corrected.forms.len(), 1);
        assert!(corrected.forms[0].doc.is_some());
    }

    #[test]
    fn a_form_that_otp_has_changed_is_stale() {
        let list = parsed(ENTRY).unwrap();
        for changed in [
            "-type t() :: b | a.",
            "-type t(T) :: a | b | T.",
            "-type t() :: {a | b, a | b}.",
        ] {
            let problem = correct(&mut read(changed), &list).unwrap_err();
            assert!(problem.contains("m:t/0 is stale"), "{problem}");
        }
    }

    #[test]
    fn an_entry_without_evidence_is_refused() {
        assert!(parsed(&ENTRY.replace("evidence", "reason")).is_err());
    }
}
