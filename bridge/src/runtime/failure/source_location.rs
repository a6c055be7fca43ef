//! Chooses the source location for a report: one that its reader can open.
//!
//! If a function is passed on (`.map_err(Exit::new)`), Rust's own library calls it. If a block has
//! no clause for a message, this library refuses the message. Neither is a location in the user's
//! code. Paths of other packages are those of the machine that built the library.

use std::panic::Location;

use crate::runtime::registry::RunningClause;

/// Returns the location, or that of the clause, or of the block, whichever is the first in the
/// user's source.
pub(in crate::runtime) fn of_user(
    place: &'static Location<'static>,
    clause: &RunningClause,
) -> &'static Location<'static> {
    let places = [place, clause.clause.location, clause.module.location];
    let known = places.into_iter().find(|place| !is_foreign(place.file()));
    known.unwrap_or(place)
}

/// The sources of a library that implements processes for its users, such as otp-bridge-axum. They
/// are not the user's code either.
pub struct LibrarySources {
    /// `file!()` in its `lib.rs`.
    pub root: &'static str,
}

inventory::collect!(LibrarySources);

/// Returns whether a file belongs to Rust's own libraries, to this one, or to one that is built on
/// it.
pub(super) fn is_foreign(file: &str) -> bool {
    let own = file!().strip_suffix("runtime/failure/source_location.rs");
    let others =
        inventory::iter::<LibrarySources>().filter_map(|it| it.root.strip_suffix("lib.rs"));
    // A package that was compiled in its own folder has relative paths, like those of the user.
    let mut libraries = own
        .into_iter()
        .chain(others.filter(|folder| *folder != "src/"));
    file.starts_with("/rustc/") || libraries.any(|library| file.starts_with(library))
}

/// Returns the path of a file relative to the folder of its package. Cargo compiles the packages of
/// a workspace with such paths, and others with the paths of the machine.
pub(crate) fn shown(file: &str) -> &str {
    if !file.starts_with(['/', '\\']) && file.get(1..3) != Some(":\\") {
        return file;
    }
    let separators = ['/', '\\'];
    let sources = ["/src/", "\\src\\"].into_iter();
    let package = sources.filter_map(|sources| file.rfind(sources)).max();
    let before = &file[..package.unwrap_or_else(|| file.rfind(separators).unwrap_or(0))];
    let start = match package {
        Some(_) => before.rfind(separators).map_or(0, |at| at + 1),
        None => before.len() + 1,
    };
    file.get(start..).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    inventory::submit! {
        LibrarySources { root: "/home/me/otp-bridge-other-0.1.0/src/lib.rs" }
    }

    inventory::submit! {
        LibrarySources { root: "src/lib.rs" }
    }

    #[test]
    fn a_path_is_shown_from_the_package_on() {
        let shown_as = [
            ("src/till.rs", "src/till.rs"),
            ("shop/src/till.rs", "shop/src/till.rs"),
            ("/home/me/shop/src/till/deep.rs", "shop/src/till/deep.rs"),
            (
                "/home/me/.cargo/registry/src/registry-1/serde-1.0.2/src/de.rs",
                "serde-1.0.2/src/de.rs",
            ),
            ("/home/me/shop/build.rs", "build.rs"),
            ("C:\\me\\shop\\src\\till.rs", "shop\\src\\till.rs"),
            ("", ""),
            ("/", ""),
        ];
        for (file, expected) in shown_as {
            assert_eq!(shown(file), expected, "{file}");
        }
    }

    #[test]
    fn rusts_files_and_ours_are_not_the_users() {
        assert!(is_foreign("/rustc/abc/library/core/src/ops/function.rs"));
        assert!(is_foreign(file!()) && is_foreign(Location::caller().file()));
        assert!(!is_foreign("src/till.rs"));
        assert!(is_foreign(
            "/home/me/otp-bridge-other-0.1.0/src/deep/socket.rs"
        ));
        assert!(!is_foreign("/home/me/shop/src/socket.rs"));
    }
}
