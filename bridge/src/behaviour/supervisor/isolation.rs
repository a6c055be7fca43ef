//! Isolated children: the VM that they run in, and how they are started there.
//!
//! | child spec | `start` |
//! |---|---|
//! | [`ChildSpec::isolated`] | `{otp_rs_isolated, start_link, [Isolation, counter, Arguments]}`, where `Arguments` are those of `counter:start_link` |
//! | [`ChildSpec::isolated_template`] | `{otp_rs_isolated, start_child, [Isolation, counter, Options]}`; `supervisor:start_child/2` appends `[Args]` |

use std::num::NonZeroU64;
use std::time::Duration;

use super::{ChildSpec, ChildSpecMap, Mfargs};
use crate::behaviour::start::{StartArguments, StartOptions};
use crate::runtime::{Isolated, Started, protocol};
use crate::{Atom, FromTerm, Term, View, atoms};

/// The VM that isolated children run in: whether several children share it, and its limits.
///
/// ```
/// # use otp_bridge_novm as _;
/// use std::time::Duration;
///
/// use otp_bridge::supervisor::Isolation;
/// use otp_bridge::{Term, atom};
///
/// let decoders = Isolation::group(atom!("decoders"))
///     .memory(512 * 1024 * 1024)
///     .processor_time(Duration::from_secs(2));
/// assert_eq!(
///     Term::of(&decoders).to_string(),
///     "#{group => decoders,memory => 536870912,processor_time => 2000}",
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, crate::Term)]
#[term(exact)]
pub struct Isolation {
    #[term(optional)]
    group: Option<Atom>,
    #[term(optional)]
    vms: Option<NonZeroU64>,
    #[term(optional)]
    memory: Option<NonZeroU64>,
    #[term(optional)]
    processor_time: Option<NonZeroU64>,
}

impl Isolation {
    /// Runs each child in a VM of its own, without limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs all children of this group in one VM. The VM starts with the first child and ends with
    /// the last. If it crashes, all of them end. All children of a group must have the same limits.
    #[must_use]
    pub fn group(name: impl Into<Atom>) -> Self {
        Isolation {
            group: Some(name.into()),
            ..Self::default()
        }
    }

    /// Runs the children of this group in a pool of `vms` VMs. A child starts in the VM that has
    /// the fewest children. Each VM starts with its first child and ends with its last. The limits
    /// apply to each VM.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::supervisor::Isolation;
    /// use otp_bridge::{Term, atom};
    ///
    /// let decoders = Isolation::pool(atom!("decoders"), 4);
    /// assert_eq!(Term::of(&decoders).to_string(), "#{group => decoders,vms => 4}");
    /// ```
    ///
    /// # Panics
    /// If `vms` is 0.
    #[must_use]
    #[track_caller]
    pub fn pool(name: impl Into<Atom>, vms: u64) -> Self {
        let vms = NonZeroU64::new(vms);
        assert!(vms.is_some(), "a pool cannot be of 0 VMs");
        Isolation {
            vms,
            ..Self::group(name)
        }
    }

    /// Limits the memory of the VM, in bytes. An empty VM uses about 50 MB. If a VM exceeds the
    /// limit, it is killed, or one of its allocations fails, which ends it as well. The kernel
    /// enforces the limit if this VM's control group is delegated to it. Elsewhere, on Linux only,
    /// resident memory is checked 20 times a second, and `RLIMIT_DATA` is set to the limit plus the
    /// stacks of the schedulers, because few of their pages are ever used.
    ///
    /// # Panics
    /// If `bytes` is 0.
    #[must_use]
    #[track_caller]
    pub fn memory(self, bytes: u64) -> Self {
        let memory = NonZeroU64::new(bytes);
        assert!(memory.is_some(), "a VM cannot have a limit of 0 bytes");
        Isolation { memory, ..self }
    }

    /// Limits the processor time that the VM may use while one of its children stays in native
    /// code. A VM that exceeds it is killed. The time is measured in steps of 10 ms, on Linux only.
    ///
    /// # Panics
    /// If `time` is less than a millisecond.
    #[must_use]
    #[track_caller]
    pub fn processor_time(self, time: Duration) -> Self {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let processor_time = NonZeroU64::new(milliseconds);
        assert!(
            processor_time.is_some(),
            "a VM cannot have a limit of 0 ms of processor time"
        );
        Isolation {
            processor_time,
            ..self
        }
    }
}

impl ChildSpec {
    /// Returns the child spec of a child of type `T` that runs in a VM of its own, a second OS
    /// process with the same library. If that VM crashes, for example by a segmentation fault or
    /// `abort`, only this child exits. For its supervisor and its callers, the child is a process
    /// of this VM, with its name and its id.
    ///
    /// ```
    /// # use otp_bridge::gen_server::{self, GenServer};
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::Term;
    /// use otp_bridge::atoms::ok;
    /// use otp_bridge::supervisor::ChildSpec;
    /// # #[derive(Debug)]
    /// # struct Decoder;
    /// # #[gen_server::gen_server]
    /// # impl GenServer for Decoder {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl gen_server::InitReturn<Self> {
    /// #         (ok, Decoder)
    /// #     }
    /// # }
    ///
    /// let decoder = ChildSpec::isolated::<Decoder>(7).registered(otp_bridge::atom!("decoder"));
    /// ```
    pub fn isolated<T: Started + Isolated>(arguments: T::Arguments) -> Self {
        Self::isolated_in::<T>(&Isolation::new(), arguments)
    }

