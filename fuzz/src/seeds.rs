//! Seeds: the first inputs of a target, from the installed OTP. They are never checked in, and
//! their number is limited to as many as reach more code.

use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::inflate::decompress_to_vec_zlib;

use crate::tree::{Kind, Node};

/// The most seeds of a target, taken evenly from all files.
const MOST: usize = 4_000;
/// The most seeds of one file, so that many files contribute.
const MOST_OF_A_FILE: usize = 40;
/// The most files that are read, taken evenly from all libraries. There is a limit because a target
/// reads them at each start.
const MOST_FILES: usize = 400;

/// The variable with the length of the longest input.
const LONGEST_INPUT: &str = "OTP_FUZZ_LONGEST";

/// Returns the length of the longest seed. The engine cuts longer inputs.
#[must_use]
pub fn longest() -> usize {
    let set = env::var(LONGEST_INPUT).ok();
    set.and_then(|number| number.parse().ok()).unwrap_or(1024)
}

/// Returns Erlang text: attributes of sources and headers.
pub fn text(libraries: &[PathBuf]) -> Vec<Vec<u8>> {
    let files = files(libraries, &["src", "include"], &["erl", "hrl"]);
    of_files(&files, |_, bytes| attributes(bytes))
}

/// Returns debug information of BEAM files: a term for each form that declares something, and one
/// complete file.
pub fn beam(libraries: &[PathBuf]) -> Vec<Vec<u8>> {
    let files = files(libraries, &["ebin"], &["beam"]);
    let mut seeds = of_files(&files, |_, bytes| {
        let chunk = chunk(bytes, b"Dbgi").or_else(|| chunk(bytes, b"Abst"));
        let term = chunk.and_then(unpacked);
        term.map_or_else(Vec::new, |term| debug_information(&term))
    });
    let smallest = seeds.iter().min_by_key(|seed| seed.len()).cloned();
    seeds.extend(smallest.map(|seed| container(b"Dbgi", &seed)));
    seeds
}

/// Returns documentation: a term for each entry.
pub fn chunk_files(libraries: &[PathBuf]) -> Vec<Vec<u8>> {
    let files = files(libraries, &["doc/chunks", "ebin"], &["chunk", "beam"]);
    of_files(&files, |path, bytes| {
        let is_beam = path.extension().is_some_and(|it| it == "beam");
        let bytes = match is_beam {
            true => chunk(bytes, b"Docs"),
            false => Some(bytes),
        };
        let term = bytes.and_then(unpacked);
        term.map_or_else(Vec::new, |term| documentation(&term))
    })
}

/// Returns terms of every kind, and terms of debug information.
pub fn terms(libraries: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut seeds = beam(libraries);
    seeds.truncate(MOST / 4);
    seeds.extend(crate::typed::of_every_kind());
    seeds
}

/// Returns terms, types and names: one for each rule of the grammar, and those in OTP's
/// documentation.
pub fn typed(_: &[PathBuf]) -> Vec<Vec<u8>> {
    let texts = [
        "{ok, #{a => [1, -2.5 | 16#ff], 'b c' => <<\"text\"/utf8, 1:4>>}}",
        "[$a, $\\n, \"one\" \"two\", ~\"three\", fun lists:map/2] % comment",
        "<0.85.0>",
        "orddict:orddict(atom(), integer())",
        "A :: a | #r{f :: -1..1 bsl 3} | [t(), ...] | <<_:8, _:_*1>>",
        "fun((...) -> #{a := b, c => d} | $a..$z)",
        "#m:r{} | {} | [] | fun() | tuple() | (a | b)",
        "'Elixir.Date':#t/0",
        "src/shop.erl:order/0",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Returns texts of otp.toml: those of applications, and each table in the documentation.
pub fn otp_toml(_: &[PathBuf]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seeds = Vec::new();
    for folder in ["examples", "tests/apps"] {
        for application in entries(&root.join(folder)) {
            seeds.extend(fs::read(application.join("otp.toml")).ok());
        }
    }
    for page in entries(&root.join("docs")) {
        let page = fs::read_to_string(page).unwrap_or_default();
        let blocks = page.split("```toml\n").skip(1);
        let blocks = blocks.filter_map(|block| block.split("```").next());
        seeds.extend(blocks.map(|block| block.as_bytes().to_vec()));
    }
    seeds
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns the files with these endings in these folders of each application.
fn files(libraries: &[PathBuf], folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let applications = libraries.iter().flat_map(|library| entries(library));
    let folders = applications.flat_map(|application| {
        let inner = folders.iter().map(move |folder| application.join(folder));
        inner.flat_map(|folder| entries(&folder))
    });
    let has_ending = |path: &PathBuf| {
        let ending = path.extension().and_then(|it| it.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    folders.filter(has_ending).collect()
}

/// Returns seeds of many files, taken evenly.
fn of_files(files: &[PathBuf], cut: impl Fn(&Path, &[u8]) -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for path in files
        .iter()
        .step_by(files.len().div_ceil(MOST_FILES).max(1))
    {
        let Ok(bytes) = fs::read(path) else {
            continue;
        };
        let mut of_file = cut(path, &bytes);
        of_file.retain(|seed| seed.len() <= longest());
        seeds.extend(evenly(of_file, MOST_OF_A_FILE));
    }
    evenly(seeds, MOST).collect()
}

/// Returns some of the items, spread evenly from the first to the last.
fn evenly(all: Vec<Vec<u8>>, most: usize) -> impl Iterator<Item = Vec<u8>> + use<> {
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step)
}

/// Returns the attributes of a source, several in one text. Functions are left out.
fn attributes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let enough = longest() / 3;
    let mut seeds = vec![Vec::new()];
    let mut inside = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        inside = inside || line.first() == Some(&b'-');
        if !inside {
            continue;
        }
        if let Some(seed) = seeds.last_mut() {
            seed.extend_from_slice(line);
        }
        let directive = [&b"-if"[..], b"-else", b"-endif", b"-undef"];
        let is_directive = directive.iter().any(|name| line.starts_with(name));
        if is_directive || line.trim_ascii_end().ends_with(b".") {
            inside = false;
            if seeds.last().is_some_and(|seed| seed.len() > enough) {
                seeds.push(Vec::new());
            }
        }
    }
    seeds
}

/// Returns a chunk of a BEAM file.
fn chunk<'b>(bytes: &'b [u8], name: &[u8; 4]) -> Option<&'b [u8]> {
    let mut rest = bytes.strip_prefix(b"FOR1")?.get(8..)?;
    loop {
        let (header, data) = rest.split_at_checked(8)?;
        let size = u32::from_be_bytes(header[4..].try_into().ok()?);
        let size = usize::try_from(size).ok()?;
        if header.starts_with(name) {
            return data.get(..size);
        }
        rest = data.get(size.next_multiple_of(4)..)?;
    }
}

