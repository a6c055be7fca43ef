//! A server that calls OTP's functions through their bindings.
use std::collections::BTreeMap;
use std::time::Duration;

use otp_bindings::atoms::{active, binary, named_table, public};
use otp_bindings::{
    crypto, erlang, ets, file, gen_tcp, inet, logger, persistent_term, timer, unicode,
};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::{Binary, ErlangString, Tuple};
use otp_bridge::{atom, list};

use crate::{corrected, examples, first, opaque, written};

/// The received messages.
#[derive(Debug)]
pub struct Caller {
    seen: Vec<Term>,
}

/// A module to call. The reply is a map of the results.
#[derive(Debug, Term)]
#[reply(BTreeMap<Atom, Term>)]
pub enum Call {
    /// `ets`
    Ets,
    /// `{file, Folder}`
    File(String),
    /// `timer`
    Timer,
    /// `tcp`
    Tcp,
    /// `persistent_term`
    PersistentTerm,
    /// `others`
    Others,
    /// `first`
    First,
    /// `written`
    Written,
    /// `corrected`
    Corrected,
    /// `opaque`
    Opaque,
    /// `examples`
    Examples,
    /// `{example, Module}`
    Example(String),
}

/// Returns the received messages.
#[derive(Debug, Term)]
#[reply(Vec<Term>)]
pub struct Seen;

pub(crate) type Answers = BTreeMap<Atom, Term>;

pub(crate) fn answers<const N: usize>(pairs: [(Atom, Term); N]) -> Answers {
    pairs.into_iter().collect()
}

#[gen_server]
impl GenServer for Caller {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Caller { seen: Vec::new() })
    }

    async fn handle_call(&self, call: Call, cx: &Cx<'_>) -> Result<HandleCall<Answers>> {
        let answers = match call {
            Call::Ets => tables(cx).await?,
            Call::File(folder) => files(cx, &folder).await?,
            Call::Timer => timers(cx).await?,
            Call::Tcp => sockets(cx).await?,
            Call::PersistentTerm => persistent(cx).await?,
            Call::Others => others(cx).await?,
            Call::First => first::all(cx).await?,
            Call::Written => written::all(cx).await?,
            Call::Corrected => corrected::all(cx).await?,
            Call::Opaque => opaque::all(cx).await?,
            Call::Examples => answers([(atom!("modules"), Term::of(&examples::MODULES))]),
            Call::Example(module) => {
                examples::run(cx, &module).await?;
                answers([(atom!("done"), Term::of(&module))])
            }
        };
        reply(answers)
    }

    fn handle_call(&self, _: Seen) -> HandleCall<Vec<Term>> {
        reply(self.seen.clone())
    }

    fn handle_info(&mut self, message: Term) -> HandleInfo {
        self.seen.push(message);
        noreply()
    }
}

async fn tables(cx: &Cx<'_>) -> Result<Answers> {
    let options = vec![
        ets::TableType::OrderedSet.into(),
        ets::TableAccess::from(public).into(),
        named_table.into(),
    ];
    let table = ets::new(cx, atom!("numbers"), options).await?;
    let inserted = ets::insert(cx, table.clone(), Tuple::from(("one", 1))).await?;
    let more = vec![("two", 2).into(), ("three", 3).into()];
    let new = ets::insert_new(cx, table.clone(), more).await?;
    let again = ets::insert_new(cx, table.clone(), Tuple::from(("two", 4))).await?;
    let found = ets::lookup(cx, table.clone(), "two").await?;
    let all = ets::tab2list(cx, atom!("numbers")).await?;
    let size = ets::info_with_item(cx, table.clone(), ets::InfoItem::Size).await?;
    let deleted = ets::delete(cx, table.clone()).await?;
    let gone = ets::lookup(cx, table, "two").await;
    Ok(answers([
        (atom!("inserted"), Term::of(&(inserted, new, again))),
        (atom!("found"), Term::of(&found)),
        (atom!("all"), Term::of(&all)),
        (atom!("size"), Term::of(&size)),
        (atom!("deleted"), Term::of(&deleted)),
        (atom!("gone"), Term::of(gone.unwrap_err().reason())),
    ]))
}

async fn files(cx: &Cx<'_>, folder: &str) -> Result<Answers> {
    let path = ErlangString::from(format!("{folder}/written"));
    let written = file::write_file(cx, path.clone(), "some text").await?;
    let appended =
        file::write_file_with_modes(cx, path.clone(), " more", vec![file::Mode::Append]).await?;
    let read = file::read_file(cx, path.clone()).await?.ok();
    let missing = file::read_file(cx, ErlangString::from("/no/such/file"))
        .await?
        .err();
    let known = missing == Some(file::Posix::Enoent.into());
    let listed = file::list_dir(cx, ErlangString::from(folder)).await?.ok();
    let deleted = file::delete(cx, path).await?;
    Ok(answers([
        (
            atom!("written"),
            Term::of(&(written.is_ok(), appended.is_ok())),
        ),
        (atom!("read"), Term::of(&read)),
        (atom!("missing"), Term::of(&missing)),
        (atom!("known"), Term::of(&known)),
        (atom!("listed"), Term::of(&listed)),
        (atom!("deleted"), Term::of(&deleted.is_ok())),
    ]))
}

