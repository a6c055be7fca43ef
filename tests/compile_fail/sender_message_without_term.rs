//! A thread can send only terms to a process.

use otp_bridge::Cx;

struct Line(String);

fn read_lines(cx: &Cx<'_>) {
    let sender = cx.sender::<Line>();
    std::thread::spawn(move || sender.send(Line("first".to_owned())));
}

fn main() {}
