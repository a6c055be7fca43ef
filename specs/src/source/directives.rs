//! `-define`, `-include`, `-ifdef` and similar directives.

use super::definition::{Defined, is_macro_name};
use super::evaluate::evaluate;
use super::include::Include;
use super::unit::RawForm;
use super::{File, Preprocessor};
use crate::ast::{Integer, Name};
use crate::catalog;
use crate::diagnostic::{LocalDiagnostic, Severity};
use crate::lexer::{Kind, Token, Value};
use crate::print;

/// Maximum nesting of included files, as in epp.
const MAX_INCLUDES: usize = 8;

impl Preprocessor<'_> {
    /// Follows a directive; false if the attribute is not one.
    pub(super) fn directive(
        &mut self,
        file: &mut File<'_>,
        form: &RawForm,
    ) -> Result<bool, LocalDiagnostic> {
        let tokens = &*form.tokens;
        let Some(name) = tokens.get(1) else {
            return Ok(false);
        };
        let arguments = tokens.get(2..).unwrap_or_default();
        if self.conditional(file, name, tokens)? {
            return Ok(true);
        }
        if !file.conditions.active() {
            return Ok(false);
        }
        match name.text() {
            "define" => self.define(file, form)?,
            "undef" => match macro_name(arguments) {
                Some(name) => self.macros.undefine(name),
                None => return Err(Self::bad(tokens, "undef")),
            },
            directive @ ("include" | "include_lib") => {
                self.include(file, tokens, directive == "include_lib")?;
            }
            "file" => self.rename(file, tokens)?,
            "feature" => self.feature(tokens)?,
            "error" => return Err(self.message(file, tokens, Severity::Error)),
            "warning" => return Err(self.message(file, tokens, Severity::Warning)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Follows `-if` and similar directives, which count even in a branch that does not hold; false
    /// for anything else.
    fn conditional(
        &mut self,
        file: &mut File<'_>,
        name: &Token,
        tokens: &[Token],
    ) -> Result<bool, LocalDiagnostic> {
        match (name.kind, name.text()) {
            (Kind::If, _) => {
                let outer = file.conditions.active();
                let value = if outer {
                    self.condition(file, tokens, "if")
                } else {
                    Ok(false)
                };
                let holds = *value.as_ref().unwrap_or(&false);
                file.conditions.open("if", name.at, holds);
                value?;
            }
            (_, "ifdef") => self.if_defined(file, tokens, "ifdef", true)?,
            (_, "ifndef") => self.if_defined(file, tokens, "ifndef", false)?,
            (_, "elif") => {
                let is_evaluated = file.conditions.evaluates_elif();
                let value = if is_evaluated {
                    self.condition(file, tokens, "elif")
                } else {
                    Ok(false)
                };
                file.conditions
                    .elif(name.at, *value.as_ref().unwrap_or(&false))?;
                value?;
            }
            (_, "else") => file.conditions.otherwise(name.at)?,
            (_, "endif") => file.conditions.close(name.at)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn if_defined(
        &self,
        file: &mut File<'_>,
        tokens: &[Token],
        directive: &'static str,
        when_defined: bool,
    ) -> Result<(), LocalDiagnostic> {
        let name = macro_name(tokens.get(2..).unwrap_or_default());
        let value = name.is_some_and(|name| self.macros.is_defined(name) == when_defined);
        let outer = file.conditions.active();
        let at = tokens.get(1).map(|token| token.at).unwrap_or_default();
        file.conditions.open(directive, at, value);
        if outer && name.is_none() {
            Err(Self::bad(tokens, directive))
        } else {
            Ok(())
        }
    }

    fn condition(
        &self,
        file: &File<'_>,
        tokens: &[Token],
        directive: &str,
    ) -> Result<bool, LocalDiagnostic> {
        let arguments = tokens.get(2..).unwrap_or_default();
        if arguments.first().map(|token| token.kind) != Some(Kind::ParenOpen) {
            return Err(Self::bad(tokens, directive));
        }
        let expanded = self.expanded(file, arguments)?;
        evaluate(&expanded, &self.macros, self.release).ok_or_else(|| Self::bad(tokens, directive))
    }

    /// Reads a `-define`. The result is kept with the file, unless the meaning of a word in it
    /// depends on a feature.
    fn define(&mut self, file: &File<'_>, form: &RawForm) -> Result<(), LocalDiagnostic> {
        let defined = if form.has_feature_words {
            Defined::read(&self.located_all(file, &form.tokens))?
        } else {
            form.defined()?
        };
        self.macros.define(defined)
    }

    fn include(
        &mut self,
        file: &File<'_>,
        tokens: &[Token],
        lib: bool,
    ) -> Result<(), LocalDiagnostic> {
        let directive = if lib { "include_lib" } else { "include" };
        let Some((name, at)) = string_argument(tokens) else {
            return Err(Self::bad(tokens, directive));
        };
        if file.depth >= MAX_INCLUDES {
            return Err(catalog::INCLUDE_DEPTH.at(at, name));
        }
        let include = Include {
            name: &name,
            lib,
            from: file.path,
        };
        let Some(unit) = self.includes.include(&include) else {
            if let Some(reason) = self.includes.unreadable(&include) {
                return Err(catalog::INCLUDE_UNREADABLE.at(at, format!("`{name}`: {reason}")));
            }
            let message = if lib {
                &catalog::INCLUDE_LIB_NOT_FOUND
            } else {
                &catalog::INCLUDE_NOT_FOUND
            };
            return Err(message.at(at, name));
        };
        self.macros.set_file(&unit.path);
        self.included(&unit, file.depth + 1);
        self.macros.set_file(file.name());
        // The module's own include reports it, once for all files below it.
        match self.forms_left {
            0 if file.depth == 0 => Err(catalog::TOO_MANY_FORMS.at(at, "")),
            _ => Ok(()),
        }
    }

    /// `-file(Name, Line).`: renumbers the lines that follow.
    fn rename(&mut self, file: &mut File<'_>, tokens: &[Token]) -> Result<(), LocalDiagnostic> {
        let expanded = self.macros.expand(tokens)?;
        let line = match expanded.get(expanded.len().saturating_sub(3)) {
            Some(Token {
                value: Value::Integer(Integer::Small(line)),
                ..
            }) => *line,
            _ => return Err(Self::bad(tokens, "file")),
        };
        let Some(name) = expanded.get(3).filter(|token| token.kind == Kind::String) else {
            return Err(Self::bad(tokens, "file"));
        };
        // The given line number applies to the line after the directive.
        let here = tokens.get(1).map_or(0, |token| i64::from(token.at.line));
        file.renamed = Some((Name::new(name.text()), line.saturating_sub(here)));
        self.macros.set_file(file.name());
        Ok(())
    }

    /// `-feature(maybe_expr, enable).`
    fn feature(&mut self, tokens: &[Token]) -> Result<(), LocalDiagnostic> {
        let text = |index: usize| tokens.get(index).map(Token::text).unwrap_or_default();
        match (text(3), text(5)) {
            ("maybe_expr", switch @ ("enable" | "disable")) => {
                self.maybe = switch == "enable";
                self.macros.set_features(self.maybe);
                Ok(())
            }
            (_, "enable" | "disable") => Ok(()),
            _ => Err(Self::bad(tokens, "feature")),
        }
    }

    /// `-error(Term).`, `-warning(Term).`
    fn message(&self, file: &File<'_>, tokens: &[Token], severity: Severity) -> LocalDiagnostic {
        let at = tokens.get(1).map(|token| token.at).unwrap_or_default();
        let message = match severity {
            Severity::Error => &catalog::ERROR_DIRECTIVE,
            Severity::Warning => &catalog::WARNING_DIRECTIVE,
        };
        let expanded = self.expanded(file, tokens).unwrap_or_default();
        let inner = expanded
            .get(3..expanded.len().saturating_sub(2))
            .unwrap_or_default();
        message.at(at, print::tokens(inner))
    }
}

/// `(Name).`
fn macro_name(arguments: &[Token]) -> Option<&str> {
    match arguments {
        [open, name, close, dot]
            if (open.kind, close.kind, dot.kind)
                == (Kind::ParenOpen, Kind::ParenClose, Kind::Dot)
                && is_macro_name(name.kind) =>
        {
            Some(name.text())
        }
        _ => None,
    }
}

/// `("text" "more").`
fn string_argument(tokens: &[Token]) -> Option<(String, crate::ast::Location)> {
    let [open, strings @ .., close, _dot] = tokens.get(2..)? else {
        return None;
    };
    let all_strings = strings.iter().all(|token| token.kind == Kind::String);
    let parentheses = (open.kind, close.kind) == (Kind::ParenOpen, Kind::ParenClose);
    let first = strings.first()?;
    (parentheses && all_strings).then(|| (strings.iter().map(Token::text).collect(), first.at))
}
