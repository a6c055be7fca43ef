//! Mailboxes of tasks that other processes send to.

use std::panic::Location;

use crate::FromTerm;
use crate::nif::VmTerm;
use crate::runtime::protocol::limits;
use crate::runtime::raw::context::{Cx, Here};
use crate::tasks::Refused;
use crate::term::Reader;

impl Cx<'_> {
    /// Registers a mailbox: messages with the returned number are passed to `send`. `None` without
    /// a VM.
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
        Some(inbound.add(Box::new(deliver), location))
    }
}
