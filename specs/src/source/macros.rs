//! Macro definitions and their expansion, as epp does it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::arguments::{argument_count, take_arguments};
use super::definition::{Defined, Definition};
use super::definition_run::DefinitionRun;
use crate::ast::{Location, Name};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token, Value};
use crate::print;
use crate::release::Release;

/// Maximum number of tokens that the macro calls of one form may read and produce: a bound on
/// doubling macros.
const MAX_TOKENS: usize = 2_000_000;
/// Maximum number of such tokens for all forms of a module.
const MAX_MODULE_TOKENS: usize = 20_000_000;
/// Maximum number of runs of definitions: a lookup may have to search each of them.
const MAX_RUNS: usize = 8;
/// Maximum nesting of macros.
const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone)]
enum Macro {
    /// Predefined, with no value yet: `?MODULE` before `-module`.
    Reserved,
    Predefined(Arc<Definition>),
    /// The usual case: one definition.
    One(Arc<Definition>),
    /// One definition for each arity.
    Several(Vec<Arc<Definition>>),
    /// `-undef`, although a run has a definition.
    Undefined,
}

/// All macros that are defined at one point of a file.
#[derive(Debug)]
pub(crate) struct Macros {
    /// Has precedence over `runs`. Its order does not matter: it is iterated only to find out
    /// whether any name is in a run. A hash map, because headers define thousands of macros.
    #[allow(clippy::disallowed_types)]
    table: std::collections::HashMap<Name, Macro>,
    /// Runs of definitions that were added as a whole. Their names are distinct.
    runs: Vec<Arc<DefinitionRun>>,
    /// The number of tokens that macro calls may still read and produce.
    budget: Cell<usize>,
}

impl Macros {
    /// The predefined macros.
    pub(crate) fn new(file: &Name, release: Release) -> Macros {
        let budget = Cell::new(MAX_MODULE_TOKENS);
        let mut macros = Macros {
            table: Default::default(),
            runs: Vec::new(),
            budget,
        };
        for name in ["FUNCTION_NAME", "FUNCTION_ARITY", "MODULE", "MODULE_STRING"] {
            macros.table.insert(Name::new(name), Macro::Reserved);
        }
        for name in ["BASE_MODULE", "BASE_MODULE_STRING"] {
            macros.table.insert(Name::new(name), Macro::Reserved);
        }
        let at = Location { line: 1, column: 0 };
        macros.predefine("MACHINE", Token::atom(Name::new("BEAM"), at));
        macros.predefine("BEAM", Token::atom(Name::new("true"), at));
        macros.predefine("LINE", Token::integer(1, at));
        macros.predefine("OTP_RELEASE", Token::integer(i64::from(release.0), at));
        macros.set_file(file);
        macros.set_features(release.has_maybe());
        macros
    }

    fn predefine(&mut self, name: &str, token: Token) {
        let definition = Definition {
            parameters: None,
            body: vec![token],
        };
        self.table
            .insert(Name::new(name), Macro::Predefined(Arc::new(definition)));
    }

    /// `?FILE`
    pub(crate) fn set_file(&mut self, file: &Name) {
        self.predefine("FILE", Token::string(file.clone(), Location::default()));
    }

    /// `?MODULE`, `?MODULE_STRING`
    pub(crate) fn set_module(&mut self, name: &Name, at: Location) {
        self.predefine("MODULE", Token::atom(name.clone(), at));
        self.predefine("MODULE_STRING", Token::string(name.clone(), at));
    }

    /// `?FEATURE_AVAILABLE(F)`, `?FEATURE_ENABLED(F)`: `maybe_expr` is the only feature since OTP
    /// 25.
    pub(crate) fn set_features(&mut self, maybe_enabled: bool) {
        let at = Location::default();
        let parameter = || Token {
            kind: Kind::Variable,
            at,
            value: Value::Text(Name::new_static("X")),
        };
        let comparison = || {
            let feature = Token::atom(Name::new_static("maybe_expr"), at);
            vec![parameter(), Token::bare(Kind::Equal, at), feature]
        };
        let nothing = vec![Token::atom(Name::new_static("false"), at)];
        for (name, known) in [
            ("FEATURE_AVAILABLE", true),
            ("FEATURE_ENABLED", maybe_enabled),
        ] {
            let body = if known { comparison() } else { nothing.clone() };
            let parameters = Some(vec![Name::new_static("X")]);
            let definition = Arc::new(Definition { parameters, body });
            self.table
                .insert(Name::new(name), Macro::Predefined(definition));
        }
    }

