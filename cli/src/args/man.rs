//! Manual pages, generated from the definition of the command line.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, bold, roman};

/// Write manual pages for this program and for each of its commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp man ~/.local/share/man/man1
  otp-rs man ~/.local/share/man/man1
  man cargo-otp-build

`cargo otp man` writes cargo-otp.1 and a page for each command, such as cargo-otp-build.1. `otp-rs man`
writes the pages of `otp-rs`. Existing pages are replaced. `manpath` prints the folders in which `man` looks
for pages.")]
pub(crate) struct Man {
    /// Folder to write into; it is created if it is missing
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

/// Manual pages, and the folder that they go into.
pub(crate) struct Pages {
    pub(crate) folder: PathBuf,
    /// File name and text, in order of name.
    pub(crate) pages: Vec<(String, String)>,
}

/// Returns the pages of a program whose first page is `NAME.1`.
pub(super) fn pages(man: Man, command: Command, name: &'static str) -> Pages {
    let program = command.get_bin_name().unwrap_or(name).to_owned();
    // Global options are listed on the page of each command, too.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let commands = command.get_subcommands().filter(|it| !it.is_hide_set());
    let mut pages: Vec<_> = commands
        .map(|it| {
            let (verb, usage) = (it.get_name(), format!("{program} {}", it.get_name()));
            page(it.clone(), &format!("{name}-{verb}"), &usage, &[])
        })
        .collect();
    let verbs: Vec<(String, String)> = command
        .get_subcommands()
        .filter(|it| !it.is_hide_set())
        .map(|it| {
            let about = it.get_about().map(ToString::to_string);
            (
                format!("{name}-{}", it.get_name()),
                about.unwrap_or_default(),
            )
        })
        .collect();
    pages.push(page(command, name, &program, &verbs));
    pages.sort();
    Pages {
        folder: man.folder,
        pages,
    }
}

/// Returns a page. `usage` is the command as the user types it; `verbs` are the pages of the
/// commands.
fn page(
    command: Command,
    title: &str,
    usage: &str,
    verbs: &[(String, String)],
) -> (String, String) {
    let after = command.get_after_help().map(ToString::to_string);
    let version = env!("CARGO_PKG_VERSION");
    let command = command.bin_name(usage).display_name(title);
    let page = Page::new(command.version(version))
        .title(title.to_uppercase())
        .source(format!("otp-rs {version}"))
        .manual("Erlang/OTP in Rust");
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = page.render_title(&mut text);
    let _ = page.render_name_section(&mut text);
    let _ = page.render_synopsis_section(&mut text);
    let _ = page.render_description_section(&mut text);
    let _ = page.render_options_section(&mut text);
    let _ = rest(after.as_deref().unwrap_or_default(), verbs).to_writer(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    (format!("{title}.1"), text)
}

/// Returns commands, notes, exit codes and examples. The text after an option's help begins with
/// the examples, and may end with the exit codes.
fn rest(after: &str, verbs: &[(String, String)]) -> Roff {
    let mut roff = Roff::new();
    if !verbs.is_empty() {
        roff.control("SH", ["COMMANDS"]);
        for (name, about) in verbs {
            roff.control("TP", []);
            roff.text([bold(name.as_str()), roman("(1)")]);
            roff.text([roman(about.as_str())]);
        }
    }
    let (examples, notes) = after.split_once("\n\n").unwrap_or((after, ""));
    let (notes, codes) = match notes.find("Exit codes: ") {
        Some(at) => notes.split_at(at),
        None => (notes, ""),
    };
    let codes = codes.trim_start_matches("Exit codes: ");
    for (title, text) in [("NOTES", notes.trim()), ("EXIT STATUS", codes.trim())] {
        if !text.is_empty() {
            roff.control("SH", [title]);
            filled(&mut roff, text);
        }
    }
    if let Some(examples) = examples.strip_prefix("Examples:\n") {
        roff.control("SH", ["EXAMPLES"]);
        as_it_is(&mut roff, examples.lines());
    }
    roff
}

/// Appends paragraphs. Indented lines are not filled.
fn filled(roff: &mut Roff, text: &str) {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            roff.control("PP", []);
        } else if line.starts_with("  ") {
            let mut block = vec![line];
            while let Some(next) = lines.next_if(|next| next.starts_with("  ")) {
                block.push(next);
            }
            as_it_is(roff, block.into_iter());
        } else {
            roff.text([roman(line)]);
        }
    }
}

fn as_it_is<'t>(roff: &mut Roff, lines: impl Iterator<Item = &'t str>) {
    roff.control("RS", ["4"]);
    roff.control("nf", []);
    for line in lines {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    roff.control("RE", []);
}
