//! Finds the headers of a source file: in its folder, its application, and beside that.
//!
//! A build tool knows the locations of headers. Without it, this module follows the conventions of
//! OTP, rebar3 and erlang.mk:
//!
//! ```text
//! PROJECT/{apps,lib,deps,_build/default/lib,_checkouts}/APPLICATION/{src,include,test}/…
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::installation::{name_and_version, newest_applications};

/// Folders of an application that contain sources and headers.
const SOURCE_FOLDERS: &[&str] = &["include", "src", "test"];
/// Folders directly inside the folder of an application.
const SUBFOLDERS: &[&str] = &["src", "include", "test", "ebin", "c_src", "priv"];
/// Folders of a project that contain applications.
const APPLICATION_FOLDERS: &[&str] = &["apps", "lib", "deps", "_build/default/lib", "_checkouts"];
/// Maximum number of levels between a project's folder and an application's.
const PROJECT_HEIGHT: usize = 4;
/// Maximum depth of headers in a folder of sources, and maximum number of folders that are
/// searched.
const HEADER_DEPTH: usize = 4;
const MOST_FOLDERS: usize = 2_000;

/// Possible locations of the headers that the files of one folder include.
#[derive(Debug)]
pub(crate) struct SearchPath {
    /// The folder, without `.` or `..`.
    folder: PathBuf,
    /// The folder of its application.
    application: PathBuf,
    /// Headers of the application by their bare name.
    headers: OnceLock<BTreeMap<String, PathBuf>>,
    /// The applications beside this one.
    beside: OnceLock<BTreeMap<String, PathBuf>>,
}

impl SearchPath {
    /// Returns the search path of the files of a folder, if the folder exists.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let named = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let folder = fs::canonicalize(named).ok()?;
        let inner = folder.ancestors().find(|above| {
            let name = above.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| SUBFOLDERS.contains(&name))
        });
        let application = inner.unwrap_or(&folder).parent().unwrap_or(&folder);
        Some(Self {
            application: application.to_owned(),
            folder,
            headers: OnceLock::new(),
            beside: OnceLock::new(),
        })
    }

    /// Returns possible paths of a header, best first. `name` is the text in the source,
    /// `stdlib/include/x.hrl` or `x.hrl`.
    pub(crate) fn candidates(&self, name: &str) -> Vec<PathBuf> {
        let mut candidates = self.around(name);
        // `../../kernel/src/x.hrl` is written in a source tree, where folders have no versions.
        let name = name.trim_start_matches("../");
        if let Some((application, rest)) = name.split_once('/') {
            candidates.extend(self.in_application(application, rest));
        } else {
            candidates.extend(self.headers().get(name).cloned());
            candidates.extend(self.in_project(name));
        }
        candidates
    }

    /// Returns paths in the file's folder, those above it in the same application, and the
    /// application's folders of sources.
    fn around(&self, name: &str) -> Vec<PathBuf> {
        let within = |folder: &&Path| folder.starts_with(&self.application);
        let above = self.folder.ancestors().take_while(within);
        let mut folders: Vec<PathBuf> = above
            .flat_map(|folder| [folder.to_owned(), folder.join("include")])
            .collect();
        folders.extend(
            SOURCE_FOLDERS
                .iter()
                .map(|folder| self.application.join(folder)),
        );
        folders.iter().map(|folder| folder.join(name)).collect()
    }

    /// Returns paths of `rest` in the application with this name.
    fn in_application(&self, name: &str, rest: &str) -> Vec<PathBuf> {
        let is_named = |folder: &&Path| {
            let file_name = folder.file_name().and_then(|file_name| file_name.to_str());
            file_name.is_some_and(|file_name| name_and_version(file_name).0 == name)
                || folder.join(format!("src/{name}.app.src")).is_file()
        };
        let above = || self.folder.ancestors().take(PROJECT_HEIGHT);
        let mut folders: Vec<PathBuf> = above().filter(is_named).map(Path::to_owned).collect();
        folders.extend(self.beside().get(name).cloned());
        for project in self.application.ancestors().take(PROJECT_HEIGHT) {
            folders.extend(
                APPLICATION_FOLDERS
                    .iter()
                    .map(|folder| project.join(folder).join(name)),
            );
        }
        // The folder of a checkout may have another name than its application.
        folders.extend(above().map(Path::to_owned));
        folders.iter().map(|folder| folder.join(rest)).collect()
    }

    /// Returns paths for a bare name: in folders that the whole project shares, and in the
    /// applications beside this one.
    fn in_project(&self, name: &str) -> Vec<PathBuf> {
        let above = self
            .application
            .ancestors()
            .skip(1)
            .take(PROJECT_HEIGHT - 2);
        let mut candidates: Vec<PathBuf> = above
            .map(|project| project.join("include").join(name))
            .collect();
        if self.has_neighbours() {
            for inner in ["include", "src"] {
                let folders = self.beside().values();
                candidates.extend(folders.map(|folder| folder.join(inner).join(name)));
            }
        }
        candidates
    }

    /// Returns whether the applications beside this one belong to the same project.
    fn has_neighbours(&self) -> bool {
        let parent = self.application.parent();
        parent.is_some_and(|parent| {
            APPLICATION_FOLDERS
                .iter()
                .any(|known| parent.ends_with(known))
        })
    }

    fn beside(&self) -> &BTreeMap<String, PathBuf> {
        self.beside.get_or_init(|| {
            let parent = self.application.parent();
            parent.map(newest_applications).unwrap_or_default()
        })
    }

    fn headers(&self) -> &BTreeMap<String, PathBuf> {
        self.headers.get_or_init(|| {
            let mut headers = BTreeMap::new();
            for folder in SOURCE_FOLDERS {
                headers_below(&self.application.join(folder), &mut headers);
            }
            headers
        })
    }
}

