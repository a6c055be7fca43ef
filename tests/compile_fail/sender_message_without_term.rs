//! What a thread sends to a process has an Erlang form.

use otp_bridge::Cx;

struct Line(String);

fn read_lines(cx: &Cx<'_>) {
    let sender = cx.sender::<Line>();
    std::thread::spawn(move || sender.send(Line("first".to_owned())));
}

fn main() {}
