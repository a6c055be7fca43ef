//! Calls as a user writes them at first: options, numbers, times, lists and tuples in the notation
//! of OTP's documentation.
use std::panic::catch_unwind;
use std::time::Duration;

use otp_bindings::atoms::{
    active, backlog, binary, bof, buffer, compressed, get, heir, high_msgq_watermark, keypos,
    linger, loopback, millisecond, none, packet, public, raw, read, read_ahead, set, timeout,
    write_concurrency,
};
use otp_bindings::{calendar, erlang, ets, file, gen_tcp, gen_udp, httpc, inet, lists, os, timer};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Tuple;
use otp_bridge::{atom, list};

use crate::caller::{Answers, answers};

pub async fn all(cx: &Cx<'_>) -> Result<Answers> {
    Ok(answers([
        (atom!("tables"), Term::of(&tables(cx).await?)),
        (atom!("files"), Term::of(&files(cx).await?)),
        (atom!("framed"), Term::of(&framed(cx).await?)),
        (atom!("refused"), Term::of(&refused())),
        (atom!("datagram"), Term::of(&datagram(cx).await?)),
        (atom!("web"), Term::of(&web(cx).await?)),
        (atom!("times"), Term::of(&times(cx).await?)),
        (atom!("dates"), Term::of(&dates(cx).await?)),
        (atom!("lists"), Term::of(&of_lists(cx).await?)),
        (atom!("system"), Term::of(&system(cx).await?)),
    ]))
}

/// A tuple of any size is a `tuple()`, and a type variable that occurs once accepts any term.
async fn tables(cx: &Cx<'_>) -> Result<Tuple> {
    let options = list![
        set,
        public,
        compressed,
        (keypos, 1),
        (heir, none),
        (write_concurrency, true),
    ];
    let table = ets::new(cx, atom!("first"), options).await?;
    ets::insert(cx, table.clone(), ("one", 1)).await?;
    ets::insert(cx, table.clone(), list![("two", 2), ("three", 3)]).await?;
    let is_new = ets::insert_new(cx, table.clone(), list![("two", 0)]).await?;
    ets::update_element(cx, table.clone(), "one", (2, 11)).await?;
    let element = ets::lookup_element(cx, table.clone(), "one", 2).await?;
    let matched = ets::r#match(cx, table.clone(), (atom!("$1"), 2)).await?;
    ets::delete(cx, table).await?;
    Ok(Tuple::from((is_new, element, matched)))
}

async fn files(cx: &Cx<'_>) -> Result<Tuple> {
    let modes = list![read, raw, binary, (read_ahead, 100)];
    let device = file::open(cx, "/proc/self/stat", modes).await??;
    let position = file::position(cx, device.clone(), (bof, 1)).await??;
    let start = file::position(cx, device.clone(), bof).await??;
    file::close(cx, device).await??;
    Ok(Tuple::from((position, start)))
}

/// A union of integers and atoms: the length of a packet's header.
async fn framed(cx: &Cx<'_>) -> Result<Term> {
    let options = list![
        binary,
        (packet, 4),
        (active, false),
        (backlog, 10),
        (linger, (true, 0)),
        (buffer, 1024),
        (high_msgq_watermark, 4096),
    ];
    let listening = gen_tcp::listen(cx, 0, options).await??;
    let port = inet::port(cx, listening.clone()).await??;
    let options = list![binary, (packet, 4), (active, 100)];
    let one = gen_tcp::connect_address(cx, (127, 0, 0, 1), port, options).await??;
    let other = gen_tcp::accept(cx, listening.clone()).await??;
    gen_tcp::send(cx, one.clone(), "framed").await??;
    let wait = Duration::from_secs(5);
    let received = gen_tcp::recv_with_timeout(cx, other.clone(), 0, wait).await??;
    for socket in [one, other, listening] {
        gen_tcp::close(cx, socket).await?;
    }
    Ok(Term::of(&received))
}

/// A number outside the union is refused when the option is created, with an error that names it.
fn refused() -> Term {
    let made = catch_unwind(|| gen_tcp::Option::from((packet, 3)));
    let message = made.err().and_then(|panic| panic.downcast::<String>().ok());
    Term::of(&message.map(|message| *message))
}

async fn datagram(cx: &Cx<'_>) -> Result<Term> {
    let options = list![binary, (active, false), (otp_bindings::atoms::ip, loopback)];
    let socket = gen_udp::open_with_opts(cx, 0, options).await??;
    let port = inet::port(cx, socket.clone()).await??;
    gen_udp::send_port(cx, socket.clone(), (127, 0, 0, 1), port, "datagram").await??;
    let wait = Duration::from_secs(5);
    let received = gen_udp::recv_with_timeout(cx, socket.clone(), 0, wait).await??;
    gen_udp::close(cx, socket).await?;
    // `{Address, Port, Packet}`
    let received = Term::of(&received).decode::<(Term, u16, Term)>()?;
    Ok(Term::of(&(received.0, received.1 == port, received.2)))
}

/// No server listens: only the form of the request is correct.
async fn web(cx: &Cx<'_>) -> Result<bool> {
    let request = ("http://localhost:1/", list![("accept", "*/*")]);
    let options = list![(timeout, Duration::from_secs(5))];
    let answered = httpc::request(cx, get, request, options, []).await;
    Ok(!matches!(answered, Ok(Ok(_))))
}

/// A time is a number of milliseconds or a `Duration`.
async fn times(cx: &Cx<'_>) -> Result<Tuple> {
    let hour = Duration::from_secs(3_600);
    let one = erlang::send_after(cx, hour, cx.pid(), "late").await?;
    let other = erlang::start_timer(cx, 3_600_000, cx.pid(), "late").await?;
    let mut are_an_hour = true;
    for started in [one, other] {
        let left = Term::of(&erlang::cancel_timer(cx, started).await?);
        are_an_hour &= left
            .decode::<u64>()
            .is_ok_and(|left| left > 3_590_000 && left <= 3_600_000);
    }
    let sent = timer::send_after(cx, hour, "late").await??;
    timer::cancel(cx, sent).await??;
    timer::sleep(cx, Duration::from_millis(1)).await?;
    Ok(Tuple::from((are_an_hour,)))
}

async fn dates(cx: &Cx<'_>) -> Result<Tuple> {
    let day = calendar::day_of_the_week(cx, (2024, 2, 29)).await?;
    let is_date = calendar::valid_date(cx, (2023, 2, 28)).await?;
    let second = ((1970, 1, 1), (0, 0, 1));
    let seconds = calendar::datetime_to_gregorian_seconds(cx, second).await?;
    Ok(Tuple::from((day, is_date, seconds)))
}

async fn of_lists(cx: &Cx<'_>) -> Result<Tuple> {
    let second = lists::nth(cx, 2, vec![1_u8, 2, 3]).await?;
    let last = lists::last(cx, [1_u8, 2, 3]).await?;
    Ok(Tuple::from((second, last)))
}

async fn system(cx: &Cx<'_>) -> Result<Tuple> {
    os::putenv(cx, "OTP_RS_FIRST", "set").await?;
    let value = os::getenv_with_var_name(cx, "OTP_RS_FIRST").await?;
    let family = os::r#type(cx).await?.osfamily;
    let address = inet::ntoa(cx, (127, 0, 0, 1)).await?;
    let is_late = os::system_time_with_unit(cx, millisecond).await? > 1_500_000_000_000_i64.into();
    Ok(Tuple::from((value, family, address, is_late)))
}
