//! Measures how fast specs reads OTP: cuts all sources, parses all sources, reads one module's BEAM
//! file.
#![allow(missing_docs, clippy::disallowed_methods)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use otp_specs::{Options, Unit, parse_beam, parse_source};

fn sources() -> Vec<(String, Vec<u8>)> {
    let files = support::files_below(&support::root().join("lib"), "erl");
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).expect("the source is installed");
        (file.to_string_lossy().into_owned(), bytes)
    };
    files.into_iter().map(read).collect()
}

fn folders() -> Vec<PathBuf> {
    let all = |name| {
        support::applications()
            .iter()
            .map(move |folder| folder.join(name))
    };
    ["include", "src"]
        .into_iter()
        .flat_map(all)
        .filter(|folder| folder.is_dir())
        .collect()
}

fn otp(criterion: &mut Criterion) {
    let sources = sources();
    let size: usize = sources.iter().map(|(_, bytes)| bytes.len()).sum();
    let options = Options {
        release: support::release(),
        ..Options::default()
    };
    let mut group = criterion.benchmark_group("otp");
    group
        .sample_size(10)
        .throughput(Throughput::Bytes(size as u64));
    group.bench_function("cut all sources", |bencher| {
        bencher.iter(|| {
            let units = sources
                .iter()
                .map(|(path, bytes)| Unit::read(path, bytes, options.release));
            units.map(std::hint::black_box).count()
        });
    });
    group.bench_function("parse all sources", |bencher| {
        bencher.iter(|| {
            let headers = support::Headers::new(folders());
            let parsed = sources
                .iter()
                .map(|(path, bytes)| parse_source(path, bytes, &headers, &options));
            parsed
                .map(|parsed| parsed.module.forms.len())
                .sum::<usize>()
        });
    });
    group.finish();
}

fn one_module(criterion: &mut Criterion) {
    let path = support::application("stdlib").join("ebin/gen_server.beam");
    let bytes = fs::read(path).expect("the module is installed");
    let mut group = criterion.benchmark_group("gen_server");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("beam", |bencher| {
        bencher.iter(|| parse_beam("gen_server.beam", std::hint::black_box(&bytes)));
    });
    group.finish();
}

criterion_group!(benches, otp, one_module);
criterion_main!(benches);