/// Collects headers below a folder by their bare name. If two have the same name, the less deep one
/// counts, then the first by path.
fn headers_below(root: &Path, headers: &mut BTreeMap<String, PathBuf>) {
    let mut left = MOST_FOLDERS;
    let mut level = vec![root.to_owned()];
    for _ in 0..HEADER_DEPTH {
        let mut next = Vec::new();
        for folder in &level {
            let Some(fewer) = left.checked_sub(1) else {
                return;
            };
            left = fewer;
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = entry.file_name();
                let Some(name) = name.to_str() else { continue };
                if name.ends_with(".hrl") {
                    headers.entry(name.to_owned()).or_insert(path);
                } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    next.push(path);
                }
            }
        }
        next.sort();
        level = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch(tempfile::TempDir);

    impl Scratch {
        fn of(files: &[&str]) -> Self {
            let root = tempfile::tempdir().unwrap();
            for file in files {
                let path = root.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            Self(root)
        }

        /// Returns the first candidate that exists, below the temporary folder.
        fn found(&self, folder: &str, name: &str) -> Option<String> {
            let root = fs::canonicalize(self.0.path()).unwrap();
            let search_path = SearchPath::of(&root.join(folder)).unwrap();
            let found = search_path
                .candidates(name)
                .into_iter()
                .find(|path| path.is_file())?;
            Some(found.strip_prefix(&root).unwrap().display().to_string())
        }
    }

    #[test]
    fn headers_of_the_same_application() {
        let scratch = Scratch::of(&[
            "shop/src/deep/er/m.erl",
            "shop/src/inner.hrl",
            "shop/src/other/far.hrl",
            "shop/include/outer.hrl",
            "shop/test/m_SUITE.erl",
        ]);
        for (folder, name, found) in [
            ("shop/src/deep/er", "inner.hrl", "shop/src/inner.hrl"),
            ("shop/src/deep/er", "far.hrl", "shop/src/other/far.hrl"),
            ("shop/src/deep/er", "outer.hrl", "shop/include/outer.hrl"),
            ("shop/test", "inner.hrl", "shop/src/inner.hrl"),
            ("shop/test", "outer.hrl", "shop/include/outer.hrl"),
            (
                "shop/src",
                "shop/include/outer.hrl",
                "shop/include/outer.hrl",
            ),
            ("shop/src", "src/inner.hrl", "shop/src/inner.hrl"),
        ] {
            assert_eq!(
                scratch.found(folder, name).as_deref(),
                Some(found),
                "{name}"
            );
        }
        assert_eq!(scratch.found("shop/src", "none.hrl"), None);
    }

    #[test]
    fn headers_of_other_applications_of_a_project() {
        let scratch = Scratch::of(&[
            "project/apps/shop/src/m.erl",
            "project/apps/stock/include/stock.hrl",
            "project/apps/stock/src/inner.hrl",
            "project/deps/ranch/include/ranch.hrl",
            "project/_build/default/lib/gun/include/gun.hrl",
            "project/include/shared.hrl",
        ]);
        for (name, found) in [
            ("stock/include/stock.hrl", "apps/stock/include/stock.hrl"),
            ("stock.hrl", "apps/stock/include/stock.hrl"),
            ("inner.hrl", "apps/stock/src/inner.hrl"),
            ("ranch/include/ranch.hrl", "deps/ranch/include/ranch.hrl"),
            (
                "gun/include/gun.hrl",
                "_build/default/lib/gun/include/gun.hrl",
            ),
            ("shared.hrl", "include/shared.hrl"),
        ] {
            let found = format!("project/{found}");
            let answer = scratch.found("project/apps/shop/src", name);
            assert_eq!(answer, Some(found), "{name}");
        }
    }

    #[test]
    fn headers_of_installed_applications_are_those_of_the_newest_version() {
        let scratch = Scratch::of(&[
            "otp/lib/shop-1.0/src/m.erl",
            "otp/lib/stock-9.1/include/stock.hrl",
            "otp/lib/stock-10.0/include/stock.hrl",
            "otp/lib/stock-10.0/src/inner.hrl",
        ]);
        for (name, found) in [
            ("stock/include/stock.hrl", "stock-10.0/include/stock.hrl"),
            ("../../stock/src/inner.hrl", "stock-10.0/src/inner.hrl"),
        ] {
            let found = format!("otp/lib/{found}");
            let answer = scratch.found("otp/lib/shop-1.0/src", name);
            assert_eq!(answer, Some(found), "{name}");
        }
    }

    #[test]
    fn projects_that_lie_side_by_side_do_not_share_bare_names() {
        let scratch = Scratch::of(&["one/src/m.erl", "two/include/types.hrl"]);
        assert_eq!(scratch.found("one/src", "types.hrl"), None);
        assert!(scratch.found("one/src", "two/include/types.hrl").is_some());
    }

    #[test]
    fn a_checkout_has_any_name() {
        let scratch = Scratch::of(&["shop-main/src/m.erl", "shop-main/include/shop.hrl"]);
        let found = scratch.found("shop-main/src", "shop/include/shop.hrl");
        assert_eq!(found.as_deref(), Some("shop-main/include/shop.hrl"));
    }

    #[test]
    fn an_application_may_have_its_sources_in_any_folder() {
        let scratch = Scratch::of(&["shop-2.1/racks/deep/m.erl", "shop-2.1/books/b.hrl"]);
        let found = scratch.found("shop-2.1/racks/deep", "shop/books/b.hrl");
        assert_eq!(found.as_deref(), Some("shop-2.1/books/b.hrl"));
    }

    #[test]
    fn files_outside_an_application_have_neighbours_too() {
        let scratch = Scratch::of(&["shop/examples/m.erl", "shop/include/shop.hrl"]);
        let found = scratch.found("shop/examples", "shop.hrl");
        assert_eq!(found.as_deref(), Some("shop/include/shop.hrl"));
    }
}