/// Returns a BEAM file with one chunk.
#[must_use]
pub fn container(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let padding = vec![0; data.len().next_multiple_of(4) - data.len()];
    let whole = size.saturating_add(12).to_be_bytes();
    let size = size.to_be_bytes();
    [b"FOR1", &whole, b"BEAM", name, &size, data, &padding].concat()
}

/// Returns the term in a chunk, which may be compressed.
fn unpacked(bytes: &[u8]) -> Option<Node> {
    match bytes {
        [131, 80, _, _, _, _, packed @ ..] => {
            let plain = decompress_to_vec_zlib(packed).ok()?;
            Node::decode(&[&[131], plain.as_slice()].concat())
        }
        _ => Node::decode(bytes),
    }
}

/// `{debug_info_v1, Backend, Data}` with a single form in each.
fn debug_information(term: &Node) -> Vec<Vec<u8>> {
    let [version, backend, data] = term.children.as_slice() else {
        return Vec::new();
    };
    let with = |data: Node| {
        let parts = vec![version.clone(), backend.clone(), data];
        Node::of(Kind::Tuple, parts).encode()
    };
    let declares = |form: &&Node| match form.children.as_slice() {
        [attribute, _, name, _] => attribute.is_atom("attribute") && !name.is_atom("file"),
        _ => false,
    };
    let tuple = |parts: &[Node]| Node::of(Kind::Tuple, parts.to_vec());
    match data.children.as_slice() {
        // erl_abstract_code: {Forms, Options}
        [forms, _] => {
            let forms = forms.elements().iter().filter(declares);
            let one = |form: &Node| tuple(&[Node::list(vec![form.clone()]), Node::nil()]);
            forms.map(|form| with(one(form))).collect()
        }
        // elixir_erl: {elixir_v1, Map, Specs}
        [name, module, specs] => {
            let short = |entry: &&[Node]| entry.iter().all(|part| part.count() < 20);
            let entries = module.children.chunks(2).filter(short);
            let module = Node::of(Kind::Map, entries.flatten().cloned().collect());
            let specs = specs.elements().iter();
            let one = |spec: &Node| {
                let specs = Node::list(vec![spec.clone()]);
                tuple(&[name.clone(), module.clone(), specs])
            };
            specs.map(|spec| with(one(spec))).collect()
        }
        _ => Vec::new(),
    }
}

/// `{docs_v1, …, Docs}` with a single entry in each.
fn documentation(term: &Node) -> Vec<Vec<u8>> {
    let Some((entries, head)) = term.children.split_last() else {
        return Vec::new();
    };
    let mut head = head.to_vec();
    // The documentation of the module is a separate seed.
    let whole = Node::of(Kind::Tuple, [head.clone(), vec![Node::nil()]].concat());
    if let Some(documentation) = head.get_mut(4) {
        *documentation = Node::atom("none");
    }
    let one = |entry: &Node| {
        let entries = vec![Node::list(vec![entry.clone()])];
        Node::of(Kind::Tuple, [head.clone(), entries].concat()).encode()
    };
    let mut seeds: Vec<Vec<u8>> = entries.elements().iter().map(one).collect();
    seeds.push(whole.encode());
    seeds
}
