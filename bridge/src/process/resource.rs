//! Resources that monitor processes.

use std::fmt;

use crate::nif::{self, OnDown, VmEnv, VmMonitor};
use crate::runtime::{Cx, Here};
use crate::term::resource::AnyResource;
use crate::{Pid, Resource, ResourceType};

/// A resource that is notified when a process that it monitors has ended.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::sync::Mutex;
///
/// use otp_bridge::process::{Monitors, ResourceMonitor};
/// use otp_bridge::{Cx, Pid, Resource};
///
/// /// Something that one process at a time may use.
/// #[derive(Resource)]
/// struct Lease {
///     holder: Mutex<Option<Pid>>,
/// }
///
/// impl Monitors for Lease {
///     fn down(lease: &Resource<Lease>, process: &Pid, _: &ResourceMonitor) {
///         let mut holder = lease.holder.lock().unwrap();
///         if holder.as_ref() == Some(process) {
///             *holder = None;
///         }
///     }
/// }
///
/// fn take(lease: &Resource<Lease>, cx: &Cx<'_>) -> bool {
///     let mut holder = lease.holder.lock().unwrap();
///     if holder.is_some() {
///         return false;
///     }
///     *holder = Some(cx.pid());
///     lease.monitor(cx, &cx.pid()).is_some()
/// }
/// ```
pub trait Monitors: ResourceType {
    /// Handles the end of a monitored process. The VM calls this on a scheduler that also runs
    /// other processes, so it must return quickly. A panic in it is dropped.
    fn down(resource: &Resource<Self>, process: &Pid, monitor: &ResourceMonitor);
}

/// A monitor of a process by a resource. It ends with the process, with the resource, or by
/// [`Resource::demonitor`].
#[derive(Clone, PartialEq)]
pub struct ResourceMonitor(Option<VmMonitor>);

impl fmt::Debug for ResourceMonitor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ResourceMonitor")
    }
}

impl<T: Monitors> Resource<T> {
    /// Monitors a process of this node. When it has ended, [`Monitors::down`] is called, even if
    /// only the VM still holds the resource: a resource lives as long as terms refer to it, and its
    /// monitors end with it.
    ///
    /// Returns `None` if the process has ended or belongs to another node. Without a VM no process
    /// ends, and the result is always a monitor.
    pub fn monitor(&self, cx: &Cx<'_>, process: &Pid) -> Option<ResourceMonitor> {
        let now = match cx.here() {
            Here::Vm(_, now) => now,
            Here::Owned(_) => return Some(ResourceMonitor(None)),
        };
        let on_down = OnDown(|any: AnyResource, process, monitor| {
            T::down(
                &Resource::of(any),
                &process,
                &ResourceMonitor(Some(monitor)),
            );
        });
        self.any()
            .cell()
            .extension
            .get_or_init(|| Box::new(on_down));
        let process = VmEnv::local(process).or_else(|| now.find_local(process))?;
        let monitor = nif::monitor(*now, self.any(), process)?;
        Some(ResourceMonitor(Some(monitor)))
    }

    /// Removes a monitor. Returns `false` if the monitor had already ended.
    pub fn demonitor(&self, cx: &Cx<'_>, monitor: &ResourceMonitor) -> bool {
        match (cx.here(), &monitor.0) {
            (Here::Vm(_, now), Some(monitor)) => nif::demonitor(*now, self.any(), monitor),
            _ => false,
        }
    }
}
