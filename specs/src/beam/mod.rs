//! BEAM files: reads abstract code (`debug_info`) into the same forms as source text.

mod chunks;
mod docs;
mod elixir;
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
use etf::Decoder;

/// Maximum number of atoms. A VM has no room for more, unless it was started with another limit.
const MAX_ATOMS: usize = 1 << 20;

/// A diagnostic that concerns the whole file.
fn of_file(message: &'static catalog::Message, detail: &str) -> LocalDiagnostic {
    message.at(Location::default(), detail)
}

/// Reads the abstract code of a BEAM file.
///
/// Reads the `Dbgi` chunk, or the `Abst` chunk of OTP 19 and before. Without either, the module has
/// only its name, and there is a diagnostic. Documentation comes from the `Docs` chunk of OTP 27
/// and later.
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
    let atoms = chunks.find(b"AtU8").or(chunks.find(b"Atom"));
    let atoms = atoms.unwrap_or_default();
    if chunks::count(atoms) > MAX_ATOMS {
        return Err(of_file(&catalog::BAD_CHUNK, "AtU8"));
    }
    let mut atoms = chunks::atoms(atoms);
    module.name = atoms.next();
    let term = match (chunks.find(b"Dbgi"), chunks.find(b"Abst")) {
        (Some(chunk), _) => etf::unpacked(chunk, "Dbgi")?,
        (None, Some(chunk)) if !chunk.is_empty() => etf::unpacked(chunk, "Abst")?,
        _ => return Err(of_file(&catalog::NO_ABSTRACT_CODE, "")),
    };
    let mut decoder = Decoder::new(&term);
    match enter_forms(&mut decoder)? {
        DebugInfo::Erlang { forms } => forms::read(&mut decoder, forms, module, diagnostics)?,
        DebugInfo::Elixir => {
            let atoms: Vec<Name> = module.name.iter().cloned().chain(atoms).collect();
            let exports = chunks::exports(chunks.find(b"ExpT").unwrap_or_default(), &atoms);
            elixir::read(&mut decoder, exports, module, diagnostics)?;
        }
    }
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

/// The contents of the debug information chunk.
enum DebugInfo {
    /// Abstract code: the decoder is in front of the first form.
    Erlang {
        /// The number of forms.
        forms: usize,
    },
    /// Elixir's: the decoder is in front of the map that describes the module.
    Elixir,
}

/// Moves to the list of forms in `{debug_info_v1, erl_abstract_code, {Forms, Options}}` or
/// `{raw_abstract_v1, Forms}` and returns its length, or moves to the map in `{debug_info_v1,
/// elixir_erl, {elixir_v1, Map, Attributes}}`.
fn enter_forms(decoder: &mut Decoder<'_>) -> Result<DebugInfo, LocalDiagnostic> {
    let none = || of_file(&catalog::NO_ABSTRACT_CODE, "");
    let damaged = || of_file(&catalog::BAD_CHUNK, "Dbgi");
    let tag = |decoder: &mut Decoder<'_>, name: &str| match decoder.term() {
        Ok(term) if term.is_atom(name) => Ok(()),
        _ => Err(none()),
    };
    match decoder.enter_tuple().ok_or_else(damaged)? {
        3 => {
            tag(decoder, "debug_info_v1")?;
            let backend = decoder.term().map_err(|_| none())?;
            match (backend.as_atom().map(Name::as_str), decoder.enter_tuple()) {
                (Some("erl_abstract_code"), Some(2)) => {}
                (Some("elixir_erl"), Some(3)) => {
                    tag(decoder, "elixir_v1")?;
                    return Ok(DebugInfo::Elixir);
                }
                _ => return Err(none()),
            }
        }
        2 => tag(decoder, "raw_abstract_v1")?,
        _ => return Err(none()),
    }
    let forms = decoder.enter_list().ok_or_else(none)?;
    Ok(DebugInfo::Erlang { forms })
}
