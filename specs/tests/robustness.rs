//! No input crashes specs: damaged files, deep nesting, huge counts. Each input gives forms and
//! diagnostics.
#![allow(clippy::disallowed_methods)]

#[path = "robustness/nesting.rs"]
mod nesting;
mod support;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use miniz_oxide::inflate::decompress_to_vec_zlib;
use otp_specs::{
    Include, NoIncludes, Options, Parsed, Release, Trusting, Unit, json, parse_beam, parse_chunk,
    parse_source, print, resolve,
};

/// Uses everything that was read in every possible way.
fn use_all(parsed: &Parsed) {
    let mut lines = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut lines, "file", None, entry);
        lines.push_str(&print::form(&entry.form));
    }
    for diagnostic in &parsed.diagnostics {
        write!(lines, "{diagnostic}").expect("a string grows");
    }
    let (resolved, _) = resolve(&parsed.module, &mut Trusting);
    assert_eq!(resolved.clone(), resolved);
}

/// A header that includes itself under any name.
fn itself(text: &'static [u8], release: Release) -> impl Fn(&Include<'_>) -> Option<Arc<Unit>> {
    let unit = Arc::new(Unit::read("itself.hrl", text, release));
    move |_| Some(Arc::clone(&unit))
}

fn source_of(text: &[u8], release: u32) -> Parsed {
    let options = Options {
        release: Release(release),
        ..Options::default()
    };
    let parsed = parse_source("file.erl", text, &NoIncludes, &options);
    use_all(&parsed);
    parsed
}

/// Pseudo-random numbers that are equal in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
    }
}

/// Damages a file in one of several ways.
fn damaged(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len());
        match numbers.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            2 if at < bytes.len() => bytes[at] = b"\"'$({[<-.?#|~%\\\xFF\0\n"[numbers.below(18)],
            3 => drop(bytes.splice(at..at, b"-type ".iter().copied())),
            4 => {
                let end = (at + numbers.below(40)).min(bytes.len());
                drop(bytes.drain(at.min(end)..end));
            }
            _ => {
                let end = (at + numbers.below(40)).min(bytes.len());
                let copy = bytes[at.min(end)..end].to_vec();
                let to = numbers.below(bytes.len());
                drop(bytes.splice(to..to, copy));
            }
        }
    }
    bytes
}

#[test]
fn damaged_sources() {
    let odd = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/odd");
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for file in support::files_below(&odd, "erl") {
        let bytes = fs::read(&file).expect("the source is checked in");
        for round in 0..150 {
            source_of(&damaged(&bytes, &mut numbers), [25, 27, 29][round % 3]);
        }
        for end in (0..bytes.len()).step_by(13) {
            source_of(&bytes[..end], 29);
        }
    }
}

/// A BEAM file with one chunk.
fn container(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let size = u32::try_from(data.len()).expect("a small chunk");
    let padding = vec![0; data.len().next_multiple_of(4) - data.len()];
    let whole = size + 12;
    [
        b"FOR1",
        &whole.to_be_bytes(),
        b"BEAM",
        name,
        &size.to_be_bytes(),
        data,
        &padding,
    ]
    .concat()
}

/// The external term of a module's abstract code, without compression.
fn abstract_code(module: &str) -> Vec<u8> {
    let path = support::application("stdlib").join(format!("ebin/{module}.beam"));
    let bytes = fs::read(path).expect("the module is installed");
    let at = bytes
        .windows(4)
        .position(|window| window == b"Dbgi")
        .expect("debug information");
    let packed = &bytes[at + 8..];
    assert_eq!(packed[..2], [131, 80]);
    let plain = decompress_to_vec_zlib(&packed[6..]).expect("zlib data");
    [&[131], plain.as_slice()].concat()
}

#[test]
fn damaged_beam_files() {
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    for module in ["supervisor", "gen_event"] {
        let code = abstract_code(module);
        let whole = container(b"Dbgi", &code);
        let sound = parse_beam("file.beam", &whole);
        assert_eq!(sound.diagnostics, []);
        assert!(sound.module.forms.len() > 20);
        for _ in 0..400 {
            use_all(&parse_beam(
                "file.beam",
                &container(b"Dbgi", &damaged(&code, &mut numbers)),
            ));
            use_all(&parse_beam("file.beam", &damaged(&whole, &mut numbers)));
        }
    }
}

#[test]
fn damaged_documentation() {
    let path = support::application("stdlib").join("doc/chunks/gen_server.chunk");
    let Ok(bytes) = fs::read(path) else { return };
    let plain = match &bytes[..] {
        [131, 80, _, _, _, _, packed @ ..] => {
            let term = decompress_to_vec_zlib(packed).expect("zlib data");
            [&[131], term.as_slice()].concat()
        }
        _ => bytes,
    };
    assert_eq!(parse_chunk("file.chunk", &plain).diagnostics, []);
    let mut numbers = Numbers(0xA076_1D64_78BD_642F);
    for _ in 0..300 {
        use_all(&parse_chunk("file.chunk", &damaged(&plain, &mut numbers)));
    }
}

#[test]
fn wide_forms_are_read_in_linear_time() {
    let members = "a | ".repeat(100_000);
    let fields: String = (0..20_000)
        .map(|n| format!("f{n} = {{{n}}} :: a | b, "))
        .collect();
    let clauses = "(a) -> b; ".repeat(30_000);
    let parameters: String = (0..20_000).map(|n| format!("A{n}, ")).collect();
    let text = format!(
        "-type t() :: {members}a.\n-record(r, {{{fields}last}}).\n-spec f{clauses}(a) -> b.\n\
         -type p({parameters}Z) :: {{{parameters}Z}}.\n-define(M({parameters}Z), a).\n"
    );
    let parsed = source_of(text.as_bytes(), 25);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(parsed.module.forms.len(), 4);
}

