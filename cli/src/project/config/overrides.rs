//! `[types]` and `[functions]`: a user's overrides for generated types and functions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use otp_codegen::{FunctionOverride, OverrideDiagnostic, OverrideId, Target, TypeOverride};
use toml_edit::{Item, TableLike};

use super::reader::{self, Reader, located};
use crate::files::read_text;
use crate::report::{Error, Result, catalog, nearest};
use crate::sources::QualifiedName;

const TYPE_KEYS: [&str; 7] = [
    "rename",
    "rust",
    "skip",
    "derives",
    "no_derives",
    "variants",
    "fields",
];
const FUNCTION_KEYS: [&str; 2] = ["rename", "skip"];
/// Known names are listed if there are no more than this.
const MOST_LISTED: usize = 12;

/// A part of an override: the override, one of its keys, and an entry inside that.
type Key = (OverrideId, Option<&'static str>, Option<String>);

/// The overrides of an otp.toml.
pub(crate) struct Overrides {
    pub(crate) decided: otp_codegen::Overrides,
    path: PathBuf,
    text: String,
    spans: BTreeMap<Key, Range<usize>>,
    /// New names by old ones: where the new name stands.
    values: BTreeMap<Key, Range<usize>>,
}

impl Overrides {
    /// Reads `[types]` and `[functions]` of a file. Both may be missing.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = read_text(path).map_err(|error| Error::io("read", path, &error))?;
        Self::parse(path, text)
    }

    pub(super) fn parse(path: &Path, text: String) -> Result<Self> {
        let document = reader::document(path, &text)?;
        let mut gathered = Gathered {
            reader: Reader { path, text: &text },
            decided: otp_codegen::Overrides::default(),
            spans: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        let root: &dyn TableLike = document.as_table();
        gathered.reader.sections(root)?;
        if root.contains_key("types") {
            gathered.types(gathered.reader.table(root, "types")?)?;
        }
        if root.contains_key("functions") {
            gathered.functions(gathered.reader.table(root, "functions")?)?;
        }
        let Gathered {
            decided,
            spans,
            values,
            ..
        } = gathered;
        let path = path.to_owned();
        Ok(Self {
            decided,
            path,
            text,
            spans,
            values,
        })
    }

    /// Generates a small module with the overrides. Its diagnostics are located in the file.
    pub(super) fn follow(self) {
        let text = b"-module(m).\n-type t() :: a | {b, X :: t()}.\n-record(r, {f :: t()}).\n\
            -type r() :: #r{}.\n-spec f(t()) -> r().\n";
        let read = otp_specs::Options::default();
        let parsed = otp_specs::parse_source("m.erl", text, &otp_specs::NoIncludes, &read);
        let (module, _) = otp_specs::resolve(&parsed.module, &mut otp_specs::Trusting);
        let mut options = otp_codegen::outside_options("crate", "a test", "25", BTreeMap::new());
        options.functions = true;
        options.overrides.clone_from(&self.decided);
        let output = otp_codegen::generate(&[module], &options);
        self.errors(&output.override_diagnostics);
    }

    /// Returns the generator's diagnostics as errors, located in the file.
    pub(crate) fn errors(&self, diagnostics: &[OverrideDiagnostic]) -> Vec<Error> {
        diagnostics.iter().map(|one| self.error(one)).collect()
    }

    fn error(&self, diagnostic: &OverrideDiagnostic) -> Error {
        let keys = [
            (diagnostic.id, diagnostic.key, diagnostic.inner.clone()),
            (diagnostic.id, diagnostic.key, None),
            (diagnostic.id, None, None),
        ];
        // A name that is not there is an old one; else the new one is wrong.
        let value = self
            .values
            .get(&keys[0])
            .filter(|_| diagnostic.missing.is_none());
        let span = value.or_else(|| keys.iter().find_map(|key| self.spans.get(key)));
        let error = Error::foreign(diagnostic.code, diagnostic.label.clone());
        let mut error = located(error, &self.path, &self.text, span.cloned());
        if let Some(missing) = &diagnostic.missing {
            let known = || diagnostic.known.iter().map(String::as_str);
            let near = nearest(missing, known(), 3);
            if !near.is_empty() {
                error = error.suggest(&near);
            } else if (1..=MOST_LISTED).contains(&diagnostic.known.len()) {
                let known: Vec<&str> = known().collect();
                error = error.help(format!("there is `{}`", known.join("`, `")));
            }
        }
        match &diagnostic.hint {
            Some(help) => error.help(help.clone()),
            None => error,
        }
    }
}

struct Gathered<'a> {
    reader: Reader<'a>,
    decided: otp_codegen::Overrides,
    spans: BTreeMap<Key, Range<usize>>,
    values: BTreeMap<Key, Range<usize>>,
}

