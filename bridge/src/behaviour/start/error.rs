//! The reasons why a process has not been started.

use crate::{Exit, FromTerm, Pid, Term};

/// The reason why a process has not been started: [`Exit::start_error`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StartError {
    /// `{already_started, Pid}`: this process already has the name or, as a child, the id.
    AlreadyStarted(Pid),
    /// `already_present`: the supervisor has a child with this id, but its process does not run.
    AlreadyPresent,
    /// `ignore`: the return value of its `init`.
    Ignored,
    /// Any other reason, such as that of its `init`.
    Other,
}

impl Exit {
    /// Returns why [`cx.start_link`](crate::start::Start::start_link),
    /// [`cx.start_child`](crate::supervisor::ChildRequests::start_child) or `cx.start_child_spec`
    /// has not started a process.
    ///
    /// ```
    /// # use otp_bridge::gen_server::prelude::*;
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::atoms::ok;
    /// # #[derive(Debug)]
    /// # struct Counter;
    /// # #[gen_server]
    /// # impl GenServer for Counter {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl InitReturn<Self> {
    /// #         (ok, Counter)
    /// #     }
    /// # }
    /// use otp_bridge::start::StartError;
    ///
    /// async fn counter(cx: &Cx<'_>) -> Result<Server<Counter>> {
    ///     match cx.start_link_registered::<Counter>(0).await {
    ///         Err(exit) => match exit.start_error() {
    ///             StartError::AlreadyStarted(pid) => Ok(pid.into()),
    ///             _ => Err(exit),
    ///         },
    ///         started => started,
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn start_error(&self) -> StartError {
        match self.reason() {
            Term::Atom(word) if word.text() == "already_present" => StartError::AlreadyPresent,
            Term::Atom(word) if word.text() == "ignore" => StartError::Ignored,
            Term::Tuple(elements) => match &**elements {
                [Term::Atom(word), pid] if word.text() == "already_started" => {
                    Pid::from_term(pid).map_or(StartError::Other, StartError::AlreadyStarted)
                }
                _ => StartError::Other,
            },
            _ => StartError::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PidParts, atom};

    #[test]
    fn reasons_of_otp_are_told_apart() {
        let pid = Pid::from_parts(PidParts {
            node: atom!("nonode@nohost"),
            id: 7,
            serial: 0,
            creation: 0,
        });
        let started = (atom!("already_started"), pid.clone());
        let number = (atom!("already_started"), 7);
        let of = |reason: Term| Exit::new(reason).start_error();
        assert_eq!(of(Term::of(&started)), StartError::AlreadyStarted(pid));
        assert_eq!(of(Term::of(&number)), StartError::Other);
        assert_eq!(of(Term::of(&atom!("ignore"))), StartError::Ignored);
        let present = atom!("already_present");
        assert_eq!(of(Term::of(&present)), StartError::AlreadyPresent);
        assert_eq!(of(Term::of(&present.text())), StartError::Other);
    }
}
