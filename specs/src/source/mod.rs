//! Turns source text into forms: lexis, preprocessor, grammar. This file has the preprocessor's
//! loop, which handles the forms of a unit in order, reads included units where they are included,
//! and expands macros.

mod arguments;
mod behaviour_info;
mod condition;
mod cutter;
mod definition;
mod definition_run;
mod directives;
mod docs;
mod evaluate;
mod include;
mod macros;
mod unit;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use include::{Include, Includes, NoIncludes};
pub use unit::Unit;

use crate::ast::{Doc, Entry, FormKind, Location, Module, Name};
use crate::catalog;
use crate::diagnostic::{Diagnostic, LocalDiagnostic, Parsed};
use crate::grammar;
use crate::lexer::{Encoding, Kind, Lexer, Token, Value};
use crate::release::Release;
use condition::Conditions;
use cutter::Cutter;
use definition::{Defined, Definition};
use definition_run::RunOfForms;
use macros::Macros;
use unit::{ParsedForm, RawForm, RawKind};

/// Options for reading source.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The OTP release that the source is written for.
    pub release: Release,
    /// `-D NAME=TERM`: macros that the build defines; an empty term means `true`.
    pub defines: BTreeMap<String, String>,
}

/// Reads Erlang source: `.erl`, or `.hrl` on its own.
///
/// An error becomes a diagnostic and costs at most its form.
#[must_use]
pub fn parse_source(
    path: &str,
    bytes: &[u8],
    includes: &dyn Includes,
    options: &Options,
) -> Parsed {
    let mut forms = Vec::new();
    let mut parsed = parse_source_by_form(path, bytes, includes, options, |form| forms.push(form));
    parsed.module.forms = forms;
    parsed
}

/// Like [`parse_source`], but passes each form to `take` as soon as it is read, and keeps none.
/// Memory therefore does not grow with the file.
pub fn parse_source_by_form(
    path: &str,
    bytes: &[u8],
    includes: &dyn Includes,
    options: &Options,
    mut take: impl FnMut(Entry),
) -> Parsed {
    let mut preprocessor = Preprocessor::new(path, options.release, includes, &mut take);
    for (name, term) in &options.defines {
        preprocessor.predefine(name, predefined_tokens(term, options.release));
    }
    preprocessor.finish(bytes)
}

/// Returns the tokens of a macro's value from the command line, with no full stop.
fn predefined_tokens(term: &str, release: Release) -> Result<Vec<Token>, Diagnostic> {
    if term.is_empty() {
        return Ok(vec![Token::atom(
            Name::new_static("true"),
            Location::default(),
        )]);
    }
    let mut lexer = Lexer::new(term.as_bytes(), Encoding::Utf8, release.0);
    let mut tokens = Vec::new();
    loop {
        match lexer.token() {
            Ok(Some(token)) if token.kind == Kind::Dot => {}
            Ok(Some(token)) => tokens.push(Token {
                at: Location::default(),
                ..token
            }),
            Ok(None) => return Ok(tokens),
            Err(diagnostic) => return Err(diagnostic.in_file(&Name::new_static("command line"))),
        }
    }
}

/// Maximum number of forms in the files that a module includes: files may include themselves eight
/// deep and many times.
const MAX_FORMS: usize = 250_000;

/// State for all files of a module.
struct Preprocessor<'a> {
    includes: &'a dyn Includes,
    release: Release,
    macros: Macros,
    /// Whether `maybe` and `else` are keywords.
    maybe: bool,
    diagnostics: Vec<Diagnostic>,
    /// The number of forms of included files that may still be read.
    forms_left: usize,
    module: Module,
    pending_doc: Option<Doc>,
    /// Receives each form as soon as it is read.
    take: &'a mut dyn FnMut(Entry),
}

/// State of one file.
struct File<'u> {
    path: &'u Name,
    /// The number of files around this one.
    depth: usize,
    conditions: Conditions,
    /// After `-file(Name, Line)`: the name, and the offset that is added to the lines behind it.
    renamed: Option<(Name, i64)>,
}

