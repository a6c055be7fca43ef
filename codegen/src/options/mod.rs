//! What a caller chooses: where the code will live, what its head line says, and which Erlang
//! types have a Rust type written by hand.

mod overrides;

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::TypeName;

pub use overrides::{FunctionOverride, OverrideId, Overrides, Target, TypeOverride};

/// The behaviours whose Rust is checked in with `otp-bridge`.
pub const BRIDGE_BEHAVIOURS: [&str; 6] = [
    "application",
    "gen_event",
    "gen_server",
    "gen_statem",
    "supervisor",
    "supervisor_bridge",
];

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

/// Everything that decides the output besides the modules themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the generated modules will live.
    pub destination: Destination,
    /// What the first line of every file says.
    pub head: Head,
    /// Erlang types that stand for a Rust type written by hand.
    pub types: TypeMap,
    /// Atoms that `otp_bridge::atoms` defines already. Only read for [`Destination::Outside`].
    pub known_atoms: BTreeSet<String>,
    /// The modules that are generated, and how much of them.
    pub requested: Requested,
    /// Whether exported functions that have a `-spec` become functions that call them.
    pub functions: bool,
    /// Whether maps ignore the keys that their types do not have. A later release of OTP may add
    /// some to what it answers.
    pub open_maps: bool,
    /// The types that `otp-bridge` has, by module and name, each with its fingerprint. Where one
    /// would be written the same, it is taken from there.
    pub provided: BTreeMap<(String, String), String>,
    /// The modules that stand behind a cargo feature of their name. Where there are none, nothing
    /// stands behind one.
    pub features: BTreeSet<String>,
    /// The folder of examples, as seen from the written files. It has a file `MODULE.rs` for each
    /// of `features`.
    pub examples: Option<String>,
    /// What the user decides for single types and functions.
    pub overrides: Overrides,
}

/// Which of the modules of a run are generated. Of the other modules only those types are generated
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
    /// Whether the module is one of them.
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
    /// In `otp-bridge` itself: names the run time as `crate::__private`, defines every atom.
    Bridge,
    /// In another crate, as children of the module at this path, e.g. `crate::otp`: names the run
    /// time as `::otp_bridge::__private`.
    Outside(String),
}

/// The `@generated` line of every file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The command that wrote the file, e.g. `cargo xtask codegen`.
    pub command: String,
    /// The OTP release that was read, e.g. `25`.
    pub release: String,
    /// The application and version that each module belongs to, e.g. `gen_server` to
    /// `stdlib-4.2`. A module that is missing here is named without its application.
    pub applications: BTreeMap<String, String>,
}

/// Erlang types that are not generated, because a Rust type written by hand stands for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeMap(pub BTreeMap<TypeName, MappedType>);

/// A Rust type written by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedType {
    /// Its path. A leading `rt::` stands for the run time.
    pub path: String,
    /// Whether it takes the type of the reply: `Request::Reply` in a callback whose request is
    /// open, the dynamic term elsewhere.
    pub takes_reply: bool,
}

impl MappedType {
    /// The last part of its path.
    pub(crate) fn name(&self) -> &str {
        let (_, name) = self.path.rsplit_once("::").unwrap_or(("", &self.path));
        name.trim()
    }
}

/// The options of the output that is checked in with `otp-bridge`.
///
/// `release` is that of the OTP which was read, `applications` says where each module is from.
pub fn bridge_options(release: &str, applications: BTreeMap<String, String>) -> Options {
    Options {
        destination: Destination::Bridge,
        provided: BTreeMap::new(),
        open_maps: true,
        ..outside_options("", "cargo xtask codegen", release, applications)
    }
}

/// The options of `otp-bindings`.
///
/// `atoms` and `types` are those of the behaviours in `otp-bridge`, as
/// [`generate`](crate::generate) gives them. They are taken from there: one atom is one type, and
/// so is one Erlang type.
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

/// The options for modules generated into an application or library at `path`
/// (`crate::otp`, say) by `command`.
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

/// The atoms that `otp-bridge` has: the shared ones, and those of its behaviours, a line for each.
/// Code that is generated elsewhere takes them from there, so that one atom is one type.
fn bridge_atoms(table: &str) -> BTreeSet<String> {
    let of_behaviours = lines(table).map(str::to_owned);
    let shared = crate::atoms::SHARED.map(str::to_owned);
    shared.into_iter().chain(of_behaviours).collect()
}

/// The table of the types that `otp-bridge` has: lines of module, name and fingerprint.
fn bridge_fingerprints(table: &str) -> BTreeMap<(String, String), String> {
    let row = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some(((words.next()?, words.next()?), words.next()?))
    };
    lines(table).filter_map(row).collect()
}

/// The lines of a generated table.
fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with("//"))
}

/// The types that `otp-bridge` writes by hand.
fn bridge_types() -> TypeMap {
    // All of them are `gen:from()`, which OTP spells out in each of its behaviours.
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
