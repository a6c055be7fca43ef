//! Passes on which of the application's builds this is: the variable `UPGRADES_BUILD`, or 1 if it
//! is not set.
fn main() {
    println!("cargo:rerun-if-env-changed=UPGRADES_BUILD");
    let build = std::env::var("UPGRADES_BUILD").unwrap_or_else(|_| "1".to_owned());
    println!("cargo:rustc-cfg=build=\"{build}\"");
    if build == "5" {
        // It has the states of the third build.
        println!("cargo:rustc-cfg=build=\"3\"");
    }
    println!("cargo:rustc-env=UPGRADES_BUILD={build}");
}
