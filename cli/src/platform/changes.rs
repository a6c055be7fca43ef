//! Detects changes in folders without reading their files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::fs::inotify;

/// The interval after which changes are assumed, because the system does not report some: in a
/// folder of another machine, or on systems without notifications.
const UNSAID: Duration = Duration::from_secs(2);

/// The system's notifications of changes in folders.
pub(crate) struct Changes {
    #[cfg(target_os = "linux")]
    queue: Option<rustix::fd::OwnedFd>,
    looked: Instant,
}

impl Changes {
    /// Starts to watch for changes of files and folders directly inside these.
    pub(crate) fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Changes {
            #[cfg(target_os = "linux")]
            queue: queue(folders),
            looked: Instant::now(),
        }
    }

    /// Returns whether there have been any since the last call, or may have been.
    pub(crate) fn any(&mut self) -> bool {
        let any = self.said() || self.looked.elapsed() > UNSAID;
        if any {
            self.looked = Instant::now();
        }
        any
    }

    #[cfg(target_os = "linux")]
    fn said(&self) -> bool {
        let mut said = false;
        let mut events = [0; 4096];
        while let Some(queue) = &self.queue
            && rustix::io::read(queue, &mut events).is_ok_and(|read| read > 0)
        {
            said = true;
        }
        said
    }

    #[cfg(not(target_os = "linux"))]
    fn said(&self) -> bool {
        false
    }
}

/// Returns `None` if there are too many folders or queues.
#[cfg(target_os = "linux")]
fn queue(folders: impl IntoIterator<Item = PathBuf>) -> Option<rustix::fd::OwnedFd> {
    use inotify::{CreateFlags, WatchFlags};

    let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
    let changes = WatchFlags::CREATE
        | WatchFlags::MODIFY
        | WatchFlags::ATTRIB
        | WatchFlags::DELETE
        | WatchFlags::MOVED_FROM
        | WatchFlags::MOVED_TO
        | WatchFlags::DELETE_SELF
        | WatchFlags::MOVE_SELF;
    for folder in folders {
        // A folder that does not exist, or exceeds the limit, is checked at intervals.
        let _ = inotify::add_watch(&queue, &folder, changes);
    }
    Some(queue)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_system_says_what_changes_and_nothing_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let changes = Changes::of([folder.path().to_owned(), folder.path().join("nowhere")]);
        assert!(!changes.said());
        fs::write(&file, "new").unwrap();
        assert!(changes.said() && !changes.said());
        fs::rename(&file, folder.path().join("other")).unwrap();
        assert!(changes.said() && !changes.said());
        fs::read(folder.path().join("other")).unwrap();
        assert!(!changes.said());
    }
}
