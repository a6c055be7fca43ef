//! `cargo otp …`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::protocols::Protocols;
use super::{
    BuildArgs, Completions, Doctor, Explain, Man, Manifest, Observe, Output, Shell, Tree, Upgrade,
};

/// Create, build, test, run and release OTP applications in Rust.
#[derive(Parser)]
#[command(name = "cargo otp", bin_name = "cargo otp", version, after_help = CARGO_OTP_EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(super) struct CargoOtp {
    #[command(subcommand)]
    pub(super) verb: CargoOtpVerb,
    #[command(flatten)]
    pub(super) output: Output,
}

const CARGO_OTP_EXAMPLES: &str = "\
Examples:
  cargo otp new counting && cd counting
  cargo otp add counter gen_server
  cargo otp test
  cargo otp run -- 1 2 3
  cargo otp release

Exit codes: 0 on success; 1 if the input is wrong; 2 for a bug in otp-rs.";

#[derive(Subcommand)]
pub(crate) enum CargoOtpVerb {
    New(New),
    Add(Add),
    Build(Build),
    Check(Check),
    Run(Run),
    Test(Test),
    Release(Release),
    Package(PackageArgs),
    Tree(Tree),
    Shell(Shell),
    Observe(Observe),
    Doctor(Doctor),
    Schema(Protocols),
    Clean(Clean),
    Upgrade(Upgrade),
    Upgrading(Upgrading),
    Explain(Explain),
    Completions(Completions),
    Man(Man),
}

/// Create an application: a folder NAME with a crate, an otp.toml and a root supervisor.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp new counting
  cargo otp new shop --template service      # with an HTTP server: GET /health on port 8080

NAME is an Erlang atom that needs no quotes: a lower-case letter, then lower-case letters,
digits and `_`. It must not be the name of a module or an application of OTP.")]
pub(crate) struct New {
    /// Name of the application and of its folder
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Template for the files of the application
    #[arg(long, value_name = "TEMPLATE", value_enum, default_value_t)]
    pub(crate) template: Template,
}

/// The files that a new application begins with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// A root supervisor without children
    #[default]
    Application,
    /// An HTTP server over PostgreSQL, with a process for each entity
    Service,
}

/// Add a module: src/NAME.rs from a template, and its `mod` line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp add counter gen_server
  cargo otp add workers supervisor
  cargo otp add geometry module

Behaviours: application, gen_event, gen_server, gen_statem, supervisor, supervisor_bridge. Other
behaviours have no template; docs/behaviours.md explains how to write a module for them. `module`
adds a module with functions for Erlang and Elixir: docs/modules.md.
If the command fails, it changes no file. It prints the line that starts the process; add this line
to a supervisor.")]
pub(crate) struct Add {
    /// Name of the Erlang and Rust module
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Behaviour that the module implements, or `module` for a module of functions
    #[arg(value_name = "BEHAVIOUR")]
    pub(crate) behaviour: String,
    #[command(flatten)]
    pub(crate) manifest: Manifest,
}

/// Build the application: the library, and the Erlang modules that load it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp build
  cargo otp build --release
  cargo otp build --profile fast
  cargo otp build --manifest-path shop/Cargo.toml
  CARGO_TARGET_DIR=/tmp/target cargo otp build
  cargo otp build --link ../billing/_checkouts

The result is an Erlang application with ebin, priv and src. It is written to TARGET/otp/debug/NAME; with
--release or --profile, the name of the profile replaces `debug`. The build finds the modules in your code,
and also compiles the Erlang modules in the application's folder `erlang/`.
The Erlang applications that otp.toml lists under [erlang.dependencies] are built first, and Rust bindings
for them are written to src/generated: docs/dependencies.md.
--link puts links to all of these applications into the folder DIR, for rebar3, mix or ERL_LIBS.")]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Put links to the application and to its dependencies into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) link: Option<PathBuf>,
}

/// Build the application and look for errors that would occur at run time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp check
  cargo otp check --release
  cargo otp check -- 1000 1000000

First, the command builds the application like `cargo otp build`, which compares otp.toml, the code and the
names of modules. Then it starts a VM, which calls `init` of the root supervisor, with the arguments after
`--`, and `init` of each supervisor below it. It does not start any of their children.
These are errors, for example: a child that no function can start, a list of children that OTP refuses, and
a required application that is not installed. These are warnings: a supervisor whose children cannot be
determined, and a process that the application never starts. docs/checks.md lists all rules.
Exit codes: 0 if there are at most warnings; 1 if there is an error; 2 for a bug in otp-rs.")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Build the application and run it until it stops.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp run
  cargo otp run --release -- 1000 1000000
  cargo otp run --env port=8080 --env 'store={ size = 100 }'
  cargo otp run --config sys.config
  cargo otp run --shell
  cargo otp run --watch
  cargo otp run --sname left --cookie ~/.shop_cookie --connect right