impl<'u> File<'u> {
    fn new(path: &'u Name, depth: usize) -> Self {
        File {
            path,
            depth,
            conditions: Conditions::default(),
            renamed: None,
        }
    }

    fn name(&self) -> &Name {
        self.renamed.as_ref().map_or(self.path, |(name, _)| name)
    }
}

impl<'a> Preprocessor<'a> {
    fn new(
        path: &str,
        release: Release,
        includes: &'a dyn Includes,
        take: &'a mut dyn FnMut(Entry),
    ) -> Self {
        let file = Name::new(path);
        Preprocessor {
            includes,
            release,
            macros: Macros::new(&file, release),
            maybe: release.has_maybe(),
            diagnostics: Vec::new(),
            forms_left: MAX_FORMS,
            module: Module {
                file,
                ..Module::default()
            },
            pending_doc: None,
            take,
        }
    }

    /// Defines a macro of the command line.
    fn predefine(&mut self, name: &str, body: Result<Vec<Token>, Diagnostic>) {
        let at = Location::default();
        let defined = body.and_then(|body| {
            let definition = Arc::new(Definition {
                parameters: None,
                body,
            });
            let name = Name::new(name);
            let diagnostic = self.macros.define(Defined {
                name,
                at,
                definition,
            });
            diagnostic.map_err(|diagnostic| diagnostic.in_file(&Name::new_static("command line")))
        });
        self.diagnostics.extend(defined.err());
    }

    /// Reads the module's own file and all included files. The returned module has no forms,
    /// because they were passed on.
    fn finish(mut self, bytes: &[u8]) -> Parsed {
        let path = self.module.file.clone();
        let mut file = File::new(&path, 0);
        for form in Cutter::new(bytes, self.release) {
            self.read(&mut file, &form);
        }
        self.end(&file);
        Parsed {
            module: self.module,
            diagnostics: self.diagnostics,
        }
    }

    /// Reads an included file.
    fn included(&mut self, unit: &Unit, depth: usize) {
        let mut file = File::new(&unit.path, depth);
        let mut runs = unit.runs.iter().peekable();
        let mut index = 0;
        while let Some(form) = unit.forms.get(index) {
            let run = runs.next_if(|run| run.forms.start == index);
            if let Some(run) = run
                && self.define_all(&file, unit, run)
            {
                index = run.forms.end;
                continue;
            }
            let Some(left) = self.forms_left.checked_sub(1) else {
                break;
            };
            self.forms_left = left;
            self.read(&mut file, form);
            index += 1;
        }
        self.end(&file);
    }

    /// Adds a run of definitions at once. Returns false if that has to be done form by form.
    fn define_all(&mut self, file: &File<'_>, unit: &Unit, run: &RunOfForms) -> bool {
        let left = self.forms_left.checked_sub(run.forms.len());
        let (Some(left), true) = (left, file.conditions.active()) else {
            return false;
        };
        let definitions = run.definitions(&unit.forms);
        let is_added = definitions.is_some_and(|definitions| self.macros.add(definitions));
        if is_added {
            self.forms_left = left;
        }
        is_added
    }

    fn read(&mut self, file: &mut File<'_>, form: &RawForm) {
        if let Err(diagnostic) = self.form(file, form) {
            self.report(file, diagnostic);
        }
    }

    fn end(&mut self, file: &File<'_>) {
        for diagnostic in file.conditions.unterminated() {
            self.report(file, diagnostic);
        }
    }

    fn report(&mut self, file: &File<'_>, diagnostic: LocalDiagnostic) {
        self.diagnostics.push(diagnostic.in_file(file.name()));
    }

