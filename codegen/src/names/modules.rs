//! Rust modules, and the names of Elixir's modules.

use super::reserved::{is_reserved, legal};
use super::words::{camel, snake_words};

/// The prefix of the names of Elixir's modules.
const ELIXIR: &str = "Elixir.";

/// Returns the Rust module of an Erlang module; for a module of Elixir, its last part. `atoms` is
/// that of the atoms.
pub(crate) fn module_identifier(module: &str) -> String {
    let name = match last_part(module) {
        Some(part) => snake_words(&camel(part)),
        None => snake_words(module),
    };
    match name.as_str() {
        "atoms" => "atoms_".to_owned(),
        name if is_reserved(name) => format!("{name}_"),
        _ => legal(name),
    }
}

/// Returns the base of a type's Rust name. `t()` of a module of Elixir is named after the module.
pub(crate) fn type_base<'n>(module: &'n str, name: &'n str) -> &'n str {
    match last_part(module) {
        Some(part) if name == "t" => part,
        _ => name,
    }
}

/// Returns the base of the Rust name of a behaviour's trait: for a module of Elixir, its last part.
pub(crate) fn trait_base(module: &str) -> &str {
    last_part(module).unwrap_or(module)
}

/// Returns `Conn` for `Elixir.Plug.Conn`.
fn last_part(module: &str) -> Option<&str> {
    let path = module.strip_prefix(ELIXIR)?;
    path.rsplit('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules() {
        let pairs = [
            ("gen_server", "gen_server"),
            ("atoms", "atoms_"),
            ("mod", "mod_"),
            ("Elixir.Plug.Conn", "conn"),
            ("Elixir.GenServer", "gen_server"),
            ("Elixir.URI", "uri"),
            ("OTP-PUB-KEY", "otp_pub_key"),
        ];
        for (erlang, rust) in pairs {
            assert_eq!(module_identifier(erlang), rust);
        }
        assert_eq!(type_base("Elixir.Plug.Conn", "t"), "Conn");
        assert_eq!(type_base("m", "t"), "t");
        assert_eq!(trait_base("Elixir.Plug.Conn"), "Conn");
        assert_eq!(trait_base("gen_server"), "gen_server");
    }
}
