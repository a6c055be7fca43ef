//! Passes on which of the application's builds this is: the variable `LEDGER_BUILD`, or 1 if it is
//! not set.
fn main() {
    println!("cargo:rerun-if-env-changed=LEDGER_BUILD");
    let build = std::env::var("LEDGER_BUILD").unwrap_or_else(|_| "1".to_owned());
    println!("cargo:rustc-cfg=build=\"{build}\"");
    println!("cargo:rustc-env=LEDGER_BUILD={build}");
}
