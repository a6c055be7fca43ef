//! `cargo otp observe`: a page about a running node, in the browser.

use std::fs;
use std::process::{Command, Stdio};

use crate::args::Observe;
use crate::files::Scratch;
use crate::installation::Installation;
use crate::platform::System;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm::RunningNode;
use crate::vm::node::Cookie;
use crate::vm::observe::{self, ObserveOptions};

pub(crate) fn execute(options: &Observe, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let cookie = Cookie::given(options.cookie.as_deref())?;
    let order = ObserveOptions {
        node: RunningNode {
            name: &options.node,
            cookie: cookie.as_ref(),
        },
        may_write: options.write,
        port: options.port,
    };
    let begin = || observe::begin(&otp, &order);
    let observer = ui.during("Connecting", &format!("`{}`", options.node), begin)?;
    let mode = if options.write {
        "and may change it; "
    } else {
        ""
    };
    ui.status(
        "Observing",
        &format!("`{}` ({mode}Ctrl-C ends it)", observer.node),
    );
    ui.output(&format!("{}\n", observer.address));
    let opened = if options.open {
        open(&observer.address).map_or_else(
            |error| {
                ui.warning(&error);
                None
            },
            Some,
        )
    } else {
        None
    };
    let ended = observer.wait(ui);
    drop(opened);
    ended
}

/// Opens the address through a file that only its user can read, because every user of the machine
/// can read a command line. The file exists as long as the folder.
fn open(address: &str) -> Result<Scratch> {
    let folder = Scratch::new()?;
    let file = folder.path().join("observe.html");
    let text = format!(
        "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url={address}\">\
         <title>Observer</title><p><a href=\"{address}\">Go on</a>\n"
    );
    fs::write(&file, text).map_err(|error| Error::io("write", &file, &error))?;
    let program = System::host().opener();
    Command::new(program)
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| catalog::NO_BROWSER.with(&[&format!("{program}: {error}")]))?;
    Ok(folder)
}
