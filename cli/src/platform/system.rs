//! Names of files, and flags for linking a library, on each operating system.

use std::env;

/// An operating system that has both Rust and Erlang.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// Linux, with glibc or musl. All other Unix systems name and link files in the same way.
    Linux,
    /// Untested.
    MacOs,
    /// Untested, and `unix.rs` has no counterpart for it.
    Windows,
}

/// The flags of rustc for targets that a `cfg` describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LinkFlags {
    /// As in `[target.'cfg(…)']` of cargo's configuration.
    target: &'static str,
    /// A part of the names of these targets.
    part: &'static str,
    /// The flags for rustc.
    flags: &'static [&'static str],
}

/// By default, Rust links with musl statically, and then it cannot create a shared library.
const MUSL: LinkFlags = LinkFlags {
    target: "cfg(target_env=\"musl\")",
    part: "-musl",
    flags: &["-C", "target-feature=-crt-static"],
};

/// The functions of the VM do not exist when the library is linked. Linux's linkers allow that.
const APPLE: LinkFlags = LinkFlags {
    target: "cfg(target_vendor=\"apple\")",
    part: "-apple-",
    flags: &["-C", "link-arg=-undefined", "-C", "link-arg=dynamic_lookup"],
};

impl System {
    /// Returns the system that this program runs on.
    pub(crate) fn host() -> Self {
        Self::named(env::consts::OS)
    }

    /// Returns the system of a rustc target, such as `aarch64-apple-darwin`.
    #[cfg(test)]
    fn of_target(triple: &str) -> Self {
        let is = |part: &str| triple.split('-').any(|word| word == part);
        match (is("darwin"), is("windows")) {
            (true, _) => Self::MacOs,
            (_, true) => Self::Windows,
            _ => Self::Linux,
        }
    }

    fn named(os: &str) -> Self {
        match os {
            "macos" => Self::MacOs,
            "windows" => Self::Windows,
            _ => Self::Linux,
        }
    }

    /// Returns the extension of the shared libraries that cargo builds.
    pub(crate) fn library_ending(self) -> &'static str {
        match self {
            Self::Linux => "so",
            Self::MacOs => "dylib",
            Self::Windows => "dll",
        }
    }

    /// Returns the file that `erlang:load_nif/2` opens for a path without extension.
    pub(crate) fn nif(self, stem: &str) -> String {
        match self {
            // macOS uses this extension as well.
            Self::Linux | Self::MacOs => format!("{stem}.so"),
            Self::Windows => format!("{stem}.dll"),
        }
    }

    /// Returns the possible files of a program on `PATH`, in order of preference.
    pub(crate) fn programs(self, name: &str) -> Vec<String> {
        match self {
            Self::Linux | Self::MacOs => vec![name.to_owned()],
            // rebar3 and Elixir are scripts on this system.
            Self::Windows => ["exe", "cmd", "bat"]
                .map(|ending| format!("{name}.{ending}"))
                .into(),
        }
    }

    /// Returns the program that opens a file in the user's desktop.
    pub(crate) fn opener(self) -> &'static str {
        match self {
            Self::Linux => "xdg-open",
            Self::MacOs => "open",
            Self::Windows => "explorer",
        }
    }

    fn link_flags(self) -> Option<LinkFlags> {
        match self {
            Self::Linux => Some(MUSL),
            Self::MacOs => Some(APPLE),
            Self::Windows => None,
        }
    }

    /// Returns options of cargo with the flags that a library for the VM may need here. cargo
    /// decides according to its target: this program, if it is linked statically, cannot know which
    /// C library the system has.
    pub(crate) fn cargo_options(self) -> Vec<String> {
        let options = self.link_flags().map(LinkFlags::options);
        options.into_iter().flatten().collect()
    }

    /// Returns advice for the case that the environment gives rustc other flags, which override
    /// those of [`Self::cargo_options`].
    pub(crate) fn lost_flags(self, target: &str, given: &str) -> Option<String> {
        let needed = self.link_flags().filter(|flags| flags.is_for(target))?;
        let last = needed.flags.last()?;
        let help = format!(
            "a library for {target} needs these flags in RUSTFLAGS, too: {}",
            needed.flags.join(" ")
        );
        (!given.contains(last)).then_some(help)
    }
}

impl LinkFlags {
    fn is_for(self, target: &str) -> bool {
        target.contains(self.part)
    }

