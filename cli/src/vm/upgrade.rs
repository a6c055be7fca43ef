//! The upgrade of an application on a running node, as reported by `otp_rs_upgrader.erl`.

use std::path::Path;
use std::time::Duration;

use otp_erlang::tools::{LAST_WORDS, UPGRADER};

use super::script::RunningNode;
use crate::installation::Installation;
use crate::report::{Progress, Result, catalog};

/// Exit codes of the module.
const NOT_RUNNING: i32 = 4;
const REFUSED: i32 = 5;
const FAILED: i32 = 6;
const BUSY: i32 = 7;
const NO_BUILD: i32 = 8;

/// The findings and results of an upgrade.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UpgradeReport {
    /// The names of the running build and of the older build, if the node goes back.
    pub(crate) builds: Option<[String; 2]>,
    /// Changes of the application itself.
    pub(crate) resource: Vec<ApplicationResource>,
    /// How the processes of each module switch.
    pub(crate) planned: Vec<Planned>,
    /// Whether the node is unchanged because some processes cannot switch.
    pub(crate) is_refused: bool,
    /// Whether the node is unchanged because some processes are busy.
    pub(crate) is_busy: bool,
    /// Processes that could not prepare their new states: name or pid, module, and reason.
    pub(crate) not_changed: Vec<[String; 3]>,
    /// The number of processes of each module that have switched.
    pub(crate) changed: Vec<(String, u64)>,
    /// Children that are new in their supervisor, and the reason if one could not be started.
    pub(crate) started: Vec<(String, String)>,
    /// Processes that keep running the old code: name or pid, module, and reason.
    pub(crate) left: Vec<[String; 3]>,
}

/// A change of the application itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ApplicationResource {
    /// Its version, and the new one.
    Version(String, String),
    /// An application that is started first.
    Starting(String),
    /// A module that the new build does not have.
    Gone(String),
    /// A variable of the environment, and its new value.
    Changed(String, String),
    /// A new variable, and its value.
    New(String, String),
    /// A variable that no longer exists.
    Removed(String),
    /// A variable with another value in the new build that keeps its value.
    Stays(String),
    /// The result of `config_change/3`, if it is not `ok`.
    Refused(String),
}

impl ApplicationResource {
    /// Returns whether it is a failure.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

/// The processes of a module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) module: String,
    /// How they switch.
    pub(crate) change: Change,
    /// The number of processes.
    pub(crate) count: u64,
    /// The names or pids of the first processes.
    pub(crate) names: String,
}

/// How processes switch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// With their unchanged state.
    Same,
    /// By `code_change`.
    Converted,
    /// By `code_change` of the running build, which goes back.
    ConvertedBack,
    /// A supervisor: its child specs are read again.
    Supervisor,
    /// They keep their state as it is: its type differs, and their behaviour has no `code_change`.
    Retyped,
    /// They keep their state as it is: it is not a term, and their behaviour has no `code_change`.
    Opaque,
    /// They keep their state as it is, because they do not answer `sys` messages.
    Silent,
    /// They run a function and have no state to convert.
    Spawned,
    /// They run in VMs of their own, which the upgrade does not change.
    Isolated,
    /// The new build does not have the module.
    Gone,
    /// Not at all: the forms of the old state and of the new one.
    Changed(String, String),
    /// Not at all: the state's Rust type is not a term.
    NoTerm(String),
    /// Not at all: the old behaviour and the new one.
    Behaviour(String, String),
}

impl Change {
    /// Returns whether they keep running the old code until they end.
    pub(crate) fn is_staying(&self) -> bool {
        matches!(
            self,
            Self::Gone
                | Self::Retyped
                | Self::Opaque
                | Self::Silent
                | Self::Spawned
                | Self::Isolated
        )
    }

    /// Returns whether they cannot switch, so that the build is not loaded.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(
            self,
            Self::Changed(..) | Self::NoTerm(_) | Self::Behaviour(..)
        )
    }
}

/// The build that a node switches to.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    /// The new build, whose modules are in this folder.
    New(&'a Path),
    /// The kept build with this name, or the `previous` one, in the folder of kept builds, and the
    /// damaged builds there.
    Earlier(&'a Path, &'a str, &'a [String]),
}

/// The options of an upgrade.
pub(crate) struct UpgradeOptions<'a> {
    pub(crate) application: &'a str,
    pub(crate) target: Target<'a>,
    pub(crate) node: RunningNode<'a>,
    /// How long processes may be busy.
    pub(crate) timeout: Duration,
    /// Whether the build is only checked, not loaded.
    pub(crate) is_dry: bool,
    /// Whether processes that are busy for longer keep running the old code.
    pub(crate) allows_busy: bool,
}

/// Switches the node to the build.
pub(crate) fn upgrade(
    otp: &Installation,
    order: &UpgradeOptions<'_>,
    progress: &Progress,
) -> Result<UpgradeReport> {
    let mode = match (order.is_dry, order.allows_busy) {
        (true, _) => "dry",
        (false, true) => "busy",
        (false, false) => "go",
    };
    let (folder, to, damaged) = match order.target {
        Target::New(ebin) => (ebin, "", &[][..]),
        Target::Earlier(folder, to, damaged) => (folder, to, damaged),
    };
    let arguments = [
        order.application.to_owned(),
        folder.to_string_lossy().into_owned(),
        order.timeout.as_millis().to_string(),
        mode.to_owned(),
        to.to_owned(),
        damaged.join(","),
    ];
    let take = |line: &str| changed(line).map(|counts| show(progress, counts)).is_some();
    let said = order
        .node
        .following(otp, &[&LAST_WORDS, &UPGRADER], &arguments, take)?;
    let why = String::from_utf8_lossy(&said.stderr);
    let name = order.node.name;
    let code = said.status.code();
    match code {
        Some(0 | REFUSED | BUSY) => Ok(UpgradeReport {
            is_refused: code == Some(REFUSED),
            is_busy: code == Some(BUSY),
            ..read(&String::from_utf8_lossy(&said.stdout))?
        }),
        Some(NOT_RUNNING) => Err(catalog::NOT_RUNNING.with(&[&why.trim(), &name])),
        Some(NO_BUILD) => {
            Err(catalog::NO_EARLIER_BUILD.with(&[&order.application, &to, &why.trim()]))
        }
        Some(FAILED) => Err(catalog::NOT_UPGRADED.with(&[&order.application, &name, &why.trim()])),
        _ => Err(catalog::INTERNAL
            .with(&[&"the upgrade has failed"])
            .detail(why)),
    }
}