    /// `-define`. Each arity has its own definition.
    pub(crate) fn define(&mut self, defined: Defined) -> Result<(), LocalDiagnostic> {
        let Defined {
            name,
            at,
            definition,
        } = defined;
        let mut entry = match self.table.entry(name) {
            Entry::Vacant(entry) => {
                let Some(known) = self.runs.iter().find_map(|run| run.find(entry.key())) else {
                    entry.insert(Macro::One(definition));
                    return Ok(());
                };
                entry.insert_entry(Macro::One(known.clone()))
            }
            Entry::Occupied(entry) => entry,
        };
        let diagnostic = match entry.get_mut() {
            Macro::One(only) if only.arity() != definition.arity() => {
                let several = vec![Arc::clone(only), definition];
                entry.insert(Macro::Several(several));
                return Ok(());
            }
            Macro::Several(known)
                if known
                    .iter()
                    .all(|other| other.arity() != definition.arity()) =>
            {
                known.push(definition);
                return Ok(());
            }
            Macro::Undefined => {
                entry.insert(Macro::One(definition));
                return Ok(());
            }
            Macro::One(_) | Macro::Several(_) => &catalog::REDEFINED_MACRO,
            Macro::Reserved | Macro::Predefined(_) => &catalog::PREDEFINED_MACRO,
        };
        Err(diagnostic.at(at, entry.key().as_str()))
    }

    /// Adds all definitions of a run. Returns false if they have to be added one by one.
    pub(crate) fn add(&mut self, run: &Arc<DefinitionRun>) -> bool {
        let is_known = if self.table.len() < run.len() {
            self.table.keys().any(|name| run.find(name).is_some())
        } else {
            run.names().any(|name| self.table.contains_key(name))
        };
        if is_known || self.runs.len() == MAX_RUNS || self.runs.iter().any(|it| it.meets(run)) {
            return false;
        }
        self.runs.push(Arc::clone(run));
        true
    }

    /// `-undef`
    pub(crate) fn undefine(&mut self, name: &str) {
        self.table.remove(name);
        if self.in_runs(name).is_some() {
            self.table.insert(Name::new(name), Macro::Undefined);
        }
    }

    /// `-ifdef`
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        match self.table.get(name) {
            Some(Macro::Reserved | Macro::Undefined) => false,
            Some(_) => true,
            None => self.in_runs(name).is_some(),
        }
    }

    /// `defined(Name)` in `-if`, which always treats `?MODULE` as defined.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        match self.table.get(name) {
            Some(Macro::Undefined) => false,
            Some(_) => true,
            None => self.in_runs(name).is_some(),
        }
    }

    fn in_runs(&self, name: &str) -> Option<&Arc<Definition>> {
        self.runs.iter().find_map(|run| run.find(name))
    }

    fn find(
        &self,
        name: &Token,
        arity: Option<usize>,
    ) -> Result<&Arc<Definition>, LocalDiagnostic> {
        let undefined = || catalog::UNDEFINED_MACRO.at(name.at, name.text());
        let mismatch = || catalog::MACRO_ARGUMENTS.at(name.at, name.text());
        let only = match self.table.get(name.text()) {
            Some(Macro::Reserved | Macro::Undefined) => return Err(undefined()),
            Some(Macro::Predefined(definition)) => return Ok(definition),
            Some(Macro::Several(definitions)) => {
                let fits = |one: &&Arc<Definition>| one.arity() == arity;
                return definitions.iter().find(fits).ok_or_else(mismatch);
            }
            Some(Macro::One(only)) => only,
            None => self.in_runs(name.text()).ok_or_else(undefined)?,
        };
        if only.parameters.is_none() || only.arity() == arity {
            Ok(only)
        } else {
            Err(mismatch())
        }
    }

    /// Replaces every macro call in the tokens.
    pub(crate) fn expand(&self, tokens: &[Token]) -> Result<Vec<Token>, LocalDiagnostic> {
        let limit = MAX_TOKENS.min(self.budget.get());
        let mut expansion = Expansion {
            macros: self,
            budget: limit,
        };
        let expanded = expansion.run(tokens.iter().rev().cloned(), 0);
        let spent = limit - expansion.budget;
        self.budget.set(self.budget.get() - spent);
        expanded
    }
}

struct Expansion<'m> {
    macros: &'m Macros,
    budget: usize,
}

