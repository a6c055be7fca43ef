//! A thread may go on when the call is over: for that there is `cx.sender()`.

use otp_bridge::Cx;

fn spawn(cx: &Cx<'_>) {
    std::thread::spawn(move || cx.send(&cx.pid(), "from the thread"));
}

fn main() {}
