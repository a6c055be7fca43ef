//! Interoperability: other implementations of ECHONET Lite encode and decode equal frames, make
//! requests to our nodes, and answer our controller. Each test has a network of its own, with the
//! real port and group.

mod common;

use std::time::Instant;

use common::network::{Network, OURS, THEIRS};
use common::peer::Peer;
use common::shell::Shell;
use common::{PATIENCE, Program};
use echonet_lite::frame::{Eoj, Esv, NODE_PROFILE, Writer};
use otp_bridge_novm as _;

const CONTROLLER: Eoj = Eoj(0x05, 0xFF, 0x01);
const LIGHT: Eoj = Eoj(0x02, 0x90, 0x01);

impl Program {
    /// Repeats a command until this is the answer: datagrams may be lost, and either side may be
    /// slow.
    fn until(&mut self, line: &str, expected: &str) {
        let begun = Instant::now();
        loop {
            let answer = self.ask(line);
            if answer == expected {
                return;
            }
            let is_late = begun.elapsed() > PATIENCE;
            assert!(!is_late, "{line}: {answer}, not {expected}");
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.line(|_| true)
    }
}

/// Runs a check with both implementations in a network, if one can be created.
fn together(peer: Peer, check: impl FnOnce(&mut Shell, &mut Program)) {
    let Some(network) = Network::or_say() else {
        return;
    };
    let Some(mut program) = peer.or_say(&network.theirs) else {
        return;
    };
    let [interface, room, weather] = OURS;
    let words = ["--interface", interface, "--node", room, "--node", weather];
    let mut shell = Shell::start(&network.ours, &words);
    check(&mut shell, &mut program);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Exchanges frames of all services except `without`: the peer decodes ours correctly, and encodes
/// equal bytes.
fn frames(program: &mut Program, without: &[Esv]) {
    let long: Vec<u8> = (1..=255).collect();
    let lists: [&[(u8, &[u8])]; 2] = [
        &[(0x80, &[0x30]), (0xB0, &[]), (0xE7, &long)],
        &[(0x81, &[]), (0xBF, &[0, 1])],
    ];
    let text = |list: &[(u8, &[u8])]| {
        let each = list
            .iter()
            .map(|(epc, edt)| format!("{epc:02x}:{}", hex(edt)));
        each.collect::<Vec<_>>().join(",")
    };
    for (esv, tid) in Esv::ALL
        .iter()
        .zip([1, 0xABCD, 0x0100, 0xFFFE].into_iter().cycle())
    {
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, tid, CONTROLLER, LIGHT, *esv);
        let mut frame = format!("{tid:04x} 05ff01 029001 {:02x}", *esv as u8);
        for (at, list) in lists
            .iter()
            .enumerate()
            .take(1 + usize::from(esv.has_two_lists()))
        {
            if at == 1 {
                writer.next_list();
            }
            frame = format!("{frame} {}", text(list));
            for (epc, edt) in *list {
                assert!(writer.property(*epc, edt));
            }
        }
        if without.contains(esv) {
            continue;
        }
        let bytes = hex(&bytes);
        assert_eq!(program.ask(&format!("build {frame}")), bytes, "{esv:?}");
        assert_eq!(program.ask(&format!("parse {bytes}")), frame, "{esv:?}");
    }
}

/// The peer finds our node, and requests every service, except those that it does not support, and
/// one whose answer crashes it.
fn asks(shell: &mut Shell, program: &mut Program, without: &str) {
    let room = OURS[1];
    program.until(&format!("discover {room}"), "013001,029001,029002");
    let level = format!("echonet:get(<<\"{room}\">>, <<\"029001\">>, <<\"lightLevel\">>)");
    let cases = [
        (LIGHT, "62 80:,b0:", "72 80:31,b0:50"),
        (LIGHT, "62 80:,f0:", "52 80:31,f0:"),
        (NODE_PROFILE, "62 d3:,d4:", "72 d3:000003,d4:0003"),
        (LIGHT, "61 80:30,b0:46", "71 80:,b0:"),
        (LIGHT, "61 b0:65", "51 b0:65"),
        (LIGHT, "60 b0:1e", "none"),
        (LIGHT, "60 b0:65", "50 b0:65"),
        (LIGHT, "63 80:", "73 80:30"),
        (LIGHT, "63 f0:", "53 f0:"),
        (LIGHT, "6e b0:14 b0:,80:", "7e b0: b0:14,80:30"),
        (LIGHT, "6e 82:00000000 80:", "5e 82:00000000 80:30"),
        (NODE_PROFILE, "74 d5:00", "7a d5:"),
        (NODE_PROFILE, "73 d5:00", "none"),
        // A class and an instance that do not exist here.
        (Eoj(0x01, 0x35, 0x01), "62 80:", "none"),
        (Eoj(0x02, 0x90, 0x09), "62 80:", "none"),
    ];
    for (number, (to, request, expected)) in (0x0200..).zip(cases) {
        if expected == without {
            continue;
        }
        let to = to.to_string().to_lowercase();
        let ask = format!("ask {room} {number:04x} 0ef001 {to} {request}");
        let mut answer = program.ask(&ask);
        // Datagrams may be lost, and the peer may be slow.
        let begun = Instant::now();
        while answer == "none" && expected != "none" && begun.elapsed() < PATIENCE {
            answer = program.ask(&ask);
        }
        if answer == "unsupported" {
            continue;
        }
        let meant = answer.splitn(4, ' ').nth(3).unwrap_or(&answer);
        assert_eq!(meant, expected, "{request}");
        if request == "60 b0:1e" {
            assert_eq!(shell.ask(&level), "{ok,30}");
        }
    }
}

/// The peer reads and writes with its own functions for that.
fn reads_and_writes(shell: &mut Shell, program: &mut Program) {
    let room = OURS[1];
    program.until(&format!("read {room} 029001 80"), "30");
    let written = program.ask(&format!("write {room} 029001 b0 19"));
    if written != "unsupported" {
        assert_eq!(written, "ok");
        let level = format!("echonet:get(<<\"{room}\">>, <<\"029001\">>, <<\"lightLevel\">>)");
        assert_eq!(shell.ask(&level), "{ok,25}");
    }
}

/// Our controller finds the peer's device, reads and sets it, and receives its announcements.
fn is_asked(shell: &mut Shell, program: &mut Program, object: &str) {
    shell.until(
        &format!(
            "begin echonet:discover(), lists:member({{<<\"{THEIRS}\">>, <<\"{object}\">>}}, \
             [{{A, O}} || #{{address := A, object := O}} <- echonet:devices()]) end"
        ),
        "true",
    );
    let status = format!("(<<\"{THEIRS}\">>, <<\"{object}\">>, <<\"operationStatus\">>");
    assert_eq!(shell.ask(&format!("echonet:get{status})")), "{ok,false}");
    assert_eq!(shell.ask(&format!("echonet:set{status}, true)")), "ok");
    assert_eq!(shell.ask(&format!("echonet:get{status})")), "{ok,true}");
    let unknown = format!("echonet:get(<<\"{THEIRS}\">>, <<\"{object}\">>, 16#F1)");
    assert_eq!(shell.ask(&unknown), "{error,refused}");
    assert_eq!(program.ask(&format!("announce {object} 80 31")), "ok");
    shell.until(
        &format!(
            "[V || #{{address := <<\"{THEIRS}\">>, object := <<\"{object}\">>, properties := All}} \
             <- echonet:devices(), #{{epc := 16#80, value := V}} <- All]"
        ),
        "[false]",
    );
}

/// Checks the answers of the peer's node to each service.
fn answers(shell: &mut Shell, object: &str, expected: &[(&str, &str, &str)]) {
    for (service, lists, answer) in expected {
        let asked = format!(
            "fun() -> case echonet:ask(<<\"{THEIRS}\">>, <<\"{object}\">>, {service}, {lists}) of \
             {{ok, #{{service := S, properties := P, second := T}}}} -> {{S, P, T}}; Other -> Other end end()"
        );
        assert_eq!(shell.ask(&asked), *answer, "{service} {lists}");
    }
}

/// SetGet and its answers, which some implementations do not support.
fn with_two_lists() -> Vec<Esv> {
    let all = Esv::ALL.iter().copied();
    all.filter(|esv| esv.has_two_lists()).collect()
}

#[test]
fn pychonet() {
    together(Peer::Pychonet, |shell, program| {
        frames(program, &with_two_lists());
        asks(shell, program, "");
        reads_and_writes(shell, program);
    });
}

#[test]
fn uecho_of_python() {
    together(Peer::Uecho, |shell, program| {
        frames(program, &[]);
        asks(shell, program, "");
        is_asked(shell, program, "029001");
        // The peer refuses a SetC as if it were a SetI, always refuses an InfReq, and does not
        // answer an InfC.
        answers(
            shell,
            "029001",
            &[
                (
                    "get",
                    "[{16#80, <<>>}, {16#F1, <<>>}], []",
                    "{get_refused,[{128,<<\"1\">>},{241,<<>>}],[]}",
                ),
                (
                    "set_c",
                    "[{16#80, <<16#30>>}], []",
                    "{set_response,[{128,<<>>}],[]}",
                ),
                ("set_i", "[{16#80, <<16#31>>}], []", "{ok,undefined}"),
                (
                    "set_i",
                    "[{16#F1, <<16#31>>}], []",
                    "{set_i_refused,[{241,<<>>}],[]}",
                ),
                (
                    "inf_req",
                    "[{16#80, <<>>}], []",
                    "{inf_refused,[{128,<<>>}],[]}",
                ),
                (
                    "set_get",
                    "[{16#80, <<16#30>>}], [{16#80, <<>>}]",
                    "{set_get_response,[{128,<<>>}],[{128,<<\"0\">>}]}",
                ),
                (
                    "set_get",
                    "[{16#F1, <<16#30>>}], [{16#80, <<>>}]",
                    "{set_get_refused,[{241,<<>>}],[{128,<<\"0\">>}]}",
                ),
                ("inf", "[{16#80, <<16#30>>}], []", "{ok,undefined}"),
            ],
        );
    });
}

#[test]
fn echonet_lite_of_npm() {
    together(Peer::EchonetLite, |shell, program| {
        frames(program, &with_two_lists());
        asks(shell, program, "");
        is_asked(shell, program, "013001");
        answers(
            shell,
            "013001",
            &[
                (
                    "get",
                    "[{16#80, <<>>}, {16#F1, <<>>}], []",
                    "{get_refused,[{128,<<\"1\">>},{241,<<>>}],[]}",
                ),
                (
                    "set_c",
                    "[{16#B3, <<25>>}, {16#80, <<16#30>>}], []",
                    "{set_response,[{128,<<>>},{179,<<>>}],[]}",
                ),
                (
                    "set_c",
                    "[{16#B3, <<51>>}], []",
                    "{set_c_refused,[{179,<<\"3\">>}],[]}",
                ),
                ("set_i", "[{16#80, <<16#31>>}], []", "{ok,undefined}"),
            ],
        );
    });
}

#[test]
fn node_echonet_lite_of_npm() {
    together(Peer::NodeEchonetLite, |shell, program| {
        frames(program, &with_two_lists());
        asks(shell, program, "");
        reads_and_writes(shell, program);
    });
}

#[test]
fn echonet_of_rust() {
    together(Peer::Echonet, |shell, program| {
        // The peer encodes a refused SetGet without its lists, so no implementation can decode it,
        // not even the peer itself.
        frames(program, &[Esv::SetGetRefused]);
        asks(shell, program, "5e 82:00000000 80:30");
        is_asked(shell, program, "029001");
        answers(
            shell,
            "029001",
            &[
                (
                    "get",
                    "[{16#80, <<>>}, {16#F1, <<>>}], []",
                    "{get_refused,[{128,<<>>},{241,<<>>}],[]}",
                ),
                (
                    "set_c",
                    "[{16#80, <<16#30>>}], []",
                    "{set_response,[{128,<<>>}],[]}",
                ),
                (
                    "set_c",
                    "[{16#F1, <<16#30>>}], []",
                    "{set_c_refused,[{241,<<\"0\">>}],[]}",
                ),
                ("set_i", "[{16#80, <<16#31>>}], []", "{ok,undefined}"),
                (
                    "set_i",
                    "[{16#F1, <<16#31>>}], []",
                    "{set_i_refused,[{241,<<\"1\">>}],[]}",
                ),
                (
                    "inf_req",
                    "[{16#80, <<>>}], []",
                    "{inf,[{128,<<\"1\">>}],[]}",
                ),
                (
                    "inf_req",
                    "[{16#F1, <<>>}], []",
                    "{inf_refused,[{241,<<>>}],[]}",
                ),
                (
                    "set_get",
                    "[{16#80, <<16#30>>}], [{16#80, <<>>}]",
                    "{set_get_response,[{128,<<>>}],[{128,<<\"0\">>}]}",
                ),
                (
                    "inf_c",
                    "[{16#80, <<16#30>>}], []",
                    "{inf_c_response,[{128,<<>>}],[]}",
                ),
            ],
        );
    });
}
