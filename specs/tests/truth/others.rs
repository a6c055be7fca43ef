//! Compares every form of other projects' sources and BEAM files with what OTP itself reads. Run it
//! by hand, because these projects are not part of this one: `OTP_TRUTH_FOLDERS=DIR[:DIR...] cargo
//! test -p otp-specs --test truth -- of_others --nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use otp_specs::{Options, parse_beam, parse_source};

use super::{compare, includes, lines_of, support, truth};

/// The files with this ending below the folders in the variable; none if it is not set.
fn named(ending: &str) -> Vec<PathBuf> {
    let Some(folders) = env::var_os("OTP_TRUTH_FOLDERS") else {
        println!("skipped: OTP_TRUTH_FOLDERS names no folder");
        return Vec::new();
    };
    env::split_paths(&folders)
        .flat_map(|folder| support::files_below(&folder, ending))
        .collect()
}

/// The folders in which headers are searched: those that contain one, and, for `-include_lib`,
/// those that contain the applications. OTP's own come last.
fn folders_of(headers: &[PathBuf]) -> Vec<PathBuf> {
    let folder = |header: &PathBuf| header.parent().map(Path::to_owned);
    let folders: BTreeSet<PathBuf> = headers.iter().filter_map(folder).collect();
    let holds = |folder: &PathBuf| folder.ancestors().nth(2).map(Path::to_owned);
    let holding: BTreeSet<PathBuf> = folders.iter().filter_map(holds).collect();
    let own = folders.into_iter().chain(holding);
    own.chain(includes()).collect()
}

#[test]
fn sources_of_others() {
    let files = named("erl");
    if files.is_empty() {
        return;
    }
    let includes = folders_of(&named("hrl"));
    let headers = support::Headers::new(includes.clone());
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let ours: BTreeMap<_, _> = files
        .iter()
        .map(|file| {
            let name = file.to_string_lossy().into_owned();
            let bytes = fs::read(file).expect("the source is there");
            let parsed = parse_source(&name, &bytes, &headers, &options);
            let lines = lines_of(&parsed, &name);
            (name, lines)
        })
        .collect();
    compare("others' sources", ours, truth(&files, &includes, false));
}

#[test]
fn beam_files_of_others() {
    let files = named("beam");
    if files.is_empty() {
        return;
    }
    let ours: BTreeMap<_, _> = files
        .iter()
        .map(|file| {
            let name = file.to_string_lossy().into_owned();
            let parsed = parse_beam(&name, &fs::read(file).expect("the module is there"));
            let lines = lines_of(&parsed, &name);
            (name, lines)
        })
        .collect();
    compare("others' BEAM files", ours, truth(&files, &[], false));
}
