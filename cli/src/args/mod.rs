//! The command lines. Nothing else knows clap.

mod gen_types;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use gen_types::{From, GenTypes};

/// What a command line came to.
pub(crate) enum Parsed {
    /// A command to execute.
    Command(Command),
    /// Help or the version, for standard output.
    Text(String),
    /// A mistake in the command line, for standard error.
    Mistake(String),
    /// Nothing was asked for: help, for standard error.
    Nothing(String),
}

/// Everything that can be asked for.
pub(crate) enum Command {
    /// `cargo otp new`
    New(New),
    /// `cargo otp add`
    Add(Add),
    /// `cargo otp build`
    Build(Build),
    /// `cargo otp run`
    Run(Run),
    /// `otp-rs forms`
    Forms(Forms),
    /// `otp-rs gen-types`
    GenTypes(GenTypes),
    /// `otp-rs types`
    Types(Types),
    /// `otp-rs schema`
    Schema(Schema),
    /// `otp-rs explain` and `cargo otp explain`
    Explain(Explain),
}

/// An application's life: OTP applications in Rust, made, built and run.
#[derive(Parser)]
#[command(name = "cargo otp", bin_name = "cargo otp", version, after_help = CARGO_OTP_EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct CargoOtp {
    #[command(subcommand)]
    verb: CargoOtpVerb,
}

const CARGO_OTP_EXAMPLES: &str = "\
Examples:
  cargo otp new counting && cd counting
  cargo otp add counter gen_server
  cargo otp run -- 1 2 3

Exit codes: 0; 1 for a mistake in what was asked; 2 for a mistake in otp-rs.";

#[derive(Subcommand)]
enum CargoOtpVerb {
    New(New),
    Add(Add),
    Build(Build),
    Run(Run),
    Explain(Explain),
}

/// Make a new application: a folder NAME with a crate, an otp.toml and a root supervisor.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp new counting

