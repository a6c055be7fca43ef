//! Decisions of a caller: where the code will live, what its head line contains, and which Erlang
//! types are mapped to hand-written Rust types.

mod overrides;

use std::collections::{BTreeMap, BTreeSet};

pub use otp_contract::behaviour::BRIDGE_BEHAVIOURS;
use otp_specs::types::TypeName;

pub(crate) use overrides::name_part;
pub use overrides::{FunctionOverride, OverrideId, Overrides, Target, TypeOverride};

/// The modules whose functions `otp-bindings` has, each behind the feature of its name.
pub const BINDINGS: [&str; 36] = [
    "application",
    "calendar",
    "code",
    "crypto",
    "dets",
    "erlang",
    "erpc",
    "ets",
    "file",
    "gen_event",
    "gen_server",
    "gen_statem",
    "gen_tcp",
    "gen_udp",
    "global",
    "httpc",
    "inet",
    "inets",
    "lists",
    "logger",
    "maps",
    "mnesia",
    "net_adm",
    "net_kernel",
    "os",
    "persistent_term",
    "pg",
    "proc_lib",
    "rpc",
    "socket",
    "ssl",
    "string",
    "supervisor",
    "sys",
    "timer",
    "unicode",
];

/// Everything that determines the output besides the modules themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the generated modules will live.
    pub destination: Destination,
    /// The contents of the first line of every file.
    pub head: Head,
    /// Erlang types that are mapped to a hand-written Rust type.
    pub types: TypeMap,
    /// Atoms that `otp_bridge::atoms` already defines. Only used for [`Destination::Outside`].
    pub known_atoms: BTreeSet<String>,
    /// The modules to generate, and how much of them.
    pub requested: Requested,
    /// Whether exported functions that have a `-spec` get Rust functions that call them.
    pub functions: bool,
    /// Whether maps ignore keys that their types do not have. A later release of OTP may add such
    /// keys to its answers.
    pub open_maps: bool,
    /// The types that `otp-bridge` has, by module and name, each with its fingerprint. A type that
    /// would be written identically is re-exported from there.
    pub provided: BTreeMap<(String, String), String>,
    /// The modules behind a cargo feature of their name. If empty, no module is behind a feature.
    pub features: BTreeSet<String>,
    /// The folder of examples, relative to the written files. It has a file `MODULE.rs` for each of
    /// `features`.
    pub examples: Option<String>,
    /// Decisions of the user for single types and functions.
    pub overrides: Overrides,
}

/// The modules of a run that are generated. Of the other modules, only those types are generated
/// that the requested ones refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Requested {
    /// All of them.
    #[default]
    All,
    /// The modules with these names.
    Modules(BTreeSet<String>),
    /// The functions and the exported types of the modules with these names.
    Bindings(BTreeSet<String>),
}

impl Requested {
    /// Returns whether the module is one of them.
    pub(crate) fn has(&self, module: &str) -> bool {
        match self {
            Requested::All => true,
            Requested::Modules(names) | Requested::Bindings(names) => names.contains(module),
        }
    }
}

/// Where generated modules live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// In `otp-bridge` itself: the run time is `crate::__private`, and every atom is defined here.
    Bridge,
    /// In another crate, as children of the module at this path, e.g. `crate::otp`: the run time is
    /// `::otp_bridge::__private`.
    Outside(String),
}

/// The `@generated` line of every file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The command that wrote the file, e.g. `cargo xtask codegen`.
    pub command: String,
    /// The OTP release of the input, e.g. `25`.
    pub release: String,
    /// The application and version of each module, e.g. `gen_server` to `stdlib-4.2`. A module that
    /// is missing is named without its application.
    pub applications: BTreeMap<String, String>,
}

/// Erlang types that are not generated, because they are mapped to a hand-written Rust type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeMap(pub BTreeMap<TypeName, MappedType>);

