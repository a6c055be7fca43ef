//! The output of a command while it works, and its form.

use clap::{ArgAction, Args, ValueEnum};

/// Options of all commands of `cargo otp`. The first two are cargo's own, and cargo gets them, too.
#[derive(Args, Debug, Default, Clone, Copy)]
pub(crate) struct Output {
    /// Print only errors, warnings and the requested output
    #[arg(long, short, global = true, display_order = 901)]
    pub(crate) quiet: bool,
    /// Print the programs that are started (-vv: also cargo's verbose output)
    #[arg(long, short, global = true, display_order = 902, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Format of errors and warnings
    #[arg(
        long,
        global = true,
        display_order = 900,
        value_enum,
        value_name = "FORMAT",
        default_value_t
    )]
    pub(crate) message_format: MessageFormat,
}

/// How messages are printed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// As text on standard error
    #[default]
    Human,
    /// As JSON on standard output, one object per line, with cargo's messages (docs/messages.md)
    Json,
}
