//! Finds the paths in a source file that begin at its crate, and resolves each from the crate's
//! root.

use crate::tokens::{Token, tokens};

/// A path from the crate's root, and its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The Rust module that contains the path, from the root.
    pub(crate) from: Vec<String>,
    /// The target, from the root. A glob ends with `*`.
    pub(crate) to: Vec<String>,
    pub(crate) line: usize,
    /// Whether the path is a re-export: `pub use`.
    pub(crate) is_reexport: bool,
}

/// The modules and paths in a file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) paths: Vec<Path>,
    /// Its Rust modules, from the root.
    pub(crate) modules: Vec<Vec<String>>,
    /// Those modules that only exist for tests and have files of their own.
    pub(crate) tests: Vec<Vec<String>>,
}

/// Parses the file of a Rust module. Parts for tests are left out.
pub(crate) fn read(module: &[String], text: &str) -> File {
    let mut reader = Reader {
        tokens: &tokens(text),
        at: 0,
        scopes: Vec::new(),
        depth: 0,
        module: module.to_vec(),
        is_reexport: false,
        file: File::default(),
    };
    while reader.at < reader.tokens.len() {
        reader.step();
    }
    reader.file
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The brace depth of each open module.
    scopes: Vec<usize>,
    depth: usize,
    module: Vec<String>,
    is_reexport: bool,
    file: File,
}