impl Gathered<'_> {
    fn types(&mut self, table: &dyn TableLike) -> Result<()> {
        for (key, item) in table.iter() {
            if key == "derives" {
                self.decided.derives = self.texts(OverrideId::Derives, "derives", item)?;
                continue;
            }
            let part = OverrideId::Type(self.decided.types.len());
            let (target, entry) = self.entry(part, "types", table, key, &TYPE_KEYS)?;
            let derives = |this: &mut Self, key| match entry.get(key) {
                Some(item) => this.texts(part, key, item),
                None => Ok(Vec::new()),
            };
            let entry = TypeOverride {
                target,
                rename: self.text(part, entry, "rename")?,
                rust: self.text(part, entry, "rust")?,
                skip: self.flag(part, entry, "skip")?,
                derives: derives(self, "derives")?,
                no_derives: derives(self, "no_derives")?,
                variants: self.renames(part, entry, "variants")?,
                fields: self.renames(part, entry, "fields")?,
            };
            self.decided.types.push(entry);
        }
        Ok(())
    }

    fn functions(&mut self, table: &dyn TableLike) -> Result<()> {
        for (key, _) in table.iter() {
            let part = OverrideId::Function(self.decided.functions.len());
            let (target, entry) = self.entry(part, "functions", table, key, &FUNCTION_KEYS)?;
            let entry = FunctionOverride {
                target,
                rename: self.text(part, entry, "rename")?,
                skip: self.flag(part, entry, "skip")?,
            };
            self.decided.functions.push(entry);
        }
        Ok(())
    }

    /// Returns the type or function that an override changes, and its table.
    fn entry<'t>(
        &mut self,
        part: OverrideId,
        section: &str,
        table: &'t dyn TableLike,
        key: &str,
        known: &[&str],
    ) -> Result<(Target, &'t dyn TableLike)> {
        let item = table.get(key).unwrap_or(&Item::None);
        let span = table.key(key).and_then(|key| key.span()).or(item.span());
        let target = QualifiedName::of(key).ok().and_then(|named| {
            let (name, arity) = (named.name?, named.arity);
            let module = named.module;
            Some(Target {
                module,
                name,
                arity,
            })
        });
        let Some(target) = target else {
            let kind = section.trim_end_matches('s');
            let error = catalog::NOT_A_TYPE_NAME.with(&[&key, &kind]);
            let lists = ["derives"].into_iter().filter(|_| section == "types");
            let error = error.suggest(&nearest(key, lists, 1));
            return Err(self.reader.located(error, span).help(format!(
                "an entry is [{section}.\"MODULE:NAME\"] or [{section}.\"MODULE:NAME/ARITY\"]"
            )));
        };
        let Some(entry) = item.as_table_like() else {
            let key = format!("{section}.\"{key}\"");
            return Err(self.reader.wrong_value(item, &key, "a table"));
        };
        let prefix = format!("{section}.\"{key}\".");
        self.reader.only(entry, &prefix, known)?;
        self.spans
            .extend(span.map(|span| ((part, None, None), span)));
        Ok((target, entry))
    }

    fn text(
        &mut self,
        part: OverrideId,
        entry: &dyn TableLike,
        key: &'static str,
    ) -> Result<Option<String>> {
        let Some(item) = entry.get(key) else {
            return Ok(None);
        };
        let text = item
            .as_str()
            .ok_or_else(|| self.not(item, key, "a string"))?;
        self.remember(part, key, None, item.span());
        Ok(Some(text.to_owned()))
    }

    fn flag(&mut self, part: OverrideId, entry: &dyn TableLike, key: &'static str) -> Result<bool> {
        let Some(item) = entry.get(key) else {
            return Ok(false);
        };
        self.remember(part, key, None, item.span());
        item.as_bool()
            .ok_or_else(|| self.not(item, key, "`true` or `false`"))
    }

    fn texts(&mut self, part: OverrideId, key: &'static str, item: &Item) -> Result<Vec<String>> {
        let not = |this: &Self, span| {
            let error = catalog::WRONG_VALUE.with(&[&key, &"a list of strings"]);
            this.reader.located(error, span)
        };
        let array = item.as_array().ok_or_else(|| not(self, item.span()))?;
        self.remember(part, key, None, item.span());
        let mut texts = Vec::new();
        for value in array {
            let text = value.as_str().ok_or_else(|| not(self, value.span()))?;
            self.remember(part, key, Some(text), value.span());
            texts.push(text.to_owned());
        }
        Ok(texts)
    }

    fn renames(
        &mut self,
        part: OverrideId,
        entry: &dyn TableLike,
        key: &'static str,
    ) -> Result<BTreeMap<String, String>> {
        let Some(item) = entry.get(key) else {
            return Ok(BTreeMap::new());
        };
        let table = item
            .as_table_like()
            .ok_or_else(|| self.not(item, key, "a table of new names by old ones"))?;
        self.remember(part, key, None, item.span());
        let mut renames = BTreeMap::new();
        for (old, item) in table.iter() {
            let new = item
                .as_str()
                .ok_or_else(|| self.not(item, old, "a string"))?;
            let span = table.key(old).and_then(|key| key.span());
            self.remember(part, key, Some(old), span.or(item.span()));
            let value = (part, Some(key), Some(old.to_owned()));
            self.values.extend(item.span().map(|span| (value, span)));
            renames.insert(old.to_owned(), new.to_owned());
        }
        Ok(renames)
    }

    fn not(&self, item: &Item, key: &str, what: &str) -> Error {
        self.reader.wrong_value(item, key, what)
    }

    fn remember(
        &mut self,
        part: OverrideId,
        key: &'static str,
        inner: Option<&str>,
        span: Option<Range<usize>>,
    ) {
        let key = (part, Some(key), inner.map(str::to_owned));
        self.spans.extend(span.map(|span| (key, span)));
    }
}
