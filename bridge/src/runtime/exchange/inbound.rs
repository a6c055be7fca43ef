//! Messages of other processes for a mailbox of tasks: `{'$otp_rs', to, Number, Message}`.

use std::collections::HashMap;
use std::panic::Location;

use otp_contract::library::OF_THREADS;

use crate::DecodeError;
use crate::nif::VmTerm;
use crate::runtime::failure::exit::Exit;
use crate::runtime::protocol;

/// The mailboxes of a process that other processes know the numbers of.
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
    /// A new mailbox. Returns its number.
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
