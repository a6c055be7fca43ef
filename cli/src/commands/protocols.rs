//! `cargo otp schema`: the messages and replies of the application's processes, as JSON Schema and
//! as AsyncAPI.

use std::fs;

use otp_codegen::Overrides;
use otp_codegen::schema::schemas;
use otp_contract::erlang::quote_atom;
use otp_contract::manifest::{Manifest, Module as Described};
use serde_json::{Map, Value, json};

use super::schema::with_neighbours;
use crate::args::{Protocols, ProtocolsFormat};
use crate::build::{BuildOptions, Built, build};
use crate::files::Scratch;
use crate::installation::{Applications, Installation};
use crate::project::Application;
use crate::protocol::{About, Protocol, asyncapi, has_protocol, protocol, source};
use crate::report::{Error, Result, Ui, catalog, nearest};
use crate::sources::{Library, Reporter, Source};

pub(crate) fn execute(options: &Protocols, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.built.manifest.path.as_deref())?;
    let order = BuildOptions::application(super::profile(&options.built));
    let built = build(&application, &otp, &order, ui)?;
    let asked = selected(&options.modules, &built.manifest)?;
    let reporter = Reporter::to(ui);
    let (protocols, definitions) = read(&asked, &built.manifest, &otp, &reporter, ui)?;
    let document = match options.format {
        ProtocolsFormat::JsonSchema => json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("{} {}", built.name, built.version),
            "$defs": definitions,
        }),
        ProtocolsFormat::Asyncapi => asyncapi(&about(&built), &protocols, &definitions, named)?,
    };
    ui.output(&format!("{document:#}\n"));
    reporter.outcome()
}

fn about(built: &Built) -> About<'_> {
    About {
        title: &built.name,
        version: &built.version,
        description: &built.description,
    }
}

/// Returns the name of a module's type in the schemas.
fn named(module: &str, ty: &str) -> String {
    format!("{}:{}()", quote_atom(module), quote_atom(ty))
}

/// Returns the selected modules, or all with a protocol.
fn selected<'a>(names: &[String], manifest: &'a Manifest) -> Result<Vec<&'a Described>> {
    let all = || {
        manifest
            .modules
            .iter()
            .filter(|module| has_protocol(module))
    };
    if names.is_empty() {
        return Ok(all().collect());
    }
    let asked = names.iter().map(|name| {
        let found = all().find(|module| module.module == *name);
        found.ok_or_else(|| {
            let error = catalog::NO_PROTOCOL.with(&[name]);
            let others: Vec<&str> = all().map(|module| module.module.as_str()).collect();
            match nearest(name, others.iter().copied(), 3).as_slice() {
                [] if others.is_empty() => error,
                [] => error.help(format!("there is `{}`", others.join("`, `"))),
                near => error.suggest(near),
            }
        })
    });
    asked.collect()
}

/// Reads the protocols of modules, and the schemas of all their types.
fn read(
    asked: &[&Described],
    manifest: &Manifest,
    otp: &Installation,
    reporter: &Reporter<'_>,
    ui: &Ui,
) -> Result<(Vec<Protocol>, Map<String, Value>)> {
    let folder = Scratch::new()?;
    let path = |module: &Described| folder.path().join(format!("{}.erl", module.module));
    // The types of one module refer to those of others.
    for module in &manifest.modules {
        let path = path(module);
        fs::write(&path, source(module)).map_err(|error| Error::io("write", &path, &error))?;
    }
    let library = Library::of(Applications::of(otp));
    let (mut protocols, mut definitions) = (Vec::new(), Map::new());
    for described in asked {
        let from = Source::at(path(described));
        let protocol = protocol(described, library.read(&from, reporter)?);
        let schema = with_neighbours(
            (&library, reporter),
            &from,
            protocol.module.clone(),
            |modules| {
                schemas(modules, &Overrides::default(), &described.module)
                    .map_err(|error| catalog::INTERNAL.with(&[&error]))
            },
            ui,
        )?;
        if let Some(Value::Object(of_module)) = schema.document.get("$defs") {
            definitions.extend(of_module.clone());
        }
        protocols.push(protocol);
    }
    Ok((protocols, definitions))
}
