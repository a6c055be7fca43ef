//! `otp-rs gen-types`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CodePath;

/// What `otp-rs gen-types` reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// .beam files and sources
    #[default]
    Code,
    /// Documentation chunks (EEP 48) alone, for the forms that they hold: OTP 24 to 26, edoc
    Docs,
}

/// Write the Rust types, return types and callback traits of Erlang modules.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs gen-types supervisor
  otp-rs gen-types gen_event gen_statem --out src/behaviours
  otp-rs gen-types ranch_protocol --pa _build/default/lib/ranch/ebin --out src/behaviours
  otp-rs gen-types shop_item shop_order --src src --otp-root /opt/otp-27
  otp-rs gen-types gen_event gen_statem --check src/behaviours
  otp-rs gen-types gen_event --docs --out src/behaviours
  otp-rs gen-types digraph queue --functions --out src/otp
  otp-rs gen-types maps --from docs --otp-root /opt/otp-26
  otp-rs gen-types gen_server --diff /opt/otp-25
  otp-rs gen-types --diff /opt/otp-25 --otp-root /opt/otp-27

A MODULE is a module of OTP or of the folders of --src and --pa, or the path of an .erl or .beam
file. Modules that refer to each other's types belong into one run.
Without --out, the Rust goes to standard output, as one file. With it, either every file is written
or none; files that otp-rs did not write are never replaced.
With --check, give the same modules and folders as for --out: exit code 1 and a diff when a file is
stale, missing or no longer generated.
otp.toml, of the application that the current folder belongs to or --config FILE, renames types and
functions, adds derives, puts Rust types of yours in the place of Erlang's, and leaves out:
  [types]
  derives = [\"Eq\"]
  [types.\"inet:port_number\"]
  rename = \"Port\"
docs/gen-types.md has every key.
With --diff, what a callback may return now that it could not before (and no longer may) is printed,
clause by clause, with callbacks that are new, gone, or optional now; without MODULE, of all
behaviours of OTP.")]
pub(crate) struct GenTypes {
    /// Erlang modules to read
    #[arg(value_name = "MODULE", required_unless_present = "diff")]
    pub(crate) modules: Vec<String>,
    /// Folder to write into: mod.rs, atoms.rs and one file per module
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// What the modules are read from
    #[arg(long, value_enum, value_name = "FROM", default_value_t = From::Code, conflicts_with = "diff")]
    pub(crate) from: From,
    /// Compare the files of that folder with fresh ones, print a diff and write nothing
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub(crate) check: Option<PathBuf>,
    /// Carry the modules' documentation into doc comments; OTP's is under OTP's licence
    #[arg(long, conflicts_with = "diff")]
    pub(crate) docs: bool,
    /// Print how callbacks differ from those of that older OTP, and write nothing
    #[arg(long, value_name = "OLD_OTP_ROOT", conflicts_with_all = ["out", "check", "path"])]
    pub(crate) diff: Option<PathBuf>,
    /// Rust path of the module that the files belong to; by default what DIR is below `src`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Bind exported functions too, with the types of other modules that they name
    #[arg(long, conflicts_with = "diff")]
    pub(crate) functions: bool,
    /// Take [types] and [functions] from that file, instead of the otp.toml of the application that
    /// the current folder belongs to
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) config: Option<PathBuf>,
    /// Take no otp.toml
    #[arg(long, conflicts_with_all = ["config", "diff"])]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}