    fn options(self) -> [String; 2] {
        let words: Vec<String> = self.flags.iter().map(|flag| format!("{flag:?}")).collect();
        let value = format!("target.'{}'.rustflags=[{}]", self.target, words.join(","));
        ["--config".to_owned(), value]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Target, cargo's library, the VM's file, the program, and a flag of the linker.
    const TARGETS: [(&str, &str, &str, &str, Option<&str>); 9] = [
        ("x86_64-unknown-linux-gnu", "so", "libx-1.so", "erl", None),
        ("aarch64-unknown-linux-gnu", "so", "libx-1.so", "erl", None),
        (
            "x86_64-unknown-linux-musl",
            "so",
            "libx-1.so",
            "erl",
            Some("target-feature=-crt-static"),
        ),
        (
            "aarch64-unknown-linux-musl",
            "so",
            "libx-1.so",
            "erl",
            Some("target-feature=-crt-static"),
        ),
        ("x86_64-unknown-freebsd", "so", "libx-1.so", "erl", None),
        (
            "x86_64-apple-darwin",
            "dylib",
            "libx-1.so",
            "erl",
            Some("link-arg=dynamic_lookup"),
        ),
        (
            "aarch64-apple-darwin",
            "dylib",
            "libx-1.so",
            "erl",
            Some("link-arg=dynamic_lookup"),
        ),
        (
            "x86_64-pc-windows-msvc",
            "dll",
            "libx-1.dll",
            "erl.exe",
            None,
        ),
        (
            "x86_64-pc-windows-gnu",
            "dll",
            "libx-1.dll",
            "erl.exe",
            None,
        ),
    ];

    /// Only the compiler knows the `cfg`s of a target.
    fn is_of(target: &str, expression: &str) -> bool {
        let mut rustc = std::process::Command::new("rustc");
        let said = rustc
            .args(["--print", "cfg", "--target", target])
            .output()
            .unwrap();
        let known = String::from_utf8(said.stdout).unwrap();
        assert!(said.status.success() && !known.is_empty(), "{target}");
        let inner = expression
            .strip_prefix("cfg(")
            .and_then(|it| it.strip_suffix(')'));
        known.lines().any(|line| Some(line) == inner)
    }

    #[test]
    fn each_target_has_its_names_and_flags() {
        for (target, library, nif, program, flag) in TARGETS {
            let system = System::of_target(target);
            let names = (
                system.library_ending(),
                system.nif("libx-1"),
                system.programs("erl").remove(0),
            );
            assert_eq!(
                names,
                (library, nif.to_owned(), program.to_owned()),
                "{target}"
            );
            let by_cfg = system
                .link_flags()
                .filter(|given| is_of(target, given.target));
            let by_name = system.link_flags().filter(|given| given.is_for(target));
            assert_eq!(by_cfg, by_name, "{target}");
            assert_eq!(
                by_cfg.and_then(|given| given.flags.last().copied()),
                flag,
                "{target}"
            );
        }
    }

    #[test]
    fn the_host_is_the_one_that_this_program_was_built_for() {
        let host = System::host();
        assert_eq!(host.library_ending(), env::consts::DLL_EXTENSION);
        assert_eq!(
            host.programs("erl")[0],
            format!("erl{}", env::consts::EXE_SUFFIX)
        );
        let all = ["linux", "freebsd", "macos", "windows"].map(System::named);
        let openers = all.map(System::opener);
        assert_eq!(openers, ["xdg-open", "xdg-open", "open", "explorer"]);
        assert_eq!(
            all,
            [System::Linux, System::Linux, System::MacOs, System::Windows]
        );
    }

    #[test]
    fn an_option_of_cargo_is_one_key_of_its_configuration() {
        for system in [System::Linux, System::MacOs] {
            let options = system.cargo_options();
            let [option, value] = options.as_slice() else {
                panic!("{options:?}")
            };
            let table: toml_edit::DocumentMut = value.parse().unwrap();
            let (target, flags) = table["target"]
                .as_table_like()
                .unwrap()
                .iter()
                .next()
                .unwrap();
            let flags: Vec<&str> = flags["rustflags"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|it| it.as_str())
                .collect();
            let known = system.link_flags().unwrap();
            assert_eq!(
                (option.as_str(), target, flags.as_slice()),
                ("--config", known.target, known.flags)
            );
        }
        assert!(System::Windows.cargo_options().is_empty());
    }

    #[test]
    fn flags_of_the_environment_are_asked_for_what_they_replace() {
        let lost = |target, given| System::of_target(target).lost_flags(target, given);
        let help = lost("aarch64-unknown-linux-musl", "-C opt-level=1").unwrap();
        assert!(
            help.ends_with("in RUSTFLAGS, too: -C target-feature=-crt-static"),
            "{help}"
        );
        assert_eq!(
            lost("aarch64-unknown-linux-musl", "-Ctarget-feature=-crt-static"),
            None
        );
        assert_eq!(lost("aarch64-unknown-linux-gnu", "-C opt-level=1"), None);
        assert!(lost("x86_64-apple-darwin", "").is_some());
    }
}
