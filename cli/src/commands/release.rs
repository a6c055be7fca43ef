//! `cargo otp release`: a folder and an archive that run without Erlang and cargo.

use std::path::PathBuf;

use crate::args::Release;
use crate::build::cargo::Profile;
use crate::build::{self, build_and_hold};
use crate::installation::Installation;
use crate::project::Application;
use crate::release::{self, Extras, Libraries, c_library};
use crate::report::{Result, Ui, Unit};

pub(crate) fn execute(options: &Release, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.manifest.path.as_deref())?;
    let order = build::BuildOptions::application(Profile::named(&options.profile));
    let (built, _locks) = build_and_hold(&application, &otp, &order, ui)?;
    ui.status(
        "Packing",
        &format!("`{}` with Erlang/OTP {}", built.name, otp.version),
    );
    let named = options.upgrade_from.iter();
    let earlier: Vec<PathBuf> = named.map(|it| release::earlier(&built, it)).collect();
    let order = release::ReleaseOptions {
        config: &application.config,
        earlier: &earlier,
        extras: Extras {
            docker: options.docker,
            systemd: options.systemd,
        },
    };
    let name = format!("`{}`", built.name);
    let modules = release::modules(&otp, &built, ui)?;
    let made = ui.counting("Packing", &name, Unit::Bytes, |progress| {
        release::make(&otp, &built, &order, &modules, progress)
    })?;
    note_libraries(&made.libraries, ui);
    let program = made.folder.join("bin").join(&built.name);
    ui.status("Released", &made.archive.display().to_string());
    ui.status("Released", &format!("{} foreground", program.display()));
    if let Some(data) = &made.data {
        let what = format!("what its nodes have written stays: {}", data.display());
        ui.note(&what);
    }
    if !options.upgrade_from.is_empty() {
        let upgrade = format!("bin/{} upgrade {}", built.name, built.version);
        ui.note(&format!("a node of an earlier release: `{upgrade}`"));
    }
    Ok(())
}

fn note_libraries(libraries: &Libraries, ui: &Ui) {
    let names = |names: &std::collections::BTreeSet<String>| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.join(", ")
    };
    if !libraries.included.is_empty() {
        ui.note(&format!(
            "shared libraries in the release: {}",
            names(&libraries.included)
        ));
    }
    let of = c_library().map_or_else(String::new, |version| format!(" ({version} or newer)"));
    ui.note(&format!(
        "the machine that runs it has this processor, Linux, and the C library{of}: {}",
        names(&libraries.needed)
    ));
}
