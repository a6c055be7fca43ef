//! `otp-rs gen-types`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `otp-rs gen-types` reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// .beam files and sources
    #[default]
    Code,
    /// Only documentation chunks (EEP 48) of OTP 24 to 26 or edoc, because others lack the forms
    Docs,
}

/// Generate Rust types, return types and callback traits for Erlang modules.
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
file. The command also generates the types of other modules that these modules use.
Without --out, it prints the Rust as one file. With --out, it writes either all files or none, and
never replaces a file that otp-rs did not write.
With --check, give the same modules and folders as with --out. If a file is stale, missing or no
longer generated, the command prints a diff and exits with 1.
Overrides in the otp.toml of the current folder's application, or in --config FILE, rename types and
functions, add derives, replace types by Rust types of your own, or leave things out:
  [types]
  derives = [\"Eq\"]
  [types.\"inet:port_number\"]
  rename = \"Port\"
docs/gen-types.md lists all keys.
--diff compares callbacks with those of an older OTP: it prints which return values were added or
removed, and which callbacks are new, removed, or now optional. Without a MODULE, it compares all
behaviours of OTP.")]
pub(crate) struct GenTypes {
    /// Erlang modules to read
    #[arg(value_name = "MODULE", required_unless_present = "diff")]
    pub(crate) modules: Vec<String>,
    /// Folder to write into: mod.rs, atoms.rs and one file per module
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Files from which the modules are read
    #[arg(long, value_enum, value_name = "FROM", default_value_t = From::Code, conflicts_with = "diff")]
    pub(crate) from: From,
    /// Compare the files in this folder with newly generated ones, print a diff and write nothing
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub(crate) check: Option<PathBuf>,
    /// Copy the modules' documentation into doc comments; OTP's own is under OTP's licence
    #[arg(long, conflicts_with = "diff")]
    pub(crate) docs: bool,
    /// Print how callbacks differ from those of this older OTP, and write nothing
    #[arg(long, value_name = "OLD_OTP_ROOT", conflicts_with_all = ["out", "check", "path", "config", "no_config"])]
    pub(crate) diff: Option<PathBuf>,
    /// Rust path of the module that contains the files; by default the path of DIR below `src`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Write the numbers of types, functions and dynamic terms of each module to this file, as JSON
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) report: Option<PathBuf>,
    /// Also generate bindings for exported functions
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
    /// Read overrides from this file, instead of the otp.toml of the current folder's application
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not read otp.toml
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// Where modules are looked for.
#[derive(Args, Default)]
pub(crate) struct CodePath {
    /// Folder of .beam files in which to look for modules, before OTP; repeatable
    #[arg(long, value_name = "EBIN_DIR")]
    pub(crate) pa: Vec<PathBuf>,
    /// Folder of .erl files in which to look for modules, before the folders of --pa; repeatable
    #[arg(long, value_name = "DIR")]
    pub(crate) src: Vec<PathBuf>,
    /// Folder of the OTP to read, instead of the installed one
    #[arg(long, value_name = "DIR")]
    pub(crate) otp_root: Option<PathBuf>,
}