/// Returns how many processes have switched, and their total number.
fn changed(line: &str) -> Option<[u64; 2]> {
    let (done, all) = line.strip_prefix("progress\t")?.split_once('\t')?;
    Some([done.parse().ok()?, all.parse().ok()?])
}

fn show(progress: &Progress, [done, all]: [u64; 2]) {
    progress.begin(all);
    progress.reach(done);
}

/// Reads lines of fields separated by tabs.
pub(super) fn read(text: &str) -> Result<UpgradeReport> {
    let mut upgrade = UpgradeReport::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        upgrade.add(&fields).ok_or_else(|| {
            let what = "what the node says of the upgrade is not understood";
            catalog::INTERNAL.with(&[&what]).detail(line)
        })?;
    }
    Ok(upgrade)
}

impl UpgradeReport {
    fn add(&mut self, fields: &[&str]) -> Option<()> {
        match fields {
            ["plan", module, kind, count, names, details @ ..] => self.planned.push(Planned {
                module: (*module).to_owned(),
                change: change(kind, details)?,
                count: count.parse().ok()?,
                names: (*names).to_owned(),
            }),
            ["build", running, other] => {
                self.builds = Some([running, other].map(|it| (*it).to_owned()));
            }
            ["resource", kind, first, second] => self.resource.push(resource(kind, first, second)?),
            ["changed", module, count] => {
                self.changed
                    .push(((*module).to_owned(), count.parse().ok()?));
            }
            ["started", id, result] => {
                self.started.push(((*id).to_owned(), (*result).to_owned()));
            }
            ["left", name, module, why] => {
                self.left
                    .push([name, module, why].map(|it| (*it).to_owned()));
            }
            ["not_changed", name, module, why] => {
                self.not_changed
                    .push([name, module, why].map(|it| (*it).to_owned()));
            }
            _ => return None,
        }
        Some(())
    }
}

fn resource(kind: &str, first: &str, second: &str) -> Option<ApplicationResource> {
    let (first, second) = (first.to_owned(), second.to_owned());
    Some(match kind {
        "version" => ApplicationResource::Version(first, second),
        "starting" => ApplicationResource::Starting(first),
        "gone" => ApplicationResource::Gone(first),
        "changed" => ApplicationResource::Changed(first, second),
        "new" => ApplicationResource::New(first, second),
        "removed" => ApplicationResource::Removed(first),
        "stays" => ApplicationResource::Stays(first),
        "refused" => ApplicationResource::Refused(second),
        _ => return None,
    })
}

fn change(kind: &str, details: &[&str]) -> Option<Change> {
    let [first, second] = details else {
        return None;
    };
    let (first, second) = ((*first).to_owned(), (*second).to_owned());
    Some(match kind {
        "same" => Change::Same,
        "converted" => Change::Converted,
        "converted_back" => Change::ConvertedBack,
        "supervisor" => Change::Supervisor,
        "retyped" => Change::Retyped,
        "opaque" => Change::Opaque,
        "silent" => Change::Silent,
        "spawned" => Change::Spawned,
        "isolated" => Change::Isolated,
        "gone" => Change::Gone,
        "changed" => Change::Changed(first, second),
        "no_term" => Change::NoTerm(first),
        "behaviour" => Change::Behaviour(first, second),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_becomes_of_processes() {
        let text = "resource\tchanged\tport\t9090\nplan\tcounter\tchanged\t2\tcounter, <0.9.0>\tinteger()\tbinary()\n\
                    changed\tlight\t3\nstarted\tanother\tok\nleft\t<0.7.0>\tcounter\tbusy\n\
                    not_changed\t<0.8.0>\tcounter\tit panicked\n";
        assert_eq!(changed("progress\t3\t17"), Some([3, 17]));
        assert_eq!(changed("changed\tlight\t3"), None);
        let upgrade = read(text).unwrap();
        let changed = ApplicationResource::Changed("port".to_owned(), "9090".to_owned());
        assert_eq!(upgrade.resource, [changed]);
        let [planned] = upgrade.planned.as_slice() else {
            panic!("{upgrade:?}")
        };
        assert_eq!(
            (planned.count, planned.names.as_str()),
            (2, "counter, <0.9.0>")
        );
        let forms = Change::Changed("integer()".to_owned(), "binary()".to_owned());
        assert_eq!(planned.change, forms);
        assert_eq!(upgrade.changed, [("light".to_owned(), 3)]);
        assert_eq!(upgrade.left.len(), 1);
        assert_eq!(upgrade.not_changed.len(), 1);
    }

    #[test]
    fn a_line_that_is_not_known_is_refused() {
        for line in [
            "what",
            "plan\tcounter\tsame\tx\t\t\t",
            "plan\tcounter\tnew\t1\t\t\t",
            "resource\twhat\tport\t1",
            "",
        ] {
            assert!(read(&format!("{line}\n")).is_err(), "{line}");
        }
    }
}
