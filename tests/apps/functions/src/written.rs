//! Arguments as users write them at first: all values that convert to the type in the `-spec`.
use std::time::Duration;

use otp_bindings::atoms::{
    active, binary, depth, ip, once, password, reuseaddr, send_timeout, sha256, verify, verify_none,
};
use otp_bindings::{crypto, erlang, ets, file, gen_tcp, inet, lists, maps, os, ssl, unicode};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::{Binary, Iodata, Tuple};
use otp_bridge::{atom, list};

use crate::caller::{Answers, answers};

pub async fn all(cx: &Cx<'_>) -> Result<Answers> {
    let listened = options(cx).await?;
    let (received, once_active) = sockets(cx).await?;
    let same = iodata(cx).await?;
    let text = unicode::characters_to_binary(cx, "chardata").await?;
    let named = named(cx).await?;
    let missing = file::read_file(cx, "/no/such/file").await?.err();
    let rows = [("one", 1), ("two", 2)].map(Tuple::from);
    let table = ets::new(cx, atom!("written"), []).await?;
    let inserted = ets::insert_new(cx, table, rows.to_vec()).await?;
    Ok(answers([
        (atom!("listened"), Term::of(&listened)),
        (atom!("received"), Term::of(&received)),
        (atom!("once"), Term::of(&once_active)),
        (atom!("same"), Term::of(&same)),
        (atom!("text"), Term::of(&text)),
        (atom!("named"), Term::of(&named)),
        (atom!("missing"), Term::of(&missing)),
        (atom!("inserted"), Term::of(&inserted)),
        (atom!("reason"), reason(cx).await),
    ]))
}

/// All options are correct, otherwise `ssl` would refuse them. None names a file, because `ssl` may
/// read files at once.
async fn options(cx: &Cx<'_>) -> Result<bool> {
    ssl::start(cx).await??;
    let options = list![
        (verify, verify_none),
        (password, "of no key"),
        (depth, 3),
        (active, false),
        binary,
    ];
    let listening = ssl::listen(cx, 0, options).await??;
    ssl::close(cx, listening).await??;
    ssl::stop(cx).await?;
    Ok(true)
}

/// Sends to itself, with every notation of bytes.
async fn sockets(cx: &Cx<'_>) -> Result<(Term, Term)> {
    let options = list![
        binary,
        (active, false),
        (reuseaddr, true),
        (ip, (127, 0, 0, 1)),
        (send_timeout, Duration::from_secs(5)),
    ];
    let listening = gen_tcp::listen(cx, 0, options).await??;
    let port = inet::port(cx, listening.clone()).await??;
    let loopback = inet::SocketAddress::from((127, 0, 0, 1));
    let one =
        gen_tcp::connect_address(cx, loopback, port, list![binary, (active, false)]).await??;
    let other = gen_tcp::accept(cx, listening.clone()).await??;
    gen_tcp::send(cx, one.clone(), "text ").await??;
    gen_tcp::send(cx, one.clone(), b"bytes ").await??;
    gen_tcp::send(cx, one.clone(), Binary::from("binary")).await??;
    let wait = Duration::from_secs(5);
    let received = gen_tcp::recv_with_timeout(cx, other.clone(), 17, wait).await??;
    inet::setopts(cx, other.clone(), list![(active, once)]).await??;
    let options = inet::getopts(cx, other.clone(), list![active]).await??;
    inet::setopts(cx, other.clone(), list![(active, false)]).await??;
    for socket in [one, other, listening] {
        gen_tcp::close(cx, socket).await?;
    }
    Ok((Term::of(&received), Term::of(&options)))
}

/// Hashes equal bytes in different notations.
async fn iodata(cx: &Cx<'_>) -> Result<bool> {
    let text = crypto::hash(cx, sha256, "text").await?;
    let bytes = crypto::hash(cx, sha256, b"text").await?;
    let binary_ = crypto::hash(cx, sha256, Binary::from("text")).await?;
    let slice = crypto::hash(cx, sha256, &b"text"[..]).await?;
    let iodata = crypto::hash(cx, sha256, Iodata::from("text")).await?;
    Ok([bytes, binary_, slice, iodata]
        .iter()
        .all(|hash| *hash == text))
}

/// Arguments may be tuples; results have the names of the form.
async fn named(cx: &Cx<'_>) -> Result<Tuple> {
    let now = os::timestamp(cx).await?;
    let is_now = now.mega_secs > 1_500 && now.secs < 1_000_000 && now.micro_secs < 1_000_000;
    let split = lists::split(cx, 1, vec![1_u8, 2, 3]).await?;
    let map = maps::from_list(cx, list![("one", 1), ("two", 2)]).await?;
    let part = erlang::binary_part(cx, "a binary", (2, 3)).await?;
    Ok(Tuple::from((is_now, split.list3, map, part)))
}

/// The reason of `{error, Reason}` becomes the exit's reason.
async fn reason(cx: &Cx<'_>) -> Term {
    async fn size(cx: &Cx<'_>) -> Result<usize> {
        Ok(file::read_file(cx, "/no/such/file").await??.len())
    }
    match size(cx).await {
        Ok(size) => Term::of(&size),
        Err(exit) => exit.into_reason(),
    }
}
