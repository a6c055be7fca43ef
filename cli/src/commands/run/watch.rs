//! `cargo otp run --watch`: builds when a source has been saved, and switches the VM to the new
//! build.

use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::sources::{Files, Sources, files_of, manifests};
use crate::build::Built;
use crate::commands::upgrade::{cannot, line, of_application, plural, say};
use crate::platform::{self, Changes};
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm::link::Link;
use crate::vm::upgrade::{Change, Planned, UpgradeReport};

/// The interval at which the system is polled for changed files. A library such as `notify` would
/// add twenty crates.
const LOOK: Duration = Duration::from_millis(50);
/// The time without changes before a build starts, because an editor writes several files.
const SETTLED: Duration = Duration::from_millis(30);
/// The interval at which a running build is checked.
const BUILDING: Duration = Duration::from_millis(5);

/// The state of the watching thread.
pub(super) struct Watch {
    application: Application,
    sources: Sources,
    /// The files when the running build began.
    built_of: Files,
    /// Whether Cargo.toml or a similar file has been saved since it was last read.
    is_outdated: bool,
    profile: String,
    link: Link,
    running: Vec<Running>,
}

/// An application with a running build.
struct Running {
    name: String,
    ebin: PathBuf,
    /// The files of `ebin` when it was loaded.
    loaded: Files,
}

impl Watch {
    /// Records the sources before they are built.
    pub(super) fn new(application: Application, profile: &str) -> Result<Self> {
        let sources = Sources::of(&application)?;
        Ok(Self {
            built_of: sources.files(),
            is_outdated: false,
            application,
            sources,
            profile: profile.to_owned(),
            link: Link::new()?,
            running: Vec::new(),
        })
    }

    /// Makes the VM of the build connect.
    pub(super) fn started_as(&mut self, built: &Built, erl: &mut Command) {
        let all = built.all();
        self.link
            .told_to(erl, all.iter().map(|one| one.ebin.as_path()));
        let running = all.into_iter().map(|one| Running {
            name: one.name.clone(),
            ebin: one.ebin.clone(),
            loaded: files_of(&one.ebin),
        });
        self.running = running.collect();
    }

    /// Watches while `work` runs the VM. When `work` ends, a running build is stopped.
    pub(super) fn during<T>(mut self, ui: &Ui, work: impl FnOnce() -> T) -> T {
        let other = ui.another();
        thread::scope(|scope| {
            let (running, ended) = channel::<()>();
            scope.spawn(move || self.follow(&other, &ended));
            // A panic ends the watch, too.
            let _running = running;
            work()
        })
    }

    fn follow(&mut self, ui: &Ui, ended: &Receiver<()>) {
        // Returns whether the VM is still running.
        let wait = |time| matches!(ended.recv_timeout(time), Err(RecvTimeoutError::Timeout));
        let mut changes = None;
        while wait(LOOK) {
            if changes
                .as_mut()
                .is_some_and(|changes: &mut Changes| !changes.any())
            {
                continue;
            }
            // Watching starts before the files are read, because there can be new folders.
            changes = Some(self.sources.changes());
            let mut files = self.sources.files();
            if files == self.built_of {
                continue;
            }
            loop {
                if !wait(SETTLED) {
                    return;
                }
                let later = self.sources.files();
                if later == files {
                    break;
                }
                files = later;
            }
            // The answer of cargo is fetched again only if it may have changed.
            self.is_outdated |= manifests(&files) != manifests(&self.built_of);
            self.built_of = files;
            // The build may have taken long, and found other folders.
            changes = None;
            let said = ui.another();
            if let Err(error) = self.again(&said, &wait) {
                said.error(&error);
                said.for_more();
            }
        }
    }

    /// Builds, and upgrades the VM to new builds.
    fn again(&mut self, ui: &Ui, wait: &dyn Fn(Duration) -> bool) -> Result<()> {
        match self.build(ui, wait)? {
            None => return Ok(()),
            Some(status) if !status.success() => {
                let why = "the build has failed";
                return Err(catalog::OLD_CODE_RUNS.with(&[&self.name(), &why]));
            }
            Some(_) => {}
        }
        let mut is_same = true;
        for one in &mut self.running {
            let files = files_of(&one.ebin);
            if files == one.loaded {
                continue;
            }
            is_same = false;
            let begun = Instant::now();
            let Some(upgrade) = self.link.upgrade(&one.name, &one.ebin, wait)? else {
                return Ok(());
            };
            tell(&upgrade, &one.name, begun.elapsed(), ui)?;
            one.loaded = files;
        }
        if is_same {
            ui.status(
                "Unchanged",
                &format!("`{}`: the build is the same", self.name()),
            );
        }
        if self.is_outdated {
            self.read_again(ui)?;
        }
        Ok(())
    }