    /// Like [`ChildSpec::isolated`], in a VM of a group, or with limits.
    pub fn isolated_in<T: Started + Isolated>(
        isolation: &Isolation,
        arguments: T::Arguments,
    ) -> Self {
        let arguments = StartArguments::new(T::argument(&arguments));
        let mut start = Mfargs::from((T::atom().clone(), atoms::start_link, None));
        put(
            &mut start,
            isolation,
            T::atom(),
            arguments.list(T::BEHAVIOUR),
        );
        ChildSpec::Map(ChildSpecMap::new(T::atom().clone(), start))
    }
}

impl ChildSpec {
    /// Returns the child spec from which a supervisor with the strategy `simple_one_for_one` starts
    /// all its children, each of them isolated. Like [`ChildSpec::template`] otherwise.
    ///
    /// ```
    /// # use otp_bridge::gen_server::{self, GenServer};
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::atom;
    /// use otp_bridge::atoms::{ok, transient};
    /// use otp_bridge::supervisor::prelude::*;
    /// # #[derive(Debug)]
    /// # pub struct Decoder;
    /// # #[gen_server::gen_server]
    /// # impl GenServer for Decoder {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl gen_server::InitReturn<Self> {
    /// #         (ok, Decoder)
    /// #     }
    /// # }
    ///
    /// pub struct Decoders;
    ///
    /// #[supervisor]
    /// impl Supervisor for Decoders {
    ///     type Args = ();
    ///     type Child = Decoder;
    ///
    ///     fn init(_: ()) -> impl InitReturn {
    ///         let four = Isolation::pool(atom!("decoders"), 4);
    ///         let decoder = ChildSpec::isolated_template::<Decoder>(&four).restart(transient);
    ///         (ok, (SupFlags::simple_one_for_one().intensity(20), vec![decoder]))
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn isolated_template<T: Started + Isolated>(isolation: &Isolation) -> Self {
        let start = template_start(isolation, T::atom(), &StartOptions::new());
        ChildSpec::Map(ChildSpecMap::new(T::atom().clone(), start))
    }
}

/// Returns how the children of a template are isolated, and their module. `None` if they are not.
pub(super) fn template(start: &Mfargs) -> Option<(&Term, Atom)> {
    let is_template = start.m == Atom::of_program(&protocol::ISOLATED) && start.f == *"start_child";
    let [isolation, module, _] = start.a.as_deref()? else {
        return None;
    };
    let module = Atom::from_term(module).ok()?;
    is_template.then_some((isolation, module))
}

/// Returns the start function of a template of isolated children with these options.
pub(super) fn template_start(
    isolation: &impl crate::ToTerm,
    module: &Atom,
    options: &StartOptions,
) -> Mfargs {
    Mfargs {
        m: Atom::of_program(&protocol::ISOLATED),
        f: atoms::start_child.into(),
        a: Some(vec![
            Term::of(isolation),
            Term::of(module),
            Term::of(options),
        ]),
    }
}

/// The module and arguments of an isolated child's start.
pub(super) struct IsolatedStart<'s> {
    isolation: &'s Term,
    /// Its module.
    pub(super) module: Atom,
    /// The arguments of the module's `start_link`.
    pub(super) arguments: &'s [Term],
}

impl<'s> IsolatedStart<'s> {
    /// `None` if the child is not isolated.
    pub(super) fn read(start: &'s Mfargs) -> Option<Self> {
        let is_isolated =
            start.m == Atom::of_program(&protocol::ISOLATED) && start.f == *"start_link";
        let [isolation, module, Term::List(arguments)] = start.a.as_deref()? else {
            return None;
        };
        let module = Atom::from_term(module).ok()?;
        is_isolated.then_some(IsolatedStart {
            isolation,
            module,
            arguments,
        })
    }

    /// Returns the reason why the child cannot be started in another VM, if there is one.
    pub(super) fn refusal(&self) -> Option<String> {
        let mut left: Vec<&Term> = self.arguments.iter().collect();
        while let Some(term) = left.pop() {
            match term {
                Term::List(elements) | Term::Tuple(elements) => left.extend(elements),
                Term::ImproperList(list) => {
                    left.extend(list.elements());
                    left.push(list.tail());
                }
                Term::Map(map) => left.extend(map.iter().flat_map(|(key, value)| [key, value])),
                _ if View::resource(term).is_some() => {
                    return Some(format!(
                        "is isolated, but its start argument contains a resource (`{term}`), which is \
                         memory of this VM: pass the value itself"
                    ));
                }
                _ => {}
            }
        }
        None
    }
}

/// Replaces the arguments of the child's start, in either VM.
pub(super) fn set_arguments(start: &mut Mfargs, arguments: Vec<Term>) {
    let isolated = IsolatedStart::read(start).map(|it| (it.isolation.clone(), it.module));
    match isolated {
        Some((isolation, module)) => put(start, &isolation, &module, arguments),
        None => start.a = Some(arguments),
    }
}

fn put(start: &mut Mfargs, isolation: &impl crate::ToTerm, module: &Atom, arguments: Vec<Term>) {
    let arguments = Term::List(arguments.into());
    *start = Mfargs {
        m: Atom::of_program(&protocol::ISOLATED),
        f: atoms::start_link.into(),
        a: Some(vec![Term::of(isolation), Term::of(module), arguments]),
    };
}
