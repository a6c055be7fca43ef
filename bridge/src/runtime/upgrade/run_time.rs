//! The library's Tokio run time. Its threads end before the library is unloaded.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::runtime::run_time_settings;

static RUN_TIME: Mutex<Option<Runtime>> = Mutex::new(None);

fn locked() -> MutexGuard<'static, Option<Runtime>> {
    RUN_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the run time. It is created at the first use.
pub(crate) fn handle() -> Handle {
    let mut run_time = locked();
    let run_time = run_time.get_or_insert_with(|| {
        let cores = available_parallelism().map_or(2, NonZero::get);
        let settings = run_time_settings::get();
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(settings.workers.map_or(cores.max(2), usize::from));
        if let Some(threads) = settings.blocking_threads {
            builder.max_blocking_threads(usize::from(threads));
        }
        let name = settings.thread_name.unwrap_or("otp-tokio".to_owned());
        let built = builder.thread_name(name).enable_all().build();
        built.expect("the system can start the threads of Tokio's workers")
    });
    run_time.handle().clone()
}

/// How long to wait for the end of its threads. Idle threads end at once.
const ENDING: Duration = Duration::from_millis(100);

/// Ends its threads. Their tasks are dropped at their current await. This may block.
pub(in crate::runtime) fn end() {
    let ended = locked().take();
    if let Some(run_time) = ended {
        run_time.shutdown_timeout(ENDING);
    }
}
