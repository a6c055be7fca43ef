//! `otp-rs …`

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{CodePath, Completions, ConfigArgs, Explain, GenTypes, Man};

/// Read types, specs and callbacks of Erlang modules, and generate Rust for them.
#[derive(Parser)]
#[command(name = "otp-rs", bin_name = "otp-rs", version, after_help = OTP_RS_EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(super) struct OtpRs {
    #[command(subcommand)]
    pub(super) verb: OtpRsVerb,
}

const OTP_RS_EXAMPLES: &str = "\
Examples:
  otp-rs types supervisor:child_spec
  otp-rs forms src/counter.erl
  otp-rs gen-types supervisor
  otp-rs gen-types gen_event gen_statem --out src/behaviours
  otp-rs schema supervisor:child_spec
  otp-rs term '{ok, #{a => 1}}'

Exit codes: 0 on success; 1 if the input is wrong; 2 for a bug in otp-rs.";

#[derive(Subcommand)]
pub(crate) enum OtpRsVerb {
    Forms(Forms),
    GenTypes(GenTypes),
    Types(Types),
    Schema(Schema),
    Term(Term),
    Explain(Explain),
    Completions(Completions),
    Man(Man),
}

/// Print the type-level forms of files, such as -type, -spec, -callback and -record.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs forms src/counter.erl
  otp-rs forms -I include -D TEST src/*.erl > forms.jsonl
  otp-rs forms --format erlang ebin/counter.beam
  otp-rs forms --otp-root /opt/otp-27 /opt/otp-27/lib/stdlib-6.2/src/*.erl

A FILE is Erlang source (.erl, .hrl), a compiled module (.beam) or its documentation (.chunk).
The command prints one line for each form, in the order of the files and of the forms in them:
  {\"file\",\"module\",\"kind\",\"name\",\"arity\",\"own\",\"form\"}
docs/forms.md describes the keys. The command looks for headers beside the file, in the folders of -I, in
OTP, and in the usual folders of OTP and rebar3, in this order.

Exit codes: 0 on success; 1 if a file has an error (standard error has the message, and all other forms
are printed); 2 for a bug in otp-rs.")]
pub(crate) struct Forms {
    /// Files to read
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormsFormat::AbstractJson)]
    pub(crate) format: FormsFormat,
    /// Folder in which to look for headers; repeatable
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Macro to define, as `true` or as this term; repeatable
    #[arg(short = 'D', value_name = "NAME[=TERM]")]
    pub(crate) define: Vec<String>,
    /// Folder of the OTP whose headers and predefined types are used, instead of the installed one
    #[arg(long, value_name = "DIR")]
    pub(crate) otp_root: Option<PathBuf>,
    /// Number of files to read at the same time; by default the number of cores
    #[arg(short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// How `otp-rs forms` prints a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormsFormat {
    /// Erlang's abstract format as JSON, one object per line
    AbstractJson,
    /// Erlang source, one form per line
    Erlang,
}

/// Print the JSON Schema of an Erlang type.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs schema supervisor:child_spec
  otp-rs schema src/shop.erl:order/0 > order.schema.json
  otp-rs schema gen_server
  otp-rs schema 'orddict:orddict(atom(), integer())'
  otp-rs schema shop_item:price --pa _build/default/lib/shop/ebin

MODULE is a module of OTP or of the folders of --src and --pa, or the path of an .erl or .beam
file. Without a TYPE, the schema contains all types of the module under $defs. If otp.toml leaves out a
type or replaces it by a Rust type of your own, the schema accepts any term for it.
Instead of a name, you can give any type in Erlang syntax; put the module before the names of types that
are not predefined. docs/json.md explains how terms are written in JSON.")]
pub(crate) struct Schema {
    /// Type to describe; add /ARITY if the module has several types of this name
    #[arg(value_name = "MODULE[:TYPE[/ARITY]] or TYPE")]
    pub(crate) ty: String,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// Read a term, check its type, and print it as Erlang, bytes, JSON or Rust.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs term '{ok, #{a => 1}}'
  otp-rs term '{ok, #{a => 1}}' --to base64
  otp-rs term 836400026f6b --from etf
  otp-rs term --from etf < state.etf
  otp-rs term '{\"$ok\": [1]}' --from json --to erlang
  otp-rs term '#{strategy => one_for_one}' --type 'supervisor:sup_flags()'

Without --to, the command prints the term in all formats except etf. Bytes (etf) are in the external term
format of OTP 25, which all releases read. You can give them as raw bytes, or as hex, base64 or an Erlang
binary such as <<131,97,1>>. docs/json.md explains how terms are written in JSON. The Rust expression has
the type otp_bridge::Term.
--type takes a type in Erlang syntax; put the module before the names of types that are not predefined.

Exit codes: 0 on success; 1 if the input is not a term or does not have the type; 2 for a bug in otp-rs.")]
pub(crate) struct Term {
    /// The term; read from standard input if it is `-` or missing
    #[arg(value_name = "TERM", allow_hyphen_values = true)]
    pub(crate) term: Option<String>,
    /// Input format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TermSource::Erlang)]
    pub(crate) from: TermSource,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<TermFormat>,
    /// Type that the term must have
    #[arg(long = "type", value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) ty: Option<String>,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// What `otp-rs term` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TermSource {
    /// Erlang text
    Erlang,
    /// Bytes of the external term format, raw or as hex, base64 or an Erlang binary
    Etf,
    /// JSON, as otp-bridge writes it
    Json,
}

/// How `otp-rs term` prints a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TermFormat {
    /// Erlang text
    Erlang,
    /// Bytes of the external term format in hex
    Hex,
    /// Bytes of the external term format in base64
    Base64,
    /// Raw bytes of the external term format
    Etf,
    /// JSON, as otp-bridge writes it
    Json,
    /// A Rust expression
    Rust,
}

/// Show types, callbacks and functions as Erlang and as Rust, side by side.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs types supervisor:child_spec
  otp-rs types gen_server:handle_call/3
  otp-rs types lists:keyfind
  otp-rs types src/my_module.erl

MODULE is a module of OTP or of the folders of --src and --pa, or the path of an .erl or .beam
file. Without a NAME, the command shows all types, records, callbacks and exported functions of the module.
The Rust code is shown without attributes, and without the paths `rt::` and `super::`. Like `gen-types`, the
command applies the overrides of otp.toml.
If the columns do not fit side by side, Rust is printed below Erlang. The width is that of the terminal or
the value of the variable COLUMNS, otherwise 80 columns.")]
pub(crate) struct Types {
    /// Module, type, callback or function to show
    #[arg(value_name = "MODULE[:NAME[/ARITY]]")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}
