//! The Erlang modules that `cargo otp build` writes for an application, beside its callback
//! modules.
//!
//! | module | of `shop` | what it does |
//! |---|---|---|
//! | [`library`] | `shop_nif` | loads the library; a library is loaded by the module of this name only (`erl_nif`) |
//! | [`application`] | `shop_app` | OTP's behaviour `application` |
//! | [`run`] | `shop_run` | the entry point of `cargo otp run` |
//! | [`HELPER`] | `otp_rs` | what an Erlang shell can do with Rust processes; the same in every application |
//! | [`HELPER_PROCESS`] | `otp_rs_helper` | the process `otp_rs`, which does what native code cannot do itself; the same in every application |
//! | [`OUTPUT`] | `otp_rs_output` | what that process logs and prints; the same in every application |
//! | [`UPGRADE`] | `otp_rs_upgrade` | loads another build beside the running one, and makes processes switch to it; the same in every application |
//! | [`PACKAGE`] | `otp_rs_package` | reads what an upgrade loads of another build; the same in every application |
//! | [`PROCESSES`] | `otp_rs_processes` | finds the processes of an application; the same in every application |
//! | [`CHANGE`] | `otp_rs_change` | makes all processes switch to another build, or none; the same in every application |
//! | [`STATES`] | `otp_rs_states` | the part of a switch that a process performs itself; the same in every application |
//! | [`LATER`] | `otp_rs_later` | switches processes that were busy during the upgrade; the same in every application |
//! | [`ANNOUNCE`] | `otp_rs_announce` | tells processes that an upgrade begins, and that it has ended; the same in every application |
//! | [`RESOURCE`] | `otp_rs_resource` | carries the version and the environment of another build; the same in every application |
//! | [`SHARED_RESOURCES`] | `otp_rs_shared` | opens and closes shared resources; the same in every application |
//! | [`STATUS`] | `otp_rs_status` | reports on a process whose callbacks are Rust; the same in every application |
//! | [`VM`] | `otp_rs_vm` | starts and watches a VM of isolated children; the same in every application |
//! | [`LIMITS`] | `otp_rs_limits` | enforces limits on VMs of isolated children; the same in every application |
//! | [`ISOLATED`] | `otp_rs_isolated` | the process that represents an isolated child at its supervisor; the same in every application |
//! | [`GUEST`] | `otp_rs_guest` | runs in a VM of isolated children; the same in every application |
//! | [`REGISTRY`] | `otp_rs_registry` | names processes by arbitrary terms; the same in every application |
//! | [`DYNAMIC`] | `otp_rs_dynamic` | supervisors whose flags and template are arguments; the same in every application |
//! | [`TABLE`] | `otp_rs_table` | tables of `ets` whose rows have Rust types; the same in every application |
//! | [`SPANS`] | `otp_rs_spans` | carries spans from a process to those that it calls; the same in every application |
//! | [`TELEMETRY`] | `otp_rs_telemetry` | executes events of `telemetry`; the same in every application |
//! | [`TEST`] | `otp_rs_test` | runs tests on the VM; the same in every application, and only in what `cargo otp test` builds |

/// The suffix that turns an application's name into the name of the module that loads its library,
/// as a literal for `concat!`.
#[macro_export]
macro_rules! library_module_suffix {
    () => {
        "_nif"
    };
}

/// Name of a module of every application, used by Erlang shells and by the library. The process of
/// this name logs reports and makes abandoned calls fail.
pub const HELPER: &str = "otp_rs";

/// Name of the module that the process [`HELPER`] runs.
pub const HELPER_PROCESS: &str = "otp_rs_helper";

/// Name of the module, part of every application, for what the process [`HELPER`] logs and prints.
pub const OUTPUT: &str = "otp_rs_output";

/// Name of the upgrade module, part of every application, that finds the version of a state and
/// drives an upgrade.
pub const UPGRADE: &str = "otp_rs_upgrade";

/// Name of the upgrade module, part of every application, that reads what to load of another build.
pub const PACKAGE: &str = "otp_rs_package";

/// Name of the upgrade module, part of every application, that finds the processes.
pub const PROCESSES: &str = "otp_rs_processes";

/// Name of the upgrade module, part of every application, that makes processes switch, all or none.
pub const CHANGE: &str = "otp_rs_change";

