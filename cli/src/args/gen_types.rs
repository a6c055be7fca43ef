//! `otp-rs gen-types`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
file. Types of other modules that they use are generated too.
Without --out, the Rust goes to standard output as one file. With --out, either every file is
written or none. Files that otp-rs did not write are never replaced.
For --check, give the same modules and folders as for --out. If a file is stale, missing or no
longer generated, the exit code is 1 and a diff is printed.
The otp.toml of the current folder's application, or --config FILE, has overrides: it renames types
and functions, adds derives, uses Rust types of yours, or leaves things out:
  [types]
  derives = [\"Eq\"]
  [types.\"inet:port_number\"]
  rename = \"Port\"
docs/gen-types.md has every key.
--diff prints how callbacks differ from those of an older OTP: which clauses they may return now or
no longer, and which callbacks are new, gone, or optional now. Without a MODULE it compares all
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
    /// Copy the modules' documentation into doc comments; that of OTP is under OTP's licence
    #[arg(long, conflicts_with = "diff")]
    pub(crate) docs: bool,
    /// Print how callbacks differ from those of that older OTP, and write nothing
    #[arg(long, value_name = "OLD_OTP_ROOT", conflicts_with_all = ["out", "check", "path", "config", "no_config"])]
    pub(crate) diff: Option<PathBuf>,
    /// Rust path of the module that the files belong to; by default that of DIR below `src`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// File for counts of each module, as JSON: types, functions, what became a dynamic term
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) report: Option<PathBuf>,
    /// Bind exported functions too
    #[arg(long, conflicts_with = "diff")]
    pub(crate) functions: bool,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// Which overrides apply.
#[derive(Args, Default)]
pub(crate) struct ConfigArgs {
    /// Read overrides from that file, instead of the otp.toml of the current folder's application
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Read no otp.toml
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// Where modules are looked for.
#[derive(Args, Default)]
pub(crate) struct CodePath {
    /// Folder of .beam files to look for modules in, before OTP; may be given many times
    #[arg(long, value_name = "EBIN_DIR")]
    pub(crate) pa: Vec<PathBuf>,
    /// Folder of .erl files to look for modules in, before those of --pa; may be given many times
    #[arg(long, value_name = "DIR")]
    pub(crate) src: Vec<PathBuf>,
    /// OTP to read, instead of the installed one
    #[arg(long, value_name = "DIR")]
    pub(crate) otp_root: Option<PathBuf>,
}
