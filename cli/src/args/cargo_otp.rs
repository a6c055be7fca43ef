//! `cargo otp …`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::protocols::Protocols;
use super::{
    BuildArgs, Completions, Doctor, Explain, Man, Manifest, Observe, Output, Shell, Tree, Upgrade,
};

/// An application's life: OTP applications in Rust, made, built and run.
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

Exit codes: 0; 1 for a mistake in what was asked; 2 for a mistake in otp-rs.";

#[derive(Subcommand)]
pub(crate) enum CargoOtpVerb {
    New(New),
    Add(Add),
    Build(Build),
    Check(Check),
    Run(Run),
    Test(Test),
    Release(Release),
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

/// Make a new application: a folder NAME with a crate, an otp.toml and a root supervisor.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp new counting
  cargo otp new shop --template service      # with an HTTP server: GET /health at port 8080

NAME is an Erlang atom that needs no quotes: a lower-case letter, then lower-case letters,
digits and `_`. It must not be the name of a module or an application of OTP.")]
pub(crate) struct New {
    /// Name of the application and of its folder
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The files that it begins with
    #[arg(long, value_name = "TEMPLATE", value_enum, default_value_t)]
    pub(crate) template: NewTemplate,
}

/// The files that a new application begins with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewTemplate {
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

Behaviours: application, gen_event, gen_server, gen_statem, supervisor, supervisor_bridge. A module
of any other behaviour is written without a template: docs/behaviours.md. `module` is one with
functions for Erlang and Elixir: docs/modules.md.
Either everything is written or nothing. The command prints the line that starts the process: put
it into a supervisor.")]
pub(crate) struct Add {
    /// Name of the Erlang and Rust module
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// OTP behaviour of the module, or `module` for functions
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

The result is TARGET/otp/debug/NAME (or release, or the profile's name): an Erlang application with ebin, priv
and src. Its modules are found in the code. Erlang modules of your own, in the folder `erlang/` of the
application, are compiled into it.
Erlang applications that otp.toml names under [erlang.dependencies] are built first, and their Rust is
written to src/generated: docs/dependencies.md. --link makes DIR a folder of all of them, for rebar3, mix or ERL_LIBS.")]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Put links to the application, and to those that it needs, into that folder
    #[arg(long, value_name = "DIR")]
    pub(crate) link: Option<PathBuf>,
}

/// Build the application and look for what would fail when it runs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp check
  cargo otp check --release
  cargo otp check -- 1000 1000000

Builds as `cargo otp build` does, which compares otp.toml, the code and the names of modules. Then a VM
calls `init` of the root supervisor, with the arguments after `--`, and of each supervisor below it, and
starts nothing else. An error is a child that no function can start, a list of children that OTP refuses,
and an application that is needed and not installed. A warning is a supervisor whose children cannot be
known, and a process that nothing in the application starts.
Exit codes: 0 if there are only warnings; 1 if there is an error; 2 for a mistake in otp-rs.")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Build the application and run it until it ends.
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

The arguments after `--` become the start argument of the root supervisor: a list of binaries.
--env comes before --config, and that before [env] of otp.toml. A VALUE is TOML, or else a text.
The cookie file may be readable for its owner only. Without --cookie, the variable OTP_RS_COOKIE is the
cookie, and without either, Erlang's own is taken.
--connect tries for ten seconds, before the application starts.
--watch builds again whenever a source has been saved, and loads the new build into the running VM: each
process keeps its state, as with `cargo otp upgrade`. If that cannot be done, because there is an error in the
sources or a state has another type, it is said, and the old code runs on. Watched are Cargo.toml, otp.toml,
build.rs, src/ and erlang/ of the package, and of packages that it, or one of these, uses by a path.
With --shell, what is said of a build stands between the lines of the shell.
Ctrl-C and SIGTERM stop the application in order; a second one stops it at once. In a shell, q().
does, and Ctrl-C is the shell's.
Exit codes: 0 if it ended by itself or was stopped in order; 1 if it failed; 2 for a mistake in
otp-rs.")]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) built: BuildArgs,
    /// Have an Erlang shell beside the application
    #[arg(long)]
    pub(crate) shell: bool,
    /// Load a new build into the running VM whenever a source is saved
    #[arg(long)]
    pub(crate) watch: bool,
    /// Build, and print the command that would run it
    #[arg(long, conflicts_with_all = ["watch", "shell"])]
    pub(crate) print_command: bool,
    /// Set a variable of the application's environment
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) env: Vec<String>,
    /// Configure applications by a file, as `erl -config` does
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) node: Node,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Run the application's tests: those of `cargo test`, with those that run on a VM.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp test
  cargo otp test counter
  cargo otp test --list
  cargo otp test --features metrics
  cargo otp test --coverage
  cargo otp test counter::tests::it_counts -- --exact --nocapture