/// Name of the upgrade module, part of every application, with the part of a switch that a process
/// performs itself.
pub const STATES: &str = "otp_rs_states";

/// Name of the upgrade module, part of every application, that announces upgrades to processes. An
/// attribute of this name marks a module whose processes receive announcements.
pub const ANNOUNCE: &str = "otp_rs_announce";

/// Name of the upgrade module, part of every application, that switches processes which were busy
/// during the upgrade.
pub const LATER: &str = "otp_rs_later";

/// The announcements, as Erlang's text of their type (`otp_bridge::messages::Upgrade`).
pub const ANNOUNCED: &str = "upgrade_begins | upgrade_ended";

/// Name of the upgrade module, part of every application, for changes beside code: the resource
/// file and the environment.
pub const RESOURCE: &str = "otp_rs_resource";

/// Name of the module, part of every application, for the resources that its processes share.
pub const SHARED_RESOURCES: &str = "otp_rs_shared";

/// Name of the module, part of every application, that inspects a running node: the state, tasks
/// and long callbacks of a process.
pub const STATUS: &str = "otp_rs_status";

/// Name of the module, part of every application, for a VM of isolated children.
pub const VM: &str = "otp_rs_vm";

/// Name of the module, part of every application, for the limits of such VMs.
pub const LIMITS: &str = "otp_rs_limits";

/// Name of the module, part of every application, for the process that represents an isolated
/// child.
pub const ISOLATED: &str = "otp_rs_isolated";

/// Name of the module, part of every application, that runs in a VM of isolated children.
pub const GUEST: &str = "otp_rs_guest";

/// Name of the module, part of every application, for registries, whose names are any terms.
pub const REGISTRY: &str = "otp_rs_registry";

/// Name of the module, part of every application, for supervisors whose flags and template are
/// arguments.
pub const DYNAMIC: &str = "otp_rs_dynamic";

/// Name of the module that every application brings for tables of `ets` whose rows have Rust types.
pub const TABLE: &str = "otp_rs_table";

/// Name of the module, part of every application, for spans that travel with calls.
pub const SPANS: &str = "otp_rs_spans";

/// Name of the module, part of every application, for events of the library `telemetry`.
pub const TELEMETRY: &str = "otp_rs_telemetry";

/// The modules that are identical in every application. A VM loads each of them once, even if
/// several applications contain it.
pub const SHARED: [&str; 22] = [
    HELPER,
    HELPER_PROCESS,
    OUTPUT,
    UPGRADE,
    PACKAGE,
    PROCESSES,
    CHANGE,
    STATES,
    LATER,
    ANNOUNCE,
    RESOURCE,
    SHARED_RESOURCES,
    STATUS,
    VM,
    LIMITS,
    ISOLATED,
    GUEST,
    REGISTRY,
    DYNAMIC,
    TABLE,
    SPANS,
    TELEMETRY,
];

/// The registered name of the process of `cargo otp run`, while it starts an application.
pub const RUN: &str = "otp_rs_run";

/// Name of the module that runs the tests of an application on the VM.
pub const TEST: &str = "otp_rs_test";

/// The module that loads the library.
#[must_use]
pub fn library(application: &str) -> String {
    format!("{application}{}", library_module_suffix!())
}

/// The module of the behaviour `application`.
#[must_use]
pub fn application(application: &str) -> String {
    format!("{application}_app")
}

/// The entry point of `cargo otp run`.
#[must_use]
pub fn run(application: &str) -> String {
    format!("{application}_run")
}

/// Names of generated modules that an application brings: its own three, then shared ones.
#[must_use]
pub fn all(application: &str) -> [String; 19] {
    [
        library(application),
        self::application(application),
        run(application),
        HELPER.to_owned(),
        HELPER_PROCESS.to_owned(),
        OUTPUT.to_owned(),
        UPGRADE.to_owned(),
        PACKAGE.to_owned(),
        PROCESSES.to_owned(),
        CHANGE.to_owned(),
        STATES.to_owned(),
        RESOURCE.to_owned(),
        SHARED_RESOURCES.to_owned(),
        STATUS.to_owned(),
        VM.to_owned(),
        LIMITS.to_owned(),
        ISOLATED.to_owned(),
        GUEST.to_owned(),
        TEST.to_owned(),
    ]
}