The root supervisor gets the arguments after `--` as its start argument, a list of binaries.
If a variable is set in several places, --env wins over --config, and --config over [env] of otp.toml.
A VALUE that is not valid TOML is taken as text.
Only its owner may have permission to read the cookie file. Without --cookie, the cookie is the value of the
variable OTP_RS_COOKIE; if that is not set either, it is the cookie of this user's other Erlang nodes.
With --connect, the node tries for up to ten seconds to connect, and then starts the application.
--watch rebuilds whenever you save a source file, and loads the new build into the running VM. Each process
keeps its state, as with `cargo otp upgrade`. If the sources do not compile, or a state has another type, the
command prints the error and the old code keeps running. It watches Cargo.toml, otp.toml, build.rs, src/ and
erlang/ of the package and of all its path dependencies.
With --shell, messages about builds appear between the lines of the shell.
The first Ctrl-C or SIGTERM stops the application in order, the second one stops it immediately. With --shell,
use q(). to stop the application; Ctrl-C belongs to the shell.
Exit codes: 0 if the application ended by itself or was stopped in order; 1 if it failed; 2 for a bug in
otp-rs.")]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Open an Erlang shell in the application's VM
    #[arg(long)]
    pub(crate) shell: bool,
    /// Rebuild whenever you save a source file, and load the new build into the running VM
    #[arg(long)]
    pub(crate) watch: bool,
    /// Build the application and print the command that would run it
    #[arg(long, conflicts_with_all = ["watch", "shell"])]
    pub(crate) print_command: bool,
    /// Set a variable of the application's environment
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) env: Vec<String>,
    /// Read the environment of applications from this file, as `erl -config` does
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) node: Node,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Run the application's tests, including those that need a VM.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp test
  cargo otp test counter
  cargo otp test --list
  cargo otp test --features metrics
  cargo otp test --coverage
  cargo otp test counter::tests::it_counts -- --exact --nocapture
  cargo otp test transfers --explore 100000
  cargo otp test transfers --seed 17

A test with `#[otp_bridge::test]` runs in a process of a real VM. The application is started before
each of these tests and stopped after it. `cargo test` runs these tests as well, but this command
builds the application for the VM first, and therefore reports errors of this build.
FILTER and the ARGS after `--` have the same meaning as with `cargo test`.
With --coverage, the command reports at the end how many clauses of callbacks and functions of
#[module] have run, and lists the others. For this, it builds otp-bridge once more.
A test with `#[otp_bridge::test(explore)]` runs in simulated nodes, under another order of messages each
time: docs/testing.md. The report of a schedule that fails contains the seed for --seed.
Exit codes: 0 if all tests have passed; 1 if a test has failed or the code does not compile; 2 for a
bug in otp-rs.")]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Run only tests whose names contain this text
    #[arg(value_name = "FILTER", conflicts_with = "filter")]
    pub(crate) name: Option<String>,
    /// Alternative to the argument FILTER
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// Build with optimisations
    #[arg(long)]
    pub(crate) release: bool,
    /// List the tests instead of running them
    #[arg(long)]
    pub(crate) list: bool,
    /// Features of the package, separated by spaces or commas
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Run only the tests of tests/NAME.rs
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,
    /// Report which clauses have run in the tests
    #[arg(long, conflicts_with = "list")]
    pub(crate) coverage: bool,
    /// Number of schedules of each test with `explore`
    #[arg(long, value_name = "N")]
    pub(crate) explore: Option<u64>,
    /// Seed of the first schedule; without --explore, only this schedule runs
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Build the application for the VM, and print how to start it
    #[arg(long, hide = true)]
    pub(crate) prepare: bool,
    /// Arguments of the test harness
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Create a release: a folder and an archive for machines without Erlang and cargo.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp release
  cargo otp release --docker --systemd
  cargo otp release --profile dev
  SOURCE_DATE_EPOCH=1700000000 cargo otp release
  cargo otp release --upgrade-from 0.1.0
  cargo otp release --upgrade-from /srv/releases/shop-0.1.0.tar.gz

