//! Values that belong to the process that has received them.

use crate::FromTerm;
use crate::nif::ProcessWord;

/// A received value shows this to its watcher to learn which process has the value now. The watcher
/// sets the process, if there is a VM.
pub(crate) struct Arrival(pub(crate) Option<ProcessWord>);

pub(in crate::runtime) fn arrived<T: FromTerm>(value: &mut T, process: ProcessWord) {
    value.__watch(&|shown| {
        if let Some(Arrival(of)) = shown.downcast_mut() {
            *of = Some(process);
        }
    });
}
