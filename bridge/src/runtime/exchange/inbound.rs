//! Messages of other processes for a mailbox of tasks: `{'$otp_rs', to, Number, Message}`.

use std::collections::HashMap;
use std::panic::Location;

use otp_contract::library::OF_THREADS;

use crate::DecodeError;
use crate::nif::VmTerm;
use crate::runtime::failure::exit::Exit;
use crate::runtime::protocol;

/// The mailboxes of a process that other processes address by number.
pub(crate) struct Inbound {
    last: u64,
    mailboxes: HashMap<u64, Entry>,
}

struct Entry {
    deliver: Deliver,
    /// The line that created the mailbox.
    location: &'static Location<'static>,
}

/// Reads a message and puts it into its mailbox. Returns whether the mailbox still exists.
pub(in crate::runtime) type Deliver =
    Box<dyn for<'a> Fn(VmTerm<'a>) -> Result<bool, DecodeError> + Send>;

impl Default for Inbound {
    fn default() -> Self {
        Inbound {
            last: OF_THREADS,
            mailboxes: HashMap::new(),
        }
    }
}

impl Inbound {
    /// Adds a mailbox. Returns its number.
    pub(in crate::runtime) fn add(
        &mut self,
        deliver: Deliver,
        location: &'static Location<'static>,
    ) -> u64 {
        self.last += 1;
        let number = self.last;
        self.mailboxes.insert(number, Entry { deliver, location });
        number
    }

    /// Delivers a message. If the message is invalid, returns the error and the line that created
    /// its mailbox.
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
