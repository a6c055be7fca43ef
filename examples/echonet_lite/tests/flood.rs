//! Floods a node and a controller in a VM of their own with datagrams and connections, valid and
//! invalid ones.

mod common;

use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::PATIENCE;
use common::network::Host;
use common::shell::Shell;
use echonet_lite::frame::{Eoj, Esv, NODE_PROFILE, Writer};
use otp_bridge_novm as _;

const CONTROLLER: &str = "127.0.0.51";
const ROOM: &str = "127.0.0.52";
/// Address of the sender. It uses the nodes' port, so it receives the answers.
const SENDER: &str = "127.0.0.54";
/// Minimum duration of the flood. It lasts longer if no property was read in this time.
const LASTS: Duration = Duration::from_secs(3);
/// All processes of the application, to check afterwards that none was restarted.
const PROCESSES: &str = "lists:sort([P || {_, P, _, _} <- supervisor:which_children(stroot)])";
const READ: &str = "echonet:get(<<\"127.0.0.52\">>, <<\"029001\">>, <<\"lightLevel\">>)";

fn start(port: &str) -> Shell {
    let words = ["--interface", CONTROLLER, "--node", ROOM, "--port", port];
    Shell::start(&Host::Here, &words)
}

fn frame(to: Eoj, esv: Esv, properties: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::begin(&mut out, 9, NODE_PROFILE, to, esv);
    for (epc, edt) in properties {
        assert!(writer.property(*epc, edt));
    }
    if esv.has_two_lists() {
        writer.next_list();
        assert!(writer.property(0x80, &[]));
    }
    out
}

/// Sends requests, announcements and responses, valid and invalid ones, to a node or a controller,
/// as fast as possible.
fn flood(socket: &UdpSocket, to: &str, port: u16, sent: &AtomicU64, is_over: &AtomicBool) {
    let light = Eoj(2, 0x90, 1);
    let kinds = [
        frame(light, Esv::Get, &[(0x80, &[]), (0xB0, &[])]),
        frame(NODE_PROFILE, Esv::Inf, &[(0xD5, &[1, 2, 0x90, 1])]),
        frame(NODE_PROFILE, Esv::GetResponse, &[(0xD6, &[1, 2, 0x90, 1])]),
        frame(light, Esv::SetGet, &[(0xB0, &[30])]),
    ];
    while !is_over.load(Ordering::Relaxed) {
        for at in 0..400 {
            let mut datagram = kinds[at % 4].clone();
            if at % 8 >= 4 {
                let length = datagram.len();
                datagram[at % length] ^= (at / 7) as u8;
                datagram.truncate(length - at % 5);
            }
            // A datagram that cannot be sent counts as lost.
            let _ = socket.send_to(&datagram, (to, port));
        }
        sent.fetch_add(400, Ordering::Relaxed);
    }
}

/// Evaluates an expression whose value is a number.
fn number(shell: &mut Shell, expression: &str) -> u64 {
    let text = shell.ask(expression);
    text.parse()
        .unwrap_or_else(|_| panic!("{expression} is {text}"))
}

/// Returns whether a report says that a clause worked for 50 ms or more. Handling the datagrams of
/// one read takes a millisecond. The limit is that much higher because, in a flood, the kernel
/// delivers the datagrams of others in the time of the thread that runs. Time in which the clause
/// waits does not count: on busy cores, it waits for locks whose owners do not run.
fn has_held_a_scheduler(said: &str) -> bool {
    let reports = said.split("held its scheduler for ").skip(1);
    let mut worked = reports.map(|report| {
        let (_, time) = report.split_once('(')?;
        let (time, _) = time.split_once(" ms of processor time): ")?;
        time.parse::<u64>().ok()
    });
    worked.any(|worked| worked.is_none_or(|it| it >= 50))
}