/// A hand-written Rust type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedType {
    /// Its path. A leading `rt::` means the run time.
    pub path: String,
    /// Whether it has the reply's type as a parameter: `Request::Reply` in a callback whose request
    /// is open, the dynamic term elsewhere.
    pub takes_reply: bool,
}

impl MappedType {
    /// Returns the last part of its path.
    pub(crate) fn name(&self) -> &str {
        let (_, name) = self.path.rsplit_once("::").unwrap_or(("", &self.path));
        name.trim()
    }
}

/// Returns the options of the output that is checked in with `otp-bridge`.
///
/// `release` is the OTP release of the input, `applications` maps each module to its application.
pub fn bridge_options(release: &str, applications: BTreeMap<String, String>) -> Options {
    Options {
        destination: Destination::Bridge,
        provided: BTreeMap::new(),
        open_maps: true,
        ..outside_options("", "cargo xtask codegen", release, applications)
    }
}

/// Returns the options of `otp-bindings`.
///
/// `atoms` and `types` are those of the behaviours in `otp-bridge`, from
/// [`generate`](crate::generate). They are imported from there, so that each atom, and each Erlang
/// type, is one Rust type.
pub fn bindings_options(
    release: &str,
    applications: BTreeMap<String, String>,
    atoms: &BTreeSet<String>,
    types: &BTreeMap<(String, String), String>,
) -> Options {
    let command = "cargo xtask codegen";
    let mut options = outside_options("crate", command, release, applications);
    options.requested = Requested::Bindings(BINDINGS.map(str::to_owned).into());
    options.functions = true;
    options.open_maps = true;
    options.features = BINDINGS.map(str::to_owned).into();
    options.examples = Some("../../examples".to_owned());
    options.known_atoms.extend(atoms.iter().cloned());
    options.provided.clone_from(types);
    options
}

/// Returns the options for modules that `command` generates into an application or library at
/// `path` (`crate::otp`, for example).
pub fn outside_options(
    path: &str,
    command: &str,
    release: &str,
    applications: BTreeMap<String, String>,
) -> Options {
    Options {
        destination: Destination::Outside(path.to_owned()),
        head: Head {
            command: command.to_owned(),
            release: release.to_owned(),
            applications,
        },
        types: bridge_types(),
        known_atoms: bridge_atoms(include_str!("bridge/atoms.txt")),
        requested: Requested::All,
        functions: false,
        open_maps: false,
        provided: bridge_fingerprints(include_str!("bridge/types.txt")),
        features: BTreeSet::new(),
        examples: None,
        overrides: Overrides::default(),
    }
}

/// Reads the table of the atoms of `otp-bridge`: the shared ones, and those of its behaviours, one
/// on each line. Code that is generated elsewhere imports them, so that each atom is one type.
fn bridge_atoms(table: &str) -> BTreeSet<String> {
    let of_behaviours = lines(table).map(str::to_owned);
    let shared = crate::atoms::SHARED.map(str::to_owned);
    shared.into_iter().chain(of_behaviours).collect()
}

/// Reads the table of the types of `otp-bridge`: lines of module, name and fingerprint.
fn bridge_fingerprints(table: &str) -> BTreeMap<(String, String), String> {
    let row = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some(((words.next()?, words.next()?), words.next()?))
    };
    lines(table).filter_map(row).collect()
}

/// Returns the lines of a generated table.
fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with("//"))
}

/// Returns the hand-written types of `otp-bridge`.
fn bridge_types() -> TypeMap {
    // All of them are `gen:from()`, which OTP repeats in each of its behaviours.
    let from = |module: &str| TypeName {
        module: module.to_owned(),
        name: "from".to_owned(),
        arity: 0,
    };
    let mapped = MappedType {
        path: "rt::Caller".to_owned(),
        takes_reply: true,
    };
    let callers = ["gen_server", "gen_statem"].map(|module| (from(module), mapped.clone()));
    TypeMap(BTreeMap::from(callers))
}
