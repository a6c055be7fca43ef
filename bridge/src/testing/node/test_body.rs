//! The body of a test, in a process of a simulated node.

use super::callbacks::run;
use super::core::SharedCore;
use super::operations::Operations;
use super::own::OwnProcess;
use crate::Exit;
use crate::runtime::{AnyBody, Cx, Here, note_locations, take_without_vm};

/// The name of the test's process in traces.
const TEST: &str = "test";

/// Adds the process of a test to its node.
pub(super) fn add(core: &SharedCore, body: AnyBody) -> usize {
    note_locations();
    let index = core.borrow_mut().add(TEST, None);
    let own = OwnProcess::new(core, index);
    let future = Box::pin(run_body(own, body));
    core.borrow_mut().spawned.push((index, future));
    index
}

async fn run_body(own: OwnProcess, body: AnyBody) -> Exit {
    let cx = Cx::without_vm(own.pid(), None);
    let outcome = run(&own, &cx, body.start(&cx)).await;
    if let Here::Owned(call) = cx.here() {
        let mut last = Operations::default();
        last.perform(&own, call);
        last.cancel_all(&own);
    }
    let _callers = take_without_vm();
    match outcome {
        Ok(_) => Exit::new(crate::atoms::normal),
        Err(exit) => exit,
    }
}
