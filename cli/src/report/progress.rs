//! What is shown on a terminal while something takes long.

use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Work that takes less is not worth a line.
const SHORT: Duration = Duration::from_secs(1);
/// How often the line is drawn.
const FRAME: Duration = Duration::from_millis(100);
/// Columns of the bar.
const BAR: usize = 20;

/// Does some work, and shows the line with a bar and the time until it is done. How much of the work is done is not known.
pub(super) fn show<T>(line: &str, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || draw(line, &wait));
        // A panic ends the drawing, too.
        let _done = done;
        work()
    })
}

fn draw(line: &str, wait: &Receiver<()>) {
    let begin = Instant::now();
    let is_over =
        |time: Duration| !matches!(wait.recv_timeout(time), Err(RecvTimeoutError::Timeout));
    if is_over(SHORT) {
        return;
    }
    for frame in 0.. {
        let text = format!(
            "\r{line} [{}] {}s\x1b[K",
            bar(frame),
            begin.elapsed().as_secs()
        );
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        if is_over(FRAME) {
            let _ = std::io::stderr().lock().write_all(b"\r\x1b[K");
            return;
        }
    }
}

/// Something that moves from the left to the right and back.
fn bar(frame: usize) -> String {
    let places = BAR - 2;
    let at = frame % (2 * places);
    let (at, mark) = match at < places {
        true => (at, "=>"),
        false => (2 * places - at, "<="),
    };
    format!("{:at$}{mark}{:rest$}", "", "", rest = places - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_has_one_width() {
        for frame in 0..100 {
            assert_eq!(bar(frame).len(), BAR, "{frame}");
        }
        assert!(bar(0).starts_with("=>") && bar(BAR - 2).ends_with("<="));
    }
}
