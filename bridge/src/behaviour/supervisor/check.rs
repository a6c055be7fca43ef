//! Checks of flags and child specs that have the right type but that `supervisor` refuses: those of
//! its `check_flags/1` and `check_childspecs/2` in all releases since OTP 25, and those of the
//! children's names.

use super::child_start::ChildStart;
use super::isolation::IsolatedStart;
use super::{AutoShutdown, ChildSpec, ChildSpecMap, Restart, Shutdown, Strategy, SupFlags};
use crate::runtime::{ModuleEntry, Refusable};
use crate::{Term, Timeout};

/// The longest time that `receive … after` accepts, in milliseconds. A supervisor uses it to wait
/// for the end of a child.
const LONGEST_WAIT: u64 = 0xffff_ffff;

impl Refusable for (SupFlags, Vec<ChildSpec>) {
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        let declared = module.and_then(|module| module.implements.as_ref()?.child);
        refusal_of(&self.0, &self.1, declared)
    }
}

/// Returns the mistake in the flags and children of a supervisor, if there is one. With `declared`,
/// all children must be of that module.
pub(super) fn refusal_of(
    flags: &SupFlags,
    children: &[ChildSpec],
    declared: Option<&str>,
) -> Option<String> {
    let (strategy, auto_shutdown) = decisive(flags);
    let children: Vec<Child<'_>> = children.iter().map(Child::new).collect();
    of_strategy(strategy, auto_shutdown, children.len())
        .or_else(|| of_template(strategy, &children, declared))
        .or_else(|| twice(&children, |child| Some(child.id), "the id"))
        .or_else(|| twice(&children, |child| child.kind.name(), "the registered name"))
        .or_else(|| {
            let mut refusals = children.iter().map(|child| child.refusal(auto_shutdown));
            refusals.find_map(|refusal| refusal)
        })
}

/// Returns the flags that decide which children are allowed, with OTP's defaults.
fn decisive(flags: &SupFlags) -> (&Strategy, &AutoShutdown) {
    match flags {
        SupFlags::Map(map) => (
            map.strategy.as_ref().unwrap_or(&Strategy::OneForOne),
            map.auto_shutdown.as_ref().unwrap_or(&AutoShutdown::Never),
        ),
        SupFlags::Triple {
            restart_strategy, ..
        } => (restart_strategy, &AutoShutdown::Never),
    }
}

fn of_strategy(strategy: &Strategy, shutdown: &AutoShutdown, children: usize) -> Option<String> {
    if *strategy != Strategy::SimpleOneForOne {
        return None;
    }
    if children != 1 {
        return Some(format!(
            "a supervisor with `simple_one_for_one` has one child spec, from which it starts all its \
             children, and not {children}"
        ));
    }
    // OTP 27 refuses it. In earlier releases it had no effect.
    (*shutdown != AutoShutdown::Never).then(|| {
        "a supervisor with `simple_one_for_one` has no automatic shutdown: leave out `auto_shutdown`"
            .to_owned()
    })
}

/// Checks that there is a template if the strategy requires one, and that it is of the module in
/// the supervisor's `type Child`.
fn of_template(
    strategy: &Strategy,
    children: &[Child<'_>],
    declared: Option<&str>,
) -> Option<String> {
    let mut templates = children.iter().map(|child| child.kind.template());
    if *strategy != Strategy::SimpleOneForOne {
        if let Some(declared) = declared {
            return Some(format!(
                "its `type Child` says that all children are of `{declared}`, so it needs the flags \
                 `SupFlags::simple_one_for_one()`"
            ));
        }
        let template = templates.flatten().next()?;
        return Some(format!(
            "the child `{template}` is a template, which only `SupFlags::simple_one_for_one()` takes: \
             use `ChildSpec::of`"
        ));
    }
    let (template, declared) = (templates.next().flatten(), declared?);
    match template {
        Some(template) if template.text() == declared => None,
        Some(template) => Some(format!(
            "its `type Child` is `{declared}`, but its template is of `{template}`"
        )),
        None => Some(format!(
            "its `type Child` is `{declared}`, so its one child spec is the template of that: \
             `ChildSpec::template::<…>()`"
        )),
    }
}

/// Returns two children with the same key.
fn twice<'c>(
    children: &'c [Child<'_>],
    key: impl Fn(&'c Child<'_>) -> Option<&'c Term>,
    what: &str,
) -> Option<String> {
    let keyed = children
        .iter()
        .filter_map(|child| Some((key(child)?, child.id)));
    let mut keyed: Vec<_> = keyed.collect();
    // The sort is stable: children with the same key stay in order. Ids mostly are in order
    // already, so that sorting takes one step for each.
    keyed.sort_by_key(|(key, _)| *key);
    let mut neighbours = keyed.windows(2);
    let [(key, earlier), (_, later)] = neighbours.find(|pair| pair[0].0 == pair[1].0)? else {
        return None;
    };
    Some(if earlier == later {
        format!("two children have {what} `{key}`; each needs one of its own")
    } else {
        format!("the children `{earlier}` and `{later}` both have {what} `{key}`")
    })
}

/// A child spec in either notation.
struct Child<'s> {
    id: &'s Term,
    start: &'s super::Mfargs,
    kind: ChildStart<'s>,
    restart: &'s Restart,
    significant: bool,
    shutdown: Option<&'s Shutdown>,
}

impl<'s> Child<'s> {
    fn new(spec: &'s ChildSpec) -> Self {
        match spec {
            ChildSpec::Map(ChildSpecMap {
                id,
                start,
                restart,
                significant,
                shutdown,
                ..
            }) => Child {
                id,
                start,
                kind: ChildStart::read(start),
                restart: restart.as_ref().unwrap_or(&Restart::Permanent),
                significant: significant.unwrap_or(false),
                shutdown: shutdown.as_ref(),
            },
            ChildSpec::Tuple {
                id,
                start_func,
                restart,
                shutdown,
                ..
            } => Child {
                id,
                start: start_func,
                kind: ChildStart::read(start_func),
                restart,
                significant: false,
                shutdown: Some(shutdown),
            },
        }
    }

    fn refusal(&self, auto_shutdown: &AutoShutdown) -> Option<String> {
        let id = self.id;
        if self.start.a.is_none() {
            return Some(format!(
                "the child `{id}` has no list of arguments to be started with"
            ));
        }
        if self.significant && *auto_shutdown == AutoShutdown::Never {
            return Some(format!(
                "the child `{id}` is `significant`, but its supervisor never shuts down \
                 automatically: give the flags `.auto_shutdown(any_significant)` or \
                 `.auto_shutdown(all_significant)`"
            ));
        }
        if self.significant && *self.restart == Restart::Permanent {
            return Some(format!(
                "the child `{id}` is `significant` and `permanent`: a permanent child never ends \
                 for good; give it `.restart(transient)` or `.restart(temporary)`"
            ));
        }
        if let Some(refusal) = IsolatedStart::read(self.start).and_then(|it| it.refusal()) {
            return Some(format!("the child `{id}` {refusal}"));
        }
        match self.shutdown {
            Some(Shutdown::Timeout(Timeout::Milliseconds(time))) if *time > LONGEST_WAIT => {
                Some(format!(
                    "the child `{id}` has {time} ms for its end, and the longest time is \
                     {LONGEST_WAIT} ms (49 days), or `infinity`"
                ))
            }
            _ => None,
        }
    }
}