async fn timers(cx: &Cx<'_>) -> Result<Answers> {
    let sent = timer::send_after(cx, 10, (atom!("from_timer"), 7)).await?;
    let late = timer::send_after(cx, 60_000, atom!("never")).await?;
    let cancelled = match late {
        Ok(reference) => timer::cancel(cx, reference).await?.is_ok(),
        Err(_) => false,
    };
    let slept = timer::sleep(cx, Duration::from_millis(20)).await?;
    Ok(answers([
        (atom!("sent"), Term::of(&sent.is_ok())),
        (atom!("cancelled"), Term::of(&cancelled)),
        (atom!("slept"), Term::of(&slept)),
    ]))
}

/// Sends to itself through a loopback connection.
async fn sockets(cx: &Cx<'_>) -> Result<Answers> {
    let options = list![binary, (active, false)];
    let listening = gen_tcp::listen(cx, 0, options).await??;
    let port = inet::port(cx, listening.clone()).await??;
    let options = list![binary, (active, false)];
    let address = inet::SocketAddress::from(inet::IpAddress::from(inet::Ip4Address(127, 0, 0, 1)));
    let one = gen_tcp::connect_address(cx, address, port, options).await??;
    let other = gen_tcp::accept(cx, listening.clone()).await??;
    let sent = gen_tcp::send(cx, one.clone(), "over the wire").await?;
    let received =
        gen_tcp::recv_with_timeout(cx, other.clone(), 13, Duration::from_secs(5)).await??;
    let nothing = gen_tcp::recv_with_timeout(cx, other.clone(), 1, 1).await?;
    gen_tcp::close(cx, one).await?;
    let closed = gen_tcp::recv(cx, other.clone(), 0).await?;
    gen_tcp::close(cx, other).await?;
    gen_tcp::close(cx, listening).await?;
    Ok(answers([
        (atom!("port"), Term::of(&(port > 0))),
        (atom!("sent"), Term::of(&sent.is_ok())),
        (atom!("received"), Term::of(&received)),
        (atom!("nothing"), Term::of(&nothing.err())),
        (atom!("closed"), Term::of(&closed.err())),
    ]))
}

async fn persistent(cx: &Cx<'_>) -> Result<Answers> {
    persistent_term::put(cx, ("functions", 1), vec![1, 2, 3]).await?;
    let got = persistent_term::get_with_key(cx, ("functions", 1)).await?;
    let erased = persistent_term::erase(cx, ("functions", 1)).await?;
    let absent = persistent_term::get_with_key(cx, ("functions", 1)).await;
    let default =
        persistent_term::get_with_key_and_default(cx, ("functions", 1), atom!("default")).await?;
    Ok(answers([
        (atom!("got"), Term::of(&got.decode::<Vec<u8>>()?)),
        (atom!("erased"), Term::of(&erased)),
        (atom!("default"), default),
        (atom!("absent"), Term::of(absent.unwrap_err().reason())),
    ]))
}

async fn others(cx: &Cx<'_>) -> Result<Answers> {
    let own = erlang::self_(cx).await? == cx.pid();
    let processes = erlang::system_info_process_count(cx).await?.get() > 10;
    let before = erlang::process_flag_trap_exit(cx, true).await?;
    let after = erlang::process_flag_trap_exit(cx, before).await?;
    let sum = erlang::append(cx, vec![Term::of(&1)], vec![2]).await?;
    let random = crypto::strong_rand_bytes(cx, 16).await?.len();
    let text = unicode::Chardata::from(Binary::from("functions have been called"));
    let logged = logger::log(cx, logger::Level::Debug, text.clone()).await?;
    logger::debug(cx, text).await?;
    let formatted = logger::debug_format(cx, "~p of ~p", [Term::of(&1), Term::of(&2)]).await?;
    let levels = logger::compare_levels(cx, logger::Level::Error, logger::Level::Info).await?;
    Ok(answers([
        (atom!("own"), Term::of(&own)),
        (atom!("processes"), Term::of(&processes)),
        (atom!("flag"), Term::of(&(before, after))),
        (atom!("appended"), Term::of(&sum)),
        (atom!("random"), Term::of(&random)),
        (atom!("logged"), Term::of(&logged)),
        (atom!("formatted"), Term::of(&formatted)),
        (atom!("levels"), Term::of(&levels)),
    ]))
}