A test under `#[otp_bridge::test]` runs in a process of a real VM, with the application started
before it and stopped after it. `cargo test` runs it in the same way; this command builds what the
VM loads before the tests begin, and so says what is wrong with it.
FILTER and the ARGS after `--` are those of `cargo test`.
--coverage says at the end how many clauses of callbacks, and functions of #[module], have run in the
tests, and which have not. It builds otp-bridge once more.
Exit codes: 0 if all tests have passed; 1 if one has failed or something does not compile; 2 for a
mistake in otp-rs.")]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Run the tests whose names contain this
    #[arg(value_name = "FILTER", conflicts_with = "filter")]
    pub(crate) name: Option<String>,
    /// The same as FILTER
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
    /// Say which clauses have run in the tests
    #[arg(long, conflicts_with = "list")]
    pub(crate) coverage: bool,
    /// Build what the VM loads, and print how to start it
    #[arg(long, hide = true)]
    pub(crate) prepare: bool,
    /// Arguments of the test harness
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Make a release: a folder and an archive that run on a machine without Erlang and cargo.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp release
  cargo otp release --docker --systemd
  cargo otp release --profile dev
  SOURCE_DATE_EPOCH=1700000000 cargo otp release
  cargo otp release --upgrade-from 0.1.0
  cargo otp release --upgrade-from /srv/releases/shop-0.1.0.tar.gz

The result is TARGET/otp/releases/NAME-VERSION, and the same with .tar.gz. In it are the application,
the Erlang VM, the applications of OTP that it needs, and bin/NAME:
  bin/NAME foreground|start|stop|restart|remote|eval|version|versions|unpack|upgrade|downgrade|remove
The program runs on the same processor and a C library that is as new as this machine's.
With --upgrade-from, a node of that release can change over to this one while it runs: `bin/NAME unpack
ARCHIVE`, then `bin/NAME upgrade VERSION`. `version` of Cargo.toml must be another one.
The same sources give an archive with the same bytes. [release] of otp.toml has a configuration file,
further applications of OTP, and the size of log files; [vm] has flags of the VM: docs/releases.md.")]
pub(crate) struct Release {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Build with a profile of Cargo.toml
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub(crate) profile: String,
    /// Make it an upgrade of an earlier release: its version, archive or folder
    #[arg(long, value_name = "RELEASE")]
    pub(crate) upgrade_from: Vec<PathBuf>,
    /// Put a Dockerfile into the release
    #[arg(long)]
    pub(crate) docker: bool,
    /// Put a systemd unit into the release
    #[arg(long)]
    pub(crate) systemd: bool,
}

/// Remove what `cargo otp` has built of the application.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp clean
  cargo otp clean --release
  cargo otp clean --profile fast

Removes TARGET/otp/PROFILE/NAME of all profiles, what was built for tests, and all releases of the
application. What cargo has built stays (`cargo clean` removes it), and so do other applications. With
--release or --profile only what was built with that profile is removed, and releases stay.
The data of a release (its folder `var`) stays, too. A release is not removed while a node runs from it.
A link is removed, but never what it leads to. cargo is not called.")]
pub(crate) struct Clean {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Remove only what was built with optimisations
    #[arg(long)]
    pub(crate) release: bool,
    /// Remove only what was built with a profile of Cargo.toml
    #[arg(long, value_name = "NAME", conflicts_with = "release")]
    pub(crate) profile: Option<String>,
}

/// What makes the VM a node.
#[derive(Args)]
pub(crate) struct Node {
    /// Be a node with a short name; without @HOST, for this machine only
    #[arg(long, value_name = "NAME", group = "named")]
    pub(crate) sname: Option<String>,
    /// Be a node with a long name
    #[arg(long, value_name = "NAME@HOST", group = "named")]
    pub(crate) name: Option<String>,
    /// Read the cookie from a file, not from the variable OTP_RS_COOKIE
    #[arg(long, value_name = "FILE", requires = "named")]
    pub(crate) cookie: Option<PathBuf>,
    /// Connect to a node before the application starts
    #[arg(long, value_name = "NODE", requires = "named")]
    pub(crate) connect: Vec<String>,
}

/// Say what to change in an application made with an older version of otp-rs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp upgrading
  cargo otp upgrading --from 0.1.0

Cargo.lock of the application that the current folder belongs to says which version of otp-bridge it
was built with. Without an application, what changed in every version is printed.")]
pub(crate) struct Upgrading {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Version of otp-rs that the application was made with, instead of the one in Cargo.lock
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,
}
