//! BEAM files: abstract code (`debug_info`) to the same forms that source gives.

mod chunks;
mod docs;
mod etf;
mod forms;
mod markdown;
mod terms;
mod types;

use crate::ast::{Location, Module, Name};
use crate::catalog;
use crate::diagnostic::{Diagnostic, LocalDiagnostic, Parsed};
use chunks::Chunks;
pub use docs::parse_chunk;
use etf::{Decoder, Term};

/// A diagnostic that concerns the whole file.
fn of_file(message: &'static catalog::Message, detail: &str) -> LocalDiagnostic {
    message.at(Location::default(), detail)
}

/// Reads the abstract code of a BEAM file.
///
/// Reads the `Dbgi` chunk, or the `Abst` chunk of OTP 19 and before. Without either the module has
/// only its name, and a diagnostic says so. Documentation comes from the `Docs` chunk of OTP 27 and later.
#[must_use]
pub fn parse_beam(path: &str, bytes: &[u8]) -> Parsed {
    parsed(path, |module, diagnostics| read(bytes, module, diagnostics))
}

/// The module that `read` fills in, and its diagnostics.
fn parsed(
    path: &str,
    read: impl FnOnce(&mut Module, &mut Vec<Diagnostic>) -> Result<(), LocalDiagnostic>,
) -> Parsed {
    let file = Name::new(path);
    let mut module = Module {
        file: file.clone(),
        ..Module::default()
    };
    let mut diagnostics = Vec::new();
    if let Err(diagnostic) = read(&mut module, &mut diagnostics) {
        diagnostics.push(diagnostic.in_file(&file));
    }
    Parsed {
        module,
        diagnostics,
    }
}

fn read(
    bytes: &[u8],
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), LocalDiagnostic> {
    let whole = chunks::unpacked(bytes)?;
    let chunks = Chunks::of(&whole)?;
    if let Some(atoms) = chunks.find(b"AtU8").or(chunks.find(b"Atom")) {
        module.name = chunks::first_atom(atoms);
    }
    let term = match (chunks.find(b"Dbgi"), chunks.find(b"Abst")) {
        (Some(chunk), _) => etf::unpacked(chunk, "Dbgi")?,
        (None, Some(chunk)) if !chunk.is_empty() => etf::unpacked(chunk, "Abst")?,
        _ => return Err(of_file(&catalog::NO_ABSTRACT_CODE, "")),
    };
    let mut decoder = Decoder::new(&term);
    let count = enter_forms(&mut decoder)?;
    forms::read(&mut decoder, count, module, diagnostics)?;
    if let Some(chunk) = chunks.find(b"Docs") {
        let mut documentation = Module {
            file: module.file.clone(),
            ..Module::default()
        };
        docs::read(chunk, &mut documentation, diagnostics)?;
        module.add_documentation(documentation);
    }
    Ok(())
}

/// Goes to the list of forms in `{debug_info_v1, erl_abstract_code, {Forms, Options}}` or
/// `{raw_abstract_v1, Forms}` and gives its length.
fn enter_forms(decoder: &mut Decoder<'_>) -> Result<usize, LocalDiagnostic> {
    let none = || of_file(&catalog::NO_ABSTRACT_CODE, "");
    let damaged = || of_file(&catalog::BAD_CHUNK, "Dbgi");
    match decoder.enter_tuple() {
        Some(3) => {
            let (version, backend) = (decoder.term(), decoder.term());
            let expected = ["debug_info_v1", "erl_abstract_code"];
            let known = [&version, &backend].into_iter().zip(expected);
            if !known
                .into_iter()
                .all(|(term, name)| term.as_ref().is_ok_and(|t| t.is_atom(name)))
            {
                return Err(none());
            }
            if decoder.enter_tuple() != Some(2) {
                return Err(none());
            }
        }
        Some(2)
            if decoder
                .term()
                .is_ok_and(|term: Term| term.is_atom("raw_abstract_v1")) => {}
        Some(_) => return Err(none()),
        None => return Err(damaged()),
    }
    decoder.enter_list().ok_or_else(none)
}
