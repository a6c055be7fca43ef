//! `otp-rs schema MODULE[:TYPE[/ARITY]]`, or a type: JSON Schema from Erlang's types.

use std::collections::BTreeSet;

use otp_codegen::Overrides;
use otp_codegen::schema::{NoSuchType, Schema as Document, schema, schema_of_type, schemas};
use otp_specs::types::Module;

use super::gen_types::overrides;
use crate::args::Schema;
use crate::report::{Result, Ui, catalog, nearest};
use crate::sources::{
    Library, Neighbours, QualifiedName, Reporter, Source, local_name, type_of_text,
};

pub(crate) fn execute(options: &Schema, ui: &Ui) -> Result<()> {
    let overrides = overrides::read(&options.config)?;
    let overrides = overrides.map_or_else(Default::default, |overrides| overrides.decided);
    let library = Library::open(&options.code_path)?;
    let reporter = Reporter::to(ui);
    let document = match QualifiedName::read(&options.ty) {
        Some(asked) => {
            let asked = asked?;
            let first = library.modules.find(&asked.module)?;
            let module = library.read(&first, &reporter)?;
            let schema = |modules: &[Module]| schema_of(&asked, modules, &overrides);
            with_neighbours((&library, &reporter), &first, module, schema, ui)?
        }
        None => of_type(&options.ty, (&library, &reporter), &overrides, ui)?,
    };
    // All keys are strings, so JSON can represent it.
    let text = serde_json::to_string_pretty(&document.document)
        .map_err(|error| catalog::INTERNAL.with(&[&format!("the schema is not JSON: {error}")]))?;
    ui.output(&(text + "\n"));
    reporter.outcome()
}

/// Returns the schema of a type on the command line.
fn of_type(
    text: &str,
    (library, reporter): (&Library, &Reporter<'_>),
    overrides: &Overrides,
    ui: &Ui,
) -> Result<Document> {
    let ty = type_of_text(text, library)?;
    let find = |name: &str| library.modules.known(name).cloned();
    let schema = |modules: &[Module]| Ok(schema_of_type(modules, overrides, &ty));
    with_found((library, reporter), &find, Vec::new(), schema, ui)
}

/// Generates the schema of types of a module, with the modules that they refer to.
pub(super) fn with_neighbours(
    (library, reporter): (&Library, &Reporter<'_>),
    first: &Source,
    module: Module,
    schema: impl Fn(&[Module]) -> Result<Document>,
    ui: &Ui,
) -> Result<Document> {
    let neighbours = Neighbours { of: first, library };
    let find = |name: &str| neighbours.find(name);
    with_found((library, reporter), &find, vec![module], schema, ui)
}

/// Generates a schema, with the modules that it refers to.
fn with_found(
    (library, reporter): (&Library, &Reporter<'_>),
    find: &dyn Fn(&str) -> Option<Source>,
    mut modules: Vec<Module>,
    schema: impl Fn(&[Module]) -> Result<Document>,
    ui: &Ui,
) -> Result<Document> {
    let mut absent = BTreeSet::new();
    let document = loop {
        let document = schema(&modules)?;
        let before = modules.len();
        for name in &document.missing {
            let found = find(name);
            let read = |source: Source| library.read(&source, reporter);
            match found.map(read).transpose()? {
                Some(module) if module.name == *name => modules.push(module),
                // A file of that name may contain another module.
                Some(_) | None => {
                    absent.insert(name.clone());
                }
            }
        }
        if modules.len() == before {
            break document;
        }
    };
    for name in &absent {
        ui.note(&format!(
            "there is no module `{name}`: its types are any term"
        ));
    }
    for name in &document.cut {
        ui.note(&format!(
            "`{name}` has instances without end or too many: some are any term"
        ));
    }
    Ok(document)
}

/// Returns the schema of a type of the first module.
fn schema_of(asked: &QualifiedName, modules: &[Module], overrides: &Overrides) -> Result<Document> {
    let module = modules.first().map_or("", |module| module.name.as_str());
    let Some(name) = asked.name.as_deref() else {
        return schemas(modules, overrides, module)
            .map_err(|error| catalog::INTERNAL.with(&[&error]));
    };
    schema(modules, overrides, module, name, asked.arity).map_err(|error| match error {
        NoSuchType::Module => catalog::INTERNAL.with(&[&error]),
        NoSuchType::Name(others) => {
            let shown = local_name(name, asked.arity);
            let error = catalog::UNKNOWN_TYPE.with(&[&module, &"type", &shown]);
            let others: BTreeSet<&str> = others.iter().map(|other| base(other)).collect();
            let others: Vec<&str> = others.into_iter().collect();
            let quoted = local_name(name, None);
            match nearest(&quoted, others.iter().copied(), 3).as_slice() {
                [] if others.is_empty() => error.help("it has no types at all"),
                [] => error.help(format!("it has `{}`", others.join("`, `"))),
                near => error.suggest(near),
            }
        }
        NoSuchType::Arity(arities) => {
            let named = |arity: &usize| format!("`{}`", asked.instead(name, Some(*arity)));
            let named: Vec<String> = arities.iter().map(named).collect();
            let shown = local_name(name, asked.arity);
            let error = match asked.arity {
                Some(_) => catalog::UNKNOWN_TYPE.with(&[&module, &"type", &shown]),
                None => catalog::SEVERAL_ARITIES.with(&[&module, &shown]),
            };
            error.help(format!("there is {}", named.join(" and ")))
        }
    })
}

/// Returns `name/arity` without the arity.
fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(base, _)| base)
}
