//! NIFs that open and close shared resources for the Erlang side
//! (`erlang/src/otp_rs_shared.erl`). Without the feature `tokio` there are no such
//! resources.

use crate::nif::{RawTerm, VmEnv, VmTerm};
use crate::runtime::protocol;
#[cfg(feature = "tokio")]
use crate::runtime::shared::{self, Opening};
#[cfg(feature = "tokio")]
use crate::{FromTerm, View};
use crate::{Heap, ToTerm};

/// `shared() -> [{Name, open | Unavailable}]`
pub(super) fn shared(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    let heap = env.heap();
    #[cfg(feature = "tokio")]
    let statuses: Vec<VmTerm<'_>> = shared::statuses()
        .into_iter()
        .map(|(name, status)| {
            let status = match status {
                Ok(()) => protocol::open.to_term(heap),
                Err(unavailable) => unavailable.to_term(heap),
            };
            heap.tuple([name.to_term(heap), status])
        })
        .collect();
    #[cfg(not(feature = "tokio"))]
    let statuses: Vec<VmTerm<'_>> = Vec::new();
    heap.list(statuses).raw()
}

/// `open_shared(Process, Tag, [{Application, Environment}], all | [Name]) -> ok`
#[cfg(feature = "tokio")]
pub(super) fn open(
    env: VmEnv<'_>,
    [process, tag, environments, may_be_away]: [VmTerm<'_>; 4],
) -> RawTerm {
    let process = process.pid().as_ref().and_then(VmEnv::local);
    let may_be_away = may_be_away.list().map(|names| {
        let names = names.filter_map(|name| String::from_term(name).ok());
        names.collect()
    });
    let (Some(process), Ok(tag), Some(environments)) =
        (process, tag.to_owned(), environments.list())
    else {
        return env.badarg();
    };
    let needed = shared::needed_applications();
    let environments = environments.filter_map(|pair| {
        let [application, environment] = pair.tuple::<2>()?;
        let application = application.atom()?;
        let environment = needed
            .contains(&application.text())
            .then(|| environment.to_owned());
        Some((application, environment?.ok()?))
    });
    shared::open(Opening {
        process,
        tag,
        environments: environments.collect(),
        may_be_away,
    });
    protocol::ok.to_term(env.heap()).raw()
}

/// Fails, because a library without the feature `tokio` has no resources to open.
#[cfg(not(feature = "tokio"))]
pub(super) fn open(env: VmEnv<'_>, _: [VmTerm<'_>; 4]) -> RawTerm {
    env.badarg()
}

/// `close_shared() -> closed | closing`
pub(super) fn close(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    #[cfg(feature = "tokio")]
    let is_closed = shared::close();
    #[cfg(not(feature = "tokio"))]
    let is_closed = true;
    let heap = env.heap();
    match is_closed {
        true => protocol::closed.to_term(heap).raw(),
        false => protocol::closing.to_term(heap).raw(),
    }
}