    fn name(&self) -> String {
        let last = self.running.last();
        last.map_or_else(String::new, |one| one.name.clone())
    }

    /// Builds in a separate program, whose processes are a group, so that they can be stopped.
    /// Returns `None` if the VM has ended.
    fn build(&self, ui: &Ui, wait: &dyn Fn(Duration) -> bool) -> Result<Option<ExitStatus>> {
        let program = platform::own_program().map_err(|error| {
            catalog::INTERNAL.with(&[&format!("this program is not found: {error}")])
        })?;
        let mut build = Command::new(&program);
        build
            .args(["otp", "build", "--profile", &self.profile])
            .args(ui.own_options())
            .current_dir(&self.application.folder)
            .stdin(Stdio::null());
        platform::in_group(&mut build);
        ui.starting(&build);
        let failed = |error| Error::io("run", &program, &error);
        let mut child = build.spawn().map_err(failed)?;
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(Some(status));
            }
            if !wait(BUILDING) {
                platform::ask_group_to_end(&child);
                let _ = child.wait();
                return Ok(None);
            }
        }
    }

    /// Reads otp.toml and Cargo.toml again, and prints changes that an upgrade cannot apply.
    fn read_again(&mut self, ui: &Ui) -> Result<()> {
        let next = Application::at(self.application.folder.clone())?;
        let (old, new) = (&self.application.config, &next.config);
        let differences = [
            (
                "[erlang.dependencies]",
                old.dependencies == new.dependencies,
            ),
            ("[vm]", old.vm == new.vm),
            ("stroot", old.stroot == new.stroot),
        ];
        for (section, _) in differences.iter().filter(|(_, is_same)| !is_same) {
            ui.note(&format!(
                "{section} of otp.toml has changed: what runs keeps the old one until `cargo otp run` is started again"
            ));
        }
        self.sources = Sources::of(&next)?;
        self.application = next;
        self.is_outdated = false;
        Ok(())
    }
}

/// Adds to an error why the processes of each module cannot switch, and the remedy.
fn refused<'a>(error: Error, planned: impl Iterator<Item = &'a Planned>) -> Error {
    let refused: Vec<_> = planned.filter(|it| it.change.is_refused()).collect();
    let any = |is: fn(&Change) -> bool| refused.iter().any(|it| is(&it.change));
    let (is_opaque, is_another) = (
        any(|it| matches!(it, Change::NoTerm(_))),
        any(|it| matches!(it, Change::Changed(..))),
    );
    let mut error = refused
        .iter()
        .fold(error, |error, it| error.detail(line(it)));
    if is_opaque {
        error = error.help(
            "add `#[derive(Term)]` to the state's type, and start again: then the state goes over",
        );
    }
    if is_another {
        error = error.help("a clause of `code_change` converts a state: docs/upgrades.md");
    }
    error
}

/// Prints the result of an upgrade on one line, and the parts that are unchanged.
fn tell(upgrade: &UpgradeReport, name: &str, time: Duration, ui: &Ui) -> Result<()> {
    let with_processes = upgrade.planned.iter().filter(|it| it.count > 0);
    if upgrade.is_refused {
        let error = catalog::OLD_CODE_RUNS.with(&[&name, &"processes cannot change over"]);
        let said = upgrade.not_changed.iter();
        let error = said.fold(error, |error, it| error.detail(cannot(it)));
        return Err(refused(error, with_processes));
    }
    let count = upgrade.changed.iter().map(|(_, count)| count).sum();
    let what = format!("`{name}`: {} in {} ms", plural(count), time.as_millis());
    ui.status("Upgraded", &what);
    for resource in upgrade.resource.iter().filter(|it| !it.is_refused()) {
        ui.note(&of_application(resource));
    }
    for planned in with_processes.filter(|it| it.change.is_staying()) {
        ui.note(&line(planned));
    }
    say(upgrade, ui);
    Ok(())
}
