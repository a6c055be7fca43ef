//! `cargo otp upgrade`: builds the application, and switches a running node to the new build.

use std::fmt::Display;
use std::time::Duration;

use crate::args::Upgrade as Options;
use crate::build::{BuildOptions, EarlierBuilds, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui, Unit, catalog};
use crate::vm::RunningNode;
use crate::vm::node::Cookie;
use crate::vm::upgrade::{self, ApplicationResource, Change, Planned, Target, UpgradeReport};

/// The value of `--to` for the build before the last upgrade.
const PREVIOUS: &str = "previous";

pub(crate) fn execute(options: &Options, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let cookie = Cookie::given(options.cookie.as_deref())?;
    let application = Application::find(options.built.manifest.path.as_deref())?;
    let order = BuildOptions::application(super::profile(&options.built));
    let node = RunningNode {
        name: &options.node,
        cookie: cookie.as_ref(),
    };
    let run = |name: &str, target: Target<'_>| run(&otp, options, (name, target), &node, ui);
    match &options.to {
        Some(to) => {
            let kept = EarlierBuilds::of(&application, &order)?;
            go_back(options, &kept, to, run, ui)
        }
        None => {
            let built = build(&application, &otp, &order, ui)?;
            let upgrade = run(&built.name, Target::New(&built.ebin));
            if upgrade.as_ref().map_or(true, |it| it.is_unchanged(options)) {
                // If the node is restarted from the folder, it then runs its current build again.
                built.put_back(ui)?;
            }
            let upgrade = upgrade?;
            show(&upgrade, line, ui);
            if upgrade.is_refused {
                return Err(catalog::CANNOT_CHANGE_OVER.with(&[&built.name, &options.node]));
            }
            done(&upgrade, &options.node, ui)
        }
    }
}

/// Switches the node back to a kept build.
fn go_back(
    options: &Options,
    kept: &EarlierBuilds,
    to: &str,
    run: impl Fn(&str, Target<'_>) -> Result<UpgradeReport>,
    ui: &Ui,
) -> Result<()> {
    let names = kept.names();
    if to != PREVIOUS && names.iter().all(|name| name != to) {
        let why = format!("the kept builds are {}", names.join(", "));
        return Err(catalog::NO_EARLIER_BUILD.with(&[&kept.name, &to, &why]));
    }
    let upgrade = run(
        &kept.name,
        Target::Earlier(&kept.folder(), to, &kept.damaged()),
    )?;
    let build = upgrade.builds.as_ref().map_or(to, |[_, build]| build);
    if !upgrade.is_unchanged(options) {
        kept.restore(build, ui)?;
    }
    if let Some([running, build]) = &upgrade.builds {
        ui.output(&format!("build: {running} becomes {build}\n"));
    }
    show(&upgrade, line_back, ui);
    if upgrade.is_refused {
        let names: [&dyn Display; 3] = [&kept.name, &build, &options.node];
        return Err(catalog::CANNOT_GO_BACK.with(&names));
    }
    done(&upgrade, &options.node, ui)
}

/// Switches the node to a build, and shows the progress.
fn run(
    otp: &Installation,
    options: &Options,
    (name, target): (&str, Target<'_>),
    node: &RunningNode<'_>,
    ui: &Ui,
) -> Result<UpgradeReport> {
    ui.status("Upgrading", &format!("`{name}` on {}", options.node));
    let order = upgrade::UpgradeOptions {
        application: name,
        target,
        node: *node,
        timeout: Duration::from_secs(options.timeout.into()),
        is_dry: options.dry_run,
        allows_busy: options.allow_busy,
    };
    let name = format!("`{name}`");
    ui.counting("Upgrading", &name, Unit::Things("processes"), |progress| {
        upgrade::upgrade(otp, &order, progress)
    })
}

impl UpgradeReport {
    /// Returns whether the node runs its build as before.
    fn is_unchanged(&self, options: &Options) -> bool {
        self.is_refused || self.is_busy || options.dry_run
    }
}

/// Prints how the application and its processes switch. `line` describes those of a module.
fn show(upgrade: &UpgradeReport, line: fn(&Planned) -> String, ui: &Ui) {
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

/// Describes how a module's processes go back, on one line.
fn line_back(planned: &Planned) -> String {
    match &planned.change {
        Change::Changed(new, old) => format!(
            "{}: {}: CANNOT GO BACK: the state is `{new}`, in the older build `{old}`, and no clause of `code_change` in the running build goes back to that",
            planned.module,
            processes(planned)
        ),
        _ => line(planned),
    }
}

/// Describes the processes of a module.
fn processes(planned: &Planned) -> String {
    let more = if planned.count > 5 { ", …" } else { "" };
    format!("{} ({}{more})", plural(planned.count), planned.names)
}

/// Describes how a module's processes switch, on one line.
pub(super) fn line(planned: &Planned) -> String {
    let processes = processes(planned);
    let how = match &planned.change {
        Change::Same => "the state stays".to_owned(),
        Change::Converted => "the state is converted by `code_change`".to_owned(),
        Change::ConvertedBack => {
            "the state is converted back by `code_change` of the running build".to_owned()
        }
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
    if upgrade.is_busy {
        let count = upgrade.not_changed.len() as u64;
        let verb = if count == 1 { "is" } else { "are" };
        return Err(catalog::BUSY.with(&[&plural(count), &node, &verb]));
    }
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
