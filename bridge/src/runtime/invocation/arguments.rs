//! Reading the arguments of a call.

use super::{Backend, Invocation};
use crate::runtime::awaiting::caller::Caller;
use crate::runtime::failure::unanswered::Responsible;
use crate::runtime::raw::borrowed_argument::Argument;
use crate::runtime::registry::arrival::Arrival;
use crate::term::{BorrowTerm, Lent};
use crate::{DecodeError, FromTerm};

impl<'a> Invocation<'a> {
    /// Decodes an argument into a value that borrows from it.
    ///
    /// # Errors
    /// Like [`Invocation::argument`].
    #[inline]
    pub fn borrowed<T: BorrowTerm>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<T::Of<'a>, DecodeError> {
        match &self.backend {
            Backend::Vm(vm) => vm
                .argument(index, T::borrow)
                .or_else(|error| vm.shortened(index, error, T::borrow)),
            Backend::Owned(owned, _) => owned.argument(index, T::borrow),
        }
        .map_err(|error| error.at_field(name))
    }

    /// Decodes an argument that the function takes by reference.
    ///
    /// # Errors
    /// Like [`Invocation::argument`].
    #[inline]
    pub fn lent<T: FromTerm>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<Lent<'a, T>, DecodeError> {
        match &self.backend {
            Backend::Vm(vm) => vm
                .argument(index, T::__lend)
                .or_else(|error| vm.shortened(index, error, T::__lend)),
            Backend::Owned(owned, _) => owned.argument(index, T::__lend),
        }
        .map_err(|error| error.at_field(name))
    }

    /// After this call, the clause owns the callers found in an argument and is responsible for
    /// replying to them. Other values in it that belong to a process become this process's.
    #[inline]
    pub fn watch<T: Argument>(&self, argument: &mut T) {
        argument.watch(&|shown| {
            let process = match &self.backend {
                Backend::Vm(vm) => Some(vm.frame.env.process()),
                Backend::Owned(..) => None,
            };
            if let Some(arrival) = shown.downcast_mut() {
                *arrival = Arrival(process);
            } else if let Some(server) = shown.downcast_mut() {
                *server = Some(Responsible {
                    clause: self.running_clause(),
                    process,
                    is_received: false,
                });
            }
        });
    }

    /// Decodes the caller of a request.
    ///
    /// # Errors
    /// The term is not a `{Client, Tag}`.
    pub fn caller<Reply>(
        &self,
        index: usize,
        name: &'static str,
    ) -> Result<Caller<Reply>, DecodeError> {
        let mut caller = self.argument(index, name)?;
        self.watch(&mut caller);
        Ok(caller)
    }
}
