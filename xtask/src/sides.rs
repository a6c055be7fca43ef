//! Programs that run at the same time. The output of each program is printed in one piece when it
//! ends.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::thread;

use crate::step::{self, Outcome};

/// A running program, and the file of its output.
pub(crate) struct Side {
    child: Child,
    file: PathBuf,
}

impl Side {
    pub(crate) fn start(mut program: Command, file: PathBuf) -> Outcome<Self> {
        let mut started = || {
            let printed = File::create(&file)?;
            let also = printed.try_clone()?;
            program.stdout(printed).stderr(also).spawn()
        };
        let child = started().map_err(|error| failed(&file, &error))?;
        Ok(Side { child, file })
    }

    /// Waits for the end of the program, and prints its output.
    pub(crate) fn end(mut self) -> Outcome {
        let status = self.child.wait();
        let status = status.map_err(|error| failed(&self.file, &error))?;
        let printed = fs::read(&self.file).map_err(|error| failed(&self.file, &error))?;
        step::say(&String::from_utf8_lossy(&printed));
        if status.success() {
            Ok(())
        } else {
            Err("what was done at the same time has failed, see above".to_owned())
        }
    }
}

fn failed(file: &std::path::Path, error: &io::Error) -> String {
    format!("{}: {error}", file.display())
}

/// Runs all works in this order, with at most `limit` at a time. A failure does not stop the
/// others.
pub(crate) fn at_once<Work>(limit: usize, works: impl IntoIterator<Item = Work>) -> Outcome
where
    Work: FnOnce() -> Outcome + Send,
{
    let works = Mutex::new(works.into_iter().collect::<VecDeque<_>>());
    let next = || works.lock().ok()?.pop_front();
    let worker = || {
        let mut outcome = Ok(());
        while let Some(work) = next() {
            outcome = outcome.and(work());
        }
        outcome
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..limit).map(|_| scope.spawn(worker)).collect();
        let panicked = |_| Err("a thread that waits for a program has panicked".to_owned());
        let outcomes = workers
            .into_iter()
            .map(|it| it.join().unwrap_or_else(panicked));
        outcomes.fold(Ok(()), Outcome::and)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        shell
    }

    #[test]
    fn a_side_runs_beside_and_is_waited_for() {
        let folder = std::env::temp_dir().join(format!("xtask-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, other) = (folder.join("printed"), folder.join("other"));
        let mut waits = shell("while ! [ -e \"$0\" ]; do sleep 0.01; done; echo begun");
        waits.arg(&other);
        let side = Side::start(waits, file.clone()).unwrap();
        fs::write(other, "").unwrap();
        assert_eq!(side.end(), Ok(()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "begun\n");
        let problem = Side::start(shell("exit 3"), file).unwrap().end();
        let problem = problem.unwrap_err();
        assert!(problem.contains("has failed"), "{problem}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn as_many_as_may_are_done_at_once_and_all_are_done() {
        let both = Barrier::new(2);
        let done = Mutex::new(Vec::new());
        let work = |number: usize| {
            let (both, done) = (&both, &done);
            move || {
                // Without a second function at the same time, the first one would wait for ever.
                both.wait();
                done.lock().unwrap().push(number);
                if number == 1 {
                    Err("the second".to_owned())
                } else {
                    Ok(())
                }
            }
        };
        let outcome = at_once(2, (0..4).map(work));
        assert_eq!(outcome, Err("the second".to_owned()));
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, [0, 1, 2, 3]);
    }
}