/// A flood of a hundred thousand datagrams a second, or as many as the machine can send, causes the
/// loss of datagrams but no other damage.
#[test]
fn a_flood_loses_datagrams_and_nothing_else() {
    let port = 23650;
    let mut shell = start("23650");
    shell.until(READ, "{ok,80}");
    let processes = shell.ask(PROCESSES);
    let queued = "lists:max([element(2, process_info(P, message_queue_len)) || {_, P, _, _} <- supervisor:which_children(stroot)])";
    let memory = "begin [garbage_collect(P) || P <- processes()], erlang:memory(total) end";
    let before = number(&mut shell, memory);

    let sent = Arc::new(AtomicU64::new(0));
    let answered = Arc::new(AtomicU64::new(0));
    let is_over = Arc::new(AtomicBool::new(false));
    let own = Arc::new(UdpSocket::bind((SENDER, port)).expect("a socket"));
    own.set_read_timeout(Some(Duration::from_millis(100)))
        .expect("a timeout");
    let senders = [ROOM, CONTROLLER].map(|to| {
        let (own, sent, is_over) = (Arc::clone(&own), Arc::clone(&sent), Arc::clone(&is_over));
        std::thread::spawn(move || flood(&own, to, port, &sent, &is_over))
    });
    let reader = {
        let (own, answered) = (Arc::clone(&own), Arc::clone(&answered));
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                if own.recv_from(&mut [0; 2048]).is_ok() {
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            }
        })
    };
    let (begun, mut during, mut longest, mut most) = (Instant::now(), 0, Duration::ZERO, 0);
    while begun.elapsed() < LASTS || during == 0 && begun.elapsed() < PATIENCE {
        // The controller makes a request: one of its three tries succeeds, or it reports a timeout.
        let asked = Instant::now();
        let level = shell.ask(READ);
        assert!(
            ["{ok,80}", "{ok,30}", "{error,timeout}"].contains(&&level[..]),
            "{level}"
        );
        during += u32::from(level != "{error,timeout}");
        // Erlang processes get their turns throughout.
        assert_eq!(shell.ask("begin timer:sleep(1), here end"), "here");
        longest = longest.max(asked.elapsed());
        most = most.max(number(&mut shell, queued));
    }
    let lasted = begun.elapsed().as_secs_f64();
    is_over.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.join().expect("it does not panic");
    }
    reader.join().expect("it does not panic");
    let (sent, answered) = (
        sent.load(Ordering::Relaxed),
        answered.load(Ordering::Relaxed),
    );
    println!(
        "{:.0} datagrams a second, {answered} answers, {during} reads meanwhile, the longest {longest:?}, at most {most} messages waited",
        sent as f64 / lasted
    );
    assert!(answered > 0 && during > 0);
    assert!(answered < sent);
    assert!(longest < PATIENCE / 4, "{longest:?}");
    assert!(most < 1000, "{most} messages wait");
    shell.until(READ, "{ok,30}");
    assert_eq!(shell.ask(PROCESSES), processes);
    let after = number(&mut shell, memory);
    assert!(
        after < before + (8 << 20),
        "{before} bytes before, {after} after"
    );
    let said = shell.said();
    assert!(!has_held_a_scheduler(&said), "{said}");
}

/// Frames of every service, cut at every length, and with every byte changed.
fn broken() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for esv in Esv::ALL {
        let whole = frame(
            Eoj(2, 0x90, 1),
            *esv,
            &[(0xB0, &[50]), (0xD6, &[1, 2, 0x90, 1])],
        );
        all.extend((0..whole.len()).map(|length| whole[..length].to_vec()));
        for at in 0..whole.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                all.push(changed);
            }
        }
    }
    all
}

#[test]
fn malformed_frames_harm_neither_a_node_nor_a_controller() {
    let port = 23651;
    let mut shell = start("23651");
    shell.until(READ, "{ok,80}");
    let processes = shell.ask(PROCESSES);
    let socket = UdpSocket::bind((SENDER, port)).expect("a socket");
    for to in [ROOM, CONTROLLER] {
        for (number, bytes) in broken().iter().enumerate() {
            let _ = socket.send_to(bytes, (to, port));
            // Some go over a connection, which the node closes or leaves open. Half of them end in
            // the middle.
            if number % 16 == 0 {
                let mut stream = TcpStream::connect((to, port)).expect("it listens");
                let short = Some(Duration::from_millis(1));
                stream.set_read_timeout(short).expect("a timeout");
                let _ = stream.write_all(bytes);
                let _ = stream.read(&mut [0; 64]);
            }
        }
    }
    assert_eq!(shell.ask(PROCESSES), processes);
    let ask = |via: &str| {
        format!("echonet:ask(<<\"{via}{ROOM}\">>, <<\"029001\">>, get, [{{16#82, <<>>}}], [])")
    };
    let answer = "{ok,#{properties => [{130,<<0,0,82,0>>}],second => [],service => get_response}}";
    for via in ["", "tcp:"] {
        shell.until(&ask(via), answer);
    }
    let said = shell.said();
    assert!(
        !said.contains("=CRASH REPORT") && !has_held_a_scheduler(&said),
        "{said}"
    );
}
