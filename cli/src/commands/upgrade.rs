//! `cargo otp upgrade`: builds the application, and switches a running node to the new build.

use std::time::Duration;

use crate::args::Upgrade as Options;
use crate::build::{BuildOptions, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui, Unit, catalog};
use crate::vm::RunningNode;
use crate::vm::node::Cookie;
use crate::vm::upgrade::{self, ApplicationResource, Change, Planned, UpgradeReport};

pub(crate) fn execute(options: &Options, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let cookie = Cookie::given(options.cookie.as_deref())?;
    let application = Application::find(options.built.manifest.path.as_deref())?;
    let order = BuildOptions::application(super::profile(&options.built));
    let built = build(&application, &otp, &order, ui)?;
    ui.status(
        "Upgrading",
        &format!("`{}` on {}", built.name, options.node),
    );
    let order = upgrade::UpgradeOptions {
        application: &built.name,
        ebin: &built.ebin,
        node: RunningNode {
            name: &options.node,
            cookie: cookie.as_ref(),
        },
        timeout: Duration::from_secs(options.timeout.into()),
        is_dry: options.dry_run,
        allows_busy: options.allow_busy,
    };
    let name = format!("`{}`", built.name);
    let upgrade = ui.counting("Upgrading", &name, Unit::Things("processes"), |progress| {
        upgrade::upgrade(&otp, &order, progress)
    });
    let is_unchanged = |it: &UpgradeReport| it.is_refused || it.is_busy || options.dry_run;
    if upgrade.as_ref().map_or(true, is_unchanged) {
        // If the node is restarted from the folder, it then runs its current build again.
        built.put_back(ui)?;
    }
    let upgrade = upgrade?;
    for resource in upgrade.resource.iter().filter(|it| !it.is_refused()) {
        ui.output(&format!("{}\n", of_application(resource)));
    }
    let with_processes = upgrade.planned.iter().filter(|it| it.count > 0);
    for planned in with_processes {
        ui.output(&format!("{}\n", line(planned)));
    }
    for not_changed in &upgrade.not_changed {
        ui.output(&format!("{}\n", cannot(not_changed)));
    }
    if upgrade.is_refused {
        return Err(catalog::CANNOT_CHANGE_OVER.with(&[&built.name, &options.node]));
    }
    if upgrade.is_busy {
        let count = upgrade.not_changed.len() as u64;
        let verb = if count == 1 { "is" } else { "are" };
        return Err(catalog::BUSY.with(&[&plural(count), &options.node, &verb]));
    }
    done(&upgrade, &options.node, ui)
}

/// Describes the change of the application itself, on one line.
pub(super) fn of_application(resource: &ApplicationResource) -> String {
    match resource {
        ApplicationResource::Version(old, new) => format!("version: {old} becomes {new}"),
        ApplicationResource::Starting(name) => format!("application `{name}`: is started first"),
        ApplicationResource::Gone(module) => format!("module `{module}`: is removed"),
        ApplicationResource::Changed(key, value) => format!("environment: `{key}` becomes {value}"),
        ApplicationResource::New(key, value) => format!("environment: `{key}` is new: {value}"),
        ApplicationResource::Removed(key) => format!("environment: `{key}` is removed"),
        ApplicationResource::Stays(key) => {
            format!("environment: `{key}` stays, as it was set elsewhere than in otp.toml")
        }
        ApplicationResource::Refused(reason) => format!("`config_change/3` has failed: {reason}"),
    }
}

/// Describes why a process could not switch, on one line.
pub(super) fn cannot([name, module, why]: &[String; 3]) -> String {
    format!("{name} ({module}) CANNOT CHANGE OVER: {why}")
}

/// Describes how a module's processes switch, on one line.
pub(super) fn line(planned: &Planned) -> String {
    let more = if planned.count > 5 { ", …" } else { "" };
    let processes = format!("{} ({}{more})", plural(planned.count), planned.names);
    let how = match &planned.change {
        Change::Same => "the state stays".to_owned(),
        Change::Converted => "the state is converted by `code_change`".to_owned(),
        Change::Supervisor => "the child specs are read again".to_owned(),
        Change::Retyped => stays(
            "the state has another type in the new build, and the behaviour has no `code_change`",
        ),
        Change::Opaque => {
            stays("the state does not derive `Term`, and the behaviour has no `code_change`")
        }
        Change::Silent => stays("it answers no messages of `sys`"),
        Change::Spawned => stays("it runs the body of a `spawn_process`"),
        Change::Isolated => stays("it runs in a VM of its own"),
        Change::Gone => stays("the new build does not have the module"),
        Change::Changed(old, new) => format!(
            "CANNOT CHANGE OVER: the state is `{old}`, in the new build `{new}`, and no clause of `code_change` takes the old one"
        ),
        Change::NoTerm(rust) => {
            format!(
                "CANNOT CHANGE OVER: the state's type `{rust}` does not derive `Term` in the build that runs"
            )
        }
        Change::Behaviour(old, new) => {
            format!(
                "CANNOT CHANGE OVER: the behaviour was `{old}`, and is `{new}` in the new build"
            )
        }
    };
    format!("{}: {processes}: {how}", planned.module)
}

fn stays(why: &str) -> String {
    format!("keeps the old code until it ends: {why}")
}

/// Returns a number of processes as text.
pub(super) fn plural(count: u64) -> String {
    match count {
        1 => "1 process".to_owned(),
        count => format!("{count} processes"),
    }
}

fn done(upgrade: &UpgradeReport, node: &str, ui: &Ui) -> Result<()> {
    for (module, count) in &upgrade.changed {
        ui.status("Changed", &format!("{module} ({count})"));
    }
    say(upgrade, ui);
    let absent = upgrade.started.iter().filter(|(_, how)| how != "ok");
    match absent.count() {
        0 => {}
        1 => return Err(catalog::CHILD_NOT_STARTED.with(&[&node, &"1 new child", &"was"])),
        count => {
            let children = format!("{count} new children");
            return Err(catalog::CHILD_NOT_STARTED.with(&[&node, &children, &"were"]));
        }
    }
    match upgrade.left.len() {
        0 => Ok(()),
        count => Err(catalog::LEFT_BEHIND.with(&[&plural(count as u64), &node])),
    }
}

/// Prints the new children, the failure of `config_change/3`, and the processes that keep running
/// the old code.
pub(super) fn say(upgrade: &UpgradeReport, ui: &Ui) {
    for refused in upgrade.resource.iter().filter(|it| it.is_refused()) {
        ui.note(&of_application(refused));
    }
    for (id, result) in &upgrade.started {
        match result.as_str() {
            "ok" => ui.status("Started", &format!("the new child {id}")),
            why => ui.note(&format!("the new child {id} was not started: {why}")),
        }
    }
    for [name, module, why] in &upgrade.left {
        ui.note(&format!("{name} ({module}) keeps the old code: {why}"));
    }
}