impl Reader<'_> {
    /// Returns whether this file has declared a child of this name.
    fn declares(&self, child: &str) -> bool {
        let is_it = |module: &Vec<String>| {
            module
                .split_last()
                .is_some_and(|(last, parent)| last == child && *parent == self.module)
        };
        self.file.modules.iter().any(is_it)
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(|token| token.is(text))
    }

    fn name(&self, ahead: usize) -> Option<&str> {
        let token = self.tokens.get(self.at + ahead)?;
        token.is_name().then_some(token.text.as_str())
    }

    fn step(&mut self) {
        let token = &self.tokens[self.at];
        match token.text.as_str() {
            "#" if self.is(1, "[") => return self.attribute(),
            "{" => self.depth += 1,
            "}" => self.close(),
            // The tokens in these macros belong to another crate.
            "quote" | "quote_spanned" | "parse_quote" if self.is(1, "!") => {
                self.at += 2;
                return self.skip_group();
            }
            "mod" if self.name(1).is_some() => return self.open(),
            "use" if !self.is(1, "<") => {
                let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
                self.is_reexport = before.is_some_and(|it| it.is("pub") || it.is(")"));
                self.at += 1;
                self.tree(&[]);
                self.is_reexport = false;
            }
            "crate" | "super" | "self" if self.is(1, "::") && !self.follows_path() => {
                self.expression(self.at > 0 && self.tokens[self.at - 1].is("$"))
            }
            _ => {}
        }
        self.at += 1;
    }

    fn follows_path(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].is("::")
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.scopes.last() == Some(&self.depth) {
            self.scopes.pop();
            self.module.pop();
        }
    }

    /// `mod name;` or `mod name {`
    fn open(&mut self) {
        let mut path = self.module.clone();
        path.extend(self.name(1).map(str::to_owned));
        self.file.modules.push(path.clone());
        if self.is(2, "{") {
            self.module = path;
            self.scopes.push(self.depth);
            self.depth += 1;
        }
        self.at += 3;
    }

    /// Parses an attribute. With `cfg(test)`, also skips the item after it.
    fn attribute(&mut self) {
        let begin = self.at;
        self.at += 1;
        self.skip_group();
        let words = &self.tokens[begin..self.at];
        let says = |text| words.iter().any(|token| token.is(text));
        if says("cfg") && says("test") && !says("not") {
            self.skip_item();
        }
    }

    fn skip_item(&mut self) {
        while self.is(0, "#") {
            self.at += 1;
            self.skip_group();
        }
        let mut in_file = None;
        let mut braces_end = true;
        while self.at < self.tokens.len() {
            match self.tokens[self.at].text.as_str() {
                "mod" => in_file = self.name(1).map(str::to_owned),
                "use" | "const" | "static" | "type" | "let" => braces_end = false,
                "fn" => braces_end = true,
                ";" => {
                    let test = in_file.map(|name| [self.module.clone(), vec![name]].concat());
                    self.file.tests.extend(test);
                    self.at += 1;
                    return;
                }
                "{" | "(" | "[" => {
                    let ends = braces_end && self.is(0, "{");
                    self.skip_group();
                    if ends {
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Skips from an opening bracket to the position after its closing one.
    fn skip_group(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token.text.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Parses a tree of `use` after `prefix`. Stops at the token after the tree.
    fn tree(&mut self, prefix: &[String]) {
        let mut path = prefix.to_vec();
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        while let Some(token) = self.tokens.get(self.at) {
            match token.text.as_str() {
                "{" => return self.group(&path),
                "as" => self.at += 1,
                "::" => {}
                // `a::{self}` means `a`.
                "self" if !path.is_empty() => {}
                "*" => path.push("*".to_owned()),
                _ if token.is_name() => path.push(token.text.clone()),
                _ => break,
            }
            self.at += 1;
        }
        self.add(&path, line);
    }

    fn group(&mut self, prefix: &[String]) {
        self.at += 1;
        while self.at < self.tokens.len() && !self.is(0, "}") {
            self.tree(prefix);
            // A comma, or any token in a macro.
            if !self.is(0, "}") {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    /// Parses `crate::a::b` in any other place. Stops at the last name. After a `$`, the path is
    /// for the macro's users, wherever they are. The name of a macro itself is textual, and belongs
    /// to no module.
    fn expression(&mut self, is_for_users: bool) {
        let line = self.tokens[self.at].line;
        let mut path = vec![self.tokens[self.at].text.clone()];
        while self.is(1, "::")
            && let Some(name) = self.name(2)
        {
            path.push(name.to_owned());
            self.at += 2;
        }
        let is_macro = path.len() == 2 && self.is(1, "!");
        if !is_for_users && !is_macro {
            self.add(&path, line);
        }
    }

    /// Adds a path if it begins at the crate or at one of its modules. Other paths may only occur
    /// at the root.
    fn add(&mut self, path: &[String], line: usize) {
        let mut rest = path;
        let mut to = match rest.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ if self.module.is_empty() => Vec::new(),
            // `pub use child::Name`: users of the re-exported name refer to the child.
            Some(first) if self.is_reexport && self.declares(first) => self.module.clone(),
            _ => return,
        };
        while let Some(first @ ("crate" | "self" | "super")) = rest.first().map(String::as_str) {
            if first == "super" {
                to.pop();
            }
            rest = &rest[1..];
        }
        to.extend_from_slice(rest);
        let from = self.module.clone();
        let is_reexport = self.is_reexport;
        self.file.paths.push(Path {
            from,
            to,
            line,
            is_reexport,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `FROM > TO` for each path of a file of `module`.
    fn shown(module: &str, text: &str) -> Vec<String> {
        let module: Vec<_> = module
            .split("::")
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let paths = read(&module, text).paths.into_iter();
        paths
            .map(|path| format!("{} > {}", path.from.join("::"), path.to.join("::")))
            .collect()
    }

    #[test]
    fn groups_are_taken_apart() {
        let text = "use crate::{a::{self, b as c, d::*}, e};\nuse std::fmt;";
        assert_eq!(
            shown("m", text),
            ["m > a", "m > a::b", "m > a::d::*", "m > e"]
        );
    }

    #[test]
    fn super_leads_up_also_from_a_module_inside_the_file() {
        let text = "use super::a; mod n { use super::super::b; fn f() { super::super::super::c::d(); } } use self::e;";
        let expected = [
            "m::k > m::a",
            "m::k::n > m::b",
            "m::k::n > c::d",
            "m::k > m::k::e",
        ];
        assert_eq!(shown("m::k", text), expected);
    }

    #[test]
    fn paths_stand_anywhere() {
        let text = "fn f(x: &crate::a::B<crate::c::D>) -> impl T + use<'a> { $crate::e::h(crate::f::g::<u8>(), crate::i!()) }";
        assert_eq!(shown("m", text), ["m > a::B", "m > c::D", "m > f::g"]);
    }

    #[test]
    fn what_is_quoted_is_of_another_crate() {
        let text = "fn f() { quote! { use super::{#(#a),*}; crate::b } + crate::c }";
        assert_eq!(shown("m", text), ["m > c"]);
    }

    #[test]
    fn what_is_for_tests_is_left_out() {
        let text = "#[cfg(test)] use crate::{a}; #[cfg(test)] #[allow(x)] mod tests { use crate::b; }\n\
                    #[cfg(test)] mod more; #[cfg(test)] fn f() -> [u8; 2] { crate::c() }\n\
                    #[cfg(not(test))] use crate::d; use crate::e;";
        assert_eq!(shown("m", text), ["m > d", "m > e"]);
        assert_eq!(read(&["m".to_owned()], text).tests, [["m", "more"]]);
    }

    #[test]
    fn at_the_root_every_name_may_be_a_module() {
        let text = "pub mod a; mod b { use super::a::C; } pub use a::{D, e};";
        assert_eq!(shown("", text), ["b > a::C", " > a::D", " > a::e"]);
        assert_eq!(read(&[], text).modules, [["a"], ["b"]]);
    }
}
