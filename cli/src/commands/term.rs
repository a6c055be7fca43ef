//! `otp-rs term TERM`: shows a term as Erlang, bytes, JSON and Rust, and whether it has a type.

use std::io::Read;

use otp_bridge::Term;
use otp_bridge::term::etf;

use crate::args::{Term as Options, TermFormat, TermSource};
use crate::report::{Result, Ui, catalog};
use crate::sources::{Library, type_of_text};
use crate::terms::{
    Definitions, base64, check, hex, json, of_bytes, of_erlang, of_json, rust_text,
};

/// Maximum number of bytes of standard input.
const LONGEST: u64 = 1 << 28;

pub(crate) fn execute(options: &Options, ui: &Ui) -> Result<()> {
    // Terms are read, written and dropped recursively, and they may be deep.
    otp_bridge::term::on_large_stack(|| execute_here(options, ui))
}

fn execute_here(options: &Options, ui: &Ui) -> Result<()> {
    let input = input(options.term.as_deref())?;
    let term = match options.from {
        TermSource::Etf => of_bytes(&input)?,
        TermSource::Erlang => of_erlang(text(&input)?)?,
        TermSource::Json => of_json(text(&input)?)?,
    };
    if let Some(ty) = &options.ty {
        let library = Library::open(&options.code_path)?;
        let resolved = type_of_text(ty, &library)?;
        check(&term, &resolved, &Definitions::of(&library))
            .map_err(|misfit| catalog::NOT_OF_TYPE.with(&[&ty, &misfit]))?;
    }
    match options.to {
        None => ui.output(&in_all_ways(&term)?),
        Some(TermFormat::Etf) => ui.output_bytes(&etf::encode(&term)),
        Some(format) => ui.output(&(written(&term, format)? + "\n")),
    }
    Ok(())
}

/// Returns the argument, or standard input.
fn input(argument: Option<&str>) -> Result<Vec<u8>> {
    match argument {
        Some(text) if text != "-" => Ok(text.as_bytes().to_vec()),
        _ => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().take(LONGEST).read_to_end(&mut bytes);
            read.map_err(|error| catalog::IO.with(&[&"read", &error]).at("standard input"))?;
            Ok(bytes)
        }
    }
}

fn text(input: &[u8]) -> Result<&str> {
    std::str::from_utf8(input).map_err(|error| {
        let error = catalog::NOT_A_TERM.with(&[&"UTF-8 text", &error]);
        error.help("--from etf reads bytes")
    })
}

fn written(term: &Term, format: TermFormat) -> Result<String> {
    Ok(match format {
        TermFormat::Erlang => term.to_string(),
        TermFormat::Hex | TermFormat::Etf => hex(term),
        TermFormat::Base64 => base64(term),
        TermFormat::Json => json(term)?,
        TermFormat::Rust => rust_text(term),
    })
}

fn in_all_ways(term: &Term) -> Result<String> {
    let mut text = String::new();
    for (name, format) in [
        ("Erlang", TermFormat::Erlang),
        ("hex", TermFormat::Hex),
        ("base64", TermFormat::Base64),
        ("JSON", TermFormat::Json),
        ("Rust", TermFormat::Rust),
    ] {
        text.push_str(&format!("{name:<8}{}\n", written(term, format)?));
    }
    Ok(text)
}
