//! Tests of rejected modules.

use super::attribute;

fn refusals(options: &str, module: &str) -> Vec<String> {
    let expanded = attribute(
        options.parse().expect("tokens"),
        module.parse().expect("tokens"),
    );
    let text = expanded.to_string();
    let errors = text.split("compile_error ! {").skip(1);
    let message = |rest: &str| rest.split('"').nth(1).unwrap_or_default().to_owned();
    errors.map(message).collect()
}

#[test]
fn a_module_of_functions_passes() {
    let module = "pub mod area { pub fn of(a: &str, b: &[u8]) -> Result<(), u8> { Ok(()) } fn own<T>(_: T) {} }";
    for name in [
        "",
        "\"geometry\"",
        "\"Elixir.Geometry\"",
        "\"Elixir.Shop.Geo2\"",
        "protocol = \"String.Chars\", for = \"Shop.Item\"",
        "protocol = \"Enumerable\", for = \"Tuple\",",
    ] {
        assert_eq!(refusals(name, module), [""; 0], "{name}");
    }
}

#[test]
fn each_mistake_is_named() {
    let one = |module: &str| {
        let mut refusals = refusals("", module);
        assert_eq!(refusals.len(), 1, "{refusals:?}");
        refusals.remove(0)
    };
    for (functions, message) in [
        ("", "the Erlang module has no function"),
        ("fn f() {}", "the Erlang module has no function"),
        ("#[dirty(cpu)] fn f() {}", "`f` is not exported"),
        ("#[normal] fn f() {}", "`f` is not exported"),
        ("#[normal] #[dirty(cpu)] pub fn f() {}", "write `#[normal]`"),
        ("#[normal(cpu)] pub fn f() {}", "write `#[normal]`"),
        ("pub fn f<T>(_: T) {}", "is not generic"),
        ("pub fn f(_: impl Copy) {}", "is not generic"),
        ("pub fn f(self) {}", "has no `self`"),
        ("pub fn f(_: &mut u8) {}", "by value"),
        ("pub unsafe fn f() {}", "remove `unsafe`"),
        ("pub fn f(a: &str) -> &str { a }", "return an owned value"),
        ("pub fn f() -> impl Copy { 1 }", "write the type"),
        ("pub fn module_info() {}", "already"),
        ("#[raises] pub fn f() {}", "returns a `Result`"),
        (
            "#[raises(up)] pub fn f() -> Result<u8, u8> { Ok(1) }",
            "#[raises(exit)]",
        ),
        (
            "pub fn f() {} #[erlang(name = \\\"f\\\")] pub fn g() {}",
            "two functions `f/0`",
        ),
    ] {
        let functions = functions.replace("\\\"", "\"");
        let refusal = one(&format!("mod m {{ {functions} }}"));
        assert!(refusal.contains(message), "{functions}: {refusal}");
    }
    assert!(one("mod m;").contains("not in a file of their own"));
    assert!(one("struct M;").contains("stands above"));
    for name in [
        "a/b",
        "Geometry",
        "Elixir.geometry",
        "Elixir..A",
        "Elixir.",
        "",
    ] {
        let refusals = refusals(&format!("{name:?}"), "mod m { pub fn f() {} }");
        assert!(
            refusals[0].contains("a module's name"),
            "{name}: {refusals:?}"
        );
    }
}

#[test]
fn a_protocol_is_named_as_in_elixir() {
    for (options, message) in [
        ("name = \"shop\"", "`#[module]` takes a name, or `protocol"),
        ("protocol = \"String.Chars\"", "expected `,`"),
        (
            "protocol = \"chars\", for = \"Item\"",
            "a module's name as in Elixir",
        ),
        (
            "protocol = \"String.Chars\", of = \"Item\"",
            "`#[module]` takes a name, or `protocol",
        ),
        (
            "protocol = \"String.Chars\", for = \"\"",
            "a module's name as in Elixir",
        ),
    ] {
        let refused = refusals(options, "mod item { pub fn to_string() -> u8 { 1 } }");
        assert!(refused[0].contains(message), "{options}: {refused:?}");
    }
}
