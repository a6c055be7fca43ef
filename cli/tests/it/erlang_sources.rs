//! The application's own Erlang, in its folder `erlang/`.

use std::fs;

use crate::support::{Scratch, target};

const STOCK: &str = "-module(stock).
-behaviour(a_shelf).
-include(\"stock.hrl\").
-export([put/1]).
put(_) -> ?PLACE.
";

const SHELF: &str = "-module(a_shelf).
-callback put(What :: term()) -> atom().
";

#[test]
fn own_modules_are_compiled_before_those_that_are_generated_and_belong_to_the_application() {
    let scratch = Scratch::with_application_named("stocked");
    scratch.write("stocked/erlang/stock.erl", STOCK);
    scratch.write("stocked/erlang/a_shelf.erl", SHELF);
    scratch.write("stocked/erlang/stock.hrl", "-define(PLACE, cellar).\n");
    let built = scratch.cargo_otp("stocked", &["build"]);
    built.succeeded();
    assert!(!built.err.contains("Warning"), "{}", built.err);
    let ebin = target().join("otp/debug/stocked/ebin");
    let resource = fs::read_to_string(ebin.join("stocked.app")).expect("a resource file");
    assert!(resource.contains("[a_shelf, stock, "), "{resource}");

    // Modules are compiled again only because of a header.
    let again = scratch.cargo_otp("stocked", &["build"]);
    again.succeeded();
    assert!(!again.err.contains("Erlang module"), "{}", again.err);
    scratch.write("stocked/erlang/stock.hrl", "-define(PLACE, attic).\n");
    let again = scratch.cargo_otp("stocked", &["build"]);
    assert!(again.err.contains("2 Erlang modules"), "{}", again.err);

    // The file of a deleted module is removed.
    fs::remove_file(scratch.path("stocked/erlang/stock.erl")).expect("removed");
    scratch.cargo_otp("stocked", &["build"]).succeeded();
    assert!(ebin.join("a_shelf.beam").is_file());
    assert!(!ebin.join("stock.beam").exists());
}

#[test]
fn mistakes_in_own_modules_are_their_authors() {
    let scratch = Scratch::with_application_named("mistaken");
    scratch.write(
        "mistaken/erlang/stock.erl",
        "-module(stock).\nput() -> oops(.\n",
    );
    scratch.cargo_otp("mistaken", &["build"]).refused(&[
        "error[E1005]: the application's Erlang modules do not compile",
        "erlang/stock.erl:2:15",
    ]);
    for (module, text) in [
        ("lists", "OTP has a module `lists`"),
        ("stroot", "the name `stroot` is taken"),
        ("mistaken_nif", "the name `mistaken_nif` is taken"),
    ] {
        let file = format!("mistaken/erlang/{module}.erl");
        scratch.write(&file, &format!("-module({module}).\n"));
        scratch.cargo_otp("mistaken", &["build"]).refused(&[text]);
        fs::remove_file(scratch.path(&file)).expect("removed");
    }
}