    fn form(&mut self, file: &mut File<'_>, form: &RawForm) -> Result<(), LocalDiagnostic> {
        let tokens = &*form.tokens;
        if form.kind == RawKind::Attribute && self.directive(file, form)? {
            return Ok(());
        }
        if !file.conditions.active() {
            return Ok(());
        }
        match &form.kind {
            RawKind::Broken(diagnostic) => Err(diagnostic.clone()),
            RawKind::BehaviourInfo => {
                let expanded = self.expanded(file, tokens)?;
                if file.depth == 0 && self.module.behaviour_info.is_none() {
                    self.module.behaviour_info = behaviour_info::read(&expanded, self.release);
                }
                Ok(())
            }
            RawKind::Attribute if !form.open && file.renamed.is_none() => {
                if docs::is_doc(tokens) {
                    return self.doc(file, tokens);
                }
                let parsed = form.parsed(|| self.parse(tokens));
                self.keep(file, tokens, parsed)
            }
            RawKind::Attribute | RawKind::Macro => {
                let expanded = self.expanded(file, tokens)?;
                if docs::is_doc(&expanded) {
                    return self.doc(file, &expanded);
                }
                let parsed = match expanded.as_slice() {
                    [minus, _, ..] if minus.kind == Kind::Minus => self.parse(&expanded),
                    _ => Ok(None),
                };
                self.keep(file, &expanded, parsed)
            }
        }
    }

    /// Replaces macros in the tokens, and gives them the lines of `-file`.
    fn expanded(&self, file: &File<'_>, tokens: &[Token]) -> Result<Vec<Token>, LocalDiagnostic> {
        self.macros.expand(&self.located_all(file, tokens))
    }

    /// Gives tokens the lines of `-file`, and resolves words whose meaning depends on a feature.
    fn located_all(&self, file: &File<'_>, tokens: &[Token]) -> Vec<Token> {
        tokens
            .iter()
            .map(|token| self.located(file, token))
            .collect()
    }

    fn located(&self, file: &File<'_>, token: &Token) -> Token {
        let mut token = token.clone();
        if let Some((_, delta)) = file.renamed {
            let line = i64::from(token.at.line).saturating_add(delta);
            token.at.line = u32::try_from(line.max(0)).unwrap_or(u32::MAX);
        }
        if matches!(token.kind, Kind::Maybe | Kind::Else) {
            if self.maybe {
                token.value = Value::None
            } else {
                token.kind = Kind::Atom
            }
        }
        token
    }

    fn parse(&self, tokens: &[Token]) -> ParsedForm {
        Ok(grammar::form(tokens, self.release)?.map(Arc::new))
    }

    /// Adds a parsed form to the module.
    fn keep(
        &mut self,
        file: &File<'_>,
        tokens: &[Token],
        parsed: ParsedForm,
    ) -> Result<(), LocalDiagnostic> {
        let Some(form) = parsed? else { return Ok(()) };
        if let FormKind::Module(name) = &form.kind {
            let at = tokens.get(3).map(|token| token.at).unwrap_or_default();
            self.macros.set_module(name, at);
            self.module.name.get_or_insert_with(|| name.clone());
        }
        let documented = matches!(
            form.kind,
            FormKind::Type(_) | FormKind::Function(_) | FormKind::Record(_)
        );
        let doc = if documented {
            self.pending_doc.take().map(Arc::new)
        } else {
            None
        };
        let file_name = file.name().clone();
        let in_main_file = file_name == self.module.file;
        (self.take)(Entry {
            form,
            file: file_name,
            in_main_file,
            doc,
        });
        Ok(())
    }

    /// `-doc`, `-moduledoc`: texts and metadata, in any number before a form.
    fn doc(&mut self, file: &File<'_>, tokens: &[Token]) -> Result<(), LocalDiagnostic> {
        if !self.release.has_doc_attributes() {
            // Before OTP 27, it is an attribute like any other: a plain term.
            grammar::constant(tokens, self.release)?;
        }
        let part = docs::read(tokens)?;
        let whole = match docs::is_module_doc(tokens) {
            true if file.depth == 0 => self.module.doc.get_or_insert_default(),
            true => return Ok(()),
            false => self.pending_doc.get_or_insert_default(),
        };
        docs::merge(whole, part);
        Ok(())
    }

    /// The error of a badly formed directive.
    fn bad(tokens: &[Token], name: &str) -> LocalDiagnostic {
        let at = tokens.get(1).map(|token| token.at).unwrap_or_default();
        catalog::BAD_DIRECTIVE.at(at, name)
    }
}
