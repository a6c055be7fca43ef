//! The targets are programs. cargo builds them for this test, so that the check compiles and lints
//! them.

use std::path::Path;

#[test]
fn every_target_is_built() {
    let programs = [
        env!("CARGO_BIN_EXE_beam"),
        env!("CARGO_BIN_EXE_bindings"),
        env!("CARGO_BIN_EXE_chunk"),
        env!("CARGO_BIN_EXE_etf"),
        env!("CARGO_BIN_EXE_generate"),
        env!("CARGO_BIN_EXE_json"),
        env!("CARGO_BIN_EXE_otp_toml"),
        env!("CARGO_BIN_EXE_terms"),
        env!("CARGO_BIN_EXE_text"),
        env!("CARGO_BIN_EXE_typed"),
    ];
    for program in programs {
        assert!(Path::new(program).is_file(), "{program}");
    }
}