#[test]
fn macros_that_double_are_stopped() {
    let mut doubling = String::from("-define(M0, a).\n-define(S0(X), ??X).\n-define(F0(X), X).\n");
    for n in 1..64 {
        let last = n - 1;
        writeln!(doubling, "-define(M{n}, ?M{last} | ?M{last}).").expect("a string grows");
        writeln!(doubling, "-define(F{n}(X), ?F{last}(X | X)).").expect("a string grows");
        writeln!(doubling, "-define(S{n}(X), ?S{last}(??X ??X)).").expect("a string grows");
    }
    doubling.push_str("-type m() :: ?M63.\n-type f() :: ?F63(a).\n");
    doubling.push_str("-record(s, {a = ?S63(\"x\")}).\n-type last() :: ?M3.\n");
    let parsed = source_of(doubling.as_bytes(), 25);
    assert_eq!(parsed.diagnostics.len(), 3);
    assert_eq!(parsed.module.forms.len(), 1);
}

#[test]
fn cycles_are_stopped() {
    let macros =
        "-define(A, ?B).\n-define(B, ?A).\n-define(C(X), ?C(X)).\n-define(D(X), ?D(X) ?D(X)).
        -type a() :: ?A.\n-type c() :: ?C(1).\n-type d() :: ?D(1).\n-type last() :: a.\n";
    let parsed = source_of(macros.as_bytes(), 25);
    assert_eq!(
        (parsed.diagnostics.len(), parsed.module.forms.len()),
        (3, 1)
    );

    let types = "-type a() :: b().\n-type b() :: a().\n-type c() :: c().\n-type d() :: x | d().
        -record(r, {r :: #r{}, s :: #s{}}).\n-record(s, {r :: #r{r :: #r{}}}).\n-type e() :: #r{}.
        -spec f(A) -> B when A :: {A, B}, B :: [A].\n";
    let parsed = source_of(types.as_bytes(), 25);
    let (_, diagnostics) = resolve(&parsed.module, &mut Trusting);
    let circular = diagnostics
        .iter()
        .filter(|one| one.label.contains("one of its own alternatives"));
    assert_eq!(circular.count(), 4);
}

#[test]
fn bounds_that_double_are_stopped() {
    let mut text = String::from("-spec f(A0) -> ok when A63 :: a");
    for n in 0..63 {
        write!(text, ", A{n} :: {{A{m}, A{m}}}", m = n + 1).expect("a string grows");
    }
    let parsed = source_of(format!("{text}.").as_bytes(), 25);
    let (_, diagnostics) = resolve(&parsed.module, &mut Trusting);
    assert!(!diagnostics.is_empty());
    let mut chain = String::from("-spec f(A0) -> ok when A20000 :: a");
    for n in 0..20_000 {
        write!(chain, ", A{n} :: [A{}]", n + 1).expect("a string grows");
    }
    let parsed = source_of(format!("{chain}.").as_bytes(), 25);
    assert_eq!(parsed.diagnostics, []);
    let (_, diagnostics) = resolve(&parsed.module, &mut Trusting);
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn headers_that_include_themselves_end() {
    let options = Options::default();
    let once = itself(
        b"-include(\"itself.hrl\").\n-type t() :: a.\n",
        options.release,
    );
    let parsed = parse_source("file.erl", b"-include(\"x.hrl\").\n", &once, &options);
    assert_eq!(parsed.module.forms.len(), 8);
    assert_eq!(parsed.diagnostics.len(), 1);
    let header = b"-include(\"a\").\n-include(\"a\").\n-include(\"a\").\n-include(\"a\").\n\
        -include(\"a\").\n-include(\"a\").\n-include(\"a\").\n-include(\"a\").\n-include(\"a\").\n";
    let many = itself(header, options.release);
    let parsed = parse_source("file.erl", b"-include(\"x.hrl\").\n", &many, &options);
    assert!(!parsed.diagnostics.is_empty());
}

#[test]
fn conditions_and_other_counts() {
    let conditions = format!("{}-type t() :: a.\n", "-ifdef(X).\n".repeat(100_000));
    assert_eq!(
        source_of(conditions.as_bytes(), 25).diagnostics.len(),
        100_000
    );
    let expression = format!(
        "-if({}true).\n-type t() :: a.\n-endif.\n",
        "not ".repeat(100_000)
    );
    assert_eq!(source_of(expression.as_bytes(), 25).module.forms, []);
    let digits = format!(
        "-type t() :: 16#{}.\n-type u() :: 1{}.\n",
        "f".repeat(9_000),
        "0".repeat(9_000)
    );
    assert_eq!(source_of(digits.as_bytes(), 25).module.forms.len(), 2);
    let name = format!("-type '{}'() :: a.\n", "x".repeat(300));
    assert_eq!(source_of(name.as_bytes(), 25).diagnostics.len(), 1);
}

#[test]
fn a_compressed_bomb_is_refused() {
    let zeros = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 200 * 1024 * 1024], 1);
    let term = [&[131, 80, 0xFF, 0xFF, 0xFF, 0xFF], zeros.as_slice()].concat();
    assert_eq!(
        parse_beam("file.beam", &container(b"Dbgi", &term))
            .diagnostics
            .len(),
        1
    );
    assert_eq!(parse_chunk("file.chunk", &term).diagnostics.len(), 1);
}

#[test]
fn no_form_of_a_long_file_is_lost() {
    const FORMS: usize = 300_000;
    let text = format!("{}-type last() :: a.\n", "-export([]).\n".repeat(FORMS));
    let parsed = parse_source(
        "file.erl",
        text.as_bytes(),
        &NoIncludes,
        &Options::default(),
    );
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(parsed.module.forms.len(), FORMS + 1);
}