NAME is an Erlang atom that needs no quotes: a lower-case letter, then lower-case letters,
digits and `_`. It must not be the name of a module or an application of OTP.")]
pub(crate) struct New {
    /// Name of the application and of its folder
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

/// Add a module: src/NAME.rs from a template, its `mod` line and its line in otp.toml.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp add counter gen_server
  cargo otp add workers supervisor

Behaviours: application, gen_event, gen_server, gen_statem, supervisor, supervisor_bridge. Any other
is written without a template: docs/behaviours.md.
Either all of it is written, or nothing. The line that starts the process is printed; put it
into the supervisor that is to start it.")]
pub(crate) struct Add {
    /// Name of the Erlang and Rust module
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// OTP behaviour of the module
    #[arg(value_name = "BEHAVIOUR")]
    pub(crate) behaviour: String,
}

/// Build the application: the library, and the Erlang modules that load it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp build
  cargo otp build --release
  CARGO_TARGET_DIR=/tmp/target cargo otp build

The result is TARGET/otp/debug/NAME (or release): an Erlang application with ebin, priv and src.
otp.toml and the code must name the same modules. Erlang modules of your own, in the folder
`erlang/` of the application, are compiled into it.")]
pub(crate) struct Build {
    /// Build with optimisations
    #[arg(long)]
    pub(crate) release: bool,
}

/// Build the application and run it until it ends.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp run
  cargo otp run --release -- 1000 1000000

The arguments after `--` become the start argument of the root supervisor: a list of binaries.
Ctrl-C and SIGTERM stop the application in order; a second one stops it at once.
Exit codes: 0 when it ended by itself or was stopped in order; 1 when it failed; 2 for a mistake
in otp-rs.")]
pub(crate) struct Run {
    /// Build with optimisations
    #[arg(long)]
    pub(crate) release: bool,
    /// Start argument of the root supervisor
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// Types from Erlang: the type-level forms of its files, and Rust for its types and callbacks.
#[derive(Parser)]
#[command(name = "otp-rs", bin_name = "otp-rs", version, after_help = OTP_RS_EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct OtpRs {
    #[command(subcommand)]
    verb: OtpRsVerb,
}

const OTP_RS_EXAMPLES: &str = "\
Examples:
  otp-rs types supervisor:child_spec
  otp-rs forms src/counter.erl
  otp-rs gen-types supervisor
  otp-rs gen-types gen_event gen_statem --out src/behaviours
  otp-rs schema supervisor:child_spec

Exit codes: 0; 1 for a mistake in what was asked; 2 for a mistake in otp-rs.";

#[derive(Subcommand)]
enum OtpRsVerb {
    Forms(Forms),
    GenTypes(GenTypes),
    Types(Types),
    Schema(Schema),
    Explain(Explain),
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
Each form is one line, in the order of the files and of the forms in them:
  {\"file\",\"module\",\"kind\",\"name\",\"arity\",\"own\",\"form\"}
docs/forms.md describes it. Headers are looked for beside the file, along -I, in OTP, and then where
the customs of OTP and rebar3 put them.

Exit codes: 0; 1 when a file had an error, which standard error tells (all other forms are printed
all the same); 2 for a mistake in otp-rs.")]
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
    /// OTP to read for, instead of the installed one: its headers, its predefined types
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

/// Print the JSON Schema of an Erlang type.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs schema supervisor:child_spec
  otp-rs schema src/shop.erl:order/0 > order.schema.json
  otp-rs schema gen_server
  otp-rs schema shop_item:price --pa _build/default/lib/shop/ebin

MODULE is a module of OTP or of the folders of --src and --pa, or the path of an .erl or .beam file. Without a TYPE, all
types of the module stand under $defs. docs/json.md tells what terms look like in JSON.")]
pub(crate) struct Schema {
    /// Type to describe; /ARITY where the module has several of that name
    #[arg(value_name = "MODULE[:TYPE[/ARITY]]")]
    pub(crate) ty: String,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// Show types and callbacks as Erlang and as Rust, side by side.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs types supervisor:child_spec
  otp-rs types gen_server:handle_call/3
  otp-rs types src/my_module.erl

MODULE is a module of OTP or of the folders of --src and --pa, or the path of an .erl or .beam
file. Without NAME all of its types, records and callbacks are shown. Attributes, and the paths
`rt::` and `super::` of the generated code, are left out.
Where both do not fit side by side, Rust stands below Erlang. The output is as wide as the terminal, or
as COLUMNS says; without either 80 columns.")]
pub(crate) struct Types {
    /// What to show
    #[arg(value_name = "MODULE[:NAME[/ARITY]]")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) code_path: CodePath,
}

/// Explain errors and warnings by their codes, or list all of them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs explain E0902
  otp-rs explain E0301 E0501
  otp-rs explain

An error shows its code in brackets: error[E0902]. Without a CODE, all codes are listed with what
they say. `cargo otp explain` is the same.")]
pub(crate) struct Explain {
    /// Codes to explain
    #[arg(value_name = "CODE")]
    pub(crate) codes: Vec<String>,
}

/// Reads `cargo-otp otp VERB …`, as cargo calls it, or `cargo-otp VERB …`.
pub(crate) fn parse_cargo_otp(arguments: impl Iterator<Item = OsString>) -> Parsed {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == "otp") {
        arguments.remove(1);
    }
    parsed(CargoOtp::try_parse_from(arguments), |line| {
        match line.verb {
            CargoOtpVerb::New(new) => Command::New(new),
            CargoOtpVerb::Add(add) => Command::Add(add),
            CargoOtpVerb::Build(build) => Command::Build(build),
            CargoOtpVerb::Run(run) => Command::Run(run),
            CargoOtpVerb::Explain(explain) => Command::Explain(explain),
        }
    })
}

/// Reads `otp-rs VERB …`.
pub(crate) fn parse_otp_rs(arguments: impl Iterator<Item = OsString>) -> Parsed {
    parsed(OtpRs::try_parse_from(arguments), |line| match line.verb {
        OtpRsVerb::Forms(forms) => Command::Forms(forms),
        OtpRsVerb::GenTypes(gen_types) => Command::GenTypes(gen_types),
        OtpRsVerb::Types(types) => Command::Types(types),
        OtpRsVerb::Schema(schema) => Command::Schema(schema),
        OtpRsVerb::Explain(explain) => Command::Explain(explain),
    })
}

fn parsed<T>(result: Result<T, clap::Error>, command: impl FnOnce(T) -> Command) -> Parsed {
    match result {
        Ok(line) => Parsed::Command(command(line)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Parsed::Text(error.to_string()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Parsed::Nothing(error.to_string())
            }
            _ => Parsed::Mistake(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        CargoOtp::command().debug_assert();
        OtpRs::command().debug_assert();
    }

    #[test]
    fn every_behaviour_with_a_template_is_named() {
        let mut command = CargoOtp::command();
        let add = command.find_subcommand_mut("add").expect("add");
        let help = add.render_long_help().to_string();
        for behaviour in otp_codegen::BRIDGE_BEHAVIOURS {
            assert!(help.contains(behaviour), "{behaviour}");
        }
    }

    #[test]
    fn every_command_has_examples() {
        for program in [CargoOtp::command(), OtpRs::command()] {
            for mut command in program.get_subcommands().cloned().chain([program.clone()]) {
                let help = command.render_long_help().to_string();
                assert!(help.contains("Examples:"), "{}", command.get_name());
            }
        }
    }

    #[test]
    fn cargo_passes_its_own_word_first() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for line in [
            "cargo-otp otp run -- -x --help",
            "cargo-otp run -- -x --help",
        ] {
            let Parsed::Command(Command::Run(run)) = parse_cargo_otp(words(line).into_iter())
            else {
                panic!("{line}");
            };
            assert_eq!(run.arguments, ["-x", "--help"]);
        }
    }
}
