//! The Erlang of a package: sources for every supported release of OTP, and modules that this
//! machine's OTP has compiled from them.

use std::ffi::OsStr;
use std::path::Path;

use otp_codegen::erlang as text;
use otp_contract::modules;

use super::contents::{Contents, read};
use crate::build::{Built, ErlangTexts, compile_package};
use crate::files::entries;
use crate::installation::{Installation, OLDEST};
use crate::project::{Application, erlang_sources};
use crate::report::Result;
use crate::report::Ui;

/// The folder of the sources.
const SOURCES: &str = "src";

/// Adds the generated modules and those of the application's author, with their headers, and the
/// resource file from which rebar3 and mix make their own.
pub(super) fn add_sources(
    contents: &mut Contents,
    application: &Application,
    built: &Built,
) -> Result<()> {
    for path in entries(&application.folder.join(erlang_sources::FOLDER))? {
        let is_erlang = path
            .extension()
            .is_some_and(|it| it == "erl" || it == "hrl");
        if let Some(name) = path.file_name().and_then(OsStr::to_str)
            && is_erlang
        {
            contents.add(&format!("{SOURCES}/{name}"), read(&path)?);
        }
    }
    let texts = ErlangTexts {
        name: &built.name,
        version: &built.version,
        description: &built.description,
        config: &application.config,
        manifest: &built.manifest,
        release: OLDEST,
    };
    let library = built.library.file_stem().unwrap_or_default();
    let library = text::library_module(&built.name, &built.version, &library.to_string_lossy());
    let shared = text::shared_modules().into_iter();
    let shared = shared.map(|(name, text)| (name.to_owned(), text));
    let generated = [(modules::library(&built.name), library)].into_iter();
    for (name, text) in generated.chain(texts.modules()).chain(shared) {
        contents.add(&format!("{SOURCES}/{name}.erl"), text);
    }
    let resource = texts.resource_file(&built.modules, &built.needed());
    contents.add(&format!("{SOURCES}/{}.app.src", built.name), resource);
    Ok(())
}

/// Compiles the sources, and adds the modules with the resource file of the build, whose OTP is the
/// oldest that can load them.
pub(super) fn add_compiled(
    contents: &mut Contents,
    scratch: &Path,
    built: &Built,
    otp: &Installation,
    ui: &Ui,
) -> Result<()> {
    contents.write_folder(SOURCES, scratch)?;
    let ebin = compile_package(otp, scratch, built, ui)?;
    for module in &built.modules {
        let file = format!("{module}.beam");
        contents.add(&format!("ebin/{file}"), read(&ebin.join(&file))?);
    }
    let resource = format!("{}.app", built.name);
    contents.add(
        &format!("ebin/{resource}"),
        read(&built.ebin.join(&resource))?,
    );
    Ok(())
}
