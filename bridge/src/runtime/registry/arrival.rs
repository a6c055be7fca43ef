//! Values that are their process's wherever they come from.

use crate::FromTerm;
use crate::nif::ProcessWord;

/// What a value which was read shows its watcher, if it has to know the process that has it now:
/// that is set, if there is a VM.
pub(crate) struct Arrival(pub(crate) Option<ProcessWord>);

pub(in crate::runtime) fn arrived<T: FromTerm>(value: &mut T, process: ProcessWord) {
    value.__watch(&|shown| {
        if let Some(Arrival(of)) = shown.downcast_mut() {
            *of = Some(process);
        }
    });
}
