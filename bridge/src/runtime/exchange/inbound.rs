//! Messages of other processes for a mailbox of tasks: `{'$otp_rs', to, Number, Message}`.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::panic::Location;

use crate::nif::VmTerm;
use crate::runtime::failure::exit::Exit;
use crate::runtime::protocol;
use crate::runtime::protocol::limits;
use crate::runtime::raw::context::{Cx, Here};
use crate::tasks::Refused;
use crate::term::Reader;
use crate::{DecodeError, FromTerm};

/// The mailboxes of a process that other processes know the numbers of.
#[derive(Default)]
pub(crate) struct Inbound {
    last: u64,
    mailboxes: HashMap<u64, Entry>,
}

struct Entry {
    deliver: Deliver,
    /// Where the mailbox was made.
    location: &'static Location<'static>,
}

/// Reads a message and puts it into its mailbox. Returns whether the mailbox is still there.
type Deliver = Box<dyn for<'a> Fn(VmTerm<'a>) -> Result<bool, DecodeError> + Send>;

impl Cx<'_> {
    /// Has messages with the number that is returned given to `send`. `None` without a VM.
    pub(crate) fn deliver_by<M: FromTerm + 'static>(
        &self,
        send: impl Fn(M) -> Result<(), Refused<M>> + Send + 'static,
        location: &'static Location<'static>,
    ) -> Option<u64> {
        let Here::Vm(call, _) = self.here() else {
            return None;
        };
        let deliver = move |view: VmTerm<'_>| {
            let read = |reader: Reader<'_>| M::__read(view, reader);
            let message = Reader::within(limits::message(), usize::MAX, read)?;
            Ok(!matches!(send(message), Err(Refused::Closed(_))))
        };
        let mut inbound = call.awaiting().inbound.borrow_mut();
        inbound.last += 1;
        let number = inbound.last;
        let deliver: Deliver = Box::new(deliver);
        inbound
            .mailboxes
            .insert(number, Entry { deliver, location });
        Some(number)
    }
}

impl Inbound {
    /// Delivers a message. Returns what is wrong with it, and where its mailbox was made.
    pub(in crate::runtime) fn deliver(
        &mut self,
        number: u64,
        message: VmTerm<'_>,
    ) -> Option<(&'static Location<'static>, Exit)> {
        let entry = self.mailboxes.get(&number)?;
        match (entry.deliver)(message) {
            Ok(true) => None,
            Ok(false) => {
                self.mailboxes.remove(&number);
                None
            }
            Err(error) => Some((entry.location, Exit::error((protocol::bad_term, error)))),
        }
    }
}
