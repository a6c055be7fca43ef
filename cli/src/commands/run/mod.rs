//! `cargo otp run`: builds the application, then runs it until it ends or is stopped.

mod sources;
mod watch;

use std::ffi::OsString;
use std::iter;
use std::process::Command;

use otp_contract::modules;

use crate::args::Run;
use crate::build::{BuildOptions, Built, build, check_given};
use crate::installation::Installation;
use crate::project::config::Variable;
use crate::project::{Application, config};
use crate::report::{Result, Ui};
use crate::vm;
use crate::vm::configuration::{self, Overriding};
use crate::vm::{Keyboard, Stop};
use watch::Watch;

pub(crate) fn execute(options: &Run, ui: &Ui) -> Result<()> {
    let arguments = super::texts(&options.arguments)?;
    let cookie = vm::node::cookie(&options.node)?;
    let node = vm::node::flags(&options.node, cookie.as_ref())?;
    let variables = options.env.iter().map(|one| config::given(one));
    let given: Vec<Variable> = variables.collect::<Result<_>>()?;
    let otp = Installation::find()?;
    for file in &options.config {
        configuration::check(&otp, file)?;
    }
    let profile = super::profile(&options.built);
    let find = || Application::find(options.built.manifest.path.as_deref());
    let application = find()?;
    let watch = if options.watch {
        Some(Watch::new(find()?, profile.name())?)
    } else {
        None
    };
    let order = BuildOptions::application(profile);
    let built = build(&application, &otp, &order, ui)?;
    check_given(&otp, &built, &given)?;
    if options.print_command {
        return printed(
            &application,
            &built,
            (&given, options),
            (node, &arguments),
            ui,
        );
    }
    let overriding = Overriding::write(&built.name, &given)?;
    let (keyboard, mut erl) = if options.shell {
        (Keyboard::Shell, vm::erl_with_shell(&otp))
    } else {
        (Keyboard::Signals, vm::erl_in_foreground(&otp))
    };
    erl.args(&application.config.vm.flags).args(node);
    // A later file has precedence over an earlier one.
    for file in options.config.iter().chain([&overriding.path()]) {
        erl.arg("-config").arg(file);
    }
    built.load_into(&mut erl);
    let stop = Stop::told_to(&mut erl, keyboard)?;
    let Some(mut watch) = watch else {
        let erl = command(erl, &built, options, &arguments);
        return vm::run(erl, &built.name, keyboard, &stop, ui);
    };
    watch.started_as(&built, &mut erl);
    let erl = command(erl, &built, options, &arguments);
    watch.during(ui, || vm::run(erl, &built.name, keyboard, &stop, ui))
}

/// Prints the command that would run it. Variables are flags of their own, because a temporary file
/// with them would no longer exist.
fn printed(
    application: &Application,
    built: &Built,
    (given, options): (&[Variable], &Run),
    (node, arguments): (Vec<OsString>, &[String]),
    ui: &Ui,
) -> Result<()> {
    let otp = Installation::find()?;
    let mut erl = vm::erl(&otp);
    erl.args(&application.config.vm.flags).args(node);
    for file in &options.config {
        erl.arg("-config").arg(file);
    }
    for variable in given {
        erl.args([&format!("-{}", built.name), &variable.key, &variable.value]);
    }
    built.load_into(&mut erl);
    let erl = command(erl, built, options, arguments);
    let words = iter::once(erl.get_program()).chain(erl.get_args());
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    ui.output(&format!("{}\n", words.join(" ")));
    Ok(())
}

/// Returns a word quoted for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Returns the command for a VM that runs the application.
fn command(mut erl: Command, built: &Built, options: &Run, arguments: &[String]) -> Command {
    let run = modules::run(&built.name);
    // A shell starts only after all flags have been processed, and `main` returns only when the
    // application has ended.
    if options.shell {
        erl.args(["-eval", &format!("spawn({run}, main, []).")])
    } else {
        erl.args(["-s", &run, "main"])
    };
    erl.arg("-extra").args(arguments);
    erl
}