impl Expansion<'_> {
    fn spend(&mut self, tokens: usize, call: &Token) -> Result<(), LocalDiagnostic> {
        match self.budget.checked_sub(tokens) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => {
                self.budget = 0;
                Err(catalog::MACRO_TOO_LARGE.at(call.at, call.text()))
            }
        }
    }

    /// Expands tokens in reverse order.
    fn run(
        &mut self,
        reversed: impl Iterator<Item = Token>,
        depth: usize,
    ) -> Result<Vec<Token>, LocalDiagnostic> {
        let mut pending: Vec<Token> = reversed.collect();
        let mut done = Vec::with_capacity(pending.len());
        while let Some(token) = pending.pop() {
            if token.kind != Kind::Question {
                done.push(token);
                continue;
            }
            let Some(name) = pending.pop() else {
                return Err(catalog::BAD_MACRO_CALL.at(token.at, ""));
            };
            self.call(&name, &mut pending, &mut done, depth)?;
        }
        Ok(done)
    }

    fn call(
        &mut self,
        name: &Token,
        pending: &mut Vec<Token>,
        done: &mut Vec<Token>,
        depth: usize,
    ) -> Result<(), LocalDiagnostic> {
        if !matches!(
            name.kind,
            Kind::Atom | Kind::Variable | Kind::Maybe | Kind::Else
        ) {
            let shown = print::token(name);
            return Err(catalog::BAD_MACRO_CALL.at(name.at, shown));
        }
        match name.text() {
            "LINE" => {
                done.push(Token::integer(i64::from(name.at.line), name.at));
                return Ok(());
            }
            text @ ("FUNCTION_NAME" | "FUNCTION_ARITY") => {
                return Err(catalog::MACRO_OUTSIDE_FUNCTION.at(name.at, text));
            }
            _ => {}
        }
        let (arity, length) = argument_count(pending, name)?.unzip();
        self.spend(length.unwrap_or_default(), name)?;
        let definition = Arc::clone(self.macros.find(name, arity)?);
        let Some(parameters) = &definition.parameters else {
            if depth >= MAX_DEPTH {
                return Err(catalog::CIRCULAR_MACRO.at(name.at, name.text()));
            }
            let body = self.substitute(&definition.body, name, &BTreeMap::new())?;
            // Without parameters, the replacement is expanded on its own, so that a macro name at
            // its end does not take the arguments behind the call.
            done.extend(self.run(body.into_iter().rev(), depth + 1)?);
            return Ok(());
        };
        let arguments = take_arguments(pending, name)?;
        if arguments.len() != parameters.len() || arguments.iter().any(Vec::is_empty) {
            return Err(catalog::MACRO_ARGUMENTS.at(name.at, name.text()));
        }
        let bindings = parameters.iter().map(Name::as_str).zip(arguments).collect();
        let body = self.substitute(&definition.body, name, &bindings)?;
        pending.extend(body.into_iter().rev());
        Ok(())
    }

    /// Returns the replacement with its parameters bound, at the location of the call.
    fn substitute(
        &mut self,
        body: &[Token],
        call: &Token,
        bindings: &BTreeMap<&str, Vec<Token>>,
    ) -> Result<Vec<Token>, LocalDiagnostic> {
        let mut result = Vec::with_capacity(body.len());
        let mut at = call.at;
        let mut rest = body.iter();
        while let Some(token) = rest.next() {
            let after = rest.as_slice();
            match (token.kind, after) {
                (Kind::Variable, _) => match bindings.get(token.text()) {
                    Some(argument) => {
                        at = argument.last().map_or(at, |last| last.at);
                        self.spend(argument.len(), call)?;
                        result.extend_from_slice(argument);
                    }
                    None => result.push(Token {
                        at,
                        ..token.clone()
                    }),
                },
                (Kind::Question, [second, parameter, ..])
                    if second.kind == Kind::Question && parameter.kind == Kind::Variable =>
                {
                    result.push(match bindings.get(parameter.text()) {
                        Some(argument) => {
                            let text = print::tokens(argument);
                            self.spend(text.len(), call)?;
                            Token::string(text, at)
                        }
                        None => Token {
                            at,
                            ..parameter.clone()
                        },
                    });
                    rest.nth(1);
                }
                _ => result.push(Token {
                    at,
                    ..token.clone()
                }),
            }
            self.spend(1, call)?;
        }
        // Each call costs at least one token, even when it expands to nothing, so that cycles end.
        self.spend(1, call)?;
        Ok(result)
    }
}