The result is the folder TARGET/otp/releases/NAME-VERSION and the archive NAME-VERSION.tar.gz beside it.
They contain the application, the Erlang VM, the applications of OTP that are needed, and a script:
  bin/NAME foreground|start|stop|restart|remote|eval|version|versions|unpack|upgrade|downgrade|remove
A release needs a machine with the same type of processor, and a C library at least as new as this
machine's.
With --upgrade-from, you can upgrade a running node of the earlier release to this one: run `bin/NAME unpack
ARCHIVE`, then `bin/NAME upgrade VERSION`. The `version` in Cargo.toml must differ between the two releases.
Archives are reproducible: building from unchanged sources gives identical bytes.
In otp.toml, [release] sets a configuration file, additional applications of OTP and the size of log files,
and [vm] sets flags of the VM: docs/releases.md.")]
pub(crate) struct Release {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Build with this profile of Cargo.toml
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub(crate) profile: String,
    /// Make the release an upgrade of an earlier one, given by version, archive or folder
    #[arg(long, value_name = "RELEASE")]
    pub(crate) upgrade_from: Vec<PathBuf>,
    /// Put a Dockerfile into the release
    #[arg(long)]
    pub(crate) docker: bool,
    /// Put a systemd unit into the release
    #[arg(long)]
    pub(crate) systemd: bool,
}

/// Create a Hex package: an archive for people who use the application without Rust.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp package
  cargo otp package --profile dev
  cargo otp package --target x86_64-unknown-linux-gnu.2.17   # runs with glibc 2.17 and newer
  cargo otp package --target aarch64-unknown-linux-musl

The result is TARGET/otp/packages/NAME-VERSION.tar, in the format of https://hex.pm. It contains the generated
Erlang with a rebar.config and a mix.exs, compiled modules, the Rust sources, and the native library for
this machine, which priv/native.config describes. rebar3 and mix use it like any other package, and so does
`erl -pa` when it is unpacked: docs/packages.md.
Its users need a machine with the same type of processor, and a C library at least as new as this machine's.
With --target, the library is built for that target. A number at its end, as above, is the oldest glibc with
which the library has to run. This needs `cargo-zigbuild` and Zig (pip install cargo-zigbuild ziglang); for a
target without such a number, a linker in CARGO_TARGET_<TARGET>_LINKER is enough.
Packages are reproducible: building from unchanged sources gives identical bytes.")]
pub(crate) struct PackageArgs {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Build with this profile of Cargo.toml
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub(crate) profile: String,
    /// Build the native library for this target, instead of this machine
    #[arg(long, value_name = "TARGET")]
    pub(crate) target: Option<String>,
}

/// Remove the files that `cargo otp` has built for the application.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp clean
  cargo otp clean --release
  cargo otp clean --profile fast

Removes TARGET/otp/PROFILE/NAME for all profiles, the builds for tests, and all releases and packages of the
application. With --release or --profile, it removes only the builds with this profile, and keeps the others.
It always keeps the files of cargo (use `cargo clean`), other applications, the data of a release (its
folder `var`), and releases from which a node is running. It removes links but not their targets.")]
pub(crate) struct Clean {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Remove only builds with optimisations
    #[arg(long)]
    pub(crate) release: bool,
    /// Remove only builds with this profile of Cargo.toml
    #[arg(long, value_name = "NAME", conflicts_with = "release")]
    pub(crate) profile: Option<String>,
}

/// Options that start the VM as a distributed node.
#[derive(Args)]
pub(crate) struct Node {
    /// Start as a distributed node with a short name; without @HOST, only for this machine
    #[arg(long, value_name = "NAME", group = "named")]
    pub(crate) sname: Option<String>,
    /// Start as a distributed node with a long name
    #[arg(long, value_name = "NAME@HOST", group = "named")]
    pub(crate) name: Option<String>,
    /// Read the cookie from this file, instead of the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE", requires = "named")]
    pub(crate) cookie: Option<PathBuf>,
    /// Connect to this node before the application starts
    #[arg(long, value_name = "NODE", requires = "named")]
    pub(crate) connect: Vec<String>,
}

/// Print how to adapt an application to a newer version of otp-rs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp upgrading
  cargo otp upgrading --from 0.1.0

The command finds the version of otp-bridge in the application's Cargo.lock, and prints the changes since this
version. Outside of an application, it prints the changes of all versions.")]
pub(crate) struct Upgrading {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Version of otp-rs from which to upgrade, instead of the one in Cargo.lock
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,
}
