//! `otp-rs …`

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{CodePath, Completions, ConfigArgs, Explain, GenTypes, Man};

/// Types from Erlang: the type-level forms of its files, and Rust for its types and callbacks.
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

Exit codes: 0; 1 for a mistake in what was asked; 2 for a mistake in otp-rs.";

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

/// Print the type-level forms of files: -type, -spec, -callback, -record and their like.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs forms src/counter.erl
  otp-rs forms -I include -D TEST src/*.erl > forms.jsonl
  otp-rs forms --format erlang ebin/counter.beam
  otp-rs forms --otp-root /opt/otp-27 /opt/otp-27/lib/stdlib-6.2/src/*.erl

A FILE is Erlang source (.erl, .hrl), a compiled module (.beam) or its documentation (.chunk).
Each form is one line. Files and their forms keep their order:
  {\"file\",\"module\",\"kind\",\"name\",\"arity\",\"own\",\"form\"}
docs/forms.md describes it. Headers are looked for beside the file, in the folders of -I, in OTP, and
then where OTP and rebar3 usually have them.

Exit codes: 0; 1 if a file had an error (it is shown on standard error, and all other forms are
printed); 2 for a mistake in otp-rs.")]
pub(crate) struct Forms {
    /// Files to read
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How a form is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormsFormat::AbstractJson)]
    pub(crate) format: FormsFormat,
    /// Folder to look for headers in; may be given many times
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Macro to define, as `true` or as that term; may be given many times
    #[arg(short = 'D', value_name = "NAME[=TERM]")]
    pub(crate) define: Vec<String>,
    /// OTP whose headers and predefined types are used, instead of the installed one
    #[arg(long, value_name = "DIR")]
    pub(crate) otp_root: Option<PathBuf>,
    /// Files to read at once; as many as there are cores by default
    #[arg(short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// How `otp-rs forms` prints a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormsFormat {
    /// Erlang's abstract format as JSON, one object a line
    AbstractJson,
    /// Erlang source, one form a line
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
file. Without a TYPE, all types of the module stand under $defs. A type that otp.toml leaves out, or
gives a Rust type of yours, is any term.
Instead of a name, any type may be given as Erlang writes it, with the modules of those that are not
predefined. docs/json.md shows what terms look like in JSON.")]
pub(crate) struct Schema {
    /// Type to describe; /ARITY where the module has several of that name
    #[arg(value_name = "MODULE[:TYPE[/ARITY]] or TYPE")]
    pub(crate) ty: String,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// Read a term, check its type, and print it as Erlang, as bytes, as JSON or as Rust.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs term '{ok, #{a => 1}}'
  otp-rs term '{ok, #{a => 1}}' --to base64
  otp-rs term 836400026f6b --from etf
  otp-rs term --from etf < state.etf
  otp-rs term '{\"$ok\": [1]}' --from json --to erlang
  otp-rs term '#{strategy => one_for_one}' --type 'supervisor:sup_flags()'

Without --to, the term is printed in all ways. Bytes (etf) are those of OTP 25's term_to_binary/1,
which all releases read; they are given as they are, or as hex, base64 or an Erlang binary, such as
<<131,97,1>>. docs/json.md shows what terms look like in JSON. The Rust is an expression with the value otp_bridge::Term.
--type takes a type as Erlang writes it, with the modules of those that are not predefined.

Exit codes: 0; 1 if the text is not a term or the term is not of the type; 2 for a mistake in otp-rs.")]
pub(crate) struct Term {
    /// The term; `-`, or nothing, is standard input
    #[arg(value_name = "TERM", allow_hyphen_values = true)]
    pub(crate) term: Option<String>,
    /// What the term is written in
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TermSource::Erlang)]
    pub(crate) from: TermSource,
    /// What to print
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<TermFormat>,
    /// Type that the term must be of
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
    /// Bytes of the External Term Format, or their hex, base64 or Erlang text
    Etf,
    /// JSON, as otp-bridge writes it
    Json,
}

/// How `otp-rs term` prints a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TermFormat {
    /// Erlang text
    Erlang,
    /// Bytes of the External Term Format in hex
    Hex,
    /// The same in base64
    Base64,
    /// The bytes themselves
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
file. Without a NAME, all of its types, records, callbacks and exported functions are shown. Attributes
are left out, and so are the paths `rt::` and `super::` of the generated code. The overrides of otp.toml
are followed, as gen-types does.
If there is no room side by side, Rust stands below Erlang. The output is as wide as the terminal or
the variable COLUMNS says, or else 80 columns.")]
pub(crate) struct Types {
    /// What to show
    #[arg(value_name = "MODULE[:NAME[/ARITY]]")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}
